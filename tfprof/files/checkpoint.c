/*
 * Opening of checkpoints, and what both forms do alike. Which form it is decides the existence of
 * PREFIX.index, as in the original.
 */
#include "tfprof/files/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tfprof/files/checkpoint_parts.h"

/* "PREFIX.index" is there. */
static bool has_index(const struct checkpoint *c)
{
	const char *path = arena_printf(c->arena, "%s.index", c->prefix);

	if (!c->memory)
		return access(path, F_OK) == 0;
	for (size_t i = 0; i < c->memory_count; i++)
		if (text_equal(c->memory[i].path, path))
			return true;
	return false;
}

int checkpoint_file_open(
	const struct checkpoint *c, const char *path, struct span_file *file, struct error *err)
{
	if (!c->memory)
		return span_file_open(file, path, err);
	for (size_t i = 0; i < c->memory_count; i++)
		if (text_equal(c->memory[i].path, path)) {
			span_file_memory(file, path, c->memory[i].bytes, c->memory[i].size);
			return 0;
		}
	return error_set(err, ERROR_INPUT, path, "no such file");
}

struct checkpoint_entry *checkpoint_entry_add(
	struct checkpoint *c, const void *key, size_t key_size, struct error *err)
{
	struct checkpoint_entry *e;

	/* Keys that share beginnings are much longer in memory than in the file. */
	c->names_bytes += key_size + sizeof(*e);
	if (c->names_bytes > CHECKPOINT_NAMES_MOST) {
		error_set(err, ERROR_LIMIT, c->prefix, "too many names in the checkpoint");
		return NULL;
	}
	c->entry = arena_make_room(
		c->arena, c->entry, c->entry_count, &c->entry_room, sizeof(*c->entry));
	e = &c->entry[c->entry_count++];
	e->key = arena_strndup(c->arena, key, key_size);
	e->key_size = key_size;
	e->variable.name = e->key;
	return e;
}

void checkpoint_entry_slice(
	struct checkpoint *c, struct checkpoint_entry *e, const struct tensor_slice *slice)
{
	e->slice = arena_make_room(
		c->arena, e->slice, e->slice_count, &e->slice_room, sizeof(*e->slice));
	e->slice[e->slice_count++] = *slice;
}

struct checkpoint_entry *checkpoint_entry_find(
	const struct checkpoint *c, const void *key, size_t key_size)
{
	size_t low = 0, high = c->entry_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct checkpoint_entry *e = &c->entry[middle];
		int order = sstable_compare(e->key, e->key_size, key, key_size);

		if (order == 0)
			return e;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void list_variables(struct checkpoint *c)
{
	c->variable = arena_array(c->arena, c->entry_count, sizeof(struct checkpoint_entry *));
	for (size_t i = 0; i < c->entry_count; i++)
		if (c->entry[i].is_variable)
			c->variable[c->variable_count++] = &c->entry[i];
}

struct checkpoint *checkpoint_open_memory(const char *prefix, const struct checkpoint_file *file,
	size_t count, bool unchecked, struct error *err)
{
	struct arena *arena = arena_new();
	struct checkpoint *c = arena_alloc(arena, sizeof(*c));

	*c = (struct checkpoint){.arena = arena,
		.memory = file,
		.memory_count = count,
		.unchecked = unchecked,
		.prefix = arena_strdup(arena, prefix)};
	c->v2 = has_index(c);
	if (c->v2 ? checkpoint_v2_open(c, err) : checkpoint_v1_open(c, err)) {
		checkpoint_free(c);
		return NULL;
	}
	list_variables(c);
	return c;
}

struct checkpoint *checkpoint_open(const char *prefix, struct error *err)
{
	return checkpoint_open_memory(prefix, NULL, 0, false, err);
}

void checkpoint_free(struct checkpoint *c)
{
	if (c)
		arena_free(c->arena);
}

size_t checkpoint_count(const struct checkpoint *c)
{
	return c->variable_count;
}

const struct checkpoint_variable *checkpoint_at(const struct checkpoint *c, size_t index)
{
	return &c->variable[index]->variable;
}

int checkpoint_read(struct checkpoint *c, const char *name, struct arena *arena,
	struct checkpoint_value *out, struct error *err)
{
	return c->v2 ? checkpoint_v2_read(c, name, arena, out, err)
		     : checkpoint_v1_read(c, name, arena, out, err);
}
