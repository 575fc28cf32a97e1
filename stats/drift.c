/*
 * Trend and single shift of a series by least squares, with t tests whose variance is inflated for
 * values that resemble their neighbours.
 */
#include "stats/drift.h"

#include <math.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort_double.h>
#include "base/memory.h"
#include "stats/moments.h"
#include "stats/sample.h"
#include "stats/student.h"

/* Values farther out than this many sds, as the MAD estimates them, are taken in to there. */
static const double clip_sds = 3 * 1.482602218505602;
/* Part that is cut off each tail of each side: leaves the median of three values, and a mean of the
 * middle ones of more, which moves also where values are printed on a coarse grid. */
static const double level_trim = 0.34;

/* Residuals of a fit. */
struct residuals {
	long double squares, products; /* sum of d_t^2, of d_t d_{t+1} */
	size_t n;
};

static void residuals_add(struct residuals *r, long double d, long double *last)
{
	r->squares += d * d;
	r->products += d * *last;
	*last = d;
	r->n++;
}

/* Loss of lag-1 correlation by a fit, in 1/n: a line costs two parameters; two levels and the place
 * between them, which is chosen to leave little, cost as much as four. */
enum { LINE_COSTS = 2, SHIFT_COSTS = 4 };

/*
 * Two-sided p of a fit that explains `explained` of the squares by one parameter besides the mean.
 * n_eff as in stats/sample.c, but r1 is repaired for what was fitted and raised by its standard
 * error: an interval may be somewhat short, a warning must not come from noise that wanders.
 */
static double fit_p(long double explained, const struct residuals *r, double costs)
{
	const double n = (double)r->n;
	double r1, inflation, n_eff;

	if (r->squares <= 0)
		return 0;
	r1 = (double)(r->products / r->squares);
	r1 += (costs + 4 * r1) / n + sqrt((1 - r1 * r1) / n);
	r1 = fmin(0.99, fmax(0, r1));
	inflation = (1 + r1) / (1 - r1);
	n_eff = fmax(3, n / inflation);
	return student_two_sided(
		(double)sqrtl(explained / (r->squares / (n - 2)) / inflation), n_eff - 2);
}

/* Least squares of y on its index. */
static void find_trend(const double *y, size_t n, struct drift *out)
{
	const long double middle = ((long double)n - 1) / 2;
	const long double spread = (long double)n * ((long double)n * n - 1) / 12;
	struct residuals r = {0};
	long double products = 0, slope, last = 0;
	struct moments m;

	moments_compute(y, n, &m);
	if (m.constant)
		return;
	for (size_t i = 0; i < n; i++)
		products += (i - middle) * moments_deviation(&m, y[i]);
	slope = products / spread;
	for (size_t i = 0; i < n; i++)
		residuals_add(&r, moments_deviation(&m, y[i]) - slope * (i - middle), &last);
	out->slope_total = m.origin > 0 ? (double)(slope * (n - 1)) / moments_mean(&m) : NAN;
	out->trend_p = fit_p(slope * products, &r, LINE_COSTS);
}

/* The split into two means that explains most of the squares (Hawkins 1977); 0: none allowed. */
static size_t best_split(const double *y, const struct moments *m, long double *explained)
{
	const size_t n = m->n;
	long double before = 0;
	size_t best = 0;

	*explained = 0;
	for (size_t k = 1; k + DRIFT_SIDE_MIN <= n; k++) {
		long double part;

		before += moments_deviation(m, y[k - 1]);
		part = before * before * n / ((long double)k * (n - k));
		if (k >= DRIFT_SIDE_MIN && part > *explained) {
			*explained = part;
			best = k;
		}
	}
	return best;
}

/* Residuals about the means of both sides; the step from one to the other is no neighbourhood. */
static void side_residuals(const double *y, size_t n, struct residuals *r)
{
	struct moments m;
	long double last = 0;

	moments_compute(y, n, &m);
	for (size_t i = 0; i < n; i++)
		residuals_add(r, moments_deviation(&m, y[i]), &last);
}

/*
 * Bonferroni over the splits tried. A split of n values into k and n - k has no p below 2/C(n, k)
 * however clean it is: so many orders put the same values so.
 */
static void find_shift(const double *x, const double *y, size_t n, struct drift *out)
{
	const double tried = (double)(n - 2 * DRIFT_SIDE_MIN + 1);
	struct residuals r = {0};
	struct moments m;
	long double explained;
	double p, least;

	moments_compute(y, n, &m);
	if (m.constant)
		return;
	out->shift_at = best_split(y, &m, &explained);
	if (out->shift_at == 0)
		return;
	side_residuals(y, out->shift_at, &r);
	side_residuals(y + out->shift_at, n - out->shift_at, &r);
	least = 2 * exp(-gsl_sf_lnchoose((unsigned)n, (unsigned)out->shift_at));
	p = fit_p(explained, &r, SHIFT_COSTS);
	out->shift_p = fmin(1, fmax(least, tried * p));

	const double before = sample_trimmed_mean(x, out->shift_at, level_trim);

	out->shift =
		before > 0 ? sample_trimmed_mean(x + out->shift_at, n - out->shift_at, level_trim) /
					     before -
				     1
			   : NAN;
}

/* Bounds to which single wild values are moved: by the MAD, and for a shift also to the third
 * smallest and third largest value, so that two spikes in a quiet series are no level. */
struct bounds {
	double low, high;
};

static void clip(const double *x, size_t n, struct bounds b, double *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = fmin(b.high, fmax(b.low, x[i]));
}

static struct bounds spread_bounds(const double *x, size_t n)
{
	const struct sample_options opt = {.confidence = 0.95};
	struct sample s;

	sample_describe(x, n, &opt, &s);
	if (!(s.mad > 0))
		return (struct bounds){-INFINITY, INFINITY};
	return (struct bounds){s.median - clip_sds * s.mad, s.median + clip_sds * s.mad};
}

void drift_find(const double *x, size_t n, struct drift *out)
{
	struct bounds b;
	double *y;

	*out = (struct drift){.slope_total = NAN, .trend_p = NAN, .shift = NAN, .shift_p = NAN};
	if (n < DRIFT_VALUES_MIN)
		return;
	out->slope_total = out->shift = 0;
	b = spread_bounds(x, n);
	y = memory_alloc(memory_product(n, sizeof(*y)));
	clip(x, n, b, y);
	find_trend(y, n, out);
	gsl_sort(y, 1, n);
	b.low = y[DRIFT_SIDE_MIN - 1];
	b.high = y[n - DRIFT_SIDE_MIN];
	clip(x, n, b, y);
	find_shift(x, y, n, out);
	memory_free(y);
}
