/*
 * One rank held against the others of its group: the test that the whole of a job and its rows
 * share. Internal to stats/job; doc/statistics.md, "Several ranks", has the reasons.
 */
#ifndef STEPSTAT_STATS_JOB_RANK_TEST_H
#define STEPSTAT_STATS_JOB_RANK_TEST_H

#include <stddef.h>

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
/* Number of independent steps that a mean over n correlated ones is worth; r1 is as measured. */
double rank_steps_worth(double n, double r1);

/* One-sided p; 1 below RANK_CULPRITS_LEAST. `grid` is what rounding alone may make of equal times.
 */
double rank_test(const struct rank_level *rank, const struct rank_others *others, double grid);

#endif
