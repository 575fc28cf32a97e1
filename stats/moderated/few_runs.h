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
#ifndef STEPSTAT_STATS_MODERATED_FEW_RUNS_H
#define STEPSTAT_STATS_MODERATED_FEW_RUNS_H

#include "stats/moderated/spread_ratio.h"

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

#endif
