/* All of the heap: sizes are checked here, and the program's handler is called when memory runs
 * out, so that no caller ever sees NULL. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ROOM_FIRST 16 /* items */

/* Set once when the program starts, before anything is allocated. It cannot be a parameter: the
 * allocation functions are called from everywhere. */
static memory_handler *installed_handler;

void memory_set_handler(memory_handler *handler)
{
	installed_handler = handler;
}

void memory_exhausted(size_t size_bytes)
{
	if (installed_handler)
		installed_handler(size_bytes);
	abort();
}

#ifdef STEPSTAT_SANITIZE
/* Number of further allocations that succeed in a test build; 0: all. Set once, before threads are
 * started. */
static _Atomic size_t test_allocations_left;

void memory_fail_after(size_t allocations)
{
	test_allocations_left = allocations;
}

/* True if this is the allocation that the test wants to fail. */
static bool test_fails_now(void)
{
	return test_allocations_left && --test_allocations_left == 0;
}
#else
static bool test_fails_now(void)
{
	return false;
}
#endif

void *memory_alloc(size_t size_bytes)
{
	void *p = test_fails_now() ? NULL : calloc(1, size_bytes ? size_bytes : 1);

	if (!p)
		memory_exhausted(size_bytes);
	return p;
}

#ifdef STEPSTAT_SANITIZE
void *memory_map(size_t size_bytes)
{
	return memory_alloc(size_bytes);
}

void memory_unmap(void *p, size_t size_bytes)
{
	(void)size_bytes;
	memory_free(p);
}
#else
#define SMALL_BYTES ((size_t)256 << 10)
#define LARGE_PAGE ((size_t)2 << 20)
#define SMALL_PAGE_MOST ((size_t)64 << 10) /* on any machine */

static bool has_large_pages(size_t size_bytes)
{
	return size_bytes >= SMALL_BYTES + LARGE_PAGE && size_bytes < SIZE_MAX / 2;
}

/* Size that the system is asked for. */
static size_t mapped_bytes(size_t size_bytes)
{
	if (!has_large_pages(size_bytes))
		return size_bytes ? size_bytes : 1;
	return (size_bytes + SMALL_PAGE_MOST - 1) / SMALL_PAGE_MOST * SMALL_PAGE_MOST;
}

static void *map(size_t size_bytes)
{
	void *p =
		mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		memory_exhausted(size_bytes);
	return p;
}

/* Places a block so that large pages can follow its first bytes, which are of small ones: a small
 * job would have the system clear a large page for each block. */
static void *map_large(size_t size)
{
	unsigned char *room = map(size + LARGE_PAGE);
	const size_t before = -((uintptr_t)room + SMALL_BYTES) % LARGE_PAGE;

	if (before)
		munmap(room, before);
	room += before;
	munmap(room + size, LARGE_PAGE - before);
#ifdef MADV_HUGEPAGE			   /* of Linux */
	/* Advice only, so the answer of the system is not read. */
	madvise(room + SMALL_BYTES, size - SMALL_BYTES, MADV_HUGEPAGE);
#endif
	return room;
}

void *memory_map(size_t size_bytes)
{
	const size_t size = mapped_bytes(size_bytes);

	return has_large_pages(size_bytes) ? map_large(size) : map(size);
}

void memory_unmap(void *p, size_t size_bytes)
{
	if (p)
		munmap(p, mapped_bytes(size_bytes));
}
#endif

void *memory_resize(void *old, size_t size_bytes)
{
	void *p = test_fails_now() ? NULL : realloc(old, size_bytes ? size_bytes : 1);

	if (!p)
		memory_exhausted(size_bytes);
	return p;
}

size_t memory_product(size_t count, size_t size_bytes)
{
	size_t product;

	if (__builtin_mul_overflow(count, size_bytes, &product))
		memory_exhausted(SIZE_MAX);
	return product;
}

size_t memory_next_room(size_t room, size_t need)
{
	size_t next = room ? memory_product(room, 2) : ROOM_FIRST;

	return next < need ? need : next;
}

void *memory_grow(void *items, size_t *room, size_t need, size_t item_bytes)
{
	size_t next = memory_next_room(*room, need);

	items = memory_resize(items, memory_product(next, item_bytes));
	*room = next;
	return items;
}

void *memory_grow_zeroed(void *items, size_t *room, size_t need, size_t item_bytes)
{
	size_t old = *room;

	items = memory_grow(items, room, need, item_bytes);
	memset((char *)items + old * item_bytes, 0, (*room - old) * item_bytes);
	return items;
}

char *memory_string(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(memory_alloc(size), s, size);
}

void memory_free(void *p)
{
	free(p);
}

/* The growing array: doubles its room until the cap, and refuses the item after that in words. */

void vec_init(struct vec *v, size_t item_bytes, size_t cap, const char *what)
{
	*v = (struct vec){.item_bytes = item_bytes, .cap = cap, .what = what};
}

void vec_release(struct vec *v)
{
	memory_free(v->data);
	v->data = NULL;
	v->count = v->room = 0;
}

void *vec_push(struct vec *v, struct error *err)
{
	if (v->count >= v->cap) {
		error_set(err, ERROR_LIMIT, NULL, "more than %zu %s", v->cap, v->what);
		return NULL;
	}
	if (v->count == v->room) {
		size_t room = memory_next_room(v->room, 1);

		if (room > v->cap)
			room = v->cap;
		v->data = memory_resize(v->data, memory_product(room, v->item_bytes));
		v->room = room;
	}
	void *item = (char *)v->data + v->count * v->item_bytes;

	memset(item, 0, v->item_bytes);
	v->count++;
	return item;
}

void vec_clear(struct vec *v)
{
	v->count = 0;
}
