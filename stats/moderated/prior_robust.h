/*
 * Robust hyperparameters of the prior of many variances. Phipson, Lee, Majewski, Alexander & Smyth,
 * Annals of Applied Statistics 10 (2016) 946-963, as in limma's fitFDistRobustly(). Internal to
 * stats/moderated/prior.c.
 */
#ifndef STEPSTAT_STATS_MODERATED_PRIOR_ROBUST_H
#define STEPSTAT_STATS_MODERATED_PRIOR_ROBUST_H

#include <stddef.h>

/* The tails that are winsorised: parts of the smallest and of the largest variances. */
struct prior_tails {
	double lower, upper;
};

/* Residuals of log variances about any location or trend. */
struct prior_residuals {
	double *z;
	size_t n;
	double nu;	/* degrees of freedom of all variances */
	size_t columns; /* fitted parameters of the trend, the location included */
	struct prior_tails tails;
	double df; /* of the prior, from moments that are not winsorised: the least possible */
};

/* Returns the prior's degrees of freedom; *shift: the log of its scale less the location that the
 * residuals are from; df[n]: those of each variance. *shift = NaN, and df[n] is not filled: the
 * winsorised ones vary more than by chance where all do not, and `df` is kept (limma does so). */
double prior_robust(const struct prior_residuals *residuals, double *shift, double *df);
/* out[n], another array: z[n] held between its quantiles at the two tails. */
void prior_winsorise(const double *z, size_t n, const struct prior_tails *tails, double *out);
/* The variance with degrees of freedom `to` that is as extreme as f, with `nu`, about a prior of
 * scale 1 with df. */
double prior_equivalent(double f, double nu, double to, double df);

#endif
