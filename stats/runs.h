/* Several runs of one series: the run is the unit of replication. It does not compare two sides. */
#pragma once

#include <stddef.h>
#include "stats/sample.h"

struct runs {
	size_t runs;		     /* runs with at least one value */
	size_t steps_min, steps_max; /* values per run, over those */
	double mean;		     /* mean of the run means */
	double cv_step; /* sqrt(mean of the runs' variances) / mean; NaN when no run has 2 values */
	double cv_run;	/* sd of the run means / mean; NaN for one run; 0 exactly when all equal */
	double low,
		high; /* two runs and more: t(runs - 1) over run means; one run: as struct sample */
	struct sample pooled; /* all values in order, only for sum, median, quantiles, min, max;
				 never a CV */
};

/* Run r is x[first[r]] .. x[first[r+1] - 1]; first has runs + 1 entries. With one run the result
 * equals sample_describe. */
void runs_describe(const double *x, const size_t *first, size_t runs,
	const struct sample_options *opt, struct runs *out);
/* The same of values that are 0 but for a few: first[] counts the zeros, too. */
void runs_describe_sparse(const struct sparse *s, const size_t *first, size_t runs,
	const struct sample_options *opt, struct runs *out);
