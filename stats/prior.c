/*
 * Fits the prior of the moderated t test: degrees of freedom from the spread of the log variances
 * beyond what chance gives them, location from their mean or from a regression.
 * Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004), article 3.
 */
#include "stats/prior.h"

#include <math.h>
#include <stdbool.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"

/*
 * Newton's iteration on 1/trigamma, which is nearly linear (Smyth 2004, appendix); it comes from
 * above and never leaves the domain. At the ends the first term of the series is enough.
 */
double prior_trigamma_inverse(double y)
{
	double x = 0.5 + 1 / y;

	if (!(y > 0))
		return NAN;
	if (y > 1e7)
		return 1 / sqrt(y);
	if (y < 1e-6)
		return 1 / y;
	for (int i = 0; i < 60; i++) {
		const double value = gsl_sf_psi_1(x);
		const double step = value * (1 - value / y) / gsl_sf_psi_n(2, x);

		x += step;
		if (fabs(step) < 1e-13 * x)
			break;
	}
	return x;
}

/* E ln of a variance whose scaled chi-squared has nu degrees of freedom, less ln of its mean. */
static double log_bias(double nu)
{
	return gsl_sf_psi(nu / 2) - log(nu / 2);
}

/* The mean of e as the one fitted value; returns the variance about it. */
static double fit_mean(const double *e, size_t n, double *location)
{
	*location = gsl_stats_mean(e, 1, n);
	return n > 1 ? gsl_stats_variance_m(e, 1, n, *location) : 0;
}

/* Least squares of e on 1 and the covariates of its rows; `fitted` gets the values of all rows.
 * Returns the residual variance. */
static double fit_trend(const double *e, const size_t *place, size_t count, const double *covariate,
	size_t covariates, size_t rows, double *fitted)
{
	const size_t columns = covariates + 1;
	gsl_matrix *x = gsl_matrix_alloc(count, columns), *cov = gsl_matrix_alloc(columns, columns);
	gsl_vector *c = gsl_vector_alloc(columns);
	gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(count, columns);
	const gsl_vector_const_view y = gsl_vector_const_view_array(e, count);
	double squares;

	for (size_t i = 0; i < count; i++) {
		gsl_matrix_set(x, i, 0, 1);
		for (size_t k = 0; k < covariates; k++)
			gsl_matrix_set(x, i, k + 1, covariate[place[i] * covariates + k]);
	}
	gsl_multifit_linear(x, &y.vector, c, cov, &squares, work);
	for (size_t o = 0; o < rows; o++) {
		fitted[o] = gsl_vector_get(c, 0);
		for (size_t k = 0; k < covariates; k++)
			fitted[o] += gsl_vector_get(c, k + 1) * covariate[o * covariates + k];
	}
	squares /= (double)(count - columns);
	gsl_multifit_linear_free(work);
	gsl_vector_free(c);
	gsl_matrix_free(cov);
	gsl_matrix_free(x);
	return squares;
}

/* What counts of s2: e = ln s2 made unbiased, and what chance alone gives to its variance. */
struct prior_evidence {
	double *e;
	size_t *place;
	size_t count;
	double chance, mean;
};

static void evidence_fill(const double *s2, const double *nu, size_t n, struct prior_evidence *out)
{
	double least = 0, *work = memory_alloc(memory_product(n, sizeof(*work)));
	size_t count = 0;

	out->e = memory_alloc(memory_product(n, sizeof(*out->e)));
	out->place = memory_alloc(memory_product(n, sizeof(*out->place)));
	for (size_t i = 0; i < n; i++)
		if (s2[i] > 0 && nu[i] > 0)
			work[count++] = s2[i];
	/* limma holds variances that are next to nothing up to this part of the median one. */
	if (count > 0)
		least = 1e-5 * gsl_stats_median(work, 1, count);
	for (size_t i = 0; i < n; i++) {
		const double value = fmax(s2[i], least);

		if (!(s2[i] > 0 && nu[i] > 0))
			continue;
		out->place[out->count] = i;
		out->e[out->count++] = log(value) - log_bias(nu[i]);
		out->chance += gsl_sf_psi_1(nu[i] / 2);
		out->mean += value;
	}
	out->chance /= (double)count;
	out->mean /= (double)count;
	memory_free(work);
}

void prior_fit(const double *s2, const double *nu, size_t n, const double *covariate,
	size_t covariates, struct prior *out, double *expected)
{
	struct prior_evidence have = {0};
	bool trend;
	double excess = 0, location = NAN;

	*out = (struct prior){.s2 = NAN, .df = 0};
	evidence_fill(s2, nu, n, &have);
	out->count = have.count;
	trend = covariate && covariates > 0 && have.count > covariates + 2;
	if (trend)
		excess = fit_trend(
			have.e, have.place, have.count, covariate, covariates, n, expected);
	else if (have.count > 0)
		excess = fit_mean(have.e, have.count, &location);
	excess -= have.chance;
	if (have.count > 1)
		out->df = excess > 0 ? 2 * prior_trigamma_inverse(excess) : INFINITY;
	if (!trend) {
		const double raised = exp(location + (excess > 0 ? log_bias(out->df) : 0));

		out->s2 = have.count == 1 || isinf(out->df) ? have.mean : raised;
	}
	for (size_t i = 0; i < n; i++) {
		const double bias = isinf(out->df) ? 0 : log_bias(out->df);

		expected[i] = trend ? exp(expected[i] + bias) : out->s2;
	}
	memory_free(have.e);
	memory_free(have.place);
}
