/*
 * SGLang's kernel-bench: one value of each case and measurement, null where it is not measured.
 */
#include "base/text.h"
#include "ingest/bench/bench_json.h"

/* Names are those of a case. */
static int add_case(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	struct bench_node measurements = bench_at(item, "measurements"), one;
	const char *unit = bench_text_at(b, item, "metric");
	const struct bench_node better = bench_at(item, "higher_is_better");
	const char *measure = bench_measure(b, unit ? unit : "");

	unit = unit ? bench_unit(b, unit) : "";
	if (better.value.kind && !text_equal(measure, "time"))
		unit = arena_printf(b->arena, "%s:%s", unit,
			bench_is_true_at(item, "higher_is_better") ? "higher" : "lower");
	while (bench_next(&measurements, &one)) {
		const struct bench_row row = {
			.benchmark = bench_distinct(
				b, arena_printf(b->arena, "%s/%s", name, bench_key(b, &one))),
			.unit = *unit ? unit : NULL,
			.measure = measure};

		if (bench_add_node(b, row, &one, "null", err) < 0)
			return -1;
	}
	return 0;
}

static const struct bench_shape shape = {
	.list = "cases",
	.item = add_case,
	.fact = {{BENCH_DEVICE_MODEL, "meta.device_name"}},
};

const struct reader reader_sglang_kernels = {
	.name = "sglang-kernels",
	.title = "kernel benchmarks of SGLang",
	.summary = "cases and measurements of SGLang (kernel-bench)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{", {{"\"cases\"", "\"measurements\"", "\"metric\""}}},
	.read = bench_read_json,
	.source = &shape,
};
