/* Arbitrary text through the parser of protobuf's text format: passed over as a whole, and as
 * RunMetadata, graph and op log. What cannot be passed over cannot be read either. */
#include <stdint.h>
#include "tfprof/files/graph_def.h"
#include "ingest/protobuf/text_proto.h"
#include "tests/unit/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* 0, or -1 with an error that has a place. */
static int pass_over(const uint8_t *data, size_t size)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	struct text_proto *t = text_proto_new(in, 10000);
	const char *name;
	int got;

	while ((got = text_proto_next(t, &name, &err)) > 0) {
		require(name && strlen(name) < 100);
		if (text_proto_skip(t, &err)) {
			got = -1;
			break;
		}
	}
	require(got == 0 || ((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.place[0]));
	text_proto_free(t);
	input_close(in);
	return got;
}

static void read_part(int (*read)(struct input *in, struct graph *graph,
			      const struct read_options *opt, struct error *err),
	const uint8_t *data, size_t size, struct graph *graph, const struct read_options *opt,
	bool sound)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	const unsigned char *bytes;
	size_t plain;

	/* Binary has bytes that text has not: then it is not read as text. */
	bool text = input_peek(in, 1, &bytes, &plain, &err) == 0;

	for (size_t i = 0; text && i < plain; i++)
		text = bytes[i] >= 0x20 || (bytes[i] >= '\t' && bytes[i] <= '\r');
	int result = text ? read(in, graph, opt, &err) : -1;

	require(result != 0 || sound);
	require(!text || result == 0 || (err.message[0] && err.place[0]));
	input_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 100, .steps = 10, .observations = 1000},
		.max_record_bytes = 10000,
	};
	struct graph *graph = graph_new();
	bool sound = pass_over(data, size) == 0;

	read_part(graph_def_read, data, size, graph, &opt, sound);
	read_part(op_log_read, data, size, graph, &opt, sound);
	for (size_t i = 0; i < graph->node_count; i++)
		require(graph->node[i].name && graph->node[i].op);
	require_read("run-metadata-text", data, size, &opt);
	opt.graph = graph;
	require_read("run-metadata-text", data, size, &opt);
	graph_free(graph);
	return 0;
}
