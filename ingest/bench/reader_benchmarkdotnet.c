/*
 * BenchmarkDotNet: nanoseconds of one operation in each iteration of a process.
 */
#include "ingest/bench/bench_json.h"

static const struct bench_shape shape = {
	.list = "Benchmarks",
	.name = {"FullName", "DisplayInfo", "MethodTitle"},
	.value = {{"Statistics.OriginalValues", "time", "ns", BENCH_STEPS},
		{"Statistics.Mean", "time", "ns"},
		{"Memory.BytesAllocatedPerOperation", "memory", "B"}},
	.framework = "BenchmarkDotNet",
	.fact = {{BENCH_MACHINE, "HostEnvironmentInfo.ProcessorName"}},
};

static int benchmarkdotnet_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_shape(in, out, opt, &shape, err);
}

static int benchmarkdotnet_probe(const struct probe *p)
{
	return probe_begins(p, "{") && probe_has(p, "\"BenchmarkDotNetVersion\"") ? 90 : 0;
}

const struct reader reader_benchmarkdotnet = {
	.name = "benchmarkdotnet",
	.title = "BenchmarkDotNet results",
	.summary = "iterations of BenchmarkDotNet (JsonExporter.Full, *-report-full.json)",
	.suffixes = BENCH_JSON,
	.probe = benchmarkdotnet_probe,
	.read = benchmarkdotnet_read,
};
