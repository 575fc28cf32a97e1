/*
 * Writes the StepStats of a step as a timeline of Chrome trace events. For a single step the bytes
 * are those of TensorFlow's timeline.py. Further steps follow in the same file, each with
 * processes, objects and flows of its own.
 */
#ifndef STEPSTAT_TIMELINE_GENERATE_H
#define STEPSTAT_TIMELINE_GENERATE_H

#include <stdbool.h>
#include <stdint.h>
#include "tfprof/files/run_metadata.h"
#include "timeline/json_writer.h"

struct generate_options {
	bool dataflow; /* arrows from producers to consumers */
	bool memory;   /* tensors with their lifetimes, and bytes per allocator; the steps need
			  descriptions */
};

/* A timeline that is being written. */
struct timeline_writer {
	struct json_writer json;
	struct generate_options options;
	int64_t process_count, flow_count; /* given so far */
};

void timeline_writer_begin(struct timeline_writer *writer, struct trace_file *file,
	const struct generate_options *options);
/* Writes one step. `label` is put before the names of its processes; NULL: none, as in the
 * original. -1: too many names of tensors (ERROR_LIMIT). */
int timeline_writer_add(struct timeline_writer *writer, const struct recorded_step *step,
	const char *label, struct error *err);
void timeline_writer_end(struct timeline_writer *writer);

#endif
