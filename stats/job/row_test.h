/*
 * Test for slow ranks of a group in one row, from its sums alone: no values of single ranks but
 * those of the slowest. Internal to stats/job.
 */
#ifndef STEPSTAT_STATS_JOB_ROW_TEST_H
#define STEPSTAT_STATS_JOB_ROW_TEST_H

#include "model/sums/row_sums.h"

/* A rank that may be a culprit. */
struct row_suspect {
	uint32_t rank;
	bool known;    /* it is a culprit of the whole */
	double excess; /* mean of its value less that of the ranks that it is held against */
	double p;      /* of the single test */
};

/* The suspects, at most ROW_SUMS_SLOWEST. *tests: of how many ranks one was looked for, the known
 * ones left out; 0: too few ranks or steps. known[rank]; `level` of all tests together. */
size_t row_test(const struct row_sums *sums, const bool *known, double level,
	struct row_suspect suspect[ROW_SUMS_SLOWEST], size_t *tests);
/* Number of steps in which this rank alone has the longest time. */
size_t row_slowest_in(const struct row_sums *sums, uint32_t rank);

#endif
