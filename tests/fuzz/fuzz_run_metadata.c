/* Arbitrary bytes as RunMetadata, then as a graph and as an op log, and as RunMetadata again with
 * what came of them, in microseconds and in nanoseconds; at last a timeline of them. */
#include <stdint.h>
#include "tfprof/files/graph_def.h"
#include "tests/unit/check_profile.h"
#include "timeline/generate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_part(int (*read)(struct input *in, struct graph *graph,
			      const struct read_options *opt, struct error *err),
	const uint8_t *data, size_t size, struct graph *graph, const struct read_options *opt)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");

	if (read(in, graph, opt, &err))
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			err.place[0]);
	input_close(in);
}

/* Everything that a timeline can have, twice, as two steps. */
static void make_timeline(const uint8_t *data, size_t size, const struct read_options *opt)
{
	const struct generate_options options = {.dataflow = true, .memory = true};
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	struct recorded_step *step = recorded_step_read(in, opt, true, &err);
	struct trace_file *file = step ? trace_file_open("/dev/null", &err) : NULL;
	struct timeline_writer writer;

	require(step || ((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0]));
	if (file) {
		timeline_writer_begin(&writer, file, &options);
		require(timeline_writer_add(&writer, step, NULL, &err) == 0);
		require(timeline_writer_add(&writer, step, "step 2", &err) == 0);
		timeline_writer_end(&writer);
		require(trace_file_commit(file, &err) == 0);
	}
	recorded_step_free(step);
	input_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 100, .steps = 10, .observations = 1000},
		.max_record_bytes = 100000,
	};
	struct graph *graph = graph_new();
	struct profile *model = profile_new("graph");
	struct error err = {.kind = ERROR_NONE};

	require_read("run-metadata", data, size, &opt);
	read_part(graph_def_read, data, size, graph, &opt);
	read_part(op_log_read, data, size, graph, &opt);
	require(graph_to_profile(graph, model, &opt.limits, &err) == 0);
	require_profile(model);
	opt.graph = graph;
	opt.nanoseconds = true;
	require_read("run-metadata", data, size, &opt);
	make_timeline(data, size, &opt);
	profile_free(model);
	graph_free(graph);
	return 0;
}
