/* One ratio of the variances of two sides, from many ops whose own variances are not known.
 * Internal to stats/: it tests no op.
 *
 * With sums of squares SSb and SSn of nb and nn degrees of freedom, u = SSn/(SSn + k SSb) has mean
 * nn/(nn + nb) when k is the ratio: F, as a beta variable. Sum over the ops of (nn + nb)(u - mean)
 * is the score of the likelihood of log F, and as u is between 0 and 1, no op decides alone. Its
 * spread between ops gives the standard error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* With fewer ops nothing is known of how their own ratios differ. */
#define SPREAD_RATIO_OWN_OPS 4

/* Sums of squared deviations of one op; one without any is left out. */
struct spread_pair {
	double base, new;
	double base_df, new_df;
};

/* One ratio for all, and how far those of single ops lie from it. */
struct spread_ratio {
	size_t count;  /* ops that it is made of */
	double ratio;  /* new over base; NaN without ops, 0 or INFINITY when a side has no spread */
	double log_se; /* of its logarithm, the ops taken as independent; NaN below 2 ops */
	/* Variance of the logarithms of the ops' own ratios; 0: no more than chance, or too
	 * few ops. */
	double own_variance;
};

void spread_ratio(const struct spread_pair *pair, size_t n, struct spread_ratio *out);

/* The ratio of one op: between its own and that of all, as own_variance says, with the error of its
 * logarithm that all ops share, and the op's own. clustering: as the variance of log_se is to be
 * raised by, 1 or more. With one op alone, or where the others say less of it than its
 * own runs, its own ratio. */
struct spread_ratio_of_op {
	double ratio, common_log_se, own_log_se;
	double all_log_se; /* of the ratio of all */
};

struct spread_ratio_of_op spread_ratio_of_op(
	const struct spread_ratio *all, const struct spread_pair *op, double clustering);

/* A side without any spread gets next to none, so that a ratio exists. */
void spread_ratio_floor(struct spread_pair *op);

/*
 * The t test of a difference where the smaller side has so few runs that the ratio of the sides'
 * variances is hardly known: averaged over the ratio. Internal to stats/: a part of the moderated
 * test.
 *
 * With l the logarithm of the ratio, flat before the data where one side's standard deviation is at
 * most 100 times the other's, a row weighs it by its own likelihood
 *
 *	L(l) = exp(-l new_df/2) (base + new exp(-l))^(-nu/2)	base, new: sums of squares
 *
 * times those of the other rows, to the power chance/(chance + rows tau^2) where the rows have
 * ratios of their own with variance tau^2 (stats/moderated/spread_ratio.h). The p value is the mean
 *of those at each ratio. For one row this is the test of Behrens (1929) and Fisher (1935).
 */

/* Below so many degrees of freedom of the smaller side, over all rows, or with two runs there, the
 * ratio is averaged over, unless the larger side has hardly more: there Welch's approximation holds
 * its level and finds more (doc/statistics-simulation.md). */
#define FEW_RUNS_DF 4
#define FEW_RUNS_UNEQUAL 2

struct few_runs {
	const struct spread_pair *pair; /* of all rows of the family */
	size_t rows;
	const struct spread_ratio *ratio; /* of them */
};

/* One row of them: its prior variance of a run of base with prior_df, as found at the ratio of all,
 * and the runs with a value. */
struct few_runs_row {
	size_t place; /* in them; SIZE_MAX: it says nothing of the ratio */
	struct spread_pair pair;
	double s2_prior, prior_df, df; /* df: of the test at a known ratio */
	size_t runs_base, runs_new;
};

/* True if the ratio is to be averaged over: see FEW_RUNS_DF. */
bool few_runs_applies(const struct few_runs *all);

/* The t distribution, times *se, with *df degrees of freedom that has the same two-sided
 * probabilities as the mean over the ratio at 0.05 and 0.005. */
void few_runs_test(
	const struct few_runs *all, const struct few_runs_row *row, double *se, double *df);
