/*
 * Levels of every row before and after a place in each run; the widest difference stays.
 */
#include "analysis/run_latest.h"

#include <math.h>

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

/* The terms of the mean, one for each kept step; NULL: not known. */
static const double *first_series(const struct summary *summary)
{
	const bool of_time = summary->options.measure[0] == MEASURE_TIME;

	return of_time && summary->step_time && !summary->options.of_selected ? summary->step_time
	       : summary->step_known[0] ? summary->step_total[0]
					: NULL;
}

/* The mean of the values that are known; *last is the last of them. */
static double mean_of(const double *x, size_t n, double *last)
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

static void find_moved(const struct summary *summary, struct run_latest *runs)
{
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

struct run_latest *run_latest_find(
	const struct summary *summary, const struct cube *self, struct arena *arena)
{
	const struct step_set *steps = summary->steps;
	struct run_latest *runs = arena_array(arena, steps->run_count, sizeof(*runs));
	const struct run_side side = {self, summary->cube, steps, summary->grouping};
	const double *x = first_series(summary);
	struct steadiness steady;

	steadiness_find(&side, self->times.decides, arena, &steady);
	for (size_t r = 0; r < steps->run_count; r++) {
		const size_t first = steps->first[r], n = steps->first[r + 1] - first;
		struct run_latest *run = &runs[r];

		run->run = self->run[steps->run[r]].name;
		run->steps = n;
		run->mean = x ? mean_of(x + first, n, &run->last_value) : NAN;
		run->last = self->step[steps->step[first + n - 1]].number;
		find_trend(summary, &steady.run[r], run);
		if (!run->after && n >= LATEST_STEPS_MIN)
			run->after = n / 4;
		run->before = n - run->after;
	}
	if (measure_at(summary->options.measure[0])->kind != MEASURE_STATIC)
		find_moved(summary, runs);
	return runs;
}
