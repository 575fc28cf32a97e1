/* A chunk arena: small objects are cut from chunks that double in size, big ones get a chunk of
 * their own. With STEPSTAT_SANITIZE every object is a block of the heap, so that ASan sees
 * overruns. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"

#define ALIGNMENT 16
#define CHUNK_FIRST ((size_t)512) /* there may be one for each writer of a trace */
#define CHUNK_LAST ((size_t)1 << 20)

struct chunk {
	struct chunk *next;
	size_t size_bytes, used_bytes;
	_Alignas(ALIGNMENT) unsigned char bytes[];
};

struct deferred {
	struct deferred *next;
	void (*release)(void *object);
	void *object;
};

struct arena {
	struct chunk *chunks; /* the first is the one that small objects are cut from */
	struct deferred *deferred;
	size_t heap_bytes;
	size_t chunk_bytes; /* size of the next chunk for small objects */
};

struct arena *arena_new(void)
{
	struct arena *arena = memory_alloc(sizeof(*arena));

	arena->chunk_bytes = CHUNK_FIRST;
	arena->heap_bytes = sizeof(*arena);
	return arena;
}

/* The list lives in the arena itself, so the chunks must outlast the calls. */
static void arena_run_deferred(struct arena *arena)
{
	while (arena->deferred) {
		struct deferred *first = arena->deferred;

		arena->deferred = first->next;
		first->release(first->object);
	}
}

static void arena_free_chunks(struct arena *arena, struct chunk *chunk)
{
	while (chunk) {
		struct chunk *next = chunk->next;

		arena->heap_bytes -= sizeof(*chunk) + chunk->size_bytes;
		memory_free(chunk);
		chunk = next;
	}
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	arena_run_deferred(arena);
	arena_free_chunks(arena, arena->chunks);
	memory_free(arena);
}

void arena_reset(struct arena *arena)
{
	arena_run_deferred(arena);

	struct chunk *kept = arena->chunks;
#ifdef STEPSTAT_SANITIZE
	kept = NULL; /* stale pointers must point to freed blocks */
#else
	if (kept && kept->size_bytes > CHUNK_LAST)
		kept = NULL;
#endif
	arena_free_chunks(arena, kept ? kept->next : arena->chunks);
	arena->chunks = kept;
	if (kept) {
		kept->next = NULL;
		memset(kept->bytes, 0, kept->used_bytes);
		kept->used_bytes = 0;
	}
}

static struct chunk *arena_add_chunk(struct arena *arena, size_t size_bytes)
{
	struct chunk *chunk = memory_alloc(sizeof(*chunk) + size_bytes);

	chunk->size_bytes = size_bytes;
	arena->heap_bytes += sizeof(*chunk) + size_bytes;
	return chunk;
}

#ifndef STEPSTAT_SANITIZE
static struct chunk *arena_chunk_for(struct arena *arena, size_t size_bytes)
{
	const size_t chunk_bytes = arena->chunk_bytes;
	struct chunk *first = arena->chunks;

	if (first && first->size_bytes - first->used_bytes >= size_bytes)
		return first;
	if (chunk_bytes < CHUNK_LAST)
		arena->chunk_bytes *= 2;
	if (size_bytes > chunk_bytes / 4) {
		struct chunk *own = arena_add_chunk(arena, size_bytes);

		/* Behind the first one, which still has room for small objects. */
		own->next = first ? first->next : NULL;
		if (first)
			first->next = own;
		else
			arena->chunks = own;
		return own;
	}
	struct chunk *chunk = arena_add_chunk(arena, chunk_bytes);

	chunk->next = first;
	arena->chunks = chunk;
	return chunk;
}
#endif

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
	/* Fails there: the size with header and padding would not fit a size_t. */
	if (size_bytes > PTRDIFF_MAX - sizeof(struct chunk) - ALIGNMENT)
		return memory_alloc(size_bytes);
#ifdef STEPSTAT_SANITIZE
	struct chunk *chunk = arena_add_chunk(arena, size_bytes);

	chunk->next = arena->chunks;
	arena->chunks = chunk;
	chunk->used_bytes = size_bytes;
	return chunk->bytes;
#else
	size_t padded = (size_bytes + (size_bytes == 0) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	struct chunk *chunk = arena_chunk_for(arena, padded);
	void *object = chunk->bytes + chunk->used_bytes;

	chunk->used_bytes += padded;
	return object;
#endif
}

void *arena_array(struct arena *arena, size_t count, size_t size_bytes)
{
	return arena_alloc(arena, memory_product(count, size_bytes));
}

char *arena_strndup(struct arena *arena, const char *s, size_t n)
{
	char *copy = arena_alloc(arena, n + 1);

	if (n)
		memcpy(copy, s, n);
	return copy;
}

void *arena_make_room(
	struct arena *arena, void *items, size_t count, size_t *room, size_t item_bytes)
{
	void *grown;

	if (count < *room)
		return items;
	*room = count ? memory_product(count, 2) : 1;
	grown = arena_array(arena, *room, item_bytes);
	if (count)
		memcpy(grown, items, count * item_bytes);
	return grown;
}

char *arena_strdup(struct arena *arena, const char *s)
{
	return arena_strndup(arena, s, strlen(s));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;

	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	size_t size = length < 0 ? 1 : (size_t)length + 1;
	char *out = arena_alloc(arena, size);

	if (length >= 0)
		vsnprintf(out, size, format, again);
	va_end(again);
	va_end(args);
	return out;
}

char *arena_count(struct arena *arena, size_t n, const char *noun)
{
	return arena_printf(arena, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

void arena_defer(struct arena *arena, void (*release)(void *object), void *object)
{
	struct deferred *deferred = arena_alloc(arena, sizeof(*deferred));

	deferred->release = release;
	deferred->object = object;
	deferred->next = arena->deferred;
	arena->deferred = deferred;
}

size_t arena_size_bytes(const struct arena *arena)
{
	return arena->heap_bytes;
}
