/*
 * Splits the variance of steps in runs into what lies between runs and what lies within them: the
 * one-way layout with random effects. It compares no sides.
 */
#ifndef STEPSTAT_STATS_ONEWAY_H
#define STEPSTAT_STATS_ONEWAY_H

#include <stdbool.h>
#include <stddef.h>

struct oneway {
	size_t runs, n; /* runs that have values, and all values */
	/* steps of a run: n when all have the same, else a little below their mean */
	double typical;
	double ms_between, ms_within;
	double f, p;		 /* are the run means equal */
	double variance_between; /* (MSB - MSW)/typical, as it is, also below 0 */
	double variance_run;	 /* the same, 0 when below 0 */
	bool truncated;		 /* then it was */
	double icc;		 /* correlation of two steps of a run, as it is, also below 0 */
	double design_effect; /* 1 + (typical - 1) icc, at least 1: what one step counts less in a
				 mean */
	double mean, se;      /* mean of the run means, and its standard error by the runs */
};

/* Run r is x[first[r]] .. x[first[r+1] - 1]; first has runs + 1 entries. Everything but runs, n and
 * mean is NaN with fewer than 2 runs or without a run of 2 values; f, p, icc also when undefined.
 */
void oneway_describe(const double *x, const size_t *first, size_t runs, struct oneway *out);

#endif
