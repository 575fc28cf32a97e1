/*
 * SGLang's kernel-bench: one value of each case and measurement, null where it
 * is not measured.
 */
#include "base/text.h"
#include "ingest/bench/bench_json.h"

/* Names are those of a case. */
static int add_case(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	const struct bench_node measurements = bench_at(item, "measurements");
	const char *unit = bench_text_at(b, item, "metric");
	const struct bench_node better = bench_at(item, "higher_is_better");
	const char *measure = bench_measure(b, unit ? unit : "");
	struct json_walk walk = measurements.inside;
	struct bench_node one;

	unit = unit ? bench_unit(b, unit) : "";
	if (better.value.kind && !text_equal(measure, "time"))
		unit = arena_printf(
			b->arena, "%s:%s", unit, bench_is_true(&better) ? "higher" : "lower");
	while (bench_next(&measurements, &walk, &one)) {
		struct bench_row row = {.unit = *unit ? unit : NULL,
			.measure = measure,
			.value = bench_number(b, &one)};

		row.benchmark = bench_distinct(
			b, arena_printf(b->arena, "%s/%s", name, bench_key(b, &one)));
		if (!row.value)
			bench_not_measured(b, row.benchmark, "null");
		if (bench_add(b, &row, err) < 0)
			return -1;
	}
	return 0;
}

static const struct bench_shape shape = {
	.list = "cases",
	.item = add_case,
	.fact = {{BENCH_COMMIT, "meta.commit"}, {BENCH_DEVICE_MODEL, "meta.device_name"},
		{BENCH_START, "meta.date"}},
};

static int sglang_kernels_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_shape(in, out, opt, &shape, err);
}

static int sglang_kernels_probe(const struct probe *p)
{
	return probe_begins(p, "{") && probe_has(p, "\"cases\"") &&
			       probe_has(p, "\"measurements\"") && probe_has(p, "\"metric\"")
		       ? 85
		       : 0;
}

const struct reader reader_sglang_kernels = {
	.name = "sglang-kernels",
	.title = "kernel benchmarks of SGLang",
	.summary = "cases and measurements of SGLang (kernel-bench)",
	.suffixes = BENCH_JSON,
	.probe = sglang_kernels_probe,
	.read = sglang_kernels_read,
};
