/*
 * RunMetadata as a step of a graph that has others already: the model and its runs together. The
 * readers of RunMetadata alone are in the table of readers.
 */
#ifndef STEPSTAT_TFPROF_FILES_RUN_METADATA_H
#define STEPSTAT_TFPROF_FILES_RUN_METADATA_H

#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "tfprof/graph/graph.h"

/* Enters the file, binary or text, as the step of this number, which the graph does not have yet.
 * Returns 1; 0 when the file has no step_stats, and the graph is as before; -1, and a part of the
 * step may be in the graph. What tfprof would print about executions is added to messages, which
 * may be NULL. */
int run_metadata_read_step(struct input *in, struct graph *graph, int64_t step,
	const struct read_options *opt, struct text *messages, struct error *err);

#endif
