/* Inside the reader of ProfileProto: the walk over one ExecProfile, where most bytes of a dump are,
 * and the reading of a whole dump into a graph. For the reader and its tests. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "tfprof/graph/graph.h"
#include "tfprof/graph/graph_detail.h"
#include "model/issue/issue.h"

/* One entry of accelerator_execs or cpu_execs. A later entry of the same key replaces an earlier
 * one. */
struct exec_entry {
	bool accelerator;
	const unsigned char *key;
	size_t key_size;
	size_t first, count; /* its intervals */
	size_t malformed;    /* times that are not two numbers */
	size_t position;     /* in the order of the file */
};

/* State of the walk, used again from one execution to the next. Intervals collect until the caller
 * moves them. */
struct exec_walker {
	struct interval *interval;
	size_t interval_count, interval_room;
	struct exec_entry *entry;
	size_t entry_count, entry_room;
	size_t first_interval; /* of the present execution */
	bool memory_seen;      /* memory_execs, TensorFlow 1.5 and later */
	bool old_seen;	       /* the bytes of TensorFlow 1.4, in the message itself */
	int64_t old_bytes[4];  /* requested, peak, residual, output */
	size_t malformed;      /* result: tuples left out */
	bool old_layout;       /* result: TensorFlow 1.4 */
	/* result: it ran on the host tracer's device, for which no times are recorded */
	bool host_seen;
	struct graph_detail *detail; /* NULL: not wanted; set it beside `node` before the walk */
	uint32_t node;		     /* whose executions these are */
};

void exec_walker_release(struct exec_walker *x);
void exec_walker_begin(struct exec_walker *x, struct exec *exec);
/* Adds the bytes of one ExecProfile; a second one is merged. NULL, or where the bytes are damaged.
 * The bytes must stay until exec_walker_end. */
const unsigned char *exec_walker_add(
	struct exec_walker *x, struct exec *exec, const unsigned char *bytes, size_t size);
/* Sums into exec, whose step is set by then; its intervals are
 * interval[first_interval..interval_count), with step 1 where they are of an accelerator, else 0.
 */
void exec_walker_end(struct exec_walker *x, struct exec *exec);

/* Reads a whole dump. Nodes are distinct by name, executions by node and step. */
int tfprof_read_graph(struct input *in, struct graph *graph, struct issue_list *issues,
	const struct read_options *opt, struct error *err);
