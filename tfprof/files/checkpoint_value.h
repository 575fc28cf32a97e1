/* Elements of a variable's value, by their type, and slices of it: their keys, and their places in
 * the whole. For checkpoint.c only; it reads no files. */
#pragma once

#include "base/text.h"
#include "ingest/proto/graph_def.pb-c.h"
#include "tfprof/files/checkpoint.h"

#define CHECKPOINT_RANK_MOST 254 /* TensorFlow's own limit */

enum element_kind {
	ELEMENT_UNKNOWN,
	ELEMENT_REAL,
	ELEMENT_SIGNED,
	ELEMENT_UNSIGNED,
	ELEMENT_STRING
};

struct element {
	enum element_kind kind;
	unsigned bytes; /* of one; strings have none of their own */
	bool v1;	/* V1 can hold it */
};

struct element checkpoint_element(int32_t dtype);
/* Makes the array of the value's type, or none. */
void checkpoint_value_make(struct checkpoint_value *value, struct arena *arena);
void checkpoint_value_string(struct checkpoint_value *value, size_t i, const void *bytes,
	size_t size, struct arena *arena);
/* The number of these bits. */
double checkpoint_real(int32_t dtype, uint64_t bits);

/* The key under which the values of a slice are: name and ranges in an order-keeping code. */
void slice_key(const char *name, const Graph__Slice *slice, struct text *out);
/* True if it is all of a variable of this shape. */
bool slice_is_whole(const Graph__Slice *slice, const struct checkpoint_variable *variable);
/* True if the slice is inside of the whole and has the part's shape. */
bool slice_fits(const struct checkpoint_value *whole, const Graph__Slice *slice,
	const struct checkpoint_value *part);
/* Copies the part to its place, row-major; counts the elements that were not there yet. */
size_t slice_place(struct checkpoint_value *whole, const Graph__Slice *slice,
	const struct checkpoint_value *part, bool *placed);
