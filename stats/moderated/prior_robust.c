/*
 * The robust prior: the variance of the winsorised log variances is set equal to what it is
 * expected to be, by quadrature over the F distribution; then each variance that is too large for
 * its rank gets fewer prior degrees of freedom.
 */
#include "stats/moderated/prior_robust.h"

#include <math.h>
#include <stdbool.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"

enum { NODES = 128 };

/* Beyond it GSL's incomplete beta function loses digits, and F is chi-squared over d1 to one part
 * in a million. */
#define DF_MOST 1e6

/* The F distribution with d1 and d2 degrees of freedom; d2 above DF_MOST: chi-squared over d1. */
static double f_lower(double x, double d1, double d2)
{
	return d2 > DF_MOST ? gsl_cdf_chisq_P(x * d1, d1) : gsl_cdf_fdist_P(x, d1, d2);
}

static double f_upper(double x, double d1, double d2)
{
	return d2 > DF_MOST ? gsl_cdf_chisq_Q(x * d1, d1) : gsl_cdf_fdist_Q(x, d1, d2);
}

/* The logarithm of its density at 1, but for the terms that depend on x. */
static double f_constant(double d1, double d2)
{
	if (d2 > DF_MOST)
		return d1 / 2 * log(d1 / 2) - gsl_sf_lngamma(d1 / 2);
	return d1 / 2 * log(d1 / d2) - gsl_sf_lnbeta(d1 / 2, d2 / 2);
}

static double f_density(double x, double d1, double d2, double constant)
{
	const double rest = d2 > DF_MOST ? d1 * x / 2 : (d1 + d2) / 2 * log1p(d1 * x / d2);

	return exp(constant + (d1 / 2 - 1) * log(x) - rest);
}

/* log P(F > x), also where P is below the least double: the series of the incomplete beta function.
 */
static double f_log_upper(double x, double d1, double d2)
{
	const double upper = f_upper(x, d1, d2), a = d2 / 2, b = d1 / 2, y = d2 / (d2 + d1 * x);
	double term = 1, sum = 1;

	if (upper > 1e-290 || d2 > DF_MOST)
		return log(upper);
	for (int i = 0; i < 100000 && term > 1e-16 * sum; i++) {
		term *= y * (a + b + i) / (a + 1 + i);
		sum += term;
	}
	return a * log(y) + b * log1p(-y) - log(a) - gsl_sf_lnbeta(a, b) + log(sum);
}

/* The x that has the probability p in its lower or upper tail: Newton's method on log p over log x,
 * in a bracket. (GSL's inverse of the beta distribution does not always end.) */
static double f_quantile(double p, bool upper, double d1, double d2)
{
	const double constant = f_constant(d1, d2);
	double low = -700, high = 700, y = 0;

	for (int i = 0; i < 200; i++) {
		const double x = exp(y);
		const double tail = upper ? f_upper(x, d1, d2) : f_lower(x, d1, d2);
		const double step = tail * log(p / tail) / (f_density(x, d1, d2, constant) * x);
		double next = upper ? y - step : y + step;

		if ((tail > p) == upper)
			low = y;
		else
			high = y;
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - y) < 1e-14)
			return exp(next);
		y = next;
	}
	return exp(y);
}

double prior_equivalent(double f, double nu, double to, double df)
{
	const double lower = f_lower(f, nu, df), upper = f_upper(f, nu, df);

	return upper < lower ? f_quantile(upper, true, to, df) : f_quantile(lower, false, to, df);
}

struct winsorised {
	const gsl_integration_glfixed_table *table;
	struct prior_tails tails;
	double nu, variance; /* of the residuals, winsorised */
	double mean, expected;
};

/* Mean and variance of log F winsorised at the tails: over x/(1 + x), which is bounded. */
static void winsorised_moments(struct winsorised *w, double df)
{
	const double low = f_quantile(w->tails.lower, false, w->nu, df);
	const double high = f_quantile(w->tails.upper, true, w->nu, df);
	const double constant = f_constant(w->nu, df);
	double z[NODES], weight[NODES], rest;

	w->mean = w->tails.lower * log(low) + w->tails.upper * log(high);
	for (size_t i = 0; i < NODES; i++) {
		double node, x;

		gsl_integration_glfixed_point(
			low / (1 + low), high / (1 + high), i, &node, &weight[i], w->table);
		x = node / (1 - node);
		z[i] = log(x);
		weight[i] *= f_density(x, w->nu, df, constant) / ((1 - node) * (1 - node));
		w->mean += weight[i] * z[i];
	}
	rest = log(low) - w->mean;
	w->expected = w->tails.lower * rest * rest;
	rest = log(high) - w->mean;
	w->expected += w->tails.upper * rest * rest;
	for (size_t i = 0; i < NODES; i++)
		w->expected += weight[i] * (z[i] - w->mean) * (z[i] - w->mean);
}

/* Log of the found variance over the expected one, at u = df/(1 + df); the root is the fit. */
static double excess_at(struct winsorised *w, double u)
{
	winsorised_moments(w, u < 1 ? u / (1 - u) : INFINITY);
	return log(w->variance / w->expected);
}

/* Regula falsi (Anderson and Bjoerck) between `low`, where excess_at() is negative, and 1, where it
 * is `at_one` and positive. */
static double solve(struct winsorised *w, double low, double at_low, double at_one)
{
	double a = low, fa = at_low, b = 1, fb = at_one, c = low;

	for (int i = 0; i < 100 && fabs(b - a) > 1e-14; i++) {
		double fc, factor;

		c = (a * fb - b * fa) / (fb - fa);
		fc = excess_at(w, c);
		if (fc == 0 || c == a || c == b)
			break;
		if ((fc > 0) != (fb > 0)) {
			a = b;
			fa = fb;
		} else {
			factor = 1 - fc / fb;
			fa *= factor > 0 ? factor : 0.5;
		}
		b = c;
		fb = fc;
		if (fabs(fc) < 1e-14)
			break;
	}
	return c < DF_MOST / (1 + DF_MOST) ? c / (1 - c) : INFINITY;
}

void prior_winsorise(const double *z, size_t n, const struct prior_tails *tails, double *out)
{
	double low, high;

	memcpy(out, z, n * sizeof(*out));
	gsl_sort(out, 1, n);
	low = gsl_stats_quantile_from_sorted_data(out, 1, n, tails->lower);
	high = gsl_stats_quantile_from_sorted_data(out, 1, n, 1 - tails->upper);
	for (size_t i = 0; i < n; i++)
		out[i] = fmin(fmax(z[i], low), high);
}

/* The same about a prior with df0; largest: the largest F, log_tail: its log P. */
static void outliers_of_many(const struct prior_residuals *r, const double *not_outlier, double df0,
	double largest, double log_tail, double *df)
{
	double least = isinf(log_tail) ? 0 : log(0.5) / log_tail * df0, sum = 0, lowest = INFINITY;
	size_t place = 0;

	if (least > 0)
		least *= log(0.5) / f_log_upper(largest, r->nu, least);
	for (size_t i = 0; i < r->n; i++) {
		df[i] = not_outlier[i] * df0 + (1 - not_outlier[i]) * least;
		sum += df[i];
		if (sum / (double)(i + 1) < lowest) {
			lowest = sum / (double)(i + 1);
			place = i;
		}
	}
	for (size_t i = 0; i < r->n; i++) {
		if (i <= place)
			df[i] = lowest;
		if (i > 0)
			df[i] = fmax(df[i], df[i - 1]);
	}
}

/* z: less the log of the prior's scale. */
static void shrink_outliers(const struct prior_residuals *r, double shift, double df0, double *df)
{
	const size_t n = r->n;
	size_t *order = memory_alloc(memory_product(n, sizeof(*order)));
	double *not_outlier = memory_alloc(memory_product(n, sizeof(*not_outlier)));
	double *ranked = memory_alloc(memory_product(n, sizeof(*ranked)));
	double largest, log_tail;
	bool any = false;

	gsl_sort_index(order, r->z, 1, n);
	largest = exp(r->z[order[n - 1]] - shift);
	log_tail = f_log_upper(largest, r->nu, df0);
	for (size_t i = 0; i < n; i++) {
		const double f = exp(r->z[order[n - 1 - i]] - shift);
		const double empirical = ((double)i + 0.5) / (double)n;

		not_outlier[i] = fmin(f_upper(f, r->nu, df0) / empirical, 1);
		any = any || not_outlier[i] < 1;
	}
	for (size_t i = 0; i < n; i++)
		ranked[i] = df0;
	if (any && isinf(df0)) {
		/* Degrees of freedom of each variance in order of rank, the largest first, about an
		 * infinite prior: an outlier gets part of those of all together. */
		const double all = (double)r->n * r->nu;

		for (size_t i = 0; i < r->n; i++) {
			ranked[i] = not_outlier[i] < 1 ? not_outlier[i] * all : INFINITY;
			if (i > 0)
				ranked[i] = fmax(ranked[i], ranked[i - 1]);
		}
	} else if (any)
		outliers_of_many(r, not_outlier, df0, largest, log_tail, ranked);
	for (size_t i = 0; i < n; i++)
		df[order[n - 1 - i]] = ranked[i];
	memory_free(order);
	memory_free(not_outlier);
	memory_free(ranked);
}

double prior_robust(const struct prior_residuals *r, double *shift, double *df)
{
	gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(NODES);
	struct winsorised w = {.table = table, .tails = r->tails, .nu = r->nu};
	/* Mean of the winsorised residuals; their variance goes to *variance. */
	double *variance = &w.variance;
	double *work = memory_alloc(memory_product(r->n, sizeof(*work))), mean;

	prior_winsorise(r->z, r->n, &r->tails, work);
	mean = gsl_stats_mean(work, 1, r->n);
	*variance = gsl_stats_variance_m(work, 1, r->n, mean) * ((double)r->n - 1) /
		    (double)(r->n - r->columns);
	memory_free(work);
	const double at_one = excess_at(&w, 1);
	double df0 = INFINITY;

	*shift = NAN;
	if (at_one > 0 && isinf(r->df)) {
		gsl_integration_glfixed_table_free(table);
		return r->df;
	}
	if (at_one > 0) {
		const double low = r->df / (1 + r->df), at_low = excess_at(&w, low);

		df0 = at_low < 0 ? solve(&w, low, at_low, at_one) : r->df;
		winsorised_moments(&w, df0);
	}
	*shift = mean - w.mean;
	shrink_outliers(r, *shift, df0, df);
	gsl_integration_glfixed_table_free(table);
	return df0;
}
