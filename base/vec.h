/*
 * A growing array on the heap with a cap. It does not own what its items point to. Typed access is
 * by a cast of `data`, or by the return value of vec_push.
 */
#ifndef STEPSTAT_BASE_VEC_H
#define STEPSTAT_BASE_VEC_H

#include <stddef.h>
#include "base/error.h"

struct vec {
	void *data;
	size_t count, room, item_bytes, cap;
	const char *what; /* for the message of the cap: "ops (--max-ops)" */
};

void vec_init(struct vec *v, size_t item_bytes, size_t cap, const char *what);
void vec_release(struct vec *v);
/* Appends a zeroed item and returns it, or NULL with ERROR_LIMIT when the cap is reached. */
void *vec_push(struct vec *v, struct error *err);
void *vec_at(const struct vec *v, size_t index); /* index < count, asserted */
void vec_clear(struct vec *v);			 /* count = 0, room is kept */

#endif
