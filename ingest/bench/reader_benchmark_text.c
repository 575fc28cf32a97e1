/* Texts that benchmark tools print or write beside the file that is read: recognised, so that a
 * message can say what to record in its place. */
#include <string.h>
#include "ingest/bench/bench.h"

#define COUNTS "give its counts as a table: stepstat help csv"

static const struct {
	const char *has, *has_too, *title, *record;
} kinds[] = {
	{"Benchmark", " Mode ", "JMH text report", "write -rf json -rff FILE.json"},
	{"name,iterations,real_time,cpu_time,time_unit", "", "google/benchmark CSV",
		"write --benchmark_out=FILE.json"},
	{"Benchmark ", " CPU ", "google/benchmark console output",
		"write --benchmark_out=FILE.json --benchmark_repetitions=10"},
	{"------ benchmark", "Name (time in", "pytest-benchmark table",
		"write --benchmark-json=FILE.json"},
	{"Time (mean ", "Range (min ", "hyperfine console output", "write --export-json=FILE.json"},
	{"command,mean,stddev,median", "", "hyperfine CSV", "write --export-json=FILE.json"},
	{"Mean +- std dev:", "", "pyperf console output", "write -o FILE.json"},
	{"Serving Benchmark Result", "", "serving benchmark console output",
		"write --save-result --save-detailed (vLLM) or --output-file FILE.jsonl (SGLang)"},
	{"| Method ", "Mean ", "BenchmarkDotNet table", "export [JsonExporterAttribute.Full]"},
	{"\"Action\":\"output\"", "Benchmark", "Go test2json output",
		"give the text: go test -bench=. without -json"},
	{"## Benchmark Results", "GPU Time", "NVBench markdown", "write --json FILE.json"},
	{"Samples", "GPU Time (sec)", "NVBench CSV", "write --json FILE.json"},
	{":::MLLOG", "", "MLPerf log", "give its numbers as a table: stepstat help csv"},
	{" ops/sec ", " runs sampled)", "benchmark.js text",
		"give its numbers, without commas, as a table: stepstat help csv"},
	{"SUCCESS: ", "ms +/- ", "Luau benchmark text",
		"read it with --log='SUCCESS: (?<benchmark>[^ ]+) *: *(?<time_ms>[0-9.]+)ms'"},
	{"(RunTime): ", " us.", "text of Dart's benchmark_harness",
		"read it with --log='(?<benchmark>.*)[(]RunTime[)]: (?<time_us>[0-9.]+) us'"},
	{"ms - timer ended", "", "times of JavaScript's console.timeEnd",
		"read it with --log='(?<benchmark>.*): (?<time_ms>[0-9.]+)ms - timer ended'"},
	{"user     system      total        real", "", "text of Ruby's Benchmark",
		"read it with --log='^(?<benchmark>.*[^ ]) +[0-9.]+ +[0-9.]+ +[0-9.]+ +[(] "
		"*(?<time_s>[0-9.]+)[)]'"},
	{"\"benchmark_exe\"", "\"module_path\"", "Gungraun JSON", COUNTS},
	{"|N/A ", "(*********)", "Gungraun text", COUNTS},
	{" Instructions: ", " Estimated Cycles: ", "counts of iai or Gungraun", COUNTS},
	{"running 0 tests", "test result: ", "cargo output without a benchmark",
		"run cargo bench on targets with benchmarks"},
};

#define NO_KIND SIZE_MAX

static size_t kind_of(const struct probe *p)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (probe_has(p, kinds[i].has) && probe_has(p, kinds[i].has_too))
			return i;
	return NO_KIND;
}

/* Says of which kind it is. */
static int benchmark_text_holds(
	const struct input *in, const struct read_options *opt, struct error *err)
{
	struct probe probe;
	struct input *own = input_open(input_path(in), NULL);
	size_t kind = NO_KIND;

	(void)opt;
	if (own && probe_input(own, &probe, NULL) == 0)
		kind = kind_of(&probe);
	input_close(own);
	if (kind == NO_KIND)
		return 0;
	error_set(err, ERROR_INPUT, input_path(in), "%s, which is not read", kinds[kind].title);
	return error_hint(err, "%s", kinds[kind].record);
}

static int benchmark_text_probe(const struct probe *p)
{
	return !memchr(p->bytes, 0, p->size) && kind_of(p) != NO_KIND ? 40 : 0;
}

const struct reader reader_benchmark_text = {
	.name = "benchmark-text",
	.title = "text of a benchmark tool",
	.summary = "what benchmark tools print: the file to record instead is named",
	.probe = benchmark_text_probe,
	.holds = benchmark_text_holds,
	.advice = "write the JSON file of the tool: stepstat help benchmarks",
};
