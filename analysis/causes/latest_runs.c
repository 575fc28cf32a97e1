/* Asks for the change of level, or the trend, of each run. */
#include "analysis/causes/latest_runs.h"

#include <math.h>

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

static void find_trend(const struct summary *summary, size_t r, struct run_latest *run)
{
	struct cause cause;

	run->trend_change = run->moved_from = run->moved_by = NAN;
	if (run->steps < DRIFT_VALUES_MIN || summary->options.measure[0] != MEASURE_TIME)
		return;
	run->trend = TREND_NONE;
	if (!causes_of_run(summary, r, &cause))
		return;
	run->trend = cause.kind == CAUSE_SHIFT ? TREND_SHIFT : TREND_DRIFT;
	run->trend_change = cause.to / cause.from - 1;
	run->shift_step = summary->cube->step[cause.step].number;
	if (cause.group == SIZE_MAX)
		return;
	run->moved = &summary->grouping->group[cause.group];
	run->moved_from = cause.row_from;
	run->moved_by = cause.row_to - cause.row_from;
}

struct run_latest *run_latest_find(
	const struct summary *summary, const struct cube *self, struct arena *arena)
{
	const struct step_set *steps = summary->steps;
	struct run_latest *runs = arena_array(arena, steps->run_count, sizeof(*runs));
	/* The terms of the mean, one for each kept step */
	const bool of_time = summary->options.measure[0] == MEASURE_TIME;
	const double *x = of_time && summary->step_time && !summary->options.of_selected
				  ? summary->step_time
			  : summary->step_known[0] ? summary->step_total[0]
						   : NULL;

	for (size_t r = 0; r < steps->run_count; r++) {
		const size_t first = steps->first[r], n = steps->first[r + 1] - first;
		struct run_latest *run = &runs[r];

		run->run = self->run[steps->run[r]].name;
		run->steps = n;
		run->mean = x ? mean_and_last(x + first, n, &run->last_value) : NAN;
		run->last = self->step[steps->step[first + n - 1]].number;
		find_trend(summary, r, run);
	}
	return runs;
}
