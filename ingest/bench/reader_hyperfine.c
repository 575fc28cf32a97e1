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

static int hyperfine_read(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read_shape(in, out, opt, &shape, err);
}

static int hyperfine_probe(const struct probe *p)
{
	return probe_begins(p, "{") && probe_has(p, "\"results\"") && probe_has(p, "\"command\"") &&
			       (probe_has(p, "\"times\"") || probe_has(p, "\"stddev\""))
		       ? 80
		       : 0;
}

const struct reader reader_hyperfine = {
	.name = "hyperfine",
	.title = "hyperfine results",
	.summary = "times of commands (hyperfine --export-json FILE.json)",
	.suffixes = BENCH_JSON,
	.probe = hyperfine_probe,
	.read = hyperfine_read,
};
