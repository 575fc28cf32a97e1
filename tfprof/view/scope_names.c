/* Names are split at their slashes from the left. A part is known by the scope that it is in
 * and its own bytes, so that work and memory go with the bytes of the names, however many scopes
 * one name spells. */
#include <stdlib.h>
#include <string.h>
#include "tfprof/view/view.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"

#define NONE UINT32_MAX

/* A scope of the present node's name: where its name ends, and its number. */
struct scope_level {
	size_t end;
	uint32_t id;
};

struct collector {
	struct arena *scratch;
	struct intern *parts; /* number of the scope and bytes of the part */
	struct text key;
	/* by number: in the order of first use, scopes before what is in them */
	struct scope_name *item;
	size_t room;
	struct scope_level *level;
	size_t depth, level_room;
	const char *previous; /* the name that `level` is of */
};

/* The number of what is called so in this scope, new or known. */
static uint32_t part_id(
	struct collector *c, uint32_t above, const char *name, size_t from, size_t end)
{
	size_t known = intern_count(c->parts);
	uint32_t id;

	text_clear(&c->key);
	text_add_bytes(&c->key, (const char *)&above, sizeof(above));
	text_add_bytes(&c->key, name + from, end - from);
	id = intern_id(c->parts, c->key.data, c->key.size);
	if (id < known)
		return id;
	c->item = memory_make_room(c->item, &c->room, (size_t)id + 1, sizeof(*c->item));
	c->item[id] = (struct scope_name){.name = name, .bytes = end, .node = NONE, .above = above};
	return id;
}

static void collect(struct collector *c, const char *name, uint32_t node)
{
	size_t n = strlen(name), from;
	uint32_t id;

	/* Number of levels that this name shares with the previous one. */
	size_t same = 0, depth = 0;

	while (c->previous && name[same] && name[same] == c->previous[same])
		same++;
	while (depth < c->depth && c->level[depth].end <= same)
		depth++;
	/* A level that ends where the names part is shared when a part ends there in both. */
	if (depth && c->level[depth - 1].end == same && name[same] && name[same] != '/')
		depth--;
	c->depth = depth;
	id = c->depth ? c->level[c->depth - 1].id : NONE;
	from = c->depth ? c->level[c->depth - 1].end + 1 : 0;
	while (from <= n) {
		size_t end = from + strcspn(name + from, "/");

		id = part_id(c, id, name, from, end);
		c->level =
			memory_make_room(c->level, &c->level_room, c->depth + 1, sizeof(*c->level));
		c->level[c->depth++] = (struct scope_level){end, id};
		from = end + 1;
	}
	if (c->item[id].node == NONE) {
		c->item[id].name = name;
		c->item[id].node = node;
	}
	c->previous = name;
}

/* One of those in a scope, with its own part of the name. */
struct scope_member {
	const char *part;
	size_t bytes;
	uint32_t id;
};

static int compare_members(const void *left, const void *right)
{
	const struct scope_member *a = left, *b = right;
	int order = memcmp(a->part, b->part, a->bytes < b->bytes ? a->bytes : b->bytes);

	return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* Nodes come by name, so scopes nearly do. */
static void sort_members(struct scope_member *member, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (compare_members(&member[i - 1], &member[i]) > 0) {
			qsort(member, count, sizeof(*member), compare_members);
			return;
		}
}

/* Every scope before what is in it, and that before the scope's next neighbour. */
static void arrange(const struct collector *c, struct scope_names *out)
{
	size_t count = intern_count(c->parts), waiting = 0;
	size_t *first = arena_array(c->scratch, count + 2, sizeof(*first));
	/* Members of the scope k - 1 are first[k] to first[k + 1] - 1, those at the top come
	 * first. */
	struct scope_member *member = arena_array(c->scratch, count, sizeof(*member));
	size_t *next = arena_array(c->scratch, count + 2, sizeof(*next));

	for (size_t i = 0; i < count; i++)
		first[c->item[i].above == NONE ? 1 : (size_t)c->item[i].above + 2]++;
	for (size_t k = 0; k <= count; k++)
		first[k + 1] += first[k];
	memcpy(next, first, (count + 2) * sizeof(*next));
	for (size_t i = 0; i < count; i++) {
		const struct scope_name *item = &c->item[i];
		size_t above = item->above == NONE ? 0 : (size_t)item->above + 1;
		size_t from = item->above == NONE ? 0 : c->item[item->above].bytes + 1;

		member[next[above]++] =
			(struct scope_member){item->name + from, item->bytes - from, (uint32_t)i};
	}
	for (size_t k = 0; k <= count; k++)
		sort_members(member + first[k], first[k + 1] - first[k]);
	uint32_t *open = arena_array(c->scratch, count, sizeof(*open));
	uint32_t *index = arena_array(c->scratch, count, sizeof(*index));

	for (size_t k = first[1]; k-- > 0;)
		open[waiting++] = member[k].id;
	while (waiting) {
		uint32_t id = open[--waiting];
		struct scope_name *item = &out->item[out->count];

		*item = c->item[id];
		item->above = item->above == NONE ? NONE : index[item->above];
		index[id] = (uint32_t)out->count++;
		for (size_t k = first[(size_t)id + 2]; k-- > first[(size_t)id + 1];)
			open[waiting++] = member[k].id;
	}
}

struct scope_names *scope_names_new(
	const struct graph *graph, const uint32_t *by_name, struct arena *arena)
{
	struct scope_names *out = arena_alloc(arena, sizeof(*out));
	struct collector c = {.scratch = arena_new()};

	c.parts = intern_new(c.scratch);
	text_init(&c.key);
	for (size_t i = 0; i < graph->node_count; i++)
		collect(&c, graph->node[by_name[i]].name, by_name[i]);
	out->item = arena_array(arena, intern_count(c.parts), sizeof(*out->item));
	arrange(&c, out);
	text_release(&c.key);
	memory_free(c.item);
	memory_free(c.level);
	arena_free(c.scratch);
	return out;
}
