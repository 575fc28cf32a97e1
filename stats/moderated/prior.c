/* Fits the prior of the moderated t test: degrees of freedom from the spread of the log variances
 * beyond what chance gives them, location from their mean or from a regression.
 * Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004), article 3. */
#include "stats/moderated/prior.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include "base/memory.h"

/* The robust prior: the variance of the winsorised log variances is set equal to what it is
 * expected to be, by quadrature over the F distribution; then each variance that is too large for
 * its rank gets fewer prior degrees of freedom.
 * Phipson, Lee, Majewski, Alexander & Smyth, Annals of Applied Statistics 10 (2016) 946-963, as in
 * limma's fitFDistRobustly(). */

/* Residuals of log variances about any location or trend. */
struct prior_residuals {
	double *z;
	size_t n;
	double nu;	/* degrees of freedom of all variances */
	size_t columns; /* fitted parameters of the trend, the location included */
	struct prior_tails tails;
	double df; /* of the prior, from moments that are not winsorised: the least possible */
};

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

/* The variance with degrees of freedom `to` that is as extreme as f, with `nu`, about a prior of
 * scale 1 with df. */
static double prior_equivalent(double f, double nu, double to, double df)
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

/* out[n], another array: z[n] held between its quantiles at the two tails. */
static void prior_winsorise(const double *z, size_t n, const struct prior_tails *tails, double *out)
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

/* Returns the prior's degrees of freedom; *shift: the log of its scale less the location that the
 * residuals are from; df[n]: those of each variance. *shift = NaN, and df[n] is not filled: the
 * winsorised ones vary more than by chance where all do not, and `df` is kept (limma does so). */
static double prior_robust(const struct prior_residuals *r, double *shift, double *df)
{
	gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(NODES);
	struct winsorised w = {.table = table, .tails = r->tails, .nu = r->nu};
	double *work = memory_alloc(memory_product(r->n, sizeof(*work))), mean;

	prior_winsorise(r->z, r->n, &r->tails, work);
	mean = gsl_stats_mean(work, 1, r->n);
	w.variance = gsl_stats_variance_m(work, 1, r->n, mean) * ((double)r->n - 1) /
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

/* Newton's iteration on 1/trigamma, which is nearly linear (Smyth 2004, appendix); it comes from
 * above and never leaves the domain. At the ends the first term of the series is enough. */
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
