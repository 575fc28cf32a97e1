/*
 * Lists of {name, unit, value, range} that people write for github-action-benchmark.
 */
#include "ingest/bench/bench_json.h"

/* One value of each; its range is a text for people. */
static int add_item(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	const char *unit = bench_text_at(b, item, "unit");
	const struct bench_value value = {.path = "value",
		.measure = bench_measure(b, unit ? unit : ""),
		.unit = unit ? bench_unit(b, unit) : NULL};

	return bench_add_values(b, item, name, &value, NULL, err);
}

static const struct bench_shape shape = {.list = "", .name = {"name"}, .item = add_item};

static int name_value_probe(const struct probe *p)
{
	struct bench_beginning begin;
	bool is_list = false;

	if (!probe_begins(p, "["))
		return 0;
	bench_beginning_open(&begin, p);
	const struct bench_node first = bench_at(&begin.root, "0");

	is_list = bench_at(&first, "name").value.kind == '"' &&
		  bench_at(&first, "value").value.kind && bench_at(&first, "unit").value.kind;
	bench_beginning_close(&begin);
	return is_list ? 80 : 0;
}

const struct reader reader_name_value = {
	.name = "name-value",
	.title = "list of benchmarks (name, unit, value)",
	.summary = "lists of {name, unit, value} (github-action-benchmark: "
		   "custom*IsBetter)",
	.suffixes = BENCH_JSON,
	.probe = name_value_probe,
	.read = bench_read_json,
	.source = &shape,
};
