/*
 * JMH -rf json.
 */
#include "base/text.h"
#include "ingest/bench/bench_json.h"

/* "benchmark:size=10,kind=a": parameters are part of the name, the mode where it alone differs. */
static const char *name_of(struct bench *b, const struct bench_node *item)
{
	struct bench_node params = bench_at(item, "params"), param;
	const char *name = bench_text_at(b, item, "benchmark"), *mode;

	for (size_t i = 0; name && bench_next(&params, &param); i++)
		name = arena_printf(b->arena, "%s%c%s=%s", name, i ? ',' : ':',
			bench_key(b, &param), bench_text(b, &param) ? bench_text(b, &param) : "");
	if (!name || !bench_times_seen(b, name))
		return name;
	mode = bench_text_at(b, item, "mode");
	return bench_distinct(b, mode ? arena_printf(b->arena, "%s:%s", name, mode) : name);
}

/* A fork is a process, an iteration a step of it; of sampled times there is only their mean. */
static int add_metric(struct bench *b, const struct bench_node *metric, const char *name,
	const char *measure, struct error *err)
{
	const char *unit = bench_text_at(b, metric, "scoreUnit");
	struct bench_value value = {.path = "rawData", .each = BENCH_RUNS_OF_STEPS};
	bool found;

	value.unit = bench_unit(b, unit ? unit : "");
	if (measure && text_equal(measure, "throughput"))
		value.unit = arena_printf(b->arena, "%s:higher", value.unit);
	value.measure = measure ? measure : bench_measure(b, unit ? unit : "");
	if (bench_add_values(b, metric, name, &value, &found, err) < 0)
		return -1;
	value.path = "score";
	value.each = BENCH_ONE;
	return found ? 0 : bench_add_values(b, metric, name, &value, NULL, err);
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node items = *root, item, metric;

	while (bench_next(&items, &item)) {
		const struct bench_node primary = bench_at(&item, "primaryMetric");
		struct bench_node others = bench_at(&item, "secondaryMetrics");
		const char *name = name_of(b, &item);

		if (!name)
			continue;
		if (add_metric(b, &primary, name,
			    bench_is_at(&item, "mode", "thrpt") ? "throughput" : NULL, err) < 0)
			return -1;
		while (bench_next(&others, &metric))
			if (add_metric(b, &metric, name, bench_key(b, &metric), err) < 0)
				return -1;
	}
	return 0;
}

static const struct bench_shape shape = {.framework = "JMH", .each = each};

const struct reader reader_jmh = {
	.name = "jmh",
	.title = "JMH results",
	.summary = "forks and iterations of JMH (-rf json)",
	.suffixes = BENCH_JSON,
	.signs = {90, "[",
		{{"\"primaryMetric\"", "\"jmhVersion\""}, {"\"primaryMetric\"", "\"scoreUnit\""}}},
	.read = bench_read_json,
	.source = &shape,
};
