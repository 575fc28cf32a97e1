/* Enters what TensorFlow recorded of one step (StepStats: devices, and what ran on each) into a
 * graph, by tfprof's rules: which devices count, which names are nodes, what a duration of 0 is. It
 * does not know files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"
#include "tfprof/graph/graph.h"
#include "tfprof/graph/graph_detail.h"

/* One execution as it was recorded. */
struct node_stats {
	const char *name; /* as recorded; step_stats_add cuts it at the ':' */
	size_t name_size;
	const char *kind; /* op type by the label, or NULL */
	size_t kind_size;
	const char *shape;		  /* of its outputs, as that of struct op; or NULL */
	int64_t start_micros, dur_micros; /* a start of 0 is unknown */
	int64_t start_nanos, dur_nanos;	  /* 0: not recorded */
	/* The host tracer's duration (all_end_rel), which it has instead of dur, and its thread. */
	int64_t whole_micros, whole_nanos;
	uint32_t thread;
	int64_t total_bytes, peak_bytes, live_bytes; /* over all allocators */
	int64_t output_bytes;			     /* over all outputs */
	int64_t temp_bytes, persistent_bytes;
	bool overflow; /* a sum above wrapped */
	/* Values for the detail of the graph: */
	int64_t bytes_in_use;			  /* most over the allocators of a GPU */
	size_t gpu_allocators;			  /* their number */
	const struct exec_allocation *allocation; /* times and bytes; of those allocators */
	size_t allocation_count;
	const struct exec_output *output; /* addresses of outputs; for a detail that is `whole` */
	size_t output_count;
};

/* One step that is being entered. Fill graph, step and kinds; the rest begins as zeros. */
struct step_stats {
	struct graph *graph; /* nanoseconds are kept where graph->nanos is set */
	int64_t step;	     /* must be new to the graph */
	bool kinds;	     /* unknown nodes get their type from node_stats.kind */
	/* Unlike tfprof: executions of the host tracer (/host:CPU) count, through
	 * step_stats_host. */
	bool host_counts;
	struct text *messages; /* lines that tfprof prints about executions; NULL: none */

	/* Oddities, for issues. */
	bool has_kinds; /* a type came from a label */
	bool had_zero;	/* a name with a zero byte */
	/* executions left out: the node ran on another canonical device before */
	size_t other_device;
	size_t without_start;	/* executions without a start, of nodes that have others with one */
	size_t without_nanos;	/* executions with a start whose nanoseconds are not recorded */
	size_t host_counted;	/* executions of the host tracer that count */
	size_t host_repeated;	/* of ops of the session's devices, left out */
	size_t host_range;	/* without a start or with times that do not fit, left out */
	size_t untimed;		/* on devices of no class of tfprof's */
	size_t host_threadless; /* of those that count: on a device where none has a thread */
	bool session_ran;	/* anything on a device of the session */

	/* Private. */
	const char *device;		   /* word of the graph, lower case */
	bool canonical, accelerator, part; /* part: a stream or the copies of a device */
	bool has_accelerator, has_stream;  /* a device of the step was one */
	bool begun;
	size_t first_exec; /* of this step in graph->exec */
};

/* The device that the next executions ran on. */
void step_stats_device(struct step_stats *s, const char *name, size_t n);
/* Adds an execution; at most UINT32_MAX - 2 nodes in one graph. */
void step_stats_add(struct step_stats *s, const struct node_stats *in);
/* Adds all executions of a device of the host tracer in the step, after those of all other kinds of
 * devices: the time of each is without the executions nested in it. Ops that ran on a device of the
 * session are known already and left out. */
void step_stats_host(struct step_stats *s, const struct node_stats *in, size_t count);
/* Sorts the graph's executions unless graph->order_later is set, and lists the step. */
void step_stats_end(struct step_stats *s);

/* tfprof's classes of devices, by the name in lower case. Canonical: times are cpu (scheduling)
 * time, and the node belongs there. Accelerator: times are accelerator time. */
bool device_is_canonical(const char *name);
bool device_is_accelerator_time(const char *name);
/* True if it is the name (before a ':') of an execution that is not a node, unless the model has
 * one. */
bool name_is_transport(const char *name);
