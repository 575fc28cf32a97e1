/*
 * What tfprof's views need of a model beyond numbers: inputs, output shapes, code traces, and, for one
 * step, every execution and allocation. Filled by the readers when a graph has a `detail`; else they
 * pass over it.
 */
#ifndef STEPSTAT_MODEL_GRAPH_DETAIL_H
#define STEPSTAT_MODEL_GRAPH_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"

/* A shape by index of an output: dims NULL when empty or unknown. */
struct graph_shape {
	int32_t index;
	int64_t *dim;
	size_t dim_count;
};

struct graph_input {
	int32_t index;	 /* of the input */
	uint32_t source; /* node of the graph */
};

struct graph_frame {
	const char *file, *function, *text; /* whole path; the source line, "" when not recorded */
	int32_t line, func_start_line;
};

/* By index of the node in the graph. */
struct node_detail {
	struct graph_input *input; /* by index */
	size_t input_count;
	struct graph_shape *output; /* output_shapes, by index */
	size_t output_count;
	struct { /* src_output_index: which output of a source is taken; the last one per source */
		uint32_t source;
		int32_t output;
	} *source_output;
	size_t source_output_count;
	struct graph_frame *trace; /* outermost call first */
	size_t trace_count;
	const char *data_format; /* attribute of this name, "" without */
};

/* The executions of one node in the step that was asked for. */
struct exec_times {
	uint32_t node;
	const char *device;  /* as in the file, lower case */
	bool accelerator;    /* of accelerator_execs */
	int64_t *start_micros, *dur_micros;
	size_t count;
};

struct exec_memory {
	uint32_t node;
	int64_t step;	       /* all steps: held memory runs over them */
	int64_t memory_micros; /* 0: none */
	int64_t bytes_in_use, accelerator_persistent_bytes;
};

struct exec_allocation {
	uint32_t node;
	int64_t step;
	int64_t alloc_micros, alloc_bytes;
};

struct graph_detail {
	struct arena *arena;
	struct node_detail *node; /* node_count of the graph */
	size_t node_count, node_room;
	/* Times are kept for this step only (all of the file's steps are numbered as in the graph); INT64_MIN: none. */
	int64_t step;
	struct exec_times *times;
	size_t times_count, times_room;
	/* With `memory` set: of every step. */
	bool memory;
	struct exec_memory *exec_memory;
	size_t exec_memory_count, exec_memory_room;
	struct exec_allocation *allocation;
	size_t allocation_count, allocation_room;
	bool misses_stream; /* an accelerator ran without any stream:all (RunMetadata only) */
};

#endif
