/* Takes the series of each run and asks stats/ what is odd about it; what counts as odd is decided
 * here. */
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

/* Noise that wanders under noise fits a level or a line easily, the more steps it has. */
static double level_of_steps(size_t n)
{
	const double along =
		log((double)n / STEADINESS_FEW) / log((double)STEADINESS_MANY / STEADINESS_FEW);

	return STEADINESS_P * pow(STEADINESS_P_MANY / STEADINESS_P, fmin(1, fmax(0, along)));
}

static bool is_odd(double p, double size, double level)
{
	return p < level && fabs(size) >= STEADINESS_LEAST;
}

enum run_trend drift_trend(const struct drift *drift, size_t runs)
{
	const double level = level_of_steps(drift->n) / (double)runs;
	const bool drifts = is_odd(drift->trend_p, drift->slope_total, level);

	if (drift->shift_at && is_odd(drift->shift_p, drift->shift, level) &&
		!(drifts && drift->trend_p <= drift->shift_p))
		return TREND_SHIFT;
	return drifts ? TREND_DRIFT : TREND_NONE;
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

	struct drift *d = &run->drift;

	drift_find(s->x, s->n, d);
	if (d->shift_at) {
		run->shift_step = s->step[d->shift_at];
		run->shift_after = s->n - d->shift_at;
	}
	run->drifts = drift_trend(d, out->runs) == TREND_DRIFT;
	run->shifts = drift_trend(d, out->runs) == TREND_SHIFT;
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

/* Part of the squared deviations that is left: half the standard deviation. */
#define HALF_SPREAD 4

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

	return with > 0 && without < with / HALF_SPREAD;
}

/* Sum of the squared deviations of the logarithms that are tested, and what the resolution of the
 * times makes alike in all runs; NaN where a run has none. */
static double scaled_squares(const struct run_row *row)
{
	double sum = 0, squares = row->rounding * (double)row->runs;

	for (size_t r = 0; r < row->runs; r++)
		sum += row->run[r].scaled;
	for (size_t r = 0; r < row->runs; r++) {
		const double far = row->run[r].scaled - sum / (double)row->runs;

		squares += far * far;
	}
	return squares;
}

bool run_rows_steadier(const struct run_row *const means[2], const struct run_row *const medians[2])
{
	const double of_means = scaled_squares(means[0]) + scaled_squares(means[1]);

	return of_means > 0 &&
	       scaled_squares(medians[0]) + scaled_squares(medians[1]) < of_means / HALF_SPREAD;
}
