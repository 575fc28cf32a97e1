/*
 * The test of one row by one method: difference, p values, interval. Internal to analysis/compare/:
 * it knows no other rows but for the prior that it is handed, and adjusts nothing.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_ROW_TEST_H
#define STEPSTAT_ANALYSIS_COMPARE_ROW_TEST_H

#include "analysis/compare/comparison.h"
#include "stats/ranks.h"

/* The run values of both sides as arrays, on the scale of the test; unknown ones are left out. */
struct row_test_sample {
	double *base, *new;
	size_t base_n, new_n;
	size_t *base_run, *new_run; /* which run of the side each is */
};

/* `linear`: the values themselves instead of their logarithms. Room: the runs of each side. */
void row_test_read(const struct compared *value, bool linear, struct row_test_sample *out);

/* Fills diff, se, df, t, p, p_above, p_below and p_same of what follows a t distribution; `linear`:
 * differences are values, not logarithms. */
void row_test_conclude(struct compared *value, double diff, double se, double df, bool linear);
/* Raises the p values of a concluded row for the chance `stray` that its standard error is `se`
 * (stats/moderated/moderated.h). */
void row_test_allow_stray(struct compared *value, double stray, double se);
/* The test by ranks: p values exact, the shift of Hodges and Lehmann. */
void row_test_ranks(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x);
/* The test by t. */
void row_test_welch(struct compared *value, const struct row_test_sample *x);
/* Welch on the values themselves, of which some are 0; p is not below the smaller one of the exact
 * p of ranks and of Welch's without the zeros. */
void row_test_linear(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x);

/* The interval of the change at value->level. tables: for ranks, else NULL. Where a run value is 0
 * it is NaN if it would reach -100 % or base is 0, infinite if base is not clearly above 0. */
void row_test_interval(
	struct compared *value, struct rank_tables *tables, const struct row_test_sample *x);

/* A margin as a logarithm. */
double row_test_log_margin(const struct compared *value);
/* The margins on the scale of the test, below and above: logarithms, or base units (linear), where
 * they are 1/(1+m) and 1+m of base too; of a base of 0 the same both ways. */
void row_test_margins(const struct compared *value, bool linear, double *low, double *high);

#endif
