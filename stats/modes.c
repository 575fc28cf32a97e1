/* The best split of the sorted values into two groups, and whether they lie farther apart than the
 * halves of one group do; and whether few values lie on both sides of a gap. */
#include "stats/modes.h"

#include <math.h>
#include <string.h>
#include <gsl/gsl_sort_double.h>
#include "base/memory.h"
#include "stats/moments.h"

/* Least squares about two means (Fisher 1958): the split between
 * different values that explains most. How many values are below it; 0: none allowed. */
static size_t best_split(const double *sorted, size_t n)
{
	const size_t tenth = (n + 9) / 10;
	const size_t least = tenth < MODES_GROUP_MIN ? MODES_GROUP_MIN : tenth;
	long double below = 0, most = 0;
	size_t best = 0;
	struct moments m;

	moments_compute(sorted, n, &m);
	for (size_t k = 1; k + least <= n; k++) {
		long double part;

		below += moments_deviation(&m, sorted[k - 1]);
		part = below * below / ((long double)k * (n - k));
		if (k >= least && sorted[k - 1] < sorted[k] && part > most) {
			most = part;
			best = k;
		}
	}
	return best;
}

/* A group's spread is never below what rounding to the grid makes. */
static double group_variance(const struct moments *group, double resolution)
{
	return fmax(moments_variance(group, false), resolution * resolution / 12);
}

void modes_find(const double *x, size_t n, double resolution, struct modes *out)
{
	double *sorted;
	size_t split;

	*out = (struct modes){.low = NAN, .high = NAN, .share_high = NAN, .separation = NAN};
	if (n < 2 * MODES_GROUP_MIN)
		return;
	sorted = memory_alloc(memory_product(n, sizeof(*sorted)));
	memcpy(sorted, x, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	split = best_split(sorted, n);
	if (split > 0) {
		struct moments low, high;

		moments_compute(sorted, split, &low);
		moments_compute(sorted + split, n - split, &high);
		out->low = moments_mean(&low);
		out->high = moments_mean(&high);
		out->share_high = (double)(n - split) / (double)n;
		/* Ashman, Bird & Zepf 1994: distance of the centres in units of the spread around
		 * them. */
		out->separation =
			sqrt(2) * (moments_mean(&high) - moments_mean(&low)) /
			sqrt(group_variance(&low, resolution) + group_variance(&high, resolution));
		/* The halves of one normal group have D = 2.65, those of a uniform one 3.46, and
		 * samples more the smaller they are. The bound was found by simulation
		 * (tests/sim/warnings.c): fewer than 1 in 100 samples of normal, uniform,
		 * exponential and lognormal values of any size pass. */
		out->two = out->separation > 4 + 9 / sqrt((double)n) &&
			   out->high - out->low >= 3 * resolution;
	}
	memory_free(sorted);
}

/* ---- few values ---- */

#define APART_MIN 6	  /* values */
#define APART_LEAST 0.001 /* of the upper level: a smaller gap leaves the mean what it is */

static double gap_limit(size_t n)
{
	return n >= 12 ? 4 : n >= 8 ? 5 : 7;
}

/* The variance within both groups, never below what rounding to the grid makes. */
static double variance_within(const double *sorted, size_t n, size_t split, double resolution)
{
	struct moments low, high;

	moments_compute(sorted, split, &low);
	moments_compute(sorted + split, n - split, &high);
	return fmax((double)(low.squares + high.squares) / (double)(n - 2),
		resolution * resolution / 12);
}

static bool has_gap(const double *sorted, size_t n, double resolution)
{
	const double limit = gap_limit(n);

	for (size_t k = 2; k + 2 <= n; k++) {
		const double gap = sorted[k] - sorted[k - 1];

		if (gap > APART_LEAST * sorted[k] && gap >= 3 * resolution &&
			gap * gap > limit * limit * variance_within(sorted, n, k, resolution))
			return true;
	}
	return false;
}

bool modes_apart(const double *x, size_t n, double resolution)
{
	double *sorted = memory_alloc(memory_product(n, sizeof(*sorted)));
	size_t ran = 0;
	bool apart;

	for (size_t i = 0; i < n; i++)
		if (x[i] != 0)
			sorted[ran++] = x[i];
	gsl_sort(sorted, 1, ran);
	apart = ran >= APART_MIN && has_gap(sorted, ran, resolution);
	memory_free(sorted);
	return apart;
}
