/*
 * The tensors of one step by name, in the order of their first appearance: which execution made
 * them, when, and when they were last used.
 */
#ifndef STEPSTAT_TIMELINE_TENSORS_H
#define STEPSTAT_TIMELINE_TENSORS_H

#include "base/intern.h"
#include "base/memory.h"
#include "tfprof/files/run_metadata.h"
#include "timeline/json_writer.h"

struct tensor {
	const char *name; /* name_size bytes */
	size_t name_size;
	int64_t object;			       /* its number in the trace */
	int64_t start_micros;		       /* made */
	json_integer end_micros;	       /* of the execution that made it */
	json_integer unused_micros;	       /* last use */
	int64_t compute_pid, tensors_pid, tid; /* of that execution */
	struct recorded_text allocator;
	int64_t size_bytes; /* requested */
};

struct tensor_table {
	struct arena *arena;
	struct intern *names;
	struct vec tensor; /* struct tensor, by number of its name */
	struct text text;
	size_t name_bytes;
};

void tensor_table_init(struct tensor_table *table);
void tensor_table_release(struct tensor_table *table);
/* The tensor that is output `index` of an execution: its name and number are set, the rest is the
 * caller's. One of the same name is replaced, and the new one has the number of names so far, as in
 * timeline.py. NULL: ERROR_LIMIT. */
struct tensor *tensor_table_make(
	struct tensor_table *table, struct recorded_text node, size_t index, struct error *err);
/* The tensor that an input names; without the mark of a transfer ("/_12") when that has none. NULL:
 * none. */
struct tensor *tensor_table_find(const struct tensor_table *table, struct recorded_text input);

#endif
