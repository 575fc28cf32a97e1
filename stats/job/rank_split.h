/* Split of the variance of a time over the ranks and the steps of a job: always the same ranks, all
 * ranks together, or changing. It names nobody (stats/job/rank_culprits.h does). */
#pragma once

#include "model/sums/row_sums.h"

/*
 * The sum of squares of two-way analysis of variance with one value a cell (Fisher). With the means
 * m of all, m_r of a rank, m_g of a group, m_t of a step:
 *
 *	total        = sum over ranks and steps of (x - m)^2, in units squared
 *	group        = steps * sum over ranks of (m_g - m)^2 / total
 *	in_group     = steps * sum over ranks of (m_r - m_g)^2 / total
 *	step         = ranks * sum over steps of (m_t - m)^2 / total
 *	rank_by_step = sum over ranks and steps of (x - m_r - m_t + m)^2 / total
 *
 * The four parts add up to 1. They are NaN with less than two ranks or two steps, and where all
 * values are equal; total is then NaN or 0. With one group `group` is 0.
 */
struct rank_split {
	size_t ranks, steps;
	double total;
	double group, in_group, step, rank_by_step;
};

/* Split of the sums of each group of ranks, all over the same steps; groups may be empty. */
void rank_split_compute(const struct row_sums *group, size_t count, struct rank_split *out);

/* The values of one op (or class, or the whole) in every rank and step of a job, and their sums. It
 * owns nothing and knows no names, files or units. */

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
