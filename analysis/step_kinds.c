/*
 * Finds kinds of step: steps with the same set of ops are one group; groups join the first kind
 * whose common ops carry more than half of the time of both.
 */
#include "analysis/step_kinds.h"

#include <stdlib.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"

/* Beyond this many kinds further groups are counted as kinds of their own without a search. */
#define KINDS_COMPARED_MAX 256
/* So many of the largest kinds of each side look for a partner: steps whose ops are all their own
 * are as many kinds, and each with each is the square of them. */
#define KINDS_MATCHED_MAX 32

struct step_group {
	uint64_t signature; /* of the set of ops */
	size_t steps;
	bool has_time;	/* some step */
	uint32_t first; /* its first step */
	/* the step of median time: a slow first step must not speak for the group */
	uint32_t typical;
	uint32_t kind;
};

/* What is known of each step; the rows themselves only where there are steps to compare. */
struct by_step {
	uint64_t *signature; /* of the set of ops */
	double *total_ps;
	size_t *first; /* op[first[s]] .. are the ops of step s in order, with their times */
	uint32_t *op;
	double *time_ps;
};

static double row_time(const struct cube *cube, bool timed, uint32_t op, size_t row)
{
	int64_t t = timed ? cube_value(cube, MEASURE_TIME, op, row) : 1;

	return t == CELL_ABSENT || t < 0 ? 0 : cube_mean(cube, cube->step_of[row], t);
}

static void sum_by_step(const struct cube *cube, struct arena *arena, struct by_step *out)
{
	bool timed = cube_has(cube, MEASURE_TIME);

	out->signature = arena_array(arena, cube->step_count, sizeof(uint64_t));
	out->total_ps = arena_array(arena, cube->step_count, sizeof(double));
	for (uint32_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++) {
			uint32_t s = cube->step_of[r];

			out->signature[s] = intern_hash(&o, sizeof(o), out->signature[s]);
			out->total_ps[s] += row_time(cube, timed, o, r);
		}
}

static void index_by_step(const struct cube *cube, struct arena *arena, struct by_step *out)
{
	size_t *cursor = arena_array(arena, cube->step_count + 1, sizeof(size_t));
	bool timed = cube_has(cube, MEASURE_TIME);

	out->first = arena_array(arena, cube->step_count + 1, sizeof(size_t));
	out->op = arena_array(arena, cube->row_count, sizeof(uint32_t));
	out->time_ps = arena_array(arena, cube->row_count, sizeof(double));
	for (size_t r = 0; r < cube->row_count; r++)
		out->first[cube->step_of[r] + 1]++;
	for (size_t s = 0; s < cube->step_count; s++)
		out->first[s + 1] += out->first[s];
	memcpy(cursor, out->first, (cube->step_count + 1) * sizeof(size_t));
	for (uint32_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++) {
			size_t at = cursor[cube->step_of[r]]++;

			out->op[at] = o;
			out->time_ps[at] = row_time(cube, timed, o, r);
		}
}

/* Do the common ops of steps a and b carry more than half of the time of each? */
static bool alike(const struct by_step *rows, uint32_t a, uint32_t b)
{
	size_t i = rows->first[a], j = rows->first[b];
	double of_a = 0, of_b = 0, all_a = rows->total_ps[a], all_b = rows->total_ps[b];
	size_t common = 0;

	while (i < rows->first[a + 1] && j < rows->first[b + 1]) {
		if (rows->op[i] < rows->op[j]) {
			i++;
		} else if (rows->op[i] > rows->op[j]) {
			j++;
		} else {
			of_a += rows->time_ps[i++];
			of_b += rows->time_ps[j++];
			common++;
		}
	}
	if (all_a <= 0 || all_b <= 0)
		return 2 * common > rows->first[a + 1] - rows->first[a] &&
		       2 * common > rows->first[b + 1] - rows->first[b];
	return 2 * of_a > all_a && 2 * of_b > all_b;
}

static int compare_groups(const void *a, const void *b)
{
	const struct step_group *x = a, *y = b;

	if (x->steps != y->steps)
		return x->steps > y->steps ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

struct step_signature {
	uint64_t signature;
	uint32_t step;
};

static int compare_signatures(const void *a, const void *b)
{
	const struct step_signature *x = a, *y = b;

	if (x->signature != y->signature)
		return x->signature < y->signature ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

struct step_time {
	double time_ps;
	uint32_t step;
};

static int compare_times(const void *a, const void *b)
{
	const struct step_time *x = a, *y = b;

	if (x->time_ps != y->time_ps)
		return x->time_ps < y->time_ps ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

static uint32_t typical_step(const struct by_step *rows, const struct step_signature *step,
	size_t n, struct step_time *time)
{
	for (size_t i = 0; i < n; i++)
		time[i] = (struct step_time){rows->total_ps[step[i].step], step[i].step};
	qsort(time, n, sizeof(*time), compare_times);
	return time[(n - 1) / 2].step;
}

static bool has_time(const struct by_step *rows, const struct step_signature *step, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (rows->total_ps[step[i].step] > 0)
			return true;
	return false;
}

static size_t make_groups(const struct cube *cube, const struct by_step *rows,
	struct step_signature *sorted, struct step_group *group, struct arena *scratch)
{
	struct step_time *time = arena_array(scratch, cube->step_count, sizeof(*time));
	size_t n = 0;

	for (uint32_t s = 0; s < cube->step_count; s++)
		sorted[s] = (struct step_signature){rows->signature[s], s};
	qsort(sorted, cube->step_count, sizeof(*sorted), compare_signatures);
	for (size_t i = 0, next; i < cube->step_count; i = next) {
		for (next = i + 1;
			next < cube->step_count && sorted[next].signature == sorted[i].signature;)
			next++;
		group[n++] = (struct step_group){.signature = sorted[i].signature,
			.steps = next - i,
			.has_time = has_time(rows, &sorted[i], next - i),
			.first = sorted[i].step,
			.typical = typical_step(rows, &sorted[i], next - i, time)};
	}
	qsort(group, n, sizeof(*group), compare_groups);
	return n;
}

/* Gives each group a kind; returns the number of kinds. */
static uint32_t join_groups(const struct by_step *rows, struct step_group *group, size_t n)
{
	uint32_t kinds = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i && j < KINDS_COMPARED_MAX && !group[i].kind; j++)
			if (alike(rows, group[i].typical, group[j].typical))
				group[i].kind = group[j].kind;
		if (!group[i].kind)
			group[i].kind = ++kinds;
	}
	return kinds;
}

struct kind_order {
	bool has_time; /* some step of it */
	size_t steps;
	uint32_t kind;
};

static int compare_kinds(const void *a, const void *b)
{
	const struct kind_order *x = a, *y = b;

	if (x->has_time != y->has_time)
		return x->has_time ? -1 : 1;
	if (x->steps != y->steps)
		return x->steps > y->steps ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static int compare_group_signature(const void *a, const void *b)
{
	const struct step_group *x = a, *y = b;

	return (x->signature > y->signature) - (x->signature < y->signature);
}

void kinds_find(const struct cube *cube, struct arena *arena, struct kinds *out)
{
	struct arena *scratch = arena_new();
	struct by_step rows = {0};
	struct step_signature *sorted = arena_array(scratch, cube->step_count, sizeof(*sorted));
	struct step_group *group = arena_array(scratch, cube->step_count, sizeof(*group));
	struct kind_order *order;
	uint32_t *rank;
	size_t groups;

	sum_by_step(cube, scratch, &rows);
	groups = make_groups(cube, &rows, sorted, group, scratch);
	if (groups > 1)
		index_by_step(cube, scratch, &rows);
	out->count = join_groups(&rows, group, groups);
	out->of_step = arena_array(arena, cube->step_count, sizeof(uint32_t));
	out->steps = arena_array(arena, out->count, sizeof(size_t));
	out->typical = arena_array(arena, out->count, sizeof(uint32_t));
	order = arena_array(scratch, out->count, sizeof(*order));
	rank = arena_array(scratch, out->count + 1, sizeof(*rank));
	for (uint32_t k = 0; k < out->count; k++)
		order[k].kind = k + 1;
	for (size_t i = 0; i < groups; i++) {
		struct kind_order *of = &order[group[i].kind - 1];

		of->steps += group[i].steps;
		of->has_time |= group[i].has_time;
	}
	qsort(order, out->count, sizeof(*order), compare_kinds);
	for (uint32_t k = 0; k < out->count; k++) {
		rank[order[k].kind] = k + 1;
		out->steps[k] = order[k].steps;
	}
	for (size_t i = groups; i-- > 0;) /* the largest group of each kind is the first one */
		out->typical[rank[group[i].kind] - 1] = group[i].typical;
	qsort(group, groups, sizeof(*group), compare_group_signature);
	for (size_t i = 0; i < cube->step_count; i++) {
		struct step_group want = {.signature = sorted[i].signature};
		struct step_group *found =
			bsearch(&want, group, groups, sizeof(*group), compare_group_signature);

		out->of_step[sorted[i].step] = rank[found->kind];
	}
	arena_free(scratch);
}

/* Time of the ops of a step by name, in the order of the names. */
struct named_time {
	const char *name;
	double time_ps;
};

struct named_step {
	struct named_time *op;
	size_t count;
	double total_ps;
};

static int compare_named(const void *a, const void *b)
{
	const struct named_time *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* The typical step of each kind. */
static struct named_step *name_steps(
	const struct cube *cube, const struct kinds *kinds, struct arena *scratch)
{
	struct named_step *step = arena_array(scratch, kinds->count, sizeof(*step));
	uint32_t *of_step = arena_array(scratch, cube->step_count, sizeof(*of_step));
	bool timed = cube_has(cube, MEASURE_TIME);

	for (size_t k = 0; k < kinds->count; k++)
		if (kinds->steps[k])
			of_step[kinds->typical[k]] = (uint32_t)k + 1;
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t o = 0; o < cube->op_count; o++)
			for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++) {
				uint32_t k = of_step[cube->step_of[r]];
				struct named_step *at = k ? &step[k - 1] : NULL;

				if (at && fill)
					at->op[at->count] = (struct named_time){
						cube->op[o].name, row_time(cube, timed, o, r)};
				if (at)
					at->count++;
			}
		for (size_t k = 0; k < kinds->count && !fill; k++) {
			step[k].op = arena_array(scratch, step[k].count, sizeof(*step[k].op));
			step[k].count = 0;
		}
	}
	for (size_t k = 0; k < kinds->count; k++) {
		if (step[k].count)
			qsort(step[k].op, step[k].count, sizeof(*step[k].op), compare_named);
		for (size_t i = 0; i < step[k].count; i++)
			step[k].total_ps += step[k].op[i].time_ps;
	}
	return step;
}

/* The smaller of the shares that the common ops have in both steps. */
static double likeness(const struct named_step *a, const struct named_step *b)
{
	double of_a = 0, of_b = 0, share_a, share_b;
	size_t i = 0, j = 0;

	while (i < a->count && j < b->count) {
		int order = strcmp(a->op[i].name, b->op[j].name);

		if (order == 0) {
			of_a += a->op[i].time_ps;
			of_b += b->op[j].time_ps;
		}
		i += order <= 0;
		j += order >= 0;
	}
	if (!(a->total_ps > 0) || !(b->total_ps > 0))
		return 0;
	share_a = of_a / a->total_ps;
	share_b = of_b / b->total_ps;
	return share_a < share_b ? share_a : share_b;
}

/* number[k]: the new number of kind k + 1; returns how many there are. */
static size_t match_kinds(const struct named_step *base, size_t base_count,
	const struct named_step *step, size_t count, uint32_t *number)
{
	size_t next = base_count;
	size_t matched_base = base_count < KINDS_MATCHED_MAX ? base_count : KINDS_MATCHED_MAX;
	size_t matched = count < KINDS_MATCHED_MAX ? count : KINDS_MATCHED_MAX;
	bool has_first = false;

	for (size_t b = 0; b < matched_base; b++) {
		size_t best = count;
		double most = 0.5;

		for (size_t k = 0; k < matched; k++) {
			double like = number[k] ? 0 : likeness(&base[b], &step[k]);

			if (like <= most)
				continue;
			most = like;
			best = k;
		}
		if (best < count)
			number[best] = (uint32_t)b + 1;
	}
	for (size_t k = 0; k < count; k++)
		has_first |= number[k] == 1;
	for (size_t k = 0; k < count; k++) {
		if (number[k])
			continue;
		number[k] = has_first ? (uint32_t)++next : 1;
		has_first = true;
	}
	return next;
}

void kinds_number_like(const struct cube *base_cube, const struct kinds *base,
	const struct cube *cube, struct arena *arena, struct kinds *kinds)
{
	struct arena *scratch;
	uint32_t *number;
	struct kinds out = {.of_step = kinds->of_step};

	if (base->count == 1 && kinds->count == 1)
		return;
	scratch = arena_new();
	number = arena_array(scratch, kinds->count, sizeof(*number));
	out.count = match_kinds(name_steps(base_cube, base, scratch), base->count,
		name_steps(cube, kinds, scratch), kinds->count, number);
	out.steps = arena_array(arena, out.count, sizeof(*out.steps));
	out.typical = arena_array(arena, out.count, sizeof(*out.typical));
	for (size_t k = 0; k < kinds->count; k++) {
		out.steps[number[k] - 1] = kinds->steps[k];
		out.typical[number[k] - 1] = kinds->typical[k];
	}
	for (size_t s = 0; s < cube->step_count; s++)
		out.of_step[s] = number[out.of_step[s] - 1];
	arena_free(scratch);
	*kinds = out;
}
