/*
 * The events of a view's timeline. Scope and code: a block for each node, below that of its parent.
 * Graph: executions of one step on their devices, data that goes from device to device, memory of
 * accelerators. It writes no file.
 */
#ifndef STEPSTAT_TFPROF_TIMELINE_GRAPH_H
#define STEPSTAT_TFPROF_TIMELINE_GRAPH_H

#include "tfprof/graph/graph_detail.h"
#include "tfprof/timeline_json.h"
#include "tfprof/view/view.h"

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
/* The memory of the devices of these nodes. */
void timeline_memory_add(
	struct timeline *timeline, const struct timeline_graph *graph, struct text *out);

#endif
