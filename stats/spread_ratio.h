/*
 * One ratio of the variances of two sides, from many ops whose own variances are not known.
 * Internal to stats/: it tests no op.
 *
 * With sums of squares SSb and SSn of nb and nn degrees of freedom, u = SSn/(SSn + k SSb) has mean
 * nn/(nn + nb) when k is the ratio: F, as a beta variable. Sum over the ops of (nn + nb)(u - mean)
 * is the score of the likelihood of log F, and as u is between 0 and 1, no op decides alone. Its
 * spread between ops gives the standard error.
 */
#ifndef STEPSTAT_STATS_SPREAD_RATIO_H
#define STEPSTAT_STATS_SPREAD_RATIO_H

#include <stddef.h>

/* Sums of squared deviations of one op; one without any is left out. */
struct spread_pair {
	double base, new;
	double base_df, new_df;
};

struct spread_ratio {
	size_t count;  /* ops that it is made of */
	double ratio;  /* new over base; NaN without ops, 0 or INFINITY when a side has no spread */
	double log_se; /* of its logarithm, the ops taken as independent; NaN below 2 ops */
};

void spread_ratio(const struct spread_pair *pair, size_t n, struct spread_ratio *out);

#endif
