/*
 * What tfprof knows of a model, in tfprof's native units: nodes, attributes, executions per step in
 * int64 microseconds and bytes as the file has them. The accounting of executions is here, once, for every reader of
 * tfprof's files; sums wrap in two's complement with a flag, as the original's do.
 */
#ifndef STEPSTAT_MODEL_GRAPH_H
#define STEPSTAT_MODEL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "model/profile.h"

/* One node in one step. All sums over its executions. */
struct exec {
	uint32_t node; /* index in graph->node */
	bool overflow; /* a sum wrapped: its times and bytes are not to be trusted */
	int64_t step;  /* number */
	int64_t run_count;
	int64_t accelerator_micros, cpu_micros;
	int64_t requested_bytes, peak_bytes, residual_bytes, output_bytes;
	int64_t start_micros, end_micros; /* 0: unknown */
};

struct graph_node {
	const char *name, *op;
	const char *canonical_device, *host_device; /* "" when none */
	const char **op_types;
	size_t op_type_count;
	int64_t *shape; /* NULL when none */
	size_t shape_count;
	int64_t float_ops;
	size_t exec_first, exec_count; /* its executions in graph->exec */
};

/* A time in which a node ran in a step: for busy and wall time. */
struct interval {
	int64_t step, start_micros, dur_micros;
};

struct graph {
	struct arena *arena; /* names and shapes */
	struct intern *words; /* names, ops and devices, each once; in the arena */
	struct graph_node *node;
	size_t node_count, node_room;
	struct exec *exec; /* those of a node together, in order of step; one for each step at most */
	size_t exec_count, exec_room;
	struct interval *interval; /* any order */
	size_t interval_count, interval_room;
	int64_t *step; /* the steps that the file lists, as it lists them */
	size_t step_count, step_room;
	bool has_trace;
};

struct graph *graph_new(void);
void graph_free(struct graph *graph);

/* Room for one more, zeroed; the pointer is good until the next of its kind. Caps are the reader's duty. */
struct graph_node *graph_push_node(struct graph *graph);
struct exec *graph_push_exec(struct graph *graph);
struct interval *graph_push_interval(struct graph *graph);
int64_t *graph_push_step(struct graph *graph);

/* Product of the shape; 0 when it is empty. *incomplete is set and the result 0 when a dimension is negative or the
 * product does not fit. */
int64_t graph_node_params(const struct graph_node *node, bool *incomplete);

/* Fills the profile: one op per node (names distinct by then), one step per step in which something ran, one
 * observation per exec; checked conversion to ps: what does not fit, or wrapped before, is CELL_ABSENT and an issue.
 * Times relative to the earliest start. Wall time from starts and ends, busy time from the intervals. Issues: listed
 * steps in which nothing ran (left out), steps that ran but are not listed (kept), no step list, incomplete shapes,
 * executions without a start time. Nothing ran at all: 0 and a profile without steps. */
int graph_to_profile(const struct graph *graph, struct profile *profile,
	const struct profile_limits *limits, struct error *err);

#endif
