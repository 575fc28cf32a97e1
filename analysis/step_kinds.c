/* Kinds of step: the steps of all cubes are pooled by the names of the ops, and the groups that
 * they make are numbered; or by the names that the sources give. */
#include "analysis/step_kinds.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/order.h"
#include "stats/presence.h"

/* Counts the steps of each name, sorts the names by that, and numbers them. */

#define UNNAMED "step"
#define NAMES_MOST 20 /* so many may be names of single steps */
#define KINDS_LISTED 5

struct named_kind {
	const char *name;
	uint32_t id;
	size_t cubes, steps; /* that have it; all of them */
};

ORDERED(compare_kinds, struct named_kind,
	ORDER(y->cubes, x->cubes)
		?: ORDER(y->steps, x->steps)
		?: text_compare_natural(x->name, y->name));

static uint32_t name_id(struct intern *names, const struct step *step)
{
	const char *name = step->kind ? step->kind : UNNAMED;

	return intern_id(names, name, strlen(name));
}

/* Returns the kinds of step, each with the number of its steps and of the cubes that have it;
 * the kind in most cubes first, then that of most steps. *any: true if a step has a named kind. */
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

/* True: the sources name kinds; out[i] are those of cube[i], in the arena. They are numbered by
 * their number of steps, largest first, those that all cubes have before others; steps without a
 * name among others are the kind "step". False where no step has a name, where nearly each step has
 * a name of its own, and where the cubes have no name in common. */
static bool kinds_find_named(
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

/* Steps without any time; the groups of presence_split come behind. */
enum { GROUP_EMPTY, GROUPS_APART };

/* The steps of all cubes in a row. */
struct pool {
	const struct cube *const *cube;
	size_t cubes;
	size_t steps, ops, runs;
	size_t *step_first; /* of each cube */
	uint32_t *run;	    /* of each step */
	size_t *first;	    /* ops + 1: op o ran in step[first[o]] .. step[first[o + 1] - 1] */
	uint32_t *step;
	double *weight;	 /* of each op: its mean time when it ran, 1 without times */
	double *total;	 /* of each step: time of its ops */
	uint32_t *group; /* of each step */
	size_t groups;
	bool has_odd; /* the last group */
	bool gave_up;
};

/* Index of the next op of the pool. */
static size_t add_rows(struct pool *pool, size_t cube, uint32_t op, size_t rows)
{
	const struct cube *of = pool->cube[cube];

	for (size_t r = of->op_first[op]; r < of->op_first[op + 1]; r++) {
		const uint32_t step = (uint32_t)(pool->step_first[cube] + of->step_of[r]);
		int64_t t = cube_has(of, MEASURE_TIME) ? cube_value(of, MEASURE_TIME, op, r) : 1;
		const double time =
			t == CELL_ABSENT || t < 0 ? 0 : cube_mean(of, of->step_of[r], t);

		pool->step[rows++] = step;
		pool->weight[pool->ops] += time;
		pool->total[step] += time;
	}
	return rows;
}

/* Joins the ops of the cubes, which are in the order of their names. */
static void add_ops(struct pool *pool, struct arena *scratch)
{
	uint32_t *at = arena_array(scratch, pool->cubes, sizeof(*at));
	size_t rows = 0, before;

	for (;;) {
		const char *name = NULL;

		for (size_t c = 0; c < pool->cubes; c++)
			if (at[c] < pool->cube[c]->op_count &&
				(!name || strcmp(pool->cube[c]->op[at[c]].name, name) < 0))
				name = pool->cube[c]->op[at[c]].name;
		if (!name)
			break;
		before = rows;
		for (size_t c = 0; c < pool->cubes; c++)
			if (at[c] < pool->cube[c]->op_count &&
				strcmp(pool->cube[c]->op[at[c]].name, name) == 0)
				rows = add_rows(pool, c, at[c]++, rows);
		if (rows == before)
			continue;
		pool->weight[pool->ops++] /= (double)(rows - before);
		pool->first[pool->ops] = rows;
	}
}

static void fill_pool(
	const struct cube *const *cube, size_t cubes, struct arena *scratch, struct pool *out)
{
	size_t ops = 0, rows = 0;

	*out = (struct pool){.cube = cube, .cubes = cubes};
	out->step_first = arena_array(scratch, cubes + 1, sizeof(*out->step_first));
	for (size_t c = 0; c < cubes; c++) {
		out->step_first[c + 1] = out->step_first[c] + cube[c]->step_count;
		ops += cube[c]->op_count;
		rows += cube[c]->row_count;
	}
	out->steps = out->step_first[cubes];
	out->run = arena_array(scratch, out->steps, sizeof(*out->run));
	out->total = arena_array(scratch, out->steps, sizeof(*out->total));
	out->group = arena_array(scratch, out->steps, sizeof(*out->group));
	out->first = arena_array(scratch, ops + 1, sizeof(*out->first));
	out->weight = arena_array(scratch, ops, sizeof(*out->weight));
	out->step = arena_array(scratch, rows, sizeof(*out->step));
	for (size_t c = 0; c < cubes; c++)
		for (size_t r = 0; r < cube[c]->run_count; r++, out->runs++)
			for (size_t i = 0; i < cube[c]->run[r].step_count; i++)
				out->run[out->step_first[c] + cube[c]->run[r].step_first + i] =
					(uint32_t)out->runs;
	add_ops(out, scratch);
}

static bool has_timed_step(const struct pool *pool, size_t cube)
{
	for (size_t s = pool->step_first[cube]; s < pool->step_first[cube + 1]; s++)
		if (pool->total[s] > 0)
			return true;
	return false;
}

static void set_empty_apart(struct pool *pool)
{
	for (size_t c = 0; c < pool->cubes; c++)
		if (!has_timed_step(pool, c))
			return;
	for (size_t s = 0; s < pool->steps; s++)
		if (!(pool->total[s] > 0))
			pool->group[s] = GROUP_EMPTY;
}

/* Splits the steps that have time; their rows alone are left in the pool. */
static void split_others(struct pool *pool, struct arena *scratch)
{
	uint32_t *index = arena_array(scratch, pool->steps, sizeof(*index));
	uint32_t *run = arena_array(scratch, pool->steps, sizeof(*run));
	struct presence_groups found = {
		.group = arena_array(scratch, pool->steps, sizeof(*found.group))};
	struct presence others = {
		.first = pool->first, .step = pool->step, .weight = pool->weight, .run = run};
	size_t rows = 0, from = 0;

	for (size_t s = 0, last = SIZE_MAX; s < pool->steps; s++) {
		if (pool->group[s] < GROUPS_APART)
			continue;
		others.runs += pool->run[s] != last;
		last = pool->run[s];
		run[others.steps] = (uint32_t)others.runs - 1;
		index[s] = (uint32_t)others.steps++;
	}
	for (size_t o = 0, to; o < pool->ops; o++, from = to) {
		const size_t before = rows;

		to = pool->first[o + 1];
		for (size_t r = from; r < to; r++)
			if (pool->group[pool->step[r]] >= GROUPS_APART)
				pool->step[rows++] = index[pool->step[r]];
		if (rows == before)
			continue;
		pool->weight[others.ops++] = pool->weight[o];
		pool->first[others.ops] = rows;
	}
	presence_split(&others, &found);
	pool->groups = GROUPS_APART + found.count;
	pool->has_odd = found.has_odd;
	pool->gave_up = found.gave_up;
	for (size_t s = 0; s < pool->steps; s++)
		if (pool->group[s] >= GROUPS_APART)
			pool->group[s] = GROUPS_APART + found.group[index[s]];
}

struct group_order {
	uint32_t group;
	int rank; /* of what it is: lower comes first */
	size_t steps;
};

ORDERED(compare_groups, struct group_order,
	ORDER(x->rank, y->rank)
		?: ORDER(y->steps, x->steps)
		?: ORDER(x->group, y->group));

/* Steps of each group in each cube: out[group * cubes + cube]. */
static size_t *count_steps(const struct pool *pool, struct arena *scratch)
{
	size_t *out = arena_array(scratch, pool->groups * pool->cubes, sizeof(*out));

	for (size_t c = 0; c < pool->cubes; c++)
		for (size_t s = pool->step_first[c]; s < pool->step_first[c + 1]; s++)
			out[pool->group[s] * pool->cubes + c]++;
	return out;
}

static bool is_in_all(const struct pool *pool, const size_t *steps, size_t group)
{
	for (size_t c = 0; c < pool->cubes; c++)
		if (!steps[group * pool->cubes + c])
			return false;
	return true;
}

/* A command that has no kind in all of its inputs could say nothing of them. */
static void ensure_common(struct pool *pool, struct arena *scratch)
{
	const size_t *steps = count_steps(pool, scratch);
	const size_t end = pool->groups - pool->has_odd;

	for (size_t g = GROUPS_APART; g < end; g++)
		if (is_in_all(pool, steps, g))
			return;
	for (size_t s = 0; s < pool->steps; s++)
		if (pool->group[s] >= GROUPS_APART && pool->group[s] < end)
			pool->group[s] = GROUPS_APART;
}

static void number_kinds(
	const struct pool *pool, struct arena *scratch, struct arena *arena, struct kinds *out)
{
	const size_t *steps = count_steps(pool, scratch);
	struct group_order *order = arena_array(scratch, pool->groups, sizeof(*order));
	uint32_t *kind = arena_array(scratch, pool->groups, sizeof(*kind));
	const size_t odd = pool->has_odd ? pool->groups - 1 : SIZE_MAX;
	size_t count = 0;

	for (uint32_t g = 0; g < pool->groups; g++) {
		order[count].group = g;
		order[count].rank = g == GROUP_EMPTY		 ? 3
				    : g == odd			 ? 2
				    : !is_in_all(pool, steps, g) ? 1
								 : 0;
		order[count].steps = 0;
		for (size_t c = 0; c < pool->cubes; c++)
			order[count].steps += steps[g * pool->cubes + c];
		count += order[count].steps > 0;
	}
	qsort(order, count, sizeof(*order), compare_groups);
	for (size_t k = 0; k < count; k++)
		kind[order[k].group] = (uint32_t)k + 1;
	for (size_t c = 0; c < pool->cubes; c++) {
		out[c] = (struct kinds){.count = count,
			.odd = odd == SIZE_MAX ? 0 : kind[odd],
			.timeless = kind[GROUP_EMPTY],
			.gave_up = pool->gave_up};
		out[c].steps = arena_array(arena, count, sizeof(*out->steps));
		out[c].of_step = arena_array(arena, pool->cube[c]->step_count, sizeof(uint32_t));
		for (size_t k = 0; k < count; k++)
			out[c].steps[k] = steps[order[k].group * pool->cubes + c];
		for (size_t s = 0; s < pool->cube[c]->step_count; s++)
			out[c].of_step[s] = kind[pool->group[pool->step_first[c] + s]];
	}
}

void kinds_none(const struct cube *cube, struct arena *arena, struct kinds *out)
{
	*out = (struct kinds){.count = 1};
	out->of_step = arena_array(arena, cube->step_count, sizeof(*out->of_step));
	out->steps = arena_array(arena, 1, sizeof(*out->steps));
	out->steps[0] = cube->step_count;
	for (size_t s = 0; s < cube->step_count; s++)
		out->of_step[s] = 1;
}

void kinds_find(
	const struct cube *const *cube, size_t cubes, struct arena *arena, struct kinds *out)
{
	struct arena *scratch;
	struct pool pool;

	for (size_t c = 0; c < cubes; c++)
		if (cube[c]->benchmarks) {
			for (c = 0; c < cubes; c++)
				kinds_none(cube[c], arena, &out[c]);
			return;
		}
	if (kinds_find_named(cube, cubes, arena, out))
		return;
	scratch = arena_new();
	fill_pool(cube, cubes, scratch, &pool);
	for (size_t s = 0; s < pool.steps; s++)
		pool.group[s] = GROUPS_APART;
	set_empty_apart(&pool);
	split_others(&pool, scratch);
	ensure_common(&pool, scratch);
	number_kinds(&pool, scratch, arena, out);
	arena_free(scratch);
}
