/*
 * The only door to the heap. It never returns NULL: when memory runs out it calls the handler that
 * the program installed (which reports and ends the process). It does not know who owns what.
 */
#ifndef STEPSTAT_BASE_MEMORY_H
#define STEPSTAT_BASE_MEMORY_H

#include <stddef.h>

/* Called with the size that could not be had; must not return. The default aborts. */
typedef void memory_handler(size_t size_bytes);
void memory_set_handler(memory_handler *handler);
/* Calls the handler. For allocations that are made elsewhere (base/memory_new.h). */
void memory_exhausted(size_t size_bytes) __attribute__((noreturn));

void *memory_alloc(size_t size_bytes);			/* zeroed; size 0 is one byte */
void *memory_resize(void *old, size_t size_bytes);	/* as realloc; new bytes not zeroed */
size_t memory_product(size_t count, size_t size_bytes); /* checked; the handler on overflow */
void memory_free(void *p);

#ifdef STEPSTAT_SANITIZE
/* Test builds only: the n-th allocation from now on fails. 0: none. */
void memory_fail_after(size_t allocations);
#endif

#endif
