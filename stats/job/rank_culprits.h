/* Test for slow ranks of a job, in the whole of their work or in single rows (ops, classes), with a
 * bound on how often a rank is named that is as good as the others. It splits no variance
 * (stats/job/rank_split.h). Method, assumptions and limits: doc/statistics.md, "Several ranks". */
#pragma once

#include "model/sums/row_sums.h"
#include "stats/job/rank_split.h"
#include "stats/job/row_test.h"

/* Largest share of jobs with any culprit, among jobs whose ranks are alike. */
#define RANK_CULPRITS_ALPHA 0.05
/* Half of it for the whole, half for all rows together. */
#define RANK_CULPRITS_SHARE 0.5
/* Least part of the row that matters: less is no matter, however sure. */
#define RANK_CULPRITS_LEAST 0.01
/* Fewer ranks in a group have no culprit: of two nobody knows whether one is slow or one fast. */
#define RANK_CULPRITS_RANKS 3
/* A rank with fewer values is not looked at. */
#define RANK_CULPRITS_STEPS 3
/* The row of a culprit of the whole. */
#define RANK_CULPRITS_WHOLE ((size_t)-1)

/* One rank in one matrix, among all ranks, whatever the groups: description, no test. */
struct rank_place {
	size_t steps;	   /* in which it has a value */
	size_t slowest_in; /* of these it alone is the slowest in so many */
	double excess;	   /* mean of its value less the median rank's of the step; NaN: no steps */
};

/* One rank that is named, among the ranks of its group. */
struct rank_culprit {
	size_t row;	   /* as given, or RANK_CULPRITS_WHOLE */
	size_t rank;	   /* index in the matrix */
	size_t ranks;	   /* of its group that were looked at, it included */
	size_t steps;	   /* in which it has a value */
	size_t slowest_in; /* of these it alone is the slowest of its group in so many */
	/* Excess in the whole: as in struct rank_place, but over the group's median; in a row: mean
	 * of its value less that of the ranks of the group that it is compared with; unit of x. */
	double excess;
	double p; /* adjusted for everything that was tested: at most RANK_CULPRITS_ALPHA */
};

struct rank_culprits;

/* Tests of matrices of that size; group as in struct rank_matrix, copied. Free them with
 * rank_culprits_free. Memory is that of one matrix at most, and of the named ranks. */
struct rank_culprits *rank_culprits_new(size_t ranks, size_t steps, const size_t *group);
void rank_culprits_free(struct rank_culprits *culprits);

/* First the whole, once or not at all: the work of each rank, without waiting and communication,
 * else the others look slow who wait for the slow one. x as in struct rank_matrix and not kept;
 * place[ranks] is filled. Then any number of rows: the sums of each group, which are numbered in
 * order of their first ranks, over the same steps; ranks of the sums are indexes in the matrix. */
void rank_culprits_whole(struct rank_culprits *culprits, const double *x, struct rank_place *place);
/* Rows may be tested by several threads, tested[groups], and then be kept in their order. */
void rank_culprits_row(struct rank_culprits *culprits, size_t row, const struct row_sums *group,
	const struct row_tested *tested /* NULL: not yet */);
void rank_culprits_test(const struct rank_culprits *culprits, const struct row_sums *group,
	struct row_tested *tested);

/* Ends the tests. Those who are named: of the whole first, then by excess, row and rank; owned by
 * `culprits`. */
const struct rank_culprit *rank_culprits_named(struct rank_culprits *culprits, size_t *count);
/* Number of tests of a rank, whole and rows; 0: no rank could have been named. */
size_t rank_culprits_tests(const struct rank_culprits *culprits);
