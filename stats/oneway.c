/*
 * One-way random effects by analysis of variance, also for runs of different lengths.
 * Searle, Casella & McCulloch, Variance Components (1992), chapter 3.
 */
#include "stats/oneway.h"

#include <math.h>
#include <gsl/gsl_cdf.h>
#include "base/memory.h"
#include "stats/moments.h"

/* Sums over the runs; distances of run means are from `origin`, so that nothing cancels. */
struct oneway_sums {
	double origin;
	long double within, distances, squares; /* the last two weighted by the steps */
	long double plain, plain_squares;	/* not weighted */
	long double lengths_squared;
};

static void estimate(const struct oneway_sums *s, struct oneway *out)
{
	const double between = (double)(out->runs - 1), n = (double)out->n;
	const double within = (double)(out->n - out->runs);

	out->typical = (double)((n - s->lengths_squared / n) / between);
	out->ms_between = (double)((s->squares - s->distances * s->distances / n) / between);
	out->ms_within = (double)(s->within / within);
	out->variance_between = (out->ms_between - out->ms_within) / out->typical;
	out->truncated = out->variance_between < 0;
	out->variance_run = fmax(0, out->variance_between);
	out->se = (double)sqrtl(
		(s->plain_squares - s->plain * s->plain / out->runs) / between / out->runs);
	if (out->ms_within > 0) {
		out->f = out->ms_between / out->ms_within;
		out->p = gsl_cdf_fdist_Q(out->f, between, within);
	}
	if (out->ms_between > 0 || out->ms_within > 0) {
		out->icc = (out->ms_between - out->ms_within) /
			   (out->ms_between + (out->typical - 1) * out->ms_within);
		out->design_effect = 1 + (out->typical - 1) * fmax(0, out->icc);
	}
}

/* The mean of all values as the origin leaves the weighted sum of distances next to 0. */
void oneway_describe(const double *x, const size_t *first, size_t runs, struct oneway *out)
{
	struct oneway_sums s = {0};
	struct moments m;

	*out = (struct oneway){
		.typical = NAN,
		.ms_between = NAN,
		.ms_within = NAN,
		.f = NAN,
		.p = NAN,
		.variance_between = NAN,
		.variance_run = NAN,
		.icc = NAN,
		.design_effect = NAN,
		.mean = NAN,
		.se = NAN,
	};
	if (runs == 0 || first[runs] == first[0])
		return;
	moments_compute(x + first[0], first[runs] - first[0], &m);
	s.origin = m.origin;
	for (size_t r = 0; r < runs; r++) {
		if (first[r + 1] == first[r])
			continue;
		moments_compute(x + first[r], first[r + 1] - first[r], &m);

		const long double d = ((long double)m.origin - s.origin) + m.offset;

		s.within += m.squares;
		s.distances += d * m.n;
		s.squares += d * d * m.n;
		s.plain += d;
		s.plain_squares += d * d;
		s.lengths_squared += (long double)m.n * m.n;
		out->runs++;
		out->n += m.n;
	}
	out->mean = (double)(s.origin + s.plain / out->runs);
	if (out->runs >= 2 && out->n > out->runs)
		estimate(&s, out);
}
