/* Profiles to cube: runs and steps from the rule, ops by name, rows by a counting sort. */
#include "model/merge.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/threads.h"
#include "model/op_shape.h"
#include "model/packed_rows.h"
#include "model/rank_clocks.h"
#include "model/ranks.h"
#include "model/run_rule.h"

#define NO_STEP UINT32_MAX

/* New ids of the ids of each profile. */
struct maps {
	uint32_t **op;	    /* [profile][op] -> op of the cube */
	uint32_t **step;    /* [profile][step] -> step of the cube, or NO_STEP */
	uint32_t **rank;    /* [profile][step] -> rank, or NO_RANK */
	size_t *step_count; /* of each profile */
};

ORDERED(compare_ops, struct op, strcmp(x->name, y->name));

static void join_number(int64_t *into, int64_t from, bool is_new)
{
	if (is_new || *into == CELL_ABSENT || (*into == 0 && from != CELL_ABSENT))
		*into = from;
}

/* Most ops of a table have no type and no device: a million empty texts would take 16 MB. */
static const char *copy_text(struct cube *cube, const char *text)
{
	return text && *text ? arena_strdup(cube->arena, text) : "";
}

/* The attributes of an op come from the first source that has them. */
static void join_op(struct cube *cube, struct op *into, const struct op *from, const char *path)
{
	bool is_new = !into->name;

	if (is_new)
		into->name = arena_strdup(cube->arena, from->name);
	into->types_differ |= from->types_differ ||
			      (!is_new && !text_equal(into->type, from->type ? from->type : ""));
	if (!into->type || !*into->type)
		into->type = copy_text(cube, from->type);
	else if (from->type && *from->type && strcmp(into->type, from->type) != 0)
		issue_add(&cube->issues, ISSUE_INFO, "type-differs",
			"ops have another type in another source; the first is used", 1, path);
	if (!into->device || !*into->device)
		into->device = copy_text(cube, from->device);

	/* Unlike the others the shape may change from step to step, and then the op has no
	 * shape. */
	const char *shape = op_shape_join(into->shape, from->shape);

	if (shape != into->shape)
		into->shape = *shape ? arena_strdup(cube->arena, shape) : shape;
	join_number(&into->params, from->params, is_new);
	join_number(&into->float_ops_each, from->float_ops_each, is_new);
	if (!into->defined)
		into->defined = from->defined;
}

static void join_ops(struct cube *cube, struct profile *const *profiles, size_t count,
	struct arena *scratch, struct maps *maps)
{
	struct intern *names = intern_new(scratch);
	uint32_t *rank;

	maps->op = arena_array(scratch, count, sizeof(*maps->op));
	for (size_t p = 0; p < count; p++) {
		maps->op[p] = arena_array(scratch, profiles[p]->op_count, sizeof(uint32_t));
		for (size_t o = 0; o < profiles[p]->op_count; o++) {
			const char *name = profiles[p]->op[o].name;

			maps->op[p][o] = intern_id(names, name, strlen(name));
		}
	}
	cube->op_count = intern_count(names);
	cube->op = arena_array(cube->arena, cube->op_count, sizeof(*cube->op));
	for (size_t p = 0; p < count; p++)
		for (size_t o = 0; o < profiles[p]->op_count; o++)
			join_op(cube, &cube->op[maps->op[p][o]], &profiles[p]->op[o],
				profiles[p]->path);
	qsort(cube->op, cube->op_count, sizeof(*cube->op), compare_ops);
	rank = arena_array(scratch, cube->op_count, sizeof(*rank));
	for (uint32_t i = 0; i < cube->op_count; i++) {
		uint32_t id = 0;

		intern_find(names, cube->op[i].name, strlen(cube->op[i].name), &id);
		rank[id] = i;
	}
	for (size_t p = 0; p < count; p++)
		for (size_t o = 0; o < profiles[p]->op_count; o++)
			maps->op[p][o] = rank[maps->op[p][o]];
}

static void add_step(struct cube *cube, const struct profile *profile,
	const struct run_piece *piece, const struct run *run, struct intern *kinds, size_t at)
{
	struct step *step = &cube->step[at];

	*step = profile->step[piece->step];
	step->number = piece->number;
	step->run = run->name;
	step->kind = intern_copy(kinds, step->kind);
	step->rank = run->rank;
	step->rank_group = run->rank_group;
	step->source = piece->profile;
	step->index = (uint32_t)(at - run->step_first);
	step->origin = piece->step;
	if (!step->base_ns)
		step->base_ns = profile->base_ns;
}

/* Number of ranks that a step of a profile is of. */
static uint32_t ranks_of(const struct profile *profile, uint32_t step)
{
	return profile->job ? profile->job->steps->step[step].ranks : 1;
}

static void merge_steps(struct cube *cube, struct profile *const *profiles, size_t count,
	const struct run_plans *plans, struct arena *scratch, struct maps *maps)
{
	const struct run_plan *plan = plans->plan;
	struct intern *kinds = intern_new(cube->arena);
	size_t next = 0;

	maps->step = arena_array(scratch, count, sizeof(*maps->step));
	maps->rank = arena_array(scratch, count, sizeof(*maps->rank));
	maps->step_count = arena_array(scratch, count, sizeof(*maps->step_count));
	for (size_t p = 0; p < count; p++) {
		const size_t steps = profiles[p]->step_count;

		maps->step_count[p] = steps;
		maps->step[p] = arena_array(scratch, steps, sizeof(uint32_t));
		maps->rank[p] = arena_array(scratch, steps, sizeof(uint32_t));
		memset(maps->step[p], 0xff, steps * sizeof(uint32_t));
		memset(maps->rank[p], 0xff, steps * sizeof(uint32_t));
	}
	cube->run_count = plans->count;
	cube->run = arena_array(cube->arena, plans->count, sizeof(*cube->run));
	for (size_t r = 0; r < plans->count; r++)
		cube->step_count += plan[r].count;
	cube->step = arena_array(cube->arena, cube->step_count, sizeof(*cube->step));
	cube->rank_count = arena_array(cube->arena, cube->step_count, sizeof(*cube->rank_count));
	for (size_t r = 0; r < plans->count; r++) {
		struct run *run = &cube->run[r];

		run->name = arena_strdup(cube->arena, plan[r].name);
		run->rank = plan[r].rank ? arena_strdup(cube->arena, plan[r].rank) : NULL;
		run->rank_group =
			plan[r].rank_group ? arena_strdup(cube->arena, plan[r].rank_group) : NULL;
		run->sources = arena_strdup(cube->arena, plan[r].sources);
		run->path = plan[r].path ? arena_strdup(cube->arena, plan[r].path) : NULL;
		run->step_first = next;
		for (size_t i = 0; i < plan[r].count; i++) {
			const struct run_piece *piece = &plan[r].piece[i];

			if (i == 0 || piece[-1].place != piece->place)
				add_step(cube, profiles[piece->profile], piece, run, kinds, next++);
			cube->rank_count[next - 1] +=
				ranks_of(profiles[piece->profile], piece->step);
			maps->step[piece->profile][piece->step] = (uint32_t)next - 1;
			maps->rank[piece->profile][piece->step] = piece->rank;
		}
		run->step_count = next - run->step_first;
	}
	cube->step_count = next;
}

/* Rows of the profiles on their way into the cube: each thread places those of some ops. */
struct row_places {
	struct cube *cube;
	struct profile *const *profiles;
	size_t count;
	const struct maps *maps;
	size_t *cursor; /* of each op: its next row */
	size_t parts;
};

#define ROWS_OF_PART ((size_t)1 << 15) /* at least */

/* Ops from `first` to `end`. */
static void place_rows(struct cube *cube, const struct profile *profile, const uint32_t *op_map,
	const uint32_t *step_map, size_t *cursor, size_t first, size_t end)
{
	const struct observations *obs = &profile->obs;
	enum measure_id measure[MEASURE_STEP_COUNT];
	size_t count = 0;

	for (enum measure_id id = 0; id < MEASURE_STEP_COUNT; id++)
		if (cube->column[id])
			measure[count++] = id;
	for (size_t i = 0; i < obs->count; i++) {
		const uint32_t op = op_map[obs->op[i]], step = step_map[obs->step[i]];
		size_t row;

		if (op < first || op >= end || step == NO_STEP)
			continue;
		row = cursor[op]++;
		cube->step_of[row] = step;
		for (size_t m = 0; m < count; m++) {
			const int64_t *from = obs->column[measure[m]];

			cube->column[measure[m]][row] = from ? from[i] : CELL_ABSENT;
		}
		for (size_t k = 0; k < CALL_KINDS; k++)
			if (obs->calls[k])
				cube->calls[k][row] = obs->calls[k][i];
	}
}

struct sort_key {
	uint32_t step;
	size_t row;
};

ORDERED(compare_keys, struct sort_key, ORDER(x->step, y->step));

static void sort_op_calls(
	struct call_sums *calls, size_t first, const struct sort_key *key, size_t n)
{
	struct call_sums *copy;

	if (!calls)
		return;
	copy = memory_alloc(memory_product(n, sizeof(*copy)));
	memcpy(copy, calls + first, n * sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		calls[first + i] = copy[key[i].row];
	memory_free(copy);
}

/* Rows of one op in order of step; most inputs are sorted already. */
static void sort_op_rows(struct cube *cube, size_t first, size_t last)
{
	size_t n = last - first;
	bool sorted = true;
	struct sort_key *key;
	int64_t *copy;

	for (size_t i = first + 1; i < last && sorted; i++)
		sorted = cube->step_of[i - 1] <= cube->step_of[i];
	if (sorted)
		return;
	key = memory_alloc(memory_product(n, sizeof(*key)));
	copy = memory_alloc(memory_product(n, sizeof(*copy)));
	for (size_t i = 0; i < n; i++)
		key[i] = (struct sort_key){cube->step_of[first + i], i};
	qsort(key, n, sizeof(*key), compare_keys);
	for (size_t i = 0; i < n; i++)
		cube->step_of[first + i] = key[i].step;
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++) {
		if (!cube->column[m])
			continue;
		memcpy(copy, cube->column[m] + first, n * sizeof(*copy));
		for (size_t i = 0; i < n; i++)
			cube->column[m][first + i] = copy[key[i].row];
	}
	for (size_t k = 0; k < CALL_KINDS; k++)
		sort_op_calls(cube->calls[k], first, key, n);
	memory_free(key);
	memory_free(copy);
}

/* The first op whose rows are in this part or behind it. */
static size_t part_begin(const struct row_places *places, size_t part)
{
	const struct cube *cube = places->cube;
	size_t op = 0;

	while (op < cube->op_count && cube->op_first[op] < cube->row_count / places->parts * part)
		op++;
	return part == places->parts ? cube->op_count : op;
}

static void place_part(void *context, size_t part, size_t thread)
{
	const struct row_places *places = context;
	const size_t first = part_begin(places, part), end = part_begin(places, part + 1);

	(void)thread;
	if (first == end)
		return;
	for (size_t p = 0; p < places->count; p++)
		place_rows(places->cube, places->profiles[p], places->maps->op[p],
			places->maps->step[p], places->cursor, first, end);
	for (size_t o = first; o < end; o++)
		sort_op_rows(
			places->cube, places->cube->op_first[o], places->cube->op_first[o + 1]);
}

/* True if the rows of the profile are already those of the cube: all of them, by op and step. */
static bool rows_in_order(
	const struct observations *obs, const uint32_t *op_map, const uint32_t *step_map)
{
	for (size_t i = 0; i < obs->count; i++) {
		uint32_t op = op_map[obs->op[i]], step = step_map[obs->step[i]];

		if (step == NO_STEP)
			return false;
		if (i == 0)
			continue;
		uint32_t before = op_map[obs->op[i - 1]];

		if (before > op || (before == op && step_map[obs->step[i - 1]] > step))
			return false;
	}
	return true;
}

static void *own_block(struct cube *cube, void *heap_block)
{
	if (heap_block)
		arena_defer(cube->arena, memory_free, heap_block);
	return heap_block;
}

static void copy_rows(struct cube *cube, struct profile *const *profiles, size_t count,
	struct arena *scratch, const struct maps *maps, size_t threads)
{
	/* Offsets of each op's rows. */
	size_t *cursor = arena_array(scratch, cube->op_count + 1, sizeof(size_t));

	cube->op_first = arena_array(cube->arena, cube->op_count + 1, sizeof(size_t));
	for (size_t p = 0; p < count; p++) {
		const struct observations *obs = &profiles[p]->obs;

		for (size_t i = 0; i < obs->count; i++)
			if (maps->step[p][obs->step[i]] != NO_STEP)
				cube->op_first[maps->op[p][obs->op[i]] + 1]++;
	}
	for (size_t o = 0; o < cube->op_count; o++)
		cube->op_first[o + 1] += cube->op_first[o];
	cube->row_count = cube->op_first[cube->op_count];
	memcpy(cursor, cube->op_first, (cube->op_count + 1) * sizeof(size_t));

	cube->step_of = arena_array(cube->arena, cube->row_count, sizeof(uint32_t));
	for (size_t m = 0; m < MEASURE_STEP_COUNT; m++) {
		bool have = false;

		for (size_t p = 0; p < count; p++)
			have |= profiles[p]->obs.column[m] != NULL;
		if (have)
			cube->column[m] =
				arena_array(cube->arena, cube->row_count, sizeof(int64_t));
	}
	for (size_t k = 0; k < CALL_KINDS; k++) {
		bool have = false;

		for (size_t p = 0; p < count; p++)
			have |= profiles[p]->obs.calls[k] != NULL;
		if (have)
			cube->calls[k] =
				arena_array(cube->arena, cube->row_count, sizeof(struct call_sums));
	}

	struct row_places places = {.cube = cube,
		.profiles = profiles,
		.count = count,
		.maps = maps,
		.cursor = cursor,
		.parts = cube->row_count / ROWS_OF_PART};

	if (places.parts > threads || places.parts == 0)
		places.parts = threads > 1 && places.parts ? threads : 1;
	threads_each(places.parts, places.parts, place_part, &places);
}

/* Rows of a job of several ranks stand for all of them. */
static void merge_ranks(struct cube *cube, struct profile *const *profiles, size_t count,
	const struct merge_options *opt, const struct maps *maps)
{
	const struct rank_maps rank_maps = {maps->op, maps->step, maps->rank, maps->step_count};

	cube->ranks = ranks_of_profiles(cube, profiles, count, &rank_maps);
	cube->ranks->threads = opt->threads;
	ranks_sum_rows(cube, cube->ranks, NULL, opt->rank_value == RANK_VALUE_MAX);
}

static void merge_rows(struct cube *cube, struct profile *const *profiles, size_t count,
	struct arena *scratch, const struct maps *maps, size_t threads)
{
	if (count == 1 && !profiles[0]->is_kept &&
		rows_in_order(&profiles[0]->obs, maps->op[0], maps->step[0])) {
		/* The columns of the only profile become those of the cube, unless it is kept. */
		struct observations *obs = &profiles[0]->obs;

		cube->row_count = obs->count;
		cube->op_first = arena_array(cube->arena, cube->op_count + 1, sizeof(size_t));
		for (size_t i = 0; i < obs->count; i++) {
			cube->op_first[maps->op[0][obs->op[i]] + 1]++;
			obs->step[i] = maps->step[0][obs->step[i]];
		}
		for (size_t o = 0; o < cube->op_count; o++)
			cube->op_first[o + 1] += cube->op_first[o];
		cube->step_of = own_block(cube, obs->step);
		for (size_t m = 0; m < MEASURE_STEP_COUNT; m++)
			cube->column[m] = own_block(cube, obs->column[m]);
		for (size_t k = 0; k < CALL_KINDS; k++)
			cube->calls[k] = own_block(cube, obs->calls[k]);
		memory_free(obs->op);
		*obs = (struct observations){0};
	} else
		copy_rows(cube, profiles, count, scratch, maps, threads);
}

static bool all_are_apart(struct profile *const *profiles, size_t count)
{
	for (size_t p = 0; p < count; p++)
		if (!profiles[p]->host_is_apart)
			return false;
	return count > 0;
}

static void find_accelerators(struct cube *cube)
{
	const int64_t *accelerator;

	cube->has_accelerator = arena_array(cube->arena, cube->op_count, sizeof(bool));
	accelerator = cube->column[MEASURE_ACCELERATOR];
	for (size_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o]; accelerator && r < cube->op_first[o + 1]; r++)
			cube->has_accelerator[o] |=
				accelerator[r] != CELL_ABSENT && accelerator[r] != 0;
}

/* The totals that the sources give themselves, as a cube of its own over the same steps. Unless all
 * sources have them they cannot be used: sums over ops are something else. */
static void merge_totals(struct cube *cube, struct profile *const *profiles, size_t count,
	const struct merge_options *opt, const struct maps *maps)
{
	struct arena *scratch = arena_new();
	struct profile **totals = arena_array(scratch, count, sizeof(struct profile *));
	struct maps mine = {.step = arena_array(scratch, count, sizeof(uint32_t *)),
		.rank = arena_array(scratch, count, sizeof(uint32_t *)),
		.step_count = arena_array(scratch, count, sizeof(size_t))};
	size_t n = 0, used = 0;

	for (size_t p = 0; p < count; p++) {
		bool any = false;

		for (size_t s = 0; s < profiles[p]->step_count; s++)
			any |= maps->step[p][s] != NO_STEP;
		used += any;
		if (!any || !profiles[p]->totals)
			continue;
		mine.step[n] = maps->step[p];
		mine.rank[n] = maps->rank[p];
		mine.step_count[n] = maps->step_count[p];
		totals[n++] = profiles[p]->totals;
	}
	cube->totals_partly = n > 0 && n < used;
	if (n == 0 || n < used) {
		arena_free(scratch);
		return;
	}
	cube->given = cube_new();
	cube->given->nesting = totals[0]->nesting;
	for (size_t i = 1; i < n; i++)
		if (totals[i]->nesting != totals[0]->nesting)
			cube->given->nesting = TOTALS_UNKNOWN;
	/* Rows of given totals are in the same steps, which stay the cube's. */
	cube->given->step = cube->step;
	cube->given->step_count = cube->step_count;
	join_ops(cube->given, totals, n, scratch, &mine);
	if (cube->ranks)
		merge_ranks(cube->given, totals, n, opt, &mine);
	else
		merge_rows(cube->given, totals, n, scratch, &mine, opt->threads);
	find_accelerators(cube->given);
	arena_free(scratch);
}

/* Merges the facts of profiles whose steps are used: a dump contained in another adds nothing. */
static void merge_facts(
	struct cube *cube, struct profile *const *profiles, size_t count, const struct maps *maps)
{
	for (size_t p = 0; p < count; p++) {
		const struct profile *from = profiles[p];
		bool used = false;

		for (size_t s = 0; s < from->step_count && !used; s++)
			used = maps->step[p][s] != NO_STEP;
		if (used && fact_lists_are_empty(&from->file_facts))
			fact_lists_add_file(&cube->facts, cube->arena, &from->facts, from->path);
		else if (used)
			fact_lists_join(&cube->facts, cube->arena, &from->file_facts);
	}
	fact_lists_sort(&cube->facts);
}

/* Facts of each run; runs of one file share them. */
static void merge_run_facts(struct cube *cube, struct profile *const *profiles, size_t count,
	struct arena *scratch, const struct maps *maps)
{
	struct facts **own = arena_array(scratch, cube->run_count, sizeof(*own));
	uint32_t *last = arena_array(scratch, cube->run_count, sizeof(*last)); /* profile + 1 */
	uint32_t *run_of = arena_array(scratch, cube->step_count, sizeof(*run_of));

	for (size_t r = 0; r < cube->run_count; r++)
		for (size_t s = 0; s < cube->run[r].step_count; s++)
			run_of[cube->run[r].step_first + s] = (uint32_t)r;
	for (size_t p = 0; p < count; p++) {
		const struct facts *shared = NULL;

		for (size_t s = 0; s < profiles[p]->step_count; s++) {
			const uint32_t step = maps->step[p][s];
			const uint32_t r = step == NO_STEP ? 0 : run_of[step];
			const struct facts *of;

			if (step == NO_STEP || last[r] == p + 1)
				continue;
			of = profile_facts_of_step(profiles[p], s, cube->arena);
			if (of == &profiles[p]->facts)
				of = shared = shared ? shared : facts_copy(of, cube->arena);
			if (!last[r])
				cube->run[r].facts = of;
			else if (!own[r])
				cube->run[r].facts = own[r] =
					facts_copy(cube->run[r].facts, cube->arena);
			if (own[r])
				facts_keep_common(own[r], of);
			last[r] = (uint32_t)p + 1;
		}
	}
}

static void merge_collectives(
	struct cube *cube, struct profile *const *profiles, size_t count, const struct maps *maps)
{
	if (count == 1 && !profiles[0]->is_kept) {
		cube->collectives = profiles[0]->collectives;
		profiles[0]->collectives = (struct collective_calls){0};
		collective_calls_renumber(&cube->collectives, maps->op[0], maps->step[0]);
	}
	for (size_t p = 0; p < count; p++)
		collective_calls_join(
			&cube->collectives, &profiles[p]->collectives, maps->op[p], maps->step[p]);
	collective_calls_name(&cube->collectives, intern_new(cube->arena));
	collective_calls_sort(&cube->collectives, cube->step_count);
}

/* Sources of single executions: of all profiles with observations, or of none. */
static void merge_call_sources(struct cube *cube, struct profile *const *profiles, size_t count,
	const struct merge_options *opt, const struct maps *maps)
{
	cube->call_source = arena_array(cube->arena, count, sizeof(*cube->call_source));
	for (size_t p = 0; p < count && opt->call_values; p++) {
		const struct call_source *from = profiles[p]->call_source;
		struct call_source *to = &cube->call_source[cube->call_source_count];

		if (!from && profiles[p]->step_count)
			return;
		if (!from)
			continue;
		*to = *from;
		to->step = arena_array(cube->arena, from->place_count, sizeof(*to->step));
		for (size_t i = 0; i < from->place_count; i++)
			to->step[i] =
				from->step[i] == NO_STEP ? NO_STEP : maps->step[p][from->step[i]];
		to->op_count = profiles[p]->op_count;
		to->op = arena_array(cube->arena, to->op_count, sizeof(*to->op));
		for (size_t o = 0; o < to->op_count; o++)
			to->op[o] = cube->op[maps->op[p][o]].name;
		cube->call_source_count++;
	}
	cube->call_values = opt->call_values;
}

/* Only jobs of several ranks use packed observations. */
static void restore_rows(struct profile *const *profiles, size_t count)
{
	for (size_t p = 0; p < count; p++) {
		if (!profiles[p]->packed)
			continue;
		packed_rows_restore(profiles[p]->packed, profiles[p]);
		packed_rows_free(profiles[p]->packed);
		profiles[p]->packed = NULL;
	}
}

static bool are_benchmarks(struct profile *const *profiles, size_t count, enum rows_mode rows)
{
	size_t with_steps = 0;

	for (size_t p = 0; rows == ROWS_AUTO && p < count; p++) {
		if (profiles[p]->step_count && !profiles[p]->benchmarks)
			return false;
		with_steps += profiles[p]->step_count > 0;
	}
	return rows == ROWS_AUTO ? with_steps > 0 : rows == ROWS_BENCHMARKS;
}

static void merge_own(struct cube *cube, struct profile *const *profiles, size_t count)
{
	bool seen[MEASURE_COUNT] = {false};

	for (size_t p = 0; p < count; p++)
		for (size_t i = 0; i < profiles[p]->own_count; i++) {
			const enum measure_id id = profiles[p]->own[i];

			if (!seen[id])
				cube->own[cube->own_count++] = id;
			seen[id] = true;
		}
}

static void name_ranks(struct cube *cube, const struct run_plans *plans)
{
	struct ranks *ranks = cube->ranks;

	ranks->count = plans->rank_count;
	ranks->rank = arena_array(cube->arena, ranks->count, sizeof(*ranks->rank));
	for (size_t i = 0; i < ranks->count; i++) {
		const char *group = plans->rank_group[i];

		ranks->rank[i].name = arena_strdup(cube->arena, plans->rank[i]);
		ranks->rank[i].group = group ? arena_strdup(cube->arena, group) : NULL;
	}
}

static void merge_rank_steps(struct cube *cube, const struct merge_options *opt)
{
	cube->ranks->steps = rank_steps_sum(cube, cube->ranks);
	rank_steps_fill(cube, cube->ranks->steps);
	if (opt->rank_value != RANK_VALUE_MEAN)
		return;
	cube->divisor = cube->rank_count;
	if (cube->given)
		cube->given->divisor = cube->rank_count;
}

/* Issues of the files, then those that merging found. An export has those of the merge before it,
 * which are not counted again; the ranks of a sum (.part) are gone, and nothing finds its issues a
 * second time. */
static void merge_issues(struct cube *cube, struct profile *const *profiles, size_t count,
	const struct issue_list *found)
{
	for (size_t p = 0; p < count; p++)
		issue_list_join_without(
			&cube->issues, &profiles[p]->issues, profiles[p]->job ? NULL : found);
	issue_list_join(&cube->issues, found);
}

struct cube *merge_profiles(struct profile *const *profiles, size_t count,
	const struct merge_options *opt, struct error *err)
{
	struct arena *scratch = arena_new();
	struct cube *cube = cube_new();
	struct issue_list found;
	struct run_plans plans = {.arena = scratch, .issues = &found};
	struct maps maps = {0};

	issue_list_init(&found, scratch);
	for (size_t p = 0; p < count && !cube->format_title; p++)
		cube->format_title = arena_strdup(cube->arena, profiles[p]->format_title);
	cube->repeats = count == 1 && profiles[0]->repeats;
	if (run_rule_apply(profiles, count, opt, &plans, err) < 0) {
		cube_free(cube);
		cube = NULL;
		goto done;
	}
	rank_clocks_check(profiles, &plans);
	merge_issues(cube, profiles, count, &found);
	merge_own(cube, profiles, count);
	cube->benchmarks = are_benchmarks(profiles, count, opt->rows);
	join_ops(cube, profiles, count, scratch, &maps);
	merge_steps(cube, profiles, count, &plans, scratch, &maps);
	merge_call_sources(cube, profiles, count, opt, &maps);
	if (plans.rank_count) {
		merge_ranks(cube, profiles, count, opt, &maps);
		name_ranks(cube, &plans);
	} else {
		restore_rows(profiles, count);
		merge_rows(cube, profiles, count, scratch, &maps, opt->threads);
		merge_collectives(cube, profiles, count, &maps);
	}
	cube->host_is_apart = all_are_apart(profiles, count);
	find_accelerators(cube);
	merge_totals(cube, profiles, count, opt, &maps);
	if (cube->ranks)
		merge_rank_steps(cube, opt);
	else {
		for (size_t p = 0; p < count; p++)
			step_series_join(&cube->series, cube->arena, cube->step_count,
				&profiles[p]->series, profiles[p]->step_count, maps.step[p]);
		step_series_fill_causes(&cube->series, cube->step_count);
	}
	merge_facts(cube, profiles, count, &maps);
	merge_run_facts(cube, profiles, count, scratch, &maps);
	if (step_time_choose(cube, opt->step_time, err)) {
		cube_free(cube);
		cube = NULL;
	}
done:
	arena_free(scratch);
	return cube;
}

int merge_check(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct issue_list *out, struct error *err)
{
	struct run_plans plans = {.arena = out->arena, .issues = out};

	if (run_rule_apply(profiles, count, opt, &plans, err) < 0)
		return -1;
	rank_clocks_check(profiles, &plans);
	return 0;
}
