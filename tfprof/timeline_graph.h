/* The events of a view's timeline. Scope and code: a block for each node, below that of its parent.
 * Graph: executions of one step on their devices, data that goes from device to device, memory of
 * accelerators. It writes no file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/view.h"

/* ---- events as JSON text, in the original's spelling: keys sorted, no blanks, all numbers
 * integers ---- */

struct timeline {
	struct text blocks; /* names of processes and blocks, each event followed by a comma */
	struct text rest;   /* arrows and counters, written after the blocks */
	int64_t process_count;
};

struct timeline_block {
	const char *name;
	bool op; /* the arguments have the name as op too */
	int64_t pid, tid, start, dur;
};

/* One end of an arrow. */
struct timeline_arrow {
	const char *name; /* of the data; the arrow is named NAME_flow */
	int64_t id, pid, tid, time;
};

void timeline_init(struct timeline *timeline);
void timeline_release(struct timeline *timeline);
/* Gives the name to the next process; its number. */
int64_t timeline_process(
	struct timeline *timeline, const char *prefix, const char *name, const char *suffix);
/* "X". */
void timeline_block(struct timeline *timeline, const struct timeline_block *block);
/* Phase "s" (begin) or "t" (end). */
void timeline_arrow(struct timeline *timeline, char phase, const struct timeline_arrow *end);
/* "C": `args` is the JSON text of an object. */
void timeline_counter(
	struct timeline *timeline, const char *name, const char *args, int64_t pid, int64_t time);
/* The whole file. */
void timeline_text(const struct timeline *timeline, struct text *out);
/* A string with its quotes; invalid UTF-8 becomes U+FFFD, other characters than ASCII are
 * escaped. */
void timeline_string(struct text *out, const char *s);

/* ---- a view ---- */

/* A node that ran in the step. */
struct timeline_node {
	uint32_t node;
	const char *name, *canonical_device;
	size_t visit; /* as shown, parents first */
};

/* A step of a graph view. The caller fills the members before `graph`. */
struct timeline_graph {
	struct arena *arena;
	const struct view *view;
	const struct tfprof_options *options;
	const struct node_detail *inputs;  /* of each node, beside its executions */
	const struct graph_detail *detail; /* executions of the step, memory of all */
	int64_t step;
	const struct graph *graph;  /* of the view */
	struct timeline_node *node; /* those that are shown and ran, by visit */
	size_t node_count;
};

/* Scope and code view. */
void timeline_tree_add(struct timeline *timeline, const struct view *view, struct arena *arena);
/* Graph view; adds notes for standard output to `out`. */
void timeline_graph_add(struct timeline *timeline, struct timeline_graph *graph, struct text *out);
