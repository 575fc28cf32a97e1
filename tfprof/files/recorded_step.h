/*
 * One RunMetadata file as it was recorded: devices, executions and their outputs in the order of
 * the file, nothing left out and nothing added up. For timelines; values per op come from the
 * readers.
 */
#ifndef STEPSTAT_TFPROF_FILES_RECORDED_STEP_H
#define STEPSTAT_TFPROF_FILES_RECORDED_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"

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

#endif
