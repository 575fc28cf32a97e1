/*
 * The values of one op (or class, or the whole) in every rank and step of a job, and their sums. It
 * owns nothing and knows no names, files or units.
 */
#ifndef STEPSTAT_STATS_JOB_RANK_MATRIX_H
#define STEPSTAT_STATS_JOB_RANK_MATRIX_H

#include "model/sums/row_sums.h"

struct rank_matrix {
	/* x[rank * steps + step], whole numbers from 0 to ROW_SUMS_MOST; NaN: the rank has no value
	 * there. */
	const double *x;
	size_t ranks, steps;
	/* Group of each rank, from 0 and below `ranks`: its pipeline stage, say. NULL: one group.
	 */
	const size_t *group;
};

/* The sums of each group, `groups` of them, over the ranks that have a value at all and the steps
 * in which all of these have one. The caller releases them. */
void rank_matrix_sums(const struct rank_matrix *matrix, struct row_sums *group, size_t groups);

#endif
