/* The distribution that the residual variances of many ops come from: a scaled inverse chi-squared,
 * fitted by moments of their logarithms (Smyth 2004), or by winsorised ones, with fewer degrees of
 * freedom for outliers (Phipson et al. 2016). Internal to stats/: it tests nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The tails that are winsorised: parts of the smallest and of the largest variances. */
struct prior_tails {
	double lower, upper;
};

/* Variances s2[n], those that are 0 do not count, with nu[n] degrees of freedom. covariate: NULL,
 * or n rows of `covariates` finite numbers, at most PRIOR_COVARIATES; left aside when there are too
 * few variances for them. One that is constant, or a combination of those before it, is left out.
 */
struct prior_data {
	const double *s2, *nu;
	size_t n;
	const double *covariate;
	size_t covariates;
	/* The covariates from this one on are left out unless they take away this many times the
	 * residual variance that is left (the F of their regression). gain = 0: none is. */
	size_t optional;
	double gain;
	/* Standard errors that are added to the spread of the variances beyond chance, from which
	 * the degrees of freedom follow: they are an estimate, and too many claim what is not
	 * there. 0: Smyth's estimate. */
	double caution;
	/* True if the location then stays that of Smyth's estimate, which is higher: with few
	 * variances fewer degrees of freedom alone are not cautious. */
	bool keep_location;
	/* Tails for winsorised moments, as in limma's fitFDistRobustly(); 0: plain moments. With
	 * too few variances for one of them in a tail there is nothing to winsorise. The trend
	 * differs from limma's: linear as without tails, refitted to the winsorised residuals. */
	struct prior_tails tails;
	/* Standard errors of their variance by which log variances must vary more than the
	 * winsorised fit expects for it to be used: without outliers the plain moments claim less
	 * that is not there (doc/statistics-simulation.md). 0: always. */
	double evidence;
};

enum { PRIOR_COVARIATES = 4 };

struct prior {
	size_t count; /* variances it was fitted to */
	double s2;    /* NaN when it depends on covariates */
	double df; /* INFINITY: they differ no more than by chance; 0: only one, nothing to learn */
	size_t columns; /* parameters of the trend, the location included */
	bool robust;	/* the winsorised fit was taken */
};

/* expected[n]: the variance that the prior expects, for all n. df[n]: the degrees of freedom with
 * which it holds for each; out->df but for outliers. */
void prior_fit(const struct prior_data *data, struct prior *out, double *expected, double *df);

/* The x with trigamma(x) = y, y > 0. */
double prior_trigamma_inverse(double y);
