/*
 * pyperf -o: each run is a process, its values are steps; a run that only
 * calibrates has none.
 */
#include "ingest/bench/bench_json.h"

static const char *metadata(struct bench *b, const struct bench_node *root,
	const struct bench_node *benchmark, const char *key)
{
	const struct bench_node own = bench_at(benchmark, "metadata"),
				common = bench_at(root, "metadata");
	const char *text = bench_text_at(b, &own, key);

	return text ? text : bench_text_at(b, &common, key);
}

/* Values of a run are those of a process; one that only calibrates has none. */
static int add_run(struct bench *b, const struct bench_node *run, struct bench_row row,
	size_t *number, struct error *err)
{
	const struct bench_node values = bench_at(run, "values");
	struct json_walk walk = values.inside;
	struct bench_node value;

	if (bench_count(&values) == 0)
		return 0;
	row.run = bench_run(b, (*number)++);
	bench_fact(b, BENCH_START, run, "metadata.date");
	for (row.step = 0; bench_next(&values, &walk, &value); row.step++) {
		row.value = bench_number(b, &value);
		if (bench_add(b, &row, err) < 0)
			return -1;
	}
	return 0;
}

static int add_benchmark(struct bench *b, const struct bench_node *root,
	const struct bench_node *benchmark, struct error *err)
{
	const struct bench_node runs = bench_at(benchmark, "runs");
	const char *name = metadata(b, root, benchmark, "name"),
		   *unit = metadata(b, root, benchmark, "unit");
	struct json_walk walk = runs.inside;
	struct bench_row row = {.unit = "s", .measure = "time"};
	struct bench_node run;
	size_t number = 0;

	row.benchmark = bench_distinct(b, name ? name : "benchmark");
	if (unit) {
		row.unit = text_equal(unit, "integer") ? NULL : bench_unit(b, unit);
		row.measure = bench_measure(b, unit);
	}
	while (bench_next(&runs, &walk, &run))
		if (add_run(b, &run, row, &number, err) < 0)
			return -1;
	if (!number)
		bench_not_measured(b, row.benchmark, "no values");
	return 0;
}

static int each(struct bench *b, const struct bench_node *root, size_t index, size_t count,
	struct error *err)
{
	const struct bench_node list = bench_at(root, "benchmarks");
	struct json_walk walk = list.inside;
	struct bench_node item;

	(void)index;
	(void)count;
	b->facts.of[BENCH_FRAMEWORK] = "pyperf";
	bench_fact(b, BENCH_HOST, root, "metadata.hostname");
	bench_fact(b, BENCH_MACHINE, root, "metadata.cpu_model_name");
	while (bench_next(&list, &walk, &item))
		if (add_benchmark(b, root, &item, err) < 0)
			return -1;
	return 0;
}

static int pyperf_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_json(in, out, opt, each, err);
}

static int pyperf_probe(const struct probe *p)
{
	return probe_begins(p, "{") && probe_has(p, "\"runs\"") && probe_has(p, "\"benchmarks\"") &&
			       (probe_has(p, "\"warmups\"") || probe_has(p, "\"perf_version\"") ||
				       probe_has(p, "\"values\""))
		       ? 85
		       : 0;
}

const struct reader reader_pyperf = {
	.name = "pyperf",
	.title = "pyperf results",
	.summary = "values of processes of pyperf (-o FILE.json)",
	.suffixes = BENCH_JSON,
	.probe = pyperf_probe,
	.read = pyperf_read,
};
