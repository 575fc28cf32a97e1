/*
 * Fits the prior of the moderated t test: degrees of freedom from the spread of the log variances
 * beyond what chance gives them, location from their mean or from a regression.
 * Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004), article 3.
 */
#include "stats/moderated/prior.h"

#include <math.h>
#include <stdbool.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"
#include "stats/moderated/prior_robust.h"

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

/* Bias and variance that chance gives to the log of a variance with nu degrees of freedom. They are
 * kept: nearly all ops have the same nu, and the polygamma functions take long. */
struct chance_of {
	double nu, log_bias, variance;
};

/* Bias-corrected logs of the variances, e = ln s2, and the variance that chance alone gives them.
 */
struct prior_evidence {
	double *e;
	size_t *place; /* in s2 */
	size_t count;
	double chance, mean;
	double *x;		    /* the covariates, standardised: 0 for one that is left out */
	size_t covariates, columns; /* given; fitted parameters, with the location */
	/* Squares that each covariate takes away from what those before it leave. */
	double explained[PRIOR_COVARIATES];
};

static void evidence_fill(const struct prior_data *data, struct prior_evidence *out)
{
	const size_t n = data->n;
	double least = 0, *work = memory_alloc(memory_product(n, sizeof(*work)));
	struct chance_of chance = {0};
	size_t count = 0;

	out->e = memory_alloc(memory_product(n, sizeof(*out->e)));
	out->place = memory_alloc(memory_product(n, sizeof(*out->place)));
	for (size_t i = 0; i < n; i++)
		if (data->s2[i] > 0 && data->nu[i] > 0)
			work[count++] = data->s2[i];
	/* limma holds variances that are next to nothing up to this part of the median one. */
	if (count > 0)
		least = 1e-5 * gsl_stats_median(work, 1, count);
	for (size_t i = 0; i < n; i++) {
		const double value = fmax(data->s2[i], least);

		if (!(data->s2[i] > 0 && data->nu[i] > 0))
			continue;
		out->place[out->count] = i;

		struct chance_of *last = &chance;

		if (last->nu != data->nu[i])
			*last = (struct chance_of){
				data->nu[i], log_bias(data->nu[i]), gsl_sf_psi_1(data->nu[i] / 2)};
		out->e[out->count++] = log(value) - chance.log_bias;
		out->chance += chance.variance;
		out->mean += value;
	}
	out->chance /= (double)count;
	out->mean /= (double)count;
	out->columns = 1;
	memory_free(work);
}

/* One covariate of all rows: mean 0 and sum of squares 1 over what counts; 0 when constant there.
 */
static void standardise(const struct prior_data *data, struct prior_evidence *have, size_t k)
{
	const size_t covariates = data->covariates;
	double mean = 0, squares = 0, most = 0;

	for (size_t i = 0; i < have->count; i++)
		mean += data->covariate[have->place[i] * covariates + k] / (double)have->count;
	for (size_t i = 0; i < have->count; i++) {
		const double value = data->covariate[have->place[i] * covariates + k];

		squares += (value - mean) * (value - mean);
		most = fmax(most, fabs(value));
	}
	if (!(squares > 1e-20 * most * most * (double)have->count))
		return;
	for (size_t o = 0; o < data->n; o++)
		have->x[o * covariates + k] =
			(data->covariate[o * covariates + k] - mean) / sqrt(squares);
}

static void fill_covariates(const struct prior_data *data, struct prior_evidence *have)
{
	if (!data->covariate || data->covariates == 0 || data->covariates > PRIOR_COVARIATES ||
		have->count <= data->covariates + 2)
		return;
	have->covariates = data->covariates;
	have->x = memory_alloc(
		memory_product(memory_product(data->n, data->covariates), sizeof(*have->x)));
	for (size_t k = 0; k < data->covariates; k++)
		standardise(data, have, k);
}

static double product(const struct prior_evidence *have, size_t j, size_t k)
{
	double sum = 0;

	for (size_t i = 0; i < have->count; i++) {
		const double *x = have->x + have->place[i] * have->covariates;

		sum += x[j] * x[k];
	}
	return sum;
}

/* The factor of Cholesky of the covariates' correlations. A row without a part of its own is left
 * out: a covariate that says nothing beyond those before it. Counts the fitted parameters. */
static void factorise(struct prior_evidence *have, double factor[][PRIOR_COVARIATES])
{
	have->columns = 1;
	for (size_t j = 0; j < have->covariates; j++) {
		double rest = product(have, j, j);

		for (size_t k = 0; k < j; k++) {
			double sum = product(have, j, k);

			for (size_t l = 0; l < k; l++)
				sum -= factor[j][l] * factor[k][l];
			factor[j][k] = factor[k][k] > 0 ? sum / factor[k][k] : 0;
			rest -= factor[j][k] * factor[j][k];
		}
		factor[j][j] = rest > 1e-8 ? sqrt(rest) : 0;
		have->columns += rest > 1e-8;
	}
}

/* Least squares of e on 1 and the covariates; fitted[] gets the values of all n rows. */
static void fit_trend(struct prior_evidence *have, const double *e, size_t n, double *fitted)
{
	double factor[PRIOR_COVARIATES][PRIOR_COVARIATES] = {{0}}, c[PRIOR_COVARIATES] = {0};
	const double mean = gsl_stats_mean(e, 1, have->count);

	factorise(have, factor);
	for (size_t i = 0; i < have->count; i++)
		for (size_t j = 0; j < have->covariates; j++)
			c[j] += have->x[have->place[i] * have->covariates + j] * (e[i] - mean);
	for (size_t j = 0; j < have->covariates; j++) {
		for (size_t k = 0; k < j; k++)
			c[j] -= factor[j][k] * c[k];
		c[j] = factor[j][j] > 0 ? c[j] / factor[j][j] : 0;
		have->explained[j] = c[j] * c[j];
	}
	for (size_t j = have->covariates; j-- > 0;) {
		for (size_t k = j + 1; k < have->covariates; k++)
			c[j] -= factor[k][j] * c[k];
		c[j] = factor[j][j] > 0 ? c[j] / factor[j][j] : 0;
	}
	for (size_t o = 0; o < n; o++) {
		fitted[o] = mean;
		for (size_t j = 0; j < have->covariates; j++)
			fitted[o] += c[j] * have->x[o * have->covariates + j];
	}
}

static double residual_squares(const struct prior_evidence *have, const double *fitted)
{
	double squares = 0;

	for (size_t i = 0; i < have->count; i++) {
		const double rest = have->e[i] - fitted[have->place[i]];

		squares += rest * rest;
	}
	return squares;
}

/* Leaves out the covariates that say too little. */
static void choose_covariates(
	const struct prior_data *data, struct prior_evidence *have, double *fitted)
{
	double rest;

	fit_trend(have, have->e, data->n, fitted);
	rest = residual_squares(have, fitted) / (double)(have->count - have->columns);
	for (size_t k = data->optional; k < have->covariates; k++) {
		if (have->explained[k] > data->gain * rest)
			continue;
		for (size_t o = 0; o < data->n; o++)
			have->x[o * have->covariates + k] = 0;
	}
}

/* The fourth cumulant of the log of an F: that of the log of each chi-squared. */
static double fourth_cumulant(double nu, double df)
{
	return gsl_sf_psi_n(3, nu / 2) + (isinf(df) ? 0 : gsl_sf_psi_n(3, df / 2));
}

/* The standard error of the variance beyond chance, when that is `excess`. */
static double excess_error(const struct prior_evidence *have, double excess)
{
	const double all = have->chance + excess, n = (double)have->count;
	const double nu = 2 * prior_trigamma_inverse(have->chance);
	const double df = excess > 0 ? 2 * prior_trigamma_inverse(excess) : INFINITY;

	return sqrt((fourth_cumulant(nu, df) + 2 * all * all) / n);
}

static double cautious(
	const struct prior_data *data, const struct prior_evidence *have, double excess)
{
	if (data->caution == 0)
		return excess;
	return fmax(excess, 0) + data->caution * excess_error(have, fmax(excess, 0));
}

/* Smyth's fit: fitted[n] is the log of what the prior expects. */
static void fit_moments(const struct prior_data *data, struct prior_evidence *have,
	struct prior *out, double *fitted)
{
	double excess = 0, plain, location = 0;

	fit_trend(have, have->e, data->n, fitted);
	if (have->count > have->columns)
		excess = residual_squares(have, fitted) / (double)(have->count - have->columns);
	excess -= have->chance;
	plain = excess;
	if (have->count > 1)
		excess = cautious(data, have, excess);
	if (have->count > 1)
		out->df = excess > 0 ? 2 * prior_trigamma_inverse(excess) : INFINITY;
	/* Without a trend, variances that are one are their mean, as in limma since 2017. */
	if (have->columns == 1 && (have->count == 1 || isinf(out->df)))
		location = log(have->mean) - fitted[0];
	else if (data->keep_location && plain <= 0)
		location = 0;
	else if (excess > 0)
		location = data->keep_location ? log_bias(2 * prior_trigamma_inverse(plain))
					       : log_bias(out->df);
	for (size_t o = 0; o < data->n; o++)
		fitted[o] += location;
}

/* Variances with fewer degrees of freedom than the most become those as extreme with the most. */
static double make_alike(
	const struct prior_data *data, struct prior_evidence *have, double df, const double *fitted)
{
	double most = 0;

	for (size_t i = 0; i < have->count; i++)
		most = fmax(most, data->nu[have->place[i]]);
	for (size_t i = 0; i < have->count; i++) {
		const double nu = data->nu[have->place[i]], scale = fitted[have->place[i]];
		double log_f;

		if (!(nu < most))
			continue;
		log_f = have->e[i] + log_bias(nu) - scale;
		have->e[i] =
			scale - log_bias(most) + log(prior_equivalent(exp(log_f), nu, most, df));
	}
	return most;
}

/* Number of standard errors by which the variance of the residuals z is above that of a prior of
 * df0. A log of F has the cumulants of two logs of chi-squared. */
static double outlier_evidence(const struct prior_residuals *r, double df0)
{
	const double n = (double)r->n;
	const double prior = isinf(df0) ? 0 : gsl_sf_psi_1(df0 / 2);
	const double expected = gsl_sf_psi_1(r->nu / 2) + prior;
	const double kurtosis = fourth_cumulant(r->nu, df0);
	const double found = gsl_stats_variance(r->z, 1, r->n) * (n - 1) / (n - (double)r->columns);

	return (found - expected) / sqrt((kurtosis + 2 * expected * expected) / n);
}

static void fit_robustly(const struct prior_data *data, struct prior_evidence *have,
	struct prior *out, double *fitted, double *df)
{
	const double nu = make_alike(data, have, out->df, fitted);
	double *trend = memory_alloc(memory_product(data->n, sizeof(*trend)));
	double *z = memory_alloc(memory_product(have->count, sizeof(*z)));
	double *each = memory_alloc(memory_product(have->count, sizeof(*each)));
	const struct prior_residuals residuals = {
		z, have->count, nu, have->columns, data->tails, out->df};
	double shift, df0;

	fit_trend(have, have->e, data->n, trend);
	if (have->columns > 1) {
		/* The trend without the weight of outliers: refitted to itself plus the winsorised
		 * residuals. */
		double *e = memory_alloc(memory_product(have->count, sizeof(*e)));
		double *rest = memory_alloc(memory_product(have->count, sizeof(*rest)));

		for (int round = 0; round < 3; round++) {
			for (size_t i = 0; i < have->count; i++)
				rest[i] = have->e[i] - trend[have->place[i]];
			prior_winsorise(rest, have->count, &data->tails, e);
			for (size_t i = 0; i < have->count; i++)
				e[i] += trend[have->place[i]];
			fit_trend(have, e, data->n, trend);
		}
		memory_free(rest);
		memory_free(e);
	}
	for (size_t i = 0; i < have->count; i++)
		z[i] = have->e[i] - trend[have->place[i]];
	df0 = prior_robust(&residuals, &shift, each);
	out->robust = !isnan(shift) &&
		      (data->evidence == 0 || outlier_evidence(&residuals, df0) > data->evidence);
	if (out->robust) {
		const double excess = isinf(df0) ? 0 : gsl_sf_psi_1(df0 / 2);
		const double careful = cautious(data, have, excess);

		out->df = careful > 0 ? 2 * prior_trigamma_inverse(careful) : INFINITY;
		if (careful > excess)
			shift += log_bias(out->df) - (excess > 0 ? log_bias(df0) : 0);
		for (size_t o = 0; o < data->n; o++) {
			fitted[o] = trend[o] + shift + log_bias(nu);
			df[o] = out->df;
		}
		for (size_t i = 0; i < have->count; i++)
			df[have->place[i]] = each[i] < df0 ? fmin(each[i], out->df) : out->df;
	}
	memory_free(trend);
	memory_free(z);
	memory_free(each);
}

void prior_fit(const struct prior_data *data, struct prior *out, double *expected, double *df)
{
	struct prior_evidence have = {0};

	*out = (struct prior){.s2 = NAN, .df = 0};
	evidence_fill(data, &have);
	out->count = have.count;
	for (size_t o = 0; o < data->n; o++)
		expected[o] = df[o] = NAN;
	if (have.count > 0) {
		fill_covariates(data, &have);
		if (have.covariates > 0 && data->gain > 0)
			choose_covariates(data, &have, expected);
		fit_moments(data, &have, out, expected);
		for (size_t o = 0; o < data->n; o++)
			df[o] = out->df;
		if (fmax(data->tails.lower, data->tails.upper) * (double)have.count >= 1)
			fit_robustly(data, &have, out, expected, df);
		for (size_t o = 0; o < data->n; o++)
			expected[o] = exp(expected[o]);
		if (have.columns == 1)
			out->s2 = expected[0];
	}
	out->columns = have.columns;
	memory_free(have.e);
	memory_free(have.place);
	memory_free(have.x);
}
