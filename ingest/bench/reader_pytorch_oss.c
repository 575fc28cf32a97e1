/*
 * Records of PyTorch's benchmark database, version 3: one metric each. The direction is not said.
 */
#include "base/text.h"
#include "ingest/bench/bench_json.h"

static const char *join(struct bench *b, const char *name, const char *part)
{
	if (!part || !*part)
		return name;
	return name ? arena_printf(b->arena, "%s/%s", name, part) : part;
}

/* Several values are of shapes, where there are as many of them; else steps of one process. */
static int add_values(
	struct bench *b, const struct bench_node *record, struct bench_row row, struct error *err)
{
	struct bench_node values = bench_at(record, "metric.benchmark_values"),
			  shapes = bench_at(record, "shape"), value, shape;
	const char *name = row.benchmark;
	const bool of_shapes =
		shapes.value.kind == '[' && bench_count(shapes) == bench_count(values);

	for (size_t i = 0; bench_next(&values, &value); i++) {
		if (of_shapes && bench_next(&shapes, &shape)) {
			const char *text = bench_visible(b, shape.value.at, shape.value.size);

			row.benchmark = arena_printf(b->arena, "%s/%s", name, text);
		} else {
			row.step = (int64_t)i;
		}
		if (bench_add_node(b, row, &value, row.measure, err) < 0)
			return -1;
	}
	return 0;
}

static int add_record(struct bench *b, const struct bench_node *record, struct error *err)
{
	struct bench_row row = {.measure = bench_text_at(b, record, "metric.name")};
	const struct bench_node info = bench_at(record, "benchmark.extra_info");
	const char *name = join(b, NULL, bench_text_at(b, record, "benchmark.name"));

	name = join(b, name, bench_text_at(b, record, "model.name"));
	name = join(b, name, bench_text_at(b, record, "benchmark.mode"));
	name = join(b, name, bench_text_at(b, record, "benchmark.dtype"));
	bench_facts_named(b, record);
	bench_facts_named(b, &info);
	if (!name || !row.measure) {
		bench_left_out(b, "bench-nameless", "results without a name, not read", "record");
		return 0;
	}
	/* A metric of a name comes once; then it is of other arguments. */
	const size_t before =
		bench_times_seen(b, arena_printf(b->arena, "%s\n%s", name, row.measure));

	row.benchmark = before ? arena_printf(b->arena, "%s (%zu)", name, before + 1) : name;
	return add_values(b, record, row, err);
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node records = *root, record;

	if (root->value.kind == '{')
		return add_record(b, root, err);
	while (bench_next(&records, &record))
		if (add_record(b, &record, err) < 0)
			return -1;
	return 0;
}

static const struct bench_shape shape = {.each = each};

const struct reader reader_pytorch_oss = {
	.name = "pytorch-oss",
	.title = "PyTorch benchmark records",
	.summary = "records of vLLM, torchao, helion, ExecuTorch for the PyTorch "
		   "dashboard (v3)",
	.suffixes = BENCH_JSON,
	.signs = {90, NULL, {{"\"benchmark_values\"", "\"metric\""}}},
	.read = bench_read_json,
	.source = &shape,
};
