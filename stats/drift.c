/* Trend and single shift of a series by least squares, with t tests whose variance is inflated for
 * values that resemble their neighbours. */
#include "stats/drift.h"

#include <math.h>
#include <string.h>
#include <gsl/gsl_sf_gamma.h>
#include "base/memory.h"
#include "stats/moments.h"
#include "stats/sample.h"
#include "stats/student.h"

/* Values farther out than this many sds, as the MAD estimates them, are taken in to there. */
static const double clip_sds = 3 * SAMPLE_SD_OF_MAD;
/* Part that is cut off each tail of each side: leaves the median of three values, and a mean of the
 * middle ones of more, which moves also where values are printed on a coarse grid. */
static const double level_trim = 0.34;

/* Residuals of a fit of n values. */
struct residuals {
	long double squares, products; /* sum of d_t^2, of d_t d_{t+1} */
	double *at;
	size_t n;
};

static struct residuals residuals_new(size_t n)
{
	return (struct residuals){.at = memory_alloc(memory_product(n, sizeof(double)))};
}

static void residuals_add(struct residuals *r, long double d, long double *last)
{
	r->squares += d * d;
	r->products += d * *last;
	*last = d;
	r->at[r->n++] = (double)d;
}

/* Numbers that a fit chooses, and the loss of lag-1 correlation by it, in 1/n: a line costs two
 * parameters; two levels and the place between them, which is chosen to leave little, cost as much
 * as four. */
struct drift_fit {
	size_t parameters;
	double costs;
};

static const struct drift_fit line = {2, 2}, one_shift = {3, 4}, one_stretch = {4, 6};

enum {
	STRETCH_EDGES = 128, /* of a longer series so many are tried first */
	BATCHES_MIN = 6,
	WANDER_LAGS = 8, /* 2 to this say how long values that wander remember */
};

/* Sum of the correlations at these lags that independent values exceed once in a hundred, in its
 * sd. */
static const double wander_least = 2.326;

/* The variance of the means of batches over that which independent values would have: values that
 * wander slowly under noise of their own resemble their neighbours little. */
static double batch_inflation(const struct residuals *r, const struct drift_fit *fit)
{
	const size_t size = (size_t)sqrt((double)r->n), batches = r->n / size;
	double squares = 0, of_batches = 0;

	if (batches < BATCHES_MIN)
		return 1;
	for (size_t b = 0; b < batches; b++) {
		double sum = 0;

		for (size_t i = b * size; i < (b + 1) * size; i++) {
			squares += r->at[i] * r->at[i];
			sum += r->at[i];
		}
		of_batches += sum * sum;
	}
	return of_batches / squares * (double)batches / (double)(batches - fit->parameters);
}

/* The same where little of a value is remembered for long: of an AR(1) under noise of its own r_k =
 * c phi^k; the mean of the further lags over r1 gives phi, and the inflation is 1 + 2 r1 / (1 -
 * phi). */
static double wander_inflation(const struct residuals *r, double r1)
{
	const double n = (double)r->n, lags = WANDER_LAGS - 1;
	double sum = 0, mean, phi;

	if (r->n < 4 * WANDER_LAGS)
		return 1;
	for (size_t k = 2; k <= WANDER_LAGS; k++)
		for (size_t i = k; i < r->n; i++)
			sum += r->at[i] * r->at[i - k];
	mean = sum / (double)r->squares / lags;
	if (!(mean > wander_least / sqrt(lags * n)))
		return 1;
	mean += 4 * (1 + mean) / n;
	phi = fmin(0.99, pow(fmin(1, mean / r1), 2. / WANDER_LAGS));
	return 1 + 2 * r1 / (1 - phi);
}

/* Two-sided p of a fit that explains `explained` of the squares by one parameter besides the mean.
 * n_eff as in stats/sample.c, but r1 is repaired for what was fitted and raised by its standard
 * error: an interval may be somewhat short, a warning must not come from noise that wanders. */
static double fit_p(long double explained, const struct residuals *r, const struct drift_fit *fit)
{
	const double n = (double)r->n;
	double r1, inflation, n_eff;

	if (r->squares <= 0)
		return 0;
	r1 = (double)(r->products / r->squares);
	r1 += (fit->costs + 4 * r1) / n + sqrt((1 - r1 * r1) / n);
	r1 = fmin(0.99, fmax(0, r1));
	inflation = fmax((1 + r1) / (1 - r1), batch_inflation(r, fit));
	inflation = fmax(inflation, wander_inflation(r, r1));
	n_eff = fmax(3, n / inflation);
	return student_two_sided(
		(double)sqrtl(explained / (r->squares / (n - 2)) / inflation), n_eff - 2);
}

/* Least squares of y on its index. */
static void find_trend(const double *y, size_t n, struct drift *out)
{
	const long double middle = ((long double)n - 1) / 2;
	const long double spread = (long double)n * ((long double)n * n - 1) / 12;
	struct residuals r;
	long double products = 0, slope, last = 0;
	struct moments m;

	moments_compute(y, n, &m);
	if (m.constant)
		return;
	for (size_t i = 0; i < n; i++)
		products += (i - middle) * moments_deviation(&m, y[i]);
	slope = products / spread;
	r = residuals_new(n);
	for (size_t i = 0; i < n; i++)
		residuals_add(&r, moments_deviation(&m, y[i]) - slope * (i - middle), &last);
	out->slope_total = m.origin > 0 ? (double)(slope * (n - 1)) / moments_mean(&m) : NAN;
	out->trend_p = fit_p(slope * products, &r, &line);
	memory_free(r.at);
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

/* Bonferroni over the splits tried. A split of n values into k and n - k has no p below 2/C(n, k)
 * however clean it is: so many orders put the same values so. */
static void find_shift(const double *x, const double *y, size_t n, struct drift *out)
{
	const double tried = (double)(n - 2 * DRIFT_SIDE_MIN + 1);
	struct residuals r;
	struct moments m;
	long double explained;
	double p, least;

	moments_compute(y, n, &m);
	if (m.constant)
		return;
	out->shift_at = best_split(y, &m, &explained);
	if (out->shift_at == 0)
		return;
	r = residuals_new(n);
	side_residuals(y, out->shift_at, &r);
	side_residuals(y + out->shift_at, n - out->shift_at, &r);
	least = 2 * exp(-gsl_sf_lnchoose((unsigned)n, (unsigned)out->shift_at));
	p = fit_p(explained, &r, &one_shift);
	memory_free(r.at);
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
	double mad;
	const double median = sample_median(x, n, &mad);

	if (!(mad > 0))
		return (struct bounds){-INFINITY, INFINITY};
	return (struct bounds){median - clip_sds * mad, median + clip_sds * mad};
}

/* Takes them in further, to the third lowest and the third highest; y are those within b. */
static void clip_ends(const double *x, size_t n, struct bounds b, double *y)
{
	double low[DRIFT_SIDE_MIN], high[DRIFT_SIDE_MIN];

	for (size_t i = 0; i < n; i++) {
		size_t at = i < DRIFT_SIDE_MIN ? i : DRIFT_SIDE_MIN;

		for (; at > 0 && y[i] < low[at - 1]; at--)
			if (at < DRIFT_SIDE_MIN)
				low[at] = low[at - 1];
		if (at < DRIFT_SIDE_MIN)
			low[at] = y[i];
		at = i < DRIFT_SIDE_MIN ? i : DRIFT_SIDE_MIN;
		for (; at > 0 && y[i] > high[at - 1]; at--)
			if (at < DRIFT_SIDE_MIN)
				high[at] = high[at - 1];
		if (at < DRIFT_SIDE_MIN)
			high[at] = y[i];
	}
	b.low = low[DRIFT_SIDE_MIN - 1];
	b.high = high[DRIFT_SIDE_MIN - 1];
	clip(x, n, b, y);
}

void drift_find(const double *x, size_t n, struct drift *out)
{
	struct bounds b;
	double *y;

	*out = (struct drift){
		.n = n, .slope_total = NAN, .trend_p = NAN, .shift = NAN, .shift_p = NAN};
	if (n < DRIFT_VALUES_MIN)
		return;
	out->slope_total = out->shift = 0;
	b = spread_bounds(x, n);
	y = memory_alloc(memory_product(n, sizeof(*y)));
	clip(x, n, b, y);
	find_trend(y, n, out);
	clip_ends(x, n, b, y);
	find_shift(x, y, n, out);
	memory_free(y);
}

/* ---- a stretch ---- */

/* Sums of the distances from the mean: sum[k] of the first k values. */
struct stretch_search {
	const long double *sum;
	size_t n;
	struct level_stretch *best;
	long double explained;
};

/* Tries edges from .. from_end and to .. to_end, each `every` values. */
static void try_stretches(struct stretch_search *s, size_t from, size_t from_end, size_t to,
	size_t to_end, size_t every)
{
	const long double n = (long double)s->n;

	from = from < DRIFT_SIDE_MIN ? DRIFT_SIDE_MIN : from;
	to_end = to_end + DRIFT_SIDE_MIN > s->n ? s->n - DRIFT_SIDE_MIN : to_end;
	for (size_t a = from; a <= from_end; a += every)
		for (size_t b = to < a + DRIFT_SIDE_MIN ? a + DRIFT_SIDE_MIN : to; b <= to_end;
			b += every) {
			const long double within = s->sum[b] - s->sum[a], m = (long double)(b - a);
			const long double part = within * within * n / (m * (n - m));

			if (part > s->explained) {
				s->explained = part;
				*s->best = (struct level_stretch){a, b, NAN};
			}
		}
}

/* Residuals about two levels: that of the stretch, and that of all else. */
static struct residuals stretch_residuals(const double *y, size_t n, const struct level_stretch *s)
{
	struct residuals r = residuals_new(n);
	double *rest = memory_alloc(memory_product(n, sizeof(*rest)));
	const size_t after = n - s->to;

	memcpy(rest, y, s->from * sizeof(*rest));
	memcpy(rest + s->from, y + s->to, after * sizeof(*rest));
	side_residuals(rest, s->from + after, &r);
	side_residuals(y + s->from, s->to - s->from, &r);
	memory_free(rest);
	return r;
}

void stretch_find(const double *x, size_t n, struct level_stretch *out)
{
	struct stretch_search s = {.n = n, .best = out};
	const size_t every = n / STRETCH_EDGES + 1;
	struct residuals r;
	struct moments m;
	long double *sum;
	double *y, tried;

	*out = (struct level_stretch){.p = NAN};
	if (n < DRIFT_VALUES_MIN)
		return;
	y = memory_alloc(memory_product(n, sizeof(*y)));
	clip(x, n, spread_bounds(x, n), y);
	clip_ends(x, n, (struct bounds){-INFINITY, INFINITY}, y);
	moments_compute(y, n, &m);
	s.sum = sum = memory_alloc(memory_product(n + 1, sizeof(*sum)));
	for (size_t i = 0; i < n; i++)
		sum[i + 1] = sum[i] + moments_deviation(&m, y[i]);
	if (!m.constant)
		try_stretches(&s, 0, n, 0, n, every);
	for (size_t reach = every; out->to && reach > 1; reach = (reach + 1) / 2) {
		const struct level_stretch near = *out;

		try_stretches(&s, near.from - (near.from < reach ? near.from : reach),
			near.from + reach, near.to - (near.to < reach ? near.to : reach),
			near.to + reach, (reach + 1) / 2);
	}
	if (out->to) {
		r = stretch_residuals(y, n, out);
		/* So many stretches of this length there are among all choices of values. */
		tried = (double)(n - 2 * DRIFT_SIDE_MIN) * (double)(n - 2 * DRIFT_SIDE_MIN) / 2;
		out->p = fmax(
			2 * (double)n *
				exp(-gsl_sf_lnchoose((unsigned)n, (unsigned)(out->to - out->from))),
			tried * fit_p(s.explained, &r, &one_stretch));
		memory_free(r.at);
		out->p = fmin(1, out->p);
	}
	memory_free(sum);
	memory_free(y);
}
