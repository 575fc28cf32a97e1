/*
 * vitest bench --outputJson: files, groups, benchmarks.
 */
#include "ingest/bench/bench_json.h"

static const struct bench_shape shape = {
	.framework = "vitest",
	.group = {"files", "groups"},
	.group_name = "fullName",
	.group_joint = " > ",
	.list = "benchmarks",
	.name = {"name"},
	.value = {{"samples", "time", "ms", BENCH_STEPS}, {"mean", "time", "ms"}},
};

const struct reader reader_vitest = {
	.name = "vitest",
	.title = "vitest bench results",
	.summary = "means of vitest (vitest bench --outputJson=FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{", {{"\"files\"", "\"groups\"", "\"hz\""}}},
	.read = bench_read_json,
	.source = &shape,
};
