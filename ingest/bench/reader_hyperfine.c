/*
 * hyperfine --export-json: each time is that of a process.
 */
#include "ingest/bench/bench_json.h"

static const struct bench_shape shape = {
	.list = "results",
	.name = {"command"},
	.value = {{"times", "time", "s", BENCH_RUNS, "exit_codes"}, {"mean", "time", "s"},
		{"memory_usage_byte", "memory", "B", BENCH_RUNS, "exit_codes"}},
	.framework = "hyperfine",
};

const struct reader reader_hyperfine = {
	.name = "hyperfine",
	.title = "hyperfine results",
	.summary = "times of commands (hyperfine --export-json FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {80, "{",
		{{"\"results\"", "\"command\"", "\"times\""},
			{"\"results\"", "\"command\"", "\"stddev\""}}},
	.read = bench_read_json,
	.source = &shape,
};
