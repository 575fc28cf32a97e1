/* Test for slow ranks of a group in one row, from its sums alone: no values of single ranks but
 * those of the slowest. Internal to stats/job. */
#pragma once
#include <stddef.h>
#include "model/sums/row_sums.h"

/* A rank that may be a culprit. */
struct row_suspect {
	uint32_t rank;
	bool known;    /* it is a culprit of the whole */
	double excess; /* mean of its value less that of the ranks that it is held against */
	double p;      /* of the single test */
};

/* The suspects of a group. tests: of how many ranks one was looked for, the known ones left out; 0:
 * too few ranks or steps. */
struct row_tested {
	size_t tests, count;
	struct row_suspect suspect[ROW_SUMS_SLOWEST];
};

/* known[rank]; `level` of all tests together. */
void row_test(const struct row_sums *sums, const bool *known, double level, struct row_tested *out);
/* Number of steps in which this rank alone has the longest time. */
size_t row_slowest_in(const struct row_sums *sums, uint32_t rank);

/* One rank held against the others of its group: the test that the whole of a job and its rows
 * share. Internal to stats/job; doc/statistics.md, "Several ranks", has the reasons. */

/* Slowness of a rank: a part of the time of the others. */
struct rank_level {
	size_t index;
	size_t steps;
	double level;
	double noise; /* variance of the level by the steps of this rank, as far as they show it */
	double noise_df;
};

/* The ranks that it is held against. */
struct rank_others {
	size_t count;
	double mean, squares; /* of their levels */
	double noise;	      /* sum of theirs */
};

/* Variance of the mean of a series of rank->steps values, from the squares of their distances from
 * the mean and the products of neighbours; fills noise and noise_df. */
void rank_level_set_noise(struct rank_level *rank, double squares, double products);

/* One-sided p; 1 below RANK_CULPRITS_LEAST. `grid` is what rounding alone may make of equal times.
 */
double rank_test(const struct rank_level *rank, const struct rank_others *others, double grid);
