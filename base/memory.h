/* The only access to the heap, and the growing array. Allocation never returns NULL: when memory
 * runs out it calls the handler that the program installed (which reports and ends the process). */
#pragma once

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "base/error.h"

/* Called with the size that could not be allocated; must not return. The default aborts. */
typedef void memory_handler(size_t size_bytes);
void memory_set_handler(memory_handler *handler);
/* Calls the handler: for allocations made elsewhere. */
void memory_exhausted(size_t size_bytes) __attribute__((noreturn));
/* Lets `new` of C++ libraries call the handler, with a size of 0, instead of throwing an exception
 * that nobody catches. For the whole process. */
void memory_handle_new(void);

void *memory_alloc(size_t size_bytes); /* zeroed; size 0 is one byte */
/* Large zeroed memory outside of the heap, which is given back at once, on large pages where the
 * system has them: they save a third of the time of adding events and sorting them. Freeing as much
 * through the heap would let the C library keep arrays of that size from then on. */
void *memory_map(size_t size_bytes);
void memory_unmap(void *p, size_t size_bytes);		/* of that size; NULL is fine */
void *memory_resize(void *old, size_t size_bytes);	/* as realloc; new bytes not zeroed */
size_t memory_product(size_t count, size_t size_bytes); /* checked; the handler on overflow */
char *memory_string(const char *s);			/* a copy */
void memory_free(void *p);

/* An array that grows is a pointer, a count of items and the room: how many items the block holds.
 * The room doubles, or becomes what is needed if that is more. An overflow calls the handler.
 */
size_t memory_next_room(size_t room, size_t need); /* for arrays that share one room */
void *memory_grow(void *items, size_t *room, size_t need, size_t item_bytes);

/* The array with room for `need` items at least; new ones are not zeroed. */
static inline void *memory_make_room(void *items, size_t *room, size_t need, size_t item_bytes)
{
	return need <= *room ? items : memory_grow(items, room, need, item_bytes);
}

void *memory_grow_zeroed(void *items, size_t *room, size_t need, size_t item_bytes);

/* The same with new items zeroed. */
static inline void *memory_make_room_zeroed(
	void *items, size_t *room, size_t need, size_t item_bytes)
{
	return need <= *room ? items : memory_grow_zeroed(items, room, need, item_bytes);
}

/* Appends a zeroed item and returns it. `items` is the address of the owner's pointer. */
static inline void *memory_push(void *items, size_t *count, size_t *room, size_t item_bytes)
{
	void *array;

	memcpy(&array, items, sizeof(array)); /* it is a pointer to any type */
	if (*count == *room) {
		array = memory_grow(array, room, *count + 1, item_bytes);
		memcpy(items, &array, sizeof(array));
	}
	return memset((char *)array + (*count)++ * item_bytes, 0, item_bytes);
}

#ifdef STEPSTAT_SANITIZE
/* Test builds only: the n-th allocation from now on fails. 0: none. */
void memory_fail_after(size_t allocations);
#endif

/* A growing array on the heap with a cap. It does not own what its items point to. Typed access is
 * by a cast of `data`, or by the return value of vec_push. */

struct vec {
	void *data;
	size_t count, room, item_bytes, cap;
	const char *what; /* for the message of the cap: "ops (max-ops)" */
};

void vec_init(struct vec *v, size_t item_bytes, size_t cap, const char *what);
void vec_release(struct vec *v);
/* Appends a zeroed item and returns it, or NULL with ERROR_LIMIT when the cap is reached. */
void *vec_push(struct vec *v, struct error *err);
static inline void *vec_at(const struct vec *v, size_t index) /* index < count, asserted */
{
	assert(index < v->count);
	return (char *)v->data + index * v->item_bytes;
}
void vec_clear(struct vec *v); /* count = 0, room is kept */
