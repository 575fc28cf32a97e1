/*
 * The growing array: doubles its room until the cap, and refuses the item after that in words.
 */
#include "base/vec.h"

#include <assert.h>
#include <string.h>
#include "base/memory.h"

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

static void vec_grow(struct vec *v)
{
	size_t room = memory_next_room(v->room, 1);

	if (room > v->cap)
		room = v->cap;
	v->data = memory_resize(v->data, memory_product(room, v->item_bytes));
	v->room = room;
}

void *vec_push(struct vec *v, struct error *err)
{
	if (v->count >= v->cap) {
		error_set(err, ERROR_LIMIT, NULL, "more than %zu %s", v->cap, v->what);
		return NULL;
	}
	if (v->count == v->room)
		vec_grow(v);
	void *item = (char *)v->data + v->count * v->item_bytes;

	memset(item, 0, v->item_bytes);
	v->count++;
	return item;
}

void *vec_at(const struct vec *v, size_t index)
{
	assert(index < v->count);
	return (char *)v->data + index * v->item_bytes;
}

void vec_clear(struct vec *v)
{
	v->count = 0;
}
