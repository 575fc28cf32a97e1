/*
 * Counts the steps of each name, sorts the names by that, and numbers them.
 */
#include "analysis/named_kinds.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/order.h"
#include "base/text.h"

#define UNNAMED "step"
#define NAMES_MOST 20 /* so many may be names of single steps */
#define KINDS_LISTED 5

struct named_kind {
	const char *name;
	uint32_t id;
	size_t cubes, steps; /* that have it; all of them */
};

static int compare_kinds(const void *a, const void *b)
{
	const struct named_kind *x = a, *y = b;

	return ORDER(y->cubes, x->cubes)
		?: ORDER(y->steps, x->steps)
		?: text_compare_natural(x->name, y->name);
}

static uint32_t name_id(struct intern *names, const struct step *step)
{
	const char *name = step->kind ? step->kind : UNNAMED;

	return intern_id(names, name, strlen(name));
}

/* Kinds by the ids of their names; *any: some step has one. */
static struct named_kind *count_names(const struct cube *const *cube, size_t cubes,
	struct intern *names, struct arena *scratch, size_t *steps, bool *any)
{
	struct named_kind *kind;
	size_t *last;

	for (size_t c = 0; c < cubes; c++)
		for (size_t s = 0; s < cube[c]->step_count; s++) {
			*any |= cube[c]->step[s].kind != NULL;
			name_id(names, &cube[c]->step[s]);
		}
	kind = arena_array(scratch, intern_count(names), sizeof(*kind));
	last = arena_array(scratch, intern_count(names), sizeof(*last));
	for (size_t c = 0; c < cubes; c++)
		for (size_t s = 0; s < cube[c]->step_count; s++) {
			const uint32_t id = name_id(names, &cube[c]->step[s]);

			kind[id].steps++;
			kind[id].cubes += last[id] != c + 1;
			last[id] = c + 1;
			++*steps;
		}
	for (uint32_t id = 0; id < intern_count(names); id++) {
		kind[id].id = id;
		kind[id].name = intern_name(names, id);
	}
	qsort(kind, intern_count(names), sizeof(*kind), compare_kinds);
	return kind;
}

/* The kinds of the steps of one cube. */
static struct kinds number_steps(const struct cube *cube, struct intern *names,
	const uint32_t *number, size_t count, struct arena *arena)
{
	struct kinds out = {.count = count,
		.steps = arena_array(arena, count, sizeof(*out.steps)),
		.of_step = arena_array(arena, cube->step_count, sizeof(*out.of_step))};

	for (size_t s = 0; s < cube->step_count; s++) {
		out.of_step[s] = number[name_id(names, &cube->step[s])];
		out.steps[out.of_step[s] - 1]++;
	}
	return out;
}

bool kinds_find_named(
	const struct cube *const *cube, size_t cubes, struct arena *arena, struct kinds *out)
{
	struct arena *scratch = arena_new();
	struct intern *names = intern_new(scratch);
	size_t steps = 0, count;
	bool any = false;
	const struct named_kind *kind = count_names(cube, cubes, names, scratch, &steps, &any);
	uint32_t *number;
	const char **name;

	count = intern_count(names);
	any = any && kind[0].cubes == cubes && (count <= NAMES_MOST || 2 * count <= steps);
	number = arena_array(scratch, count, sizeof(*number));
	name = any ? arena_array(arena, count, sizeof(*name)) : NULL;
	for (uint32_t k = 0; any && k < count; k++) {
		name[k] = arena_strdup(arena, kind[k].name);
		number[kind[k].id] = k + 1;
	}
	for (size_t c = 0; any && c < cubes; c++) {
		out[c] = number_steps(cube[c], names, number, count, arena);
		out[c].name = name;
	}
	arena_free(scratch);
	return any;
}

uint32_t kinds_number_of(const struct kinds *kinds, const char *name)
{
	for (uint32_t k = 0; kinds->name && k < kinds->count; k++)
		if (text_equal(kinds->name[k], name))
			return k + 1;
	return 0;
}

const char *kinds_word(const struct kinds *kinds, uint32_t kind, struct arena *arena)
{
	return kinds->name && kind <= kinds->count ? kinds->name[kind - 1]
						   : arena_printf(arena, "%u", kind);
}

const char *kinds_list(const struct kinds *kinds, struct arena *arena)
{
	const char *list = "";

	for (uint32_t k = 1; k <= kinds->count && k <= KINDS_LISTED; k++)
		if (kinds->steps[k - 1])
			list = arena_printf(arena, "%s%s%zu %s%s", list, *list ? ", " : "",
				kinds->steps[k - 1], kinds->name ? "" : "of kind ",
				kinds_word(kinds, k, arena));
	return kinds->count <= KINDS_LISTED ? list : arena_printf(arena, "%s ...", list);
}
