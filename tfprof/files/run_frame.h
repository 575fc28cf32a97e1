/*
 * The frame of RunMetadata: steps, their devices, the executions on each, in binary and in text.
 * The caller is called in the order of the file, and parses what an execution holds.
 */
#ifndef STEPSTAT_TFPROF_FILES_RUN_FRAME_H
#define STEPSTAT_TFPROF_FILES_RUN_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <protobuf-c/protobuf-c.h>
#include "base/error.h"
#include "ingest/input/input.h"

struct run_frame {
	void *context; /* handed to all below */
	size_t max_record_bytes;
	/* Message that the text form of an execution is converted to; fields that the message does
	 * not have are passed over. */
	const ProtobufCMessageDescriptor *execution;
	void (*begin_step)(void *context); /* step_stats, also when empty */
	void (*begin_device)(void *context);
	/* May come after the executions; a later name replaces an earlier one. */
	void (*name_device)(void *context, const char *name, size_t size);
	/* The binary form of one NodeExecStats, good during the call; `start` is where it begins (0
	 * in text). */
	int (*add_execution)(void *context, const unsigned char *bytes, size_t size, uint64_t start,
		struct error *err);
	int (*end_device)(void *context, struct error *err);
};

#define RUN_FRAME_EXECUTION "an execution" /* its name in messages */

int run_frame_read_binary(struct input *in, const struct run_frame *frame, struct error *err);
int run_frame_read_text(struct input *in, const struct run_frame *frame, struct error *err);

#endif
