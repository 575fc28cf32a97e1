/* RunMetadata beside the readers in the table of readers: its frame (steps, their devices, the
 * executions on each); a file as it was recorded, for timelines; a file as a step of a graph that
 * has others already, the model and its runs together. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <protobuf-c/protobuf-c.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "tfprof/graph/graph.h"

/* The caller is called in the order of the file, and parses what an execution holds. */
struct run_frame {
	void *context; /* handed to all below */
	size_t max_record_bytes;
	/* Message that the text form of an execution is converted to; fields that the message does
	 * not have are passed over. */
	const ProtobufCMessageDescriptor *execution;
	/* The binary form of one NodeExecStats, good during the call; `start` is where it begins (0
	 * in text). */
	int (*add_execution)(void *context, const unsigned char *bytes, size_t size, uint64_t start,
		struct error *err);
	/* The end of the executions of a device of this name, of several names the last. */
	int (*end_device)(void *context, const struct text *name, struct error *err);
};

#define RUN_FRAME_EXECUTION "an execution" /* its name in messages */

/* Returns 1, or 0 where the file has no step_stats, not even empty ones; -1. */
int run_frame_read(struct input *in, const struct run_frame *frame, bool text, struct error *err);

/* ---- as recorded: nothing left out and nothing added up, in the order of the file ---- */

/* Bytes out of the file: any, with zeros inside. */
struct recorded_text {
	const char *bytes;
	size_t size;
};

struct recorded_output {
	struct recorded_text allocator;
	int64_t requested_bytes;
	/* The TensorDescription in protobuf's text form, as Python's str() writes it but without
	 * '"'; empty unless asked for. */
	struct recorded_text description;
};

/* NodeExecStats. */
struct recorded_node {
	struct recorded_text name, label; /* node_name, timeline_label */
	int64_t start_micros;		  /* all_start_micros */
	int64_t dur_micros;		  /* all_end_rel_micros */
	const struct recorded_output *output;
	size_t output_count;
};

struct recorded_device {
	struct recorded_text name;
	const struct recorded_node *node;
	size_t node_count;
};

struct recorded_step {
	struct arena *arena; /* owns everything below */
	const struct recorded_device *device;
	size_t device_count;
};

/* Reads binary or text. NULL: damaged, without any step_stats, no RunMetadata (ERROR_INPUT), or
 * beyond a limit of opt: executions and outputs count as observations (ERROR_LIMIT). */
struct recorded_step *recorded_step_read(
	struct input *in, const struct read_options *opt, bool descriptions, struct error *err);
void recorded_step_free(struct recorded_step *step); /* NULL is fine */

/* ---- a step of a graph ---- */

/* Enters the file, binary or text, as the step of this number, which the graph does not have yet.
 * Returns 1; 0 when the file has no step_stats, and the graph is as before; -1, and a part of the
 * step may be in the graph. What tfprof would print about executions is added to messages, which
 * may be NULL. */
int run_metadata_read_step(struct input *in, struct graph *graph, int64_t step,
	const struct read_options *opt, struct text *messages, struct error *err);
