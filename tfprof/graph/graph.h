/* A model as tfprof has it, in tfprof's native units: nodes, attributes, executions per step in
 * int64 microseconds and bytes as the file has them. The accounting of executions is here, once,
 * for every reader of tfprof's files; sums wrap in two's complement with a flag, as the original's
 * do. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "model/issue/issue.h"
#include "model/profile.h"

/* One node in one step. All sums over its executions. */
struct exec {
	uint32_t node; /* index in graph->node */
	bool overflow; /* a sum wrapped: its times and bytes are not to be trusted */
	/* A single run from start_micros to end_micros: graph->interval does not have it. */
	bool own_interval;
	int64_t step; /* number */
	int64_t run_count;
	int64_t accelerator_micros, cpu_micros;
	int64_t requested_bytes, peak_bytes, residual_bytes, output_bytes;
	int64_t start_micros, end_micros; /* 0: unknown */
};

struct graph_node {
	const char *name, *op;
	const char *canonical_device, *host_device; /* "" when none */
	const char *output_shape;		    /* as that of struct op; NULL when unknown */
	const char **op_types;			    /* a set; made longer by graph_node_type only */
	size_t op_type_count;
	size_t op_type_room; /* 0: the array belongs to the base, or has a fixed size */
	bool on_many_hosts;  /* the host tracers of several hosts have it, so that it has no device
				of theirs */
	bool types_known;    /* the pairs of this node and its types are in graph->type_pairs */
	int64_t *shape;	     /* NULL when none */
	size_t shape_count;
	int64_t float_ops;
	size_t exec_first, exec_count; /* its executions in graph->exec */
	size_t packed_at;	       /* where they are in graph->pack, when the graph has one */
};

/* The times of an exec in the source's nanoseconds; where it has none, those of the exec. */
struct exec_nanos {
	int64_t accelerator, cpu, start, end;
};

/* The single times of an exec. */
struct exec_calls {
	struct call_sums kind[CALL_TIME_KINDS];
};

/* A time in which a node ran in a step: for busy and wall time. */
struct interval {
	int64_t step, start_micros, dur_micros;
};

struct interval_nanos {
	int64_t start, dur;
};

struct graph_detail;
struct exec_pack;

struct graph {
	struct arena *arena;  /* names and shapes */
	struct intern *words; /* names, ops and devices, each once; in the arena */
	/* NULL, or node and type (id in words) of nodes with many types */
	struct intern *type_pairs;
	struct graph_node *node;
	size_t node_count, node_room;
	/* those of a node together, in order of step; one for each step at most */
	struct exec *exec;
	size_t exec_count, exec_room;
	/* NULL, or set before the first exec: the executions of a node are there when the node is
	 * complete, exec has no others than those of the present node, and exec_first counts all.
	 * For a graph of which only a profile is made; without `nanos`. */
	struct exec_pack *pack;
	size_t packed_count;	       /* executions there */
	struct exec_nanos *exec_nanos; /* one for each exec when `nanos` is set, else NULL */
	size_t exec_nanos_count, exec_nanos_room;
	struct exec_calls *exec_calls; /* one for each exec when `calls` is set, else NULL */
	size_t exec_calls_count, exec_calls_room;
	struct interval *interval; /* any order; without those of exec.own_interval */
	size_t interval_count, interval_room;
	struct interval_nanos *interval_nanos; /* one for each interval when `nanos` is set */
	size_t interval_nanos_count, interval_nanos_room;
	int64_t *step; /* the steps that the file lists, as it lists them */
	size_t step_count, step_room;
	bool has_trace;
	bool nanos; /* set before the first exec: durations and times in the profile are exact to
		       the ns */
	bool calls; /* set before the first exec: also store the single times, for the profile */
	const struct graph *base; /* the model without executions, or NULL: graph_node_add copies
				   * the attributes of a node from it. It must outlive this graph
				   * and is not changed. */
	bool no_shapes,
		no_float_ops; /* not in the source: params, float operations are not known */
	const char *path; /* of the file that the model is from, for messages; NULL when unknown */
	struct issue_list issues;    /* of reading the model; graph_to_profile copies them */
	struct graph_detail *detail; /* NULL: not read; set before reading. The caller owns it. */
	uint32_t *node_of_word;	     /* by id in words: node + 1, or 0 */
	size_t node_of_word_room;
	/* Many steps are entered (tfprof/graph/step_stats.h): the caller calls graph_order_execs
	 * once, after the last. */
	bool order_later;
	/* of graph/step_stats: by node, of the step of this turn */
	struct step_stats_node *step_node;
	size_t step_node_room;
	uint32_t step_turn;
};

struct graph *graph_new(void);
void graph_free(struct graph *graph);

/* The bytes as a word of the graph: each once, ended by 0; a zero inside becomes \\0 (two
 * characters) and sets *had_zero (which may be NULL). */
const char *graph_word(struct graph *graph, const char *bytes, size_t n, bool *had_zero);

/* Index of the node of this name among those that graph_node_add made. */
bool graph_node_find(const struct graph *graph, const char *name, uint32_t *index);
/* Adds a node that must be new, with the attributes that the base has for the name. Without any, op
 * is "". At most UINT32_MAX - 2 nodes. */
uint32_t graph_node_add(struct graph *graph, const char *name);
/* Lets graph_node_find find the nodes of graph_push_node, of equal names the first. */
void graph_index_nodes(struct graph *graph);
/* Adds a type to the node's set of op types. */
void graph_node_type(struct graph *graph, uint32_t node, const char *type);

/* Append a zeroed item; the pointer is valid until the next of its kind. Readers check the caps. */
struct graph_node *graph_push_node(struct graph *graph);
struct exec *graph_push_exec(struct graph *graph);
struct interval *graph_push_interval(struct graph *graph);
int64_t *graph_push_step(struct graph *graph);

/* One time of the exec at this index, in nanoseconds when `nanos` is set, else microseconds;
 * ignored unless `calls` is set. A time that is negative or beyond 2^63 ps is left out: the sum of
 * its exec shows that. */
void graph_add_call(struct graph *graph, size_t exec, enum call_kind kind, int64_t ticks);

/* Adds to one of the sums of an exec; wraps as the original's do, and says so. */
static inline void exec_add(struct exec *exec, int64_t *sum, int64_t value)
{
	exec->overflow |= __builtin_add_overflow(*sum, value, sum);
}

/* The execution of this step among those of one node, which are in the order of their steps; NULL:
 * there is none. */
const struct exec *exec_find(const struct exec *exec, size_t count, int64_t step);

/* Makes graph->pack, before the first exec. */
void graph_pack(struct graph *graph);
/* The node is complete: packs the executions in graph->exec, which are its own in order of step. */
void graph_pack_execs(struct graph *graph, struct graph_node *node);
/* All executions, packed or not. */
static inline size_t graph_exec_total(const struct graph *graph)
{
	return graph->packed_count + graph->exec_count;
}
/* Moves executions with their single times to an earlier place among all. Packed bytes stay where
 * they are. */
void graph_move_execs(struct graph *graph, size_t to, size_t from, size_t count);
/* Only the first `count` executions stay. */
void graph_end_execs(struct graph *graph, size_t count);
/* Sorts executions that were pushed in any order as `exec` requires. */
void graph_order_execs(struct graph *graph);

/* Product of the shape; 0 when it is empty. *incomplete is set and the result 0 when a dimension is
 * negative or the product does not fit. */
int64_t graph_node_params(const struct graph_node *node, bool *incomplete);

/* Fills the profile: one op per node (names distinct by then), one step per step in which something
 * ran, one observation per exec; checked conversion to ps: what does not fit, or wrapped before, is
 * CELL_ABSENT and an issue. Times relative to the earliest start. Wall time from starts and ends,
 * busy time from the intervals. Issues: listed steps in which nothing ran (left out), steps that
 * ran but are not listed (kept), no step list, incomplete shapes, executions without a start time.
 * When nothing ran: 0 and a profile without steps. Shapes of nodes that have a base are not
 * checked again. */
int graph_to_profile(const struct graph *graph, struct profile *profile,
	const struct profile_limits *limits, struct error *err);
/* The same; the memory of executions and intervals becomes free while rows are made of them, and
 * what they were is gone. */
int graph_into_profile(struct graph *graph, struct profile *profile,
	const struct profile_limits *limits, struct error *err);
