/*
 * The events of a view's timeline. Scope and code: a block for each node, below that of its parent.
 * Graph: executions of one step on their devices, data that goes from device to device, memory of
 * accelerators. It writes no file.
 */
#ifndef STEPSTAT_TFPROF_TIMELINE_GRAPH_H
#define STEPSTAT_TFPROF_TIMELINE_GRAPH_H

#include "graph/graph_detail.h"
#include "tfprof/timeline_json.h"
#include "tfprof/view.h"

/* A node that ran in the step. */
struct timeline_node {
	uint32_t node;
	const char *name, *canonical_device;
	size_t visit; /* as shown, parents first */
};

struct timeline_graph {
	struct arena *arena;
	const struct graph *graph;
	const struct graph_detail *detail; /* executions of the step, memory of all */
	int64_t step;
	struct timeline_node *node; /* by visit */
	size_t node_count;
};

/* Scope and code view. */
void timeline_tree_add(struct timeline *timeline, const struct view *view, struct arena *arena);
/* Graph view; notes for standard output to `out`. `inputs`: what is known of each node beside its
 * executions. */
void timeline_graph_add(struct timeline *timeline, const struct view *view,
	const struct tfprof_options *options, const struct node_detail *inputs,
	const struct graph_detail *detail, int64_t step, struct arena *arena, struct text *out);
/* The memory of the devices of these nodes. */
void timeline_memory_add(
	struct timeline *timeline, const struct timeline_graph *graph, struct text *out);

#endif
