/*
 * Takes the series of each run and asks stats/ what is odd about it; what counts as odd is decided
 * here.
 */
#include "analysis/steadiness.h"

#include <math.h>
#include <string.h>
#include "stats/moments.h"
#include "stats/sample.h"

/* The steps of one run, in order. */
struct series {
	double *x;	/* what is looked at */
	double *told;	/* what means are taken of: the same, or more */
	uint32_t *step; /* index in the cube */
	size_t n;
};

static bool is_odd(double p, double size, size_t runs)
{
	return p * (double)runs < STEADINESS_P && fabs(size) >= STEADINESS_LEAST;
}

/* A trend looks like a shift and a shift like a trend: the smaller p is the better guess. */
static void find_moves(const struct series *s, size_t runs, struct steadiness_run *out)
{
	struct drift *d = &out->drift;

	drift_find(s->x, s->n, d);
	if (d->shift_at) {
		out->shift_step = s->step[d->shift_at];
		out->shift_after = s->n - d->shift_at;
	}
	out->drifts = is_odd(d->trend_p, d->slope_total, runs);
	out->shifts = is_odd(d->shift_p, d->shift, runs);
	if (out->drifts && out->shifts) {
		out->shifts = d->shift_p < d->trend_p;
		out->drifts = !out->shifts;
	}
}

static double mean_of(const double *x, size_t n)
{
	struct moments m;

	moments_take(x, n, &m);
	return moments_mean(&m);
}

static void find_outliers(const struct series *s, struct arena *scratch, struct steadiness_run *out)
{
	size_t *index = arena_array(scratch, s->n, sizeof(*index)), count, kept = 0;
	double *rest = arena_array(scratch, s->n, sizeof(*rest));

	count = sample_outliers(s->x, s->n, index);
	out->outliers = count;
	out->mean = mean_of(s->told, s->n);
	out->mean_without = NAN;
	for (size_t i = 0; i < count && i < STEADINESS_OUTLIERS_KEPT; i++)
		out->outlier[i] = s->step[index[i]];
	if (!count)
		return;
	for (size_t i = 0, next = 0; i < s->n; i++)
		if (next < count && index[next] == i)
			next++;
		else
			rest[kept++] = s->told[i];
	out->mean_without = mean_of(rest, kept);
}

static void add_run(const struct series *s, double resolution, struct arena *scratch,
	struct steadiness_run *run, struct steadiness *out)
{
	run->steps = s->n;
	find_moves(s, out->runs, run);
	modes_find(s->x, s->n, resolution, &run->modes);
	run->two_modes = run->modes.two && !run->shifts &&
			 run->modes.high >= (1 + STEADINESS_LEAST) * run->modes.low;
	find_outliers(s, scratch, run);
	out->drifting += run->drifts;
	out->shifting += run->shifts;
	out->two_modes += run->two_modes;
	out->with_outliers += run->outliers > 0;
}

static void begin(const struct run_side *side, struct arena *arena, struct steadiness *out)
{
	*out = (struct steadiness){.runs = side->steps->run_count};
	out->run = arena_array(arena, out->runs, sizeof(*out->run));
	for (size_t r = 0; r < out->runs; r++)
		out->run[r].run = side->self->run[side->steps->run[r]].name;
}

/* Index among the kept steps of each step of the cube, or UINT32_MAX. */
static uint32_t *places(const struct run_side *side, struct arena *scratch)
{
	size_t n = side->self->step_count;
	uint32_t *place = arena_array(scratch, n, sizeof(*place));

	memset(place, 0xff, n * sizeof(*place));
	for (uint32_t i = 0; i < side->steps->count; i++)
		place[side->steps->step[i]] = i;
	return place;
}

/* Of the rows of one op, from `row` on, those of one run: returns the end, and in how many kept
 * steps of that run the time is known. */
static size_t rows_of_run(const struct cube *cube, uint32_t op, size_t row, size_t run_end,
	const uint32_t *place, size_t *present)
{
	size_t r = row;

	*present = 0;
	for (; r < cube->op_first[op + 1] && cube->step_of[r] < run_end; r++)
		*present += place[cube->step_of[r]] != UINT32_MAX &&
			    cube_value(cube, MEASURE_TIME, op, r) != CELL_ABSENT;
	return r;
}

/* Adds the op to the totals of the runs in which it is present in every kept step. */
static void add_steady(
	const struct run_side *side, uint32_t op, const uint32_t *place, double *total)
{
	const struct cube *cube = side->self;
	const struct step_set *set = side->steps;
	size_t row = cube->op_first[op];

	for (size_t r = 0; r < set->run_count; r++) {
		const struct run *run = &cube->run[set->run[r]];
		size_t end, present;

		while (row < cube->op_first[op + 1] && cube->step_of[row] < run->step_first)
			row++;
		end = rows_of_run(
			cube, op, row, run->step_first + run->step_count, place, &present);
		if (present == set->first[r + 1] - set->first[r])
			for (size_t k = row; k < end; k++)
				if (place[cube->step_of[k]] != UINT32_MAX)
					total[place[cube->step_of[k]]] +=
						(double)cube_value(cube, MEASURE_TIME, op, k);
		row = end;
	}
}

/* Totals of the kept steps over all ops; NaN: not known. */
static double *all_totals(const struct run_side *side, struct arena *scratch)
{
	double *all = arena_array(scratch, side->self->step_count, sizeof(*all));
	bool *known = arena_array(scratch, side->self->step_count, sizeof(*known));
	double *total = arena_array(scratch, side->steps->count, sizeof(*total));

	steps_totals(side->self, MEASURE_TIME, all, known);
	for (size_t i = 0; i < side->steps->count; i++)
		total[i] = known[side->steps->step[i]] ? all[side->steps->step[i]] : NAN;
	return total;
}

void steadiness_find(const struct run_side *side, struct arena *arena, struct steadiness *out)
{
	const struct step_set *set = side->steps;
	struct arena *scratch = arena_new();
	uint32_t *place = places(side, scratch);
	double *steady = arena_array(scratch, set->count, sizeof(*steady));
	double *all = all_totals(side, scratch), resolution = side->steps->time_resolution_ps;

	begin(side, arena, out);
	for (uint32_t o = 0; o < side->self->op_count; o++)
		add_steady(side, o, place, steady);
	for (size_t r = 0; r < out->runs; r++) {
		size_t first = set->first[r];
		const struct series s = {
			steady + first, all + first, set->step + first, set->first[r + 1] - first};

		add_run(&s, resolution, scratch, &out->run[r], out);
	}
	arena_free(scratch);
}

/* The steps of run r in which the row ran; none where one of its values is not known. */
static void take_ran(const struct step_set *set, size_t r, const int64_t *value,
	const unsigned char *state, struct series *out)
{
	out->n = 0;
	for (size_t i = set->first[r]; i < set->first[r + 1]; i++) {
		if (state[i] == 2) {
			out->n = 0;
			return;
		}
		if (!state[i])
			continue;
		out->step[out->n] = set->step[i];
		out->x[out->n++] = (double)value[i];
	}
}

void steadiness_of_row(const struct run_side *side, const struct group *group, enum measure_id id,
	double resolution, struct arena *arena, struct steadiness *out)
{
	const struct step_set *set = side->steps;
	struct arena *scratch = arena_new();
	uint32_t *place = places(side, scratch);
	int64_t *value = arena_array(scratch, set->count, sizeof(*value));
	unsigned char *state = arena_array(scratch, set->count, 1);
	struct series s = {.x = arena_array(scratch, set->count, sizeof(*s.x)),
		.step = arena_array(scratch, set->count, sizeof(*s.step))};

	s.told = s.x;
	begin(side, arena, out);
	grouping_values(side->cube, group, id, place, set->count, value, state);
	for (size_t r = 0; r < out->runs; r++) {
		take_ran(set, r, value, state, &s);
		add_run(&s, resolution, scratch, &out->run[r], out);
	}
	arena_free(scratch);
}
