/*
 * pytest-benchmark --benchmark-json: rounds of one process are its steps;
 * without them
 * (--benchmark-save-data) there is their mean.
 */
#include "ingest/bench/bench_json.h"

static const struct bench_shape shape = {
	.list = "benchmarks",
	.name = {"fullname", "name"},
	.value = {{"stats.data", "time", "s", BENCH_STEPS}, {"stats.mean", "time", "s"}},
	.framework = "pytest-benchmark",
	.fact = {{BENCH_START, "datetime"}, {BENCH_HOST, "machine_info.node"},
		{BENCH_MACHINE, "machine_info.cpu.brand"},
		{BENCH_MACHINE, "machine_info.cpu.brand_raw"}, {BENCH_COMMIT, "commit_info.id"}},
};

static int pytest_benchmark_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_shape(in, out, opt, &shape, err);
}

static int pytest_benchmark_probe(const struct probe *p)
{
	return probe_begins(p, "{") && probe_has(p, "\"machine_info\"") &&
			       (probe_has(p, "\"fullname\"") || probe_has(p, "\"benchmarks\""))
		       ? 85
		       : 0;
}

const struct reader reader_pytest_benchmark = {
	.name = "pytest-benchmark",
	.title = "pytest-benchmark results",
	.summary = "rounds of pytest-benchmark (--benchmark-json=FILE.json)",
	.suffixes = BENCH_JSON,
	.probe = pytest_benchmark_probe,
	.read = pytest_benchmark_read,
};
