/* Jobs made up of ranks that are alike, in many meanings of the word, or of which one is slow, and
 * how often stats/job/rank_culprits.h names a rank of them. It prints nothing and judges
 * nothing. */
#pragma once

#include <stddef.h>
#include <gsl/gsl_rng.h>

/* What makes the times of a row: all but `grid_us` are parts of the row's time, or standard
 * deviations of its logarithm. */
struct rank_world {
	const char *name;
	double noise;	 /* of each value */
	double lag1;	 /* correlation of the noise of a rank from step to step */
	double common;	 /* of a step, in all ranks */
	double rank;	 /* natural spread of the ranks, in all rows */
	double rank_row; /* the same, in each row its own */
	double spikes;	 /* steps in which one rank takes five times as long, in each row */
	double hosts;	 /* how much slower half of the ranks are */
	double fast;	 /* how much faster one rank is */
	double grid_us;	 /* times are whole numbers of it, and short */
	size_t groups;	 /* stages, each slower than the one before by a tenth */
};

/* Worlds without a culprit. */
extern const struct rank_world rank_worlds[];
extern const size_t rank_worlds_count;

struct rank_size {
	size_t ranks, steps, rows;
};

/* The slow rank: by which part, in how many of the rows (0: in all). 0, 0: nobody is slow. */
struct rank_plant {
	double by;
	size_t rows;
};

/* In how many jobs whom is named. */
struct rank_tally {
	size_t jobs;
	size_t whole, row;		    /* the slow rank, in the whole, in a row that is slow */
	size_t elsewhere;		    /* it, in a row that is not */
	size_t false_whole, false_row, any; /* another; either of the two */
};

void rank_world_run(gsl_rng *rng, const struct rank_world *world, const struct rank_size *size,
	const struct rank_plant *plant, size_t jobs, struct rank_tally *tally);
