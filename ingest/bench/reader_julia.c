/*
 * BenchmarkTools.save: groups in groups.
 */
#include "ingest/bench/bench_json.h"

#define DEPTH_MOST 32

static int add_group(struct bench *b, const struct bench_node *node, const char *name, size_t depth,
	struct error *err);

/* A trial has the times of its samples, an estimate one of each; both in ns. */
static int add_trial(
	struct bench *b, const struct bench_node *trial, const char *name, struct error *err)
{
	static const struct bench_value values[] = {
		{.path = "times", .measure = "time", .unit = "ns", .each = BENCH_STEPS},
		{.path = "time", .measure = "time", .unit = "ns"},
		{.path = "memory", .measure = "memory", .unit = "B"},
		{.path = "allocs", .measure = "allocs", .unit = ":lower"}};

	name = bench_distinct(b, name);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (bench_add_values(b, trial, name, &values[i], NULL, err) < 0)
			return -1;
	return 0;
}

static int add_members(struct bench *b, const struct bench_node *group, const char *name,
	size_t depth, struct error *err)
{
	struct bench_node data = bench_at(group, "data"), member;

	while (bench_next(&data, &member)) {
		const char *own = bench_key(b, &member);

		own = *name ? arena_printf(b->arena, "%s/%s", name, own) : own;
		if (add_group(b, &member, own, depth + 1, err) < 0)
			return -1;
	}
	return 0;
}

/* ["BenchmarkGroup", {"data": {NAME: ...}}], ["Trial", {...}], ["TrialEstimate", {...}] */
static int add_group(struct bench *b, const struct bench_node *node, const char *name, size_t depth,
	struct error *err)
{
	const struct bench_node content = bench_at(node, "1");

	if (depth > DEPTH_MOST || content.value.kind != '{')
		return 0;
	if (bench_is_at(node, "0", "BenchmarkGroup"))
		return add_members(b, &content, name, depth, err);
	return bench_is_at(node, "0", "Trial") || bench_is_at(node, "0", "TrialEstimate")
		       ? add_trial(b, &content, *name ? name : "benchmark", err)
		       : 0;
}

static int each(struct bench *b, const struct bench_node *root, struct error *err)
{
	struct bench_node groups = bench_at(root, "1"), group;

	while (bench_next(&groups, &group))
		if (add_group(b, &group, "", 0, err) < 0)
			return -1;
	return 0;
}

static const struct bench_shape shape = {.framework = "BenchmarkTools", .each = each};

const struct reader reader_julia = {
	.name = "julia",
	.title = "BenchmarkTools results",
	.summary = "trials of Julia (BenchmarkTools.save)",
	.suffixes = BENCH_JSON,
	.signs = {90, "[", {{"\"BenchmarkTools\""}}},
	.read = bench_read_json,
	.source = &shape,
};
