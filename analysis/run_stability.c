/*
 * Takes the series of each run and asks stats/ what is odd about it; what counts as odd is decided
 * here. And where each run stands at its end.
 */
#include "analysis/run_stability.h"

#include <math.h>
#include <string.h>
#include "stats/moments.h"
#include "stats/sample.h"

/* The steps of one run, in order. */
struct total_series {
	double *x;	/* what is looked at */
	double *told;	/* what means are taken of: the same, or more */
	uint32_t *step; /* index in the cube */
	size_t n;
};

static bool is_odd(double p, double size, size_t runs)
{
	return p * (double)runs < STEADINESS_P && fabs(size) >= STEADINESS_LEAST;
}

static double mean_of(const double *x, size_t n)
{
	struct moments m;

	moments_compute(x, n, &m);
	return moments_mean(&m);
}

static void find_outliers(
	const struct total_series *s, struct arena *scratch, struct steadiness_run *out)
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

static void add_run(const struct total_series *s, double resolution, struct arena *scratch,
	struct steadiness_run *run, struct steadiness *out)
{
	run->steps = s->n;

	/* A trend looks like a shift and a shift like a trend: the smaller p is the better
	 * guess. */
	struct drift *d = &run->drift;

	drift_find(s->x, s->n, d);
	if (d->shift_at) {
		run->shift_step = s->step[d->shift_at];
		run->shift_after = s->n - d->shift_at;
	}
	run->drifts = is_odd(d->trend_p, d->slope_total, out->runs);
	run->shifts = is_odd(d->shift_p, d->shift, out->runs);
	if (run->drifts && run->shifts) {
		run->shifts = d->shift_p < d->trend_p;
		run->drifts = !run->shifts;
	}
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

static double *steady_totals(const struct run_side *side, struct arena *scratch)
{
	const struct step_set *set = side->steps;
	double *total = arena_array(scratch, set->count, sizeof(*total));

	steps_steady_totals(side->self, set->step, set->run, set->first, set->run_count, total);
	return total;
}

void steadiness_find(
	const struct run_side *side, bool by_step_time, struct arena *arena, struct steadiness *out)
{
	const struct step_set *set = side->steps;
	struct arena *scratch = arena_new();
	double *steady = steady_totals(side, scratch);
	double *all = by_step_time ? steady : all_totals(side, scratch);
	double resolution = side->steps->time_resolution_ps;

	begin(side, arena, out);
	for (size_t r = 0; r < out->runs; r++) {
		size_t first = set->first[r];
		struct total_series s = {steady + first, all + first,
			arena_array(scratch, set->first[r + 1] - first, sizeof(*s.step)), 0};

		for (size_t i = first; i < set->first[r + 1]; i++) {
			if (isnan(steady[i]))
				continue;
			s.x[s.n] = steady[i];
			s.told[s.n] = all[i];
			s.step[s.n++] = set->step[i];
		}
		add_run(&s, resolution, scratch, &out->run[r], out);
	}
	arena_free(scratch);
}

/* Sum of the squared deviations of the logarithms of the runs' means. */
static double log_squares(const struct steadiness *steady, bool without)
{
	double sum = 0, squares = 0;

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t r = 0; r < steady->runs; r++) {
			const struct steadiness_run *run = &steady->run[r];
			double y = log(without && run->outliers ? run->mean_without : run->mean);

			if (pass)
				squares += (y - sum / (double)steady->runs) *
					   (y - sum / (double)steady->runs);
			else
				sum += y;
		}
	return squares;
}

bool steadiness_outliers_dominate(const struct steadiness *base, const struct steadiness *new_side)
{
	double with = log_squares(base, false) + log_squares(new_side, false);
	double without = log_squares(base, true) + log_squares(new_side, true);

	return with > 0 && without < with / 4;
}

/*
 * Levels of every row before and after a place in each run; the widest difference stays.
 */

/* Leaves the median of three values, and a mean of the middle ones of more. */
static const double level_trim = 0.34;

static void find_trend(
	const struct summary *summary, const struct steadiness_run *steady, struct run_latest *out)
{
	out->trend = steady->steps < DRIFT_VALUES_MIN ? TREND_UNKNOWN
		     : steady->shifts		      ? TREND_SHIFT
		     : steady->drifts		      ? TREND_DRIFT
						      : TREND_NONE;
	out->trend_change = steady->shifts ? steady->drift.shift : steady->drift.slope_total;
	if (!steady->shifts)
		return;
	out->shift_step = summary->cube->step[steady->shift_step].number;
	out->after = steady->shift_after;
}

/* The mean of the values that are known; *last is the last of them. */
static double mean_and_last(const double *x, size_t n, double *last)
{
	double sum = 0;
	size_t known = 0;

	*last = NAN;
	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]))
			continue;
		sum += *last = x[i];
		known++;
	}
	return known ? sum / (double)known : NAN;
}

static double level(const double *x, size_t n)
{
	return sample_trimmed_mean(x, n, level_trim);
}

/* Work space for the series of a row over all kept steps. */
struct latest_series {
	int64_t *value;
	unsigned char *state;
	uint32_t *touched;
	double *x;
};

/* True if the row moves more in this run than those before it. */
static void try_row(const struct latest_series *s, size_t first, const struct group *group,
	struct run_latest *run)
{
	const double *x = s->x + first;
	double from, by;

	if (!run->after)
		return;
	for (size_t i = 0; i < run->steps; i++)
		if (s->state[first + i] > 1)
			return;
	from = level(x, run->before);
	by = level(x + run->before, run->after) - from;
	if (by == 0 || (run->moved && fabs(by) <= fabs(run->moved_by)))
		return;
	run->moved = group;
	run->moved_from = from;
	run->moved_by = by;
}

static void try_group(const struct summary *summary, const struct group *group,
	struct latest_series *s, struct run_latest *runs)
{
	const struct step_set *steps = summary->steps;
	const size_t count = grouping_series(&(struct group_series){.cube = summary->cube,
						     .step_index = steps->index_of,
						     .value = s->value,
						     .state = s->state,
						     .touched = s->touched},
		group, summary->options.measure[0]);

	for (size_t i = 0; i < count; i++) {
		const uint32_t at = s->touched[i];

		s->x[at] = cube_mean(summary->cube, steps->step[at], s->value[at]);
	}
	for (size_t r = 0; count && r < steps->run_count; r++)
		try_row(s, steps->first[r], group, &runs[r]);
	for (size_t i = 0; i < count; i++) {
		const uint32_t at = s->touched[i];

		s->value[at] = 0;
		s->state[at] = 0;
		s->x[at] = 0;
	}
}

struct run_latest *run_latest_find(
	const struct summary *summary, const struct cube *self, struct arena *arena)
{
	const struct step_set *steps = summary->steps;
	struct run_latest *runs = arena_array(arena, steps->run_count, sizeof(*runs));
	const struct run_side side = {self, summary->cube, steps, summary->grouping};
	struct steadiness steady;

	/* The terms of the mean, one for each kept step */
	const bool of_time = summary->options.measure[0] == MEASURE_TIME;
	const double *x = of_time && summary->step_time && !summary->options.of_selected
				  ? summary->step_time
			  : summary->step_known[0] ? summary->step_total[0]
						   : NULL;

	steadiness_find(&side, self->times.decides, arena, &steady);
	for (size_t r = 0; r < steps->run_count; r++) {
		const size_t first = steps->first[r], n = steps->first[r + 1] - first;
		struct run_latest *run = &runs[r];

		run->run = self->run[steps->run[r]].name;
		run->steps = n;
		run->mean = x ? mean_and_last(x + first, n, &run->last_value) : NAN;
		run->last = self->step[steps->step[first + n - 1]].number;
		find_trend(summary, &steady.run[r], run);
		if (!run->after && n >= LATEST_STEPS_MIN)
			run->after = n / 4;
		run->before = n - run->after;
	}
	if (measure_at(summary->options.measure[0])->kind != MEASURE_STATIC) {
		const struct grouping *grouping = summary->grouping;
		const size_t n = summary->steps->count;
		struct arena *scratch = arena_new();
		struct latest_series s = {.value = arena_array(scratch, n, sizeof(*s.value)),
			.state = arena_array(scratch, n, 1),
			.touched = arena_array(scratch, n, sizeof(*s.touched)),
			.x = arena_array(scratch, n, sizeof(*s.x))};

		for (size_t g = 0; g < grouping->count; g++)
			if (!grouping->group[g].overlaps)
				try_group(summary, &grouping->group[g], &s, runs);
		arena_free(scratch);
	}
	return runs;
}
