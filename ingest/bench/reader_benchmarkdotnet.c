/*
 * BenchmarkDotNet: nanoseconds of one operation in each iteration of a process.
 */
#include "ingest/bench/bench_json.h"

static const struct bench_shape shape = {
	.list = "Benchmarks",
	.name = {"FullName", "DisplayInfo", "Method"},
	.value = {{"Statistics.OriginalValues", "time", "ns", BENCH_STEPS},
		{"Statistics.Mean", "time", "ns"},
		{"Memory.BytesAllocatedPerOperation", "memory", "B"}},
	.framework = "BenchmarkDotNet",
	/* "Sample.Benchmarks-20200529-164431" */
	.fact = {{BENCH_MACHINE, "HostEnvironmentInfo.ProcessorName"}, {BENCH_START, "Title"}},
};

const struct reader reader_benchmarkdotnet = {
	.name = "benchmarkdotnet",
	.title = "BenchmarkDotNet results",
	.summary = "iterations of BenchmarkDotNet (JsonExporter.Full, *-report-full.json)",
	.suffixes = BENCH_JSON,
	.signs = {90, "{",
		{{"\"BenchmarkDotNetVersion\""}, {"\"HostEnvironmentInfo\"", "\"Statistics\""}}},
	.read = bench_read_json,
	.source = &shape,
};
