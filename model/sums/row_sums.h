/* Sums of the times of one row (an op, a class) in the ranks and steps of a job. All of them are
 * whole numbers, and nothing depends on the order in which ranks are added or sums are joined: any
 * tree of joins gives the same bytes. It estimates nothing (stats/job does). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/number.h"

/* Number of the slowest ranks that are kept with their values. */
#define ROW_SUMS_SLOWEST 32
/* Largest value (2.5 hours in ps): above it a double may lose digits. */
#define ROW_SUMS_MOST ((uint64_t)1 << 53)
/* Mark of a step whose longest time several ranks have. */
#define ROW_SUMS_SEVERAL UINT32_MAX
/* Most ranks of a job: keeps all sums below 2^256. */
#define ROW_SUMS_RANKS ((size_t)1 << 24)
#define ROW_SUMS_STEPS ((size_t)1 << 20)

/* A rank by its number, with its values x[steps] and their sum. */
struct row_rank {
	uint32_t rank;
	wide_half sum;
	uint64_t *x;
};

/* Sums, with x the value of rank r in step t, S_r the sum of a rank over the steps. */
struct row_sums {
	size_t steps;
	uint64_t ranks;
	struct wide squares;	    /* sum over r and t of x^2 */
	struct wide rank_squares;   /* sum over r of S_r^2 */
	struct wide products;	    /* sum over r and t of x_rt x_r,t+1 */
	struct wide first_products; /* sum over r of S_r times its first value */
	struct wide last_products;  /* the same with the last one */
	uint64_t unit;		    /* the greatest that divides all values; 0: all are 0 */
	wide_half *step_sum;	    /* [step], over the ranks */
	uint64_t *longest;	    /* [step] */
	uint32_t *longest_rank;	    /* [step]: whose it is, or ROW_SUMS_SEVERAL */
	/* Slowest ranks, at most ROW_SUMS_SLOWEST, by their sums, the largest first; equal ones by
	 * number. */
	struct row_rank *slowest;
	size_t slowest_count, slowest_room;
};

/* No ranks; row_sums_release frees it. */
void row_sums_init(struct row_sums *sums, size_t steps);
void row_sums_release(struct row_sums *sums);

/* Adds a rank, which is not in it: x[steps], at most ROW_SUMS_MOST each. */
void row_sums_add(struct row_sums *sums, uint32_t rank, const uint64_t *x);
/* Adds the ranks of others: the same steps, no rank in both. */
void row_sums_join(struct row_sums *sums, const struct row_sums *from);
/* Takes a rank of `slowest` out of all sums, but not out of unit, longest and slowest. */
void row_sums_take_out(struct row_sums *sums, const struct row_rank *rank);
/* A copy of the sums without unit, longest and slowest. */
void row_sums_copy(struct row_sums *sums, const struct row_sums *from);
/* Adds a rank at the end of `slowest`, which is in its order then; else false. It is in the sums
 * already. */
bool row_sums_append_slowest(struct row_sums *sums, uint32_t rank, const uint64_t *x);
/* Rank r is to[r] from now on, in the same order. */
void row_sums_renumber(struct row_sums *sums, const uint32_t *to);

/* False where no values have these sums: they contradict Cauchy and Schwarz, or each other. */
bool row_sums_are_possible(const struct row_sums *sums);

/* Over all ranks and steps. */
wide_half row_sums_total(const struct row_sums *sums);
