/*
 * Rows are sorted by name, so that all rows of a scope follow each other, but for names such as
 * "a-b" between "a" and "a/b": parts are compared as if '/' were the smallest byte.
 */
#include "analysis/select/scopes.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

struct scope_row {
	const char *name;
	size_t length;	    /* of the scope in the name */
	size_t first, last; /* places in the sorted rows */
	double weight;
};

struct sorted_row {
	const char *name;
	size_t group;
};

static int compare_paths(const void *a, const void *b)
{
	return text_compare_tree(
		((const struct sorted_row *)a)->name, ((const struct sorted_row *)b)->name);
}

static int compare_weights(const void *a, const void *b)
{
	const struct scope_row *x = a, *y = b;

	return ORDER(y->weight, x->weight) ?: ORDER(x->first, y->first);
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* True if the first `length` bytes of `scope` are a scope of the name, or all of it. */
static bool is_below(const char *name, const char *scope, size_t length)
{
	return strncmp(name, scope, length) == 0 && (name[length] == '/' || !name[length]);
}

#define DEPTH_MOST 64 /* parts of a name that become scopes */

struct scopes_maker {
	const struct grouping *of;
	const double *weight;
	double least;
	struct sorted_row *row;
	struct scope_row *scope;
	size_t count, room;
};

/* The first `length` bytes of the name of row `first`, the first one that begins with them. */
static void add_scope(struct scopes_maker *m, size_t first, size_t length)
{
	struct scope_row scope = {m->row[first].name, length, first, first, 0};
	struct scope_row *slot;

	while (scope.last < m->of->count && is_below(m->row[scope.last].name, scope.name, length))
		scope.weight += m->weight[m->row[scope.last++].group];
	if (scope.weight < m->least || !(scope.weight > 0))
		return;
	slot = memory_push(&m->scope, &m->count, &m->room, sizeof(*m->scope));
	*slot = scope;
}

static void fill_group(const struct scopes_maker *m, const struct scope_row *scope,
	struct arena *arena, struct group *out)
{
	size_t ops = 0;

	for (size_t r = scope->first; r < scope->last; r++)
		ops += m->of->group[m->row[r].group].op_count;
	*out = (struct group){.name = arena_strndup(arena, scope->name, scope->length),
		.type = "",
		.device = "",
		.op = arena_array(arena, ops, sizeof(*out->op))};
	for (size_t r = scope->first; r < scope->last; r++) {
		const struct group *group = &m->of->group[m->row[r].group];

		memcpy(out->op + out->op_count, group->op, group->op_count * sizeof(*out->op));
		out->op_count += group->op_count;
	}
}

void scopes_make(const struct grouping *of, const double *weight, double least, size_t most,
	struct arena *arena, struct grouping *out)
{
	struct scopes_maker m = {.of = of, .weight = weight, .least = least};

	m.row = memory_alloc(memory_product(of->count, sizeof(*m.row)));
	for (size_t g = 0; g < of->count; g++)
		m.row[g] = (struct sorted_row){of->group[g].name, g};
	if (of->count)
		qsort(m.row, of->count, sizeof(*m.row), compare_paths);
	for (size_t r = 0; r < of->count; r++) {
		/* The scopes that begin with this row. */
		const char *name = m.row[r].name, *before = r ? m.row[r - 1].name : NULL;
		const size_t length = strlen(name);
		size_t depth = 0;

		for (size_t n = 1; n < length && depth < DEPTH_MOST; n++) {
			if (name[n] != '/')
				continue;
			depth++;
			if (!before || !is_below(before, name, n))
				add_scope(&m, r, n);
		}
		if (!before || !is_below(before, name, length))
			add_scope(&m, r, length);
	}
	if (m.count)
		qsort(m.scope, m.count, sizeof(*m.scope), compare_weights);
	m.count = m.count < most ? m.count : most;
	*out = (struct grouping){.ops = of->ops, .ops_kept = of->ops_kept};
	out->group = arena_array(arena, m.count, sizeof(*out->group));
	for (size_t i = 0; i < m.count; i++)
		fill_group(&m, &m.scope[i], arena, &out->group[out->count++]);
	if (out->count)
		qsort(out->group, out->count, sizeof(*out->group), compare_groups);
	memory_free(m.row);
	memory_free(m.scope);
}
