/*
 * Rows of single ranks: each rank of a job, in the steps that the report is about, described as the
 * job as a whole is.
 */
#ifndef STEPSTAT_ANALYSIS_JOB_RANK_ROWS_H
#define STEPSTAT_ANALYSIS_JOB_RANK_ROWS_H

#include "analysis/summary.h"

/* The parts of the summary become those of each rank over all runs, ordered by rank; with per_run
 * those of each rank of each run, ordered by run, then rank. Shares are of the op time of the rank.
 * `self` has ranks and is what the summary was made of. ERROR_INPUT as cube_totals. */
int rank_rows_add(
	struct summary *summary, const struct cube *self, bool per_run, struct error *err);

#endif
