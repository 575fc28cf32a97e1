/* Methods that look at the order of values only: the rank-sum test with exact p, also with
 * ties, the shift that belongs to it, and the sign test. No approximation: beyond the limits there
 * is no p. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define RANKS_PAIRS_MAX 10000 /* pairs of one value a side, for a p or an interval */

struct rank_table;

/* Distributions without ties that were needed so far; kept by the caller, for one thread at a
 * time. */
struct rank_tables {
	struct rank_table *table;
	size_t count, room;
};

void rank_tables_init(struct rank_tables *tables);
void rank_tables_release(struct rank_tables *tables);

struct rank_test {
	double statistic; /* pairs with new above base; ties count half */
	bool ties;
	double p;	      /* as far from the expected value as this, or farther */
	double less, greater; /* new is lower / higher */
};

/* The values of both sides. */
struct rank_samples {
	const double *base;
	size_t base_n;
	const double *new;
	size_t new_n;
};

/* Wilcoxon 1945, Mann & Whitney 1947; over all assignments of the (mid)ranks to the sides. NaN when
 * a side is empty or there are more than RANKS_PAIRS_MAX pairs. */
void rank_sum_test(struct rank_tables *tables, const struct rank_samples *x, struct rank_test *out);
/* The least two-sided p that such samples can have: no result below is possible. */
double rank_sum_smallest_p(size_t base_n, size_t new_n);

struct rank_interval {
	double estimate;
	size_t rank; /* from the rank-th smallest to the rank-th largest of the pairs; 0: none */
	double coverage; /* without ties; at least what was asked for */
	double low,
		high; /* NaN when these samples are too small for the confidence, or too large */
};

/* Hodges & Lehmann 1963: the median of all differences new - base. */
void rank_shift(struct rank_tables *tables, const struct rank_samples *x, double confidence,
	struct rank_interval *out);

/* Two-sided exact p of the number of values above and below, by chance alike. It knows no sizes; a
 * value neither above nor below is left out before. NaN when both are 0. */
double sign_test(size_t above, size_t below);
