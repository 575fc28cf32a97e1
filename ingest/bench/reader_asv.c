/*
 * asv: results of one commit on one machine; null is a benchmark that failed.
 */
#include "base/text.h"
#include "ingest/bench/asv.h"
#include "ingest/bench/bench_json.h"
#include <stdio.h>

/* Values by combination of parameters, of which the last one changes fastest. */
static const char *combination(
	struct bench *b, const char *name, const struct bench_node *params, size_t index)
{
	const char *tail = "", *value;
	char at[24];

	for (size_t i = bench_count(*params), last = i; i-- > 0;) {
		snprintf(at, sizeof(at), "%zu", i);
		const struct bench_node values = bench_at(params, at);
		const size_t n = bench_count(values);

		if (!n)
			return name;
		snprintf(at, sizeof(at), "%zu", index % n);
		value = bench_text_at(b, &values, at);
		tail = arena_printf(
			b->arena, "%s%s%s", value ? value : "", i + 1 < last ? ", " : ")", tail);
		index /= n;
	}
	return *tail ? arena_printf(b->arena, "%s(%s", name, tail) : name;
}

static int add_result(
	struct bench *b, const struct bench_node *item, const char *name, struct error *err)
{
	/* A list of columns, an object of an older version, or the value alone. */
	const bool is_object = item->value.kind == '{', is_list = item->value.kind == '[';
	struct bench_node result = is_object ? bench_at(item, "result")
				   : is_list ? bench_at(item, "0")
					     : *item;
	const struct bench_node params = is_object ? bench_at(item, "params")
					 : is_list ? bench_at(item, "1")
						   : (struct bench_node){0};
	struct bench_row row = asv_row(name);
	struct bench_node one = result;

	for (size_t i = 0; result.value.kind == '[' ? bench_next(&result, &one) : i == 0; i++) {
		row.benchmark = combination(b, name, &params, i);
		if (bench_add_node(b, row, &one, NULL, err) < 0)
			return -1;
	}
	return 0;
}

static const struct bench_shape shape = {
	.list = "results",
	.item = add_result,
	.framework = "asv",
	.fact = {{BENCH_HOST, "params.machine"}, {BENCH_MACHINE, "params.cpu"}},
};

const struct reader reader_asv = {
	.name = "asv",
	.title = "asv results",
	.summary = "results of airspeed velocity (.asv/results/MACHINE/COMMIT-ENV.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{", {{"\"commit_hash\"", "\"results\""}}},
	.read = bench_read_json,
	.source = &shape,
};
