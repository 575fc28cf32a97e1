/*
 * Runs that lie far off in a single row. With few rows no prior and no shared part can say that a
 * run was disturbed, and one such run among ten hides a change of 5 %. They leave both sides alike:
 * beyond the same distance from the median of their side. Its scale is the median distance of the
 * runs of both sides, so that a change between the sides is none.
 */
#include <math.h>
#include <string.h>
#include "analysis/compare/decider.h"
#include "base/number.h"
#include "stats/fisher.h"
#include "stats/sample.h"

#define FENCE_SD 8	     /* so many robust standard deviations; chosen by simulation */
#define FENCE_FEW_RUNS 2.5   /* over the number of runs: by so much the scale of few is too small */
#define FENCE_RUNS_LEAST 5   /* of a side have to be left */
#define NORMAL_MEDIAN 1.4826 /* sd of a normal distribution over its median distance */
/* Of Fisher's test: runs that are far off on one side more often are a change, not a disturbance.
 */
#define FENCE_SIDES_P 0.05

static void take_distances(const double *x, size_t n, double middle, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = fabs(x[i] - middle);
}

/* Values that come twice or more lie on a grid, and its step is at most the smallest gap between
 * two of them: the median distance may be 0 then. The variance of what the grid hides; 0: there are
 * no two such values. */
static double variance_of_grid(const struct row_test_sample *x, struct arena *scratch)
{
	const size_t n = x->base_n + x->new_n;
	double *sorted = arena_array(scratch, n, sizeof(*sorted)), gap = INFINITY, last = NAN;

	memcpy(sorted, x->base, x->base_n * sizeof(*sorted));
	memcpy(sorted + x->base_n, x->new, x->new_n * sizeof(*sorted));
	number_sort(sorted, n);
	for (size_t i = 1; i < n; i++) {
		if (sorted[i] != sorted[i - 1])
			continue;
		if (sorted[i] > last)
			gap = fmin(gap, sorted[i] - last);
		last = sorted[i];
	}
	return isfinite(gap) ? gap * gap / 12 : 0;
}

static size_t count_beyond(const double *distance, size_t n, double reach)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += distance[i] > reach;
	return count;
}

static double mean_of_rest(const struct compared *v, bool of_new)
{
	const struct run_row *row = of_new ? v->new : v->base;
	double sum = 0;
	size_t n = 0;

	for (size_t r = 0; r < row->runs; r++) {
		if (isnan(row->run[r].value) || compared_is_far_off(v, of_new, r))
			continue;
		sum += row->run[r].value;
		n++;
	}
	return sum / (double)n;
}

/* The row without these runs: its means are those of what is tested. */
static bool fence_row(struct decider *d, struct compared *v)
{
	struct row_test_sample *x = &d->sample;
	struct far_off found = {0};
	double *distance = arena_array(d->scratch, d->runs, sizeof(*distance)), *of_new;
	size_t n;

	row_test_read(v, false, x);
	n = x->base_n + x->new_n;
	of_new = distance + x->base_n;
	found.middle_base = sample_quantile(x->base, x->base_n, 0.5);
	found.middle_new = sample_quantile(x->new, x->new_n, 0.5);
	take_distances(x->base, x->base_n, found.middle_base, distance);
	take_distances(x->new, x->new_n, found.middle_new, of_new);
	found.reach =
		FENCE_SD * fmax(sqrt(fmax(decider_floor(d, v), variance_of_grid(x, d->scratch))),
				   NORMAL_MEDIAN * sample_quantile(distance, n, 0.5) *
					   (1 + FENCE_FEW_RUNS / (double)n));
	found.base = count_beyond(distance, x->base_n, found.reach);
	found.new = count_beyond(of_new, x->new_n, found.reach);
	if (!(found.reach > 0) || !(found.base + found.new) ||
		x->base_n - found.base < FENCE_RUNS_LEAST ||
		x->new_n - found.new < FENCE_RUNS_LEAST ||
		fisher_test(found.base, x->base_n, found.new, x->new_n) < FENCE_SIDES_P)
		return false;
	v->far_off = found;
	v->base_mean = mean_of_rest(v, false);
	v->new_mean = mean_of_rest(v, true);
	v->difference = v->new_mean - v->base_mean;
	v->change = v->new_mean / v->base_mean - 1;
	return true;
}

bool compared_is_far_off(const struct compared *value, bool of_new, size_t run)
{
	const struct far_off *far_off = &value->far_off;
	const struct run_row *row = of_new ? value->new : value->base;

	return far_off->base + far_off->new > 0 &&
	       fabs(row->run[run].scaled - (of_new ? far_off->middle_new : far_off->middle_base)) >
		       far_off->reach;
}

int decider_fence(struct decider *d, struct error *err)
{
	size_t tested = 0;

	if (d->opt->method != METHOD_MODERATED || d->opt->normalize || d->opt->keeps_runs)
		return 0;
	for (size_t i = 0; i < d->count; i++)
		tested += d->row[i].value->evidence == EVIDENCE_TEST;
	for (size_t i = 0; i < d->count && tested < MODERATED_SPLIT_OPS; i++)
		if (d->row[i].value->evidence == EVIDENCE_TEST && fence_row(d, d->row[i].value) &&
			decider_set_rule(d, &d->row[i], err) < 0)
			return -1;
	return 0;
}
