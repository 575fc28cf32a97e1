/* Memory of one lifetime: many allocations, freed together. It does not grow objects in place
 * (base/memory.h does) and does not free single objects. */
#pragma once

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena);  /* runs the deferred calls, last first; NULL is fine */
void arena_reset(struct arena *arena); /* as free and new, but keeps one chunk for reuse */

void *arena_alloc(struct arena *arena, size_t size_bytes);		 /* zeroed, aligned to 16 */
void *arena_array(struct arena *arena, size_t count, size_t size_bytes); /* checked product */
/* The array of the arena with room for one item after `count`; a block that is full is copied to
 * one twice as large, and the old one stays in the arena. */
void *arena_make_room(
	struct arena *arena, void *items, size_t count, size_t *room, size_t item_bytes);
char *arena_strdup(struct arena *arena, const char *s);
char *arena_strndup(struct arena *arena, const char *s, size_t n); /* copies n bytes, adds 0 */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* "1 run", "2 runs". */
char *arena_count(struct arena *arena, size_t n, const char *noun);

/* Calls release(object) when the arena ends: for foreign objects (GSL, PCRE2, FILE). */
void arena_defer(struct arena *arena, void (*release)(void *object), void *object);

size_t arena_size_bytes(const struct arena *arena); /* of its chunks on the heap */
