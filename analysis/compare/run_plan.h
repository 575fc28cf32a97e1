/*
 * How many runs a comparison needs, judged by the runs that there are: the spread of the median op,
 * the prior, and the adjustment for the number of ops stay as they were found. So does what the
 * resolution of the times hides.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_RUN_PLAN_H
#define STEPSTAT_ANALYSIS_COMPARE_RUN_PLAN_H

#include "analysis/compare/comparison.h"

/* With more it is not a plan. */
#define RUN_PLAN_MOST 100

/* Runs a side (2 or more) with which a change of the median op (a fraction) is found SLOWER in 80 %
 * of cases; 0: with more than RUN_PLAN_MOST, or not known. */
size_t run_plan_runs(
	const struct compared_measure *measure, enum compare_method method, double change);
/* A number of runs, and between which numbers 8 of 10 such plans would lie: the spread is known
 * from few runs itself. */
struct run_plan_range {
	size_t runs, least, most; /* 0: more than RUN_PLAN_MOST, or not known */
};

/* The same for the rows that are INCONCLUSIVE. */
struct run_plan_range run_plan_open(
	const struct compared_measure *measure, enum compare_method method, double change);
/* The change that `runs` runs a side find in 80 % of cases; NAN: not known. */
double run_plan_change(
	const struct compared_measure *measure, enum compare_method method, size_t runs);

#endif
