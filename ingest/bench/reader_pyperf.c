/*
 * pyperf -o: each run is a process, its values are steps; a run that only calibrates has none.
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
	struct bench_node values = bench_at(run, "values"), value;

	if (bench_count(values) == 0)
		return 0;
	row.run = bench_run(b, (*number)++);
	bench_fact(b, BENCH_START, run, "metadata.date");
	for (row.step = 0; bench_next(&values, &value); row.step++)
		if (bench_add_node(b, row, &value, NULL, err) < 0)
			return -1;
	return 0;
}

static int add_benchmark(struct bench *b, const struct bench_node *root,
	const struct bench_node *benchmark, struct error *err)
{
	struct bench_node runs = bench_at(benchmark, "runs"), run;
	const char *name = metadata(b, root, benchmark, "name"),
		   *unit = metadata(b, root, benchmark, "unit");
	struct bench_row row = {.unit = "s", .measure = "time"};
	size_t number = 0;

	row.benchmark = bench_distinct(b, name ? name : "benchmark");
	if (unit) {
		row.unit = text_equal(unit, "integer") ? NULL : bench_unit(b, unit);
		row.measure = bench_measure(b, unit);
	}
	while (bench_next(&runs, &run))
		if (add_run(b, &run, row, &number, err) < 0)
			return -1;
	if (!number)
		bench_not_measured(b, row.benchmark, "no values");
	return 0;
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node list = bench_at(root, "benchmarks"), item;

	while (bench_next(&list, &item))
		if (add_benchmark(b, root, &item, err) < 0)
			return -1;
	return 0;
}

static const struct bench_shape shape = {
	.framework = "pyperf",
	.fact = {{BENCH_MACHINE, "metadata.cpu_model_name"}},
	.each = each,
};

const struct reader reader_pyperf = {
	.name = "pyperf",
	.title = "pyperf results",
	.summary = "values of processes of pyperf (-o FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{",
		{{"\"runs\"", "\"benchmarks\"", "\"warmups\""},
			{"\"runs\"", "\"benchmarks\"", "\"perf_version\""},
			{"\"runs\"", "\"benchmarks\"", "\"values\""}}},
	.read = bench_read_json,
	.source = &shape,
};
