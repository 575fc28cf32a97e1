/*
 * The heap behind one door: sizes are checked here, and the end of memory is the program's handler,
 * so that no caller ever sees NULL.
 */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

/*
 * Set once when the program starts, before anything is allocated. It cannot be a parameter: the
 * allocation functions are called from everywhere.
 */
static memory_handler *installed_handler;

void memory_set_handler(memory_handler *handler)
{
	installed_handler = handler;
}

static _Noreturn void memory_exhausted(size_t size_bytes)
{
	if (installed_handler)
		installed_handler(size_bytes);
	abort();
}

void *memory_alloc(size_t size_bytes)
{
	void *p = calloc(1, size_bytes ? size_bytes : 1);

	if (!p)
		memory_exhausted(size_bytes);
	return p;
}

void *memory_resize(void *old, size_t size_bytes)
{
	void *p = realloc(old, size_bytes ? size_bytes : 1);

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

void memory_free(void *p)
{
	free(p);
}
