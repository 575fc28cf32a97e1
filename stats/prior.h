/*
 * The distribution that the residual variances of many ops come from: a scaled inverse chi-squared,
 * fitted by moments of their logarithms (Smyth 2004). Internal to stats/: it tests nothing.
 */
#ifndef STEPSTAT_STATS_PRIOR_H
#define STEPSTAT_STATS_PRIOR_H

#include <stddef.h>

struct prior {
	size_t count; /* variances it was fitted to */
	double s2;    /* NaN when it depends on covariates */
	double df; /* INFINITY: they differ no more than by chance; 0: only one, nothing to learn */
};

/* Variances s2[n], those that are 0 do not count, with nu[n] degrees of freedom. covariate: NULL,
 * or n rows of `covariates` finite numbers; left aside when there are too few variances for them.
 * expected[n]: the variance that the prior expects, for all n. */
void prior_fit(const double *s2, const double *nu, size_t n, const double *covariate,
	size_t covariates, struct prior *out, double *expected);

/* The x with trigamma(x) = y, y > 0. */
double prior_trigamma_inverse(double y);

#endif
