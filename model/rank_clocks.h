/* Test whether the clocks of the ranks of a job can agree. Ranks of one job meet in each step, so
 * the same step of two of them has a moment in common; where it has none in any step, their clocks
 * are apart. Only files that name the size of their job are compared: others may not wait for each
 * other. Internal to model/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/run_rule.h"

/* Codes of the issues. */
#define RANK_CLOCK "rank-clock" /* ranks of a run whose clocks are apart */
#define RANK_TIMES "rank-times" /* ranks of a job that may be of one run, at times apart */

/* Pieces of one rank, in order of number. */
struct rank_pieces {
	const struct run_piece *piece;
	size_t count;
};

/* Time that the clocks of two ranks are apart at least, by the steps that both have; 0: they may
 * agree, or the steps say nothing (fewer than two in common, times not known, further apart than 53
 * days, no one shift explains all). */
int64_t rank_clocks_apart_ps(
	struct profile *const *profiles, const struct rank_pieces *a, const struct rank_pieces *b);
/* The processes of the job that this profile is one of; 0: it does not say, or is alone. */
int64_t rank_clocks_world(const struct profile *profile);
/* Adds RANK_CLOCK to plans->issues: for each run its ranks against the one that began in the
 * middle. */
void rank_clocks_check(struct profile *const *profiles, const struct run_plans *plans);
/* Adds a recording at another time than those of the other ranks of its steps to RANK_TIMES. */
void rank_clocks_note_times(
	const struct run_plans *plans, const char *rank, int64_t apart_ps, const char *path);

/* Least difference of two clocks, from work that both saw at one time: a collective, in which all
 * ranks are for a moment together. It knows no ranks and no events. */

/* The same work by both clocks. Times are below 2^62 ps. */
struct clock_pair {
	int64_t a_start_ps, a_end_ps, b_start_ps, b_end_ps;
};

/* Bounds of the shift that, added to times of clock b, makes them times of clock a. */
struct clock_bounds {
	int64_t low_ps, high_ps; /* INT64_MIN, INT64_MAX: no pair says */
	bool contradicts;	 /* low is above high: the clocks drift, or what was paired is not
				    the same work */
};

/* The intervals of a pair have a moment in common, so that the shift is more than a_start - b_end
 * and less than a_end - b_start; of all pairs the narrowest bounds hold. */
struct clock_bounds clock_bounds_find(const struct clock_pair *pair, size_t count);
/* Time that the clocks are apart at least; 0: they may agree. */
int64_t clock_bounds_apart_ps(const struct clock_bounds *bounds);
