/*
 * pytest-benchmark --benchmark-json: rounds of one process are its steps; without them
 * (--benchmark-save-data) there is their mean.
 */
#include "ingest/bench/bench_json.h"

static const struct bench_shape shape = {
	.list = "benchmarks",
	.name = {"fullname", "name"},
	.value = {{"stats.data", "time", "s", BENCH_STEPS}, {"stats.mean", "time", "s"}},
	.framework = "pytest-benchmark",
	.fact = {{BENCH_HOST, "machine_info.node"}, {BENCH_MACHINE, "machine_info.cpu.brand"},
		{BENCH_MACHINE, "machine_info.cpu.brand_raw"}, {BENCH_COMMIT, "commit_info.id"}},
};

const struct reader reader_pytest_benchmark = {
	.name = "pytest-benchmark",
	.title = "pytest-benchmark results",
	.summary = "rounds of pytest-benchmark (--benchmark-json=FILE.json)",
	.suffixes = BENCH_JSON,
	.signs = {85, "{",
		{{"\"machine_info\"", "\"fullname\""}, {"\"machine_info\"", "\"benchmarks\""}}},
	.read = bench_read_json,
	.source = &shape,
};
