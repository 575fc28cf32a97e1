/*
 * The values of one op (or class, or the whole) in every rank and step of a job: what the functions
 * of this folder look at. It owns nothing and knows no names, files or units.
 */
#ifndef STEPSTAT_STATS_JOB_RANK_MATRIX_H
#define STEPSTAT_STATS_JOB_RANK_MATRIX_H

#include <stddef.h>

struct rank_matrix {
	/* x[rank * steps + step], at least 0, finite; NaN: the rank has no value there. */
	const double *x;
	size_t ranks, steps;
	/* Of each rank, from 0 and below `ranks`: its pipeline stage, say. NULL: all are one. */
	const size_t *group;
};

#endif
