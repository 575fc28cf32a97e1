/* Data of a model that tfprof's views need beyond numbers: inputs, output shapes, code traces, and,
 * for one step, every execution and allocation. On request also the rest of what a written profile
 * holds. Readers fill it when a graph has a `detail`, and skip the data otherwise. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/intern.h"

/* A shape by index of an output: dims NULL when empty or unknown. */
struct graph_shape {
	int32_t index;
	int64_t *dim;
	size_t dim_count;
};

/* The source is a node of the graph; UINT32_MAX: nothing has that name (its shape is unknown). */
struct graph_input {
	int32_t index; /* of the input */
	uint32_t source;
	const char *name; /* of the source; NULL: not known */
};

struct graph_source_output {
	uint32_t source;
	int32_t output;
	const char *name;
};

struct graph_frame {
	const char *file, *function, *text; /* whole path; the source line, "" when not recorded */
	int32_t line, func_start_line;
};

/* Details of a node, by its index in the graph. */
struct node_detail {
	struct graph_input *input; /* by index */
	size_t input_count;
	struct graph_shape *output; /* output_shapes, by index */
	size_t output_count;
	/* the output that is used of a source; one per source */
	struct graph_source_output *source_output;
	size_t source_output_count;
	struct graph_frame *trace; /* outermost call first */
	size_t trace_count;
	const char *data_format; /* attribute of this name, "" without */
	bool covered;		 /* it was known before the data of a step named it */
};

/* An attribute of a node, the same in graphs and profiles: the bytes of its AttrValue. */
struct graph_attribute {
	uint32_t node;
	const char *key;
	size_t key_size;
	const unsigned char *value;
	size_t value_size;
};

/* The executions of one node in the requested step. */
struct exec_times {
	uint32_t node;
	const char *device; /* as in the file, lower case */
	bool accelerator;   /* of accelerator_execs */
	int64_t *start_micros, *dur_micros;
	size_t count;
};

/* Size and address of one output of an execution. */
struct exec_output {
	int32_t slot;
	int64_t bytes;
	uint64_t address;
};

/* The rest of the record of an execution's memory. */
struct exec_bytes {
	int64_t host_temp_bytes, host_persistent_bytes, accelerator_temp_bytes;
	int64_t requested_bytes, peak_bytes, residual_bytes, output_bytes;
	struct exec_output *output; /* in the order of the file; of equal slots the last counts */
	size_t output_count;
};

struct exec_memory {
	uint32_t node;
	int64_t step;	       /* any step: memory is held across steps */
	int64_t memory_micros; /* 0: none */
	int64_t bytes_in_use, accelerator_persistent_bytes;
	const struct exec_bytes *rest; /* NULL without `whole` */
};

/* A device on which a node is recorded in a step, with or without times. */
struct exec_device {
	uint32_t node;
	int64_t step;
	const char *device;
};

struct exec_allocation {
	uint32_t node;
	int64_t step;
	int64_t alloc_micros, alloc_bytes;
};

/* One execution, before they are grouped into exec_times. */
struct exec_time {
	uint32_t node;
	bool accelerator;
	int64_t step;
	const char *device;
	int64_t start_micros, dur_micros;
};

struct graph_detail {
	struct arena *arena;	  /* every text here */
	struct intern *words;	  /* each once; in the arena */
	struct node_detail *node; /* node_count of the graph */
	size_t node_count, node_room;
	/* Times are stored for this step only (all of the file's steps are numbered as in the
	 * graph); INT64_MIN: none. */
	int64_t step;
	/* by node, then device, after graph_detail_finish; in the arena */
	struct exec_times *times;
	size_t times_count;
	struct exec_time *time; /* in the order of the file */
	size_t time_count, time_room;
	/* Memory of every step, with `memory` set; by node, then step. */
	bool memory;
	struct exec_memory *exec_memory;
	size_t exec_memory_count, exec_memory_room;
	struct exec_allocation *allocation;
	size_t allocation_count, allocation_room;
	/* All data of a written profile, with `whole` set (and `memory`). `time` then has every
	 * step, by node, step, device, and `times` is empty. */
	bool whole;
	struct exec_device *device; /* by node, step, device, each once */
	size_t device_count, device_room;
	struct graph_attribute *attribute; /* by node, then key, each once */
	size_t attribute_count, attribute_room;
	bool profile_misses_stream; /* recorded in a profile; its views do not show it */
	bool misses_stream;   /* an accelerator ran without any stream:all (RunMetadata only) */
	size_t covered_count; /* nodes that are covered */
};

/* The detail of a node; NULL: there is none, or no such node. */
static inline const struct node_detail *node_detail_of(
	const struct graph_detail *detail, uint32_t node)
{
	return detail && node < detail->node_count ? &detail->node[node] : NULL;
}

struct graph;

/* Without executions: set `step` and `memory` before reading to have them. */
void graph_detail_init(struct graph_detail *detail);
void graph_detail_release(struct graph_detail *detail);
const char *graph_detail_word(struct graph_detail *detail, const char *bytes, size_t n);

/* Append a zeroed item; the pointer is valid until the next of its kind. graph_push_node appends
 * the detail of the node. */
struct node_detail *graph_detail_push_node(struct graph_detail *detail);
struct exec_time *graph_detail_push_time(struct graph_detail *detail);
struct exec_memory *graph_detail_push_memory(struct graph_detail *detail);
struct exec_allocation *graph_detail_push_allocation(struct graph_detail *detail);
struct exec_device *graph_detail_push_exec_device(struct graph_detail *detail);
/* Copies the bytes. */
void graph_detail_add_attribute(struct graph_detail *detail, const struct graph_attribute *from);
/* A zeroed exec_bytes with this many outputs. */
struct exec_bytes *graph_detail_new_bytes(struct graph_detail *detail, size_t output_count);

/* Number of items at some point; the items between two marks can be dropped. */
struct graph_detail_mark {
	size_t time, memory, allocation, device;
};
struct graph_detail_mark graph_detail_mark(const struct graph_detail *detail);
void graph_detail_drop(
	struct graph_detail *detail, struct graph_detail_mark from, struct graph_detail_mark to);

/* Sets the inputs of a node from names as graphs write them: "NODE", "NODE:OUTPUT", "^NODE". */
void graph_detail_inputs(
	struct graph_detail *detail, uint32_t node, const char *const *input, size_t count);

/* Renumbers the nodes: node i becomes new_index[i], or is removed where that is UINT32_MAX. `count`
 * is the number of nodes afterwards. */
void graph_detail_renumber(struct graph_detail *detail, const uint32_t *new_index, size_t count);

/* Called when everything is read: finds the sources of inputs by name and groups the executions. */
void graph_detail_finish(const struct graph *graph);
