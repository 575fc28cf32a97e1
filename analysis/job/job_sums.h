/*
 * Sums of the ranks of a job (model/sums/job_sums.h), from what each of them recorded and from the
 * sums of others: a partial job is made of them.
 */
#ifndef STEPSTAT_ANALYSIS_JOB_JOB_SUMS_H
#define STEPSTAT_ANALYSIS_JOB_JOB_SUMS_H

#include "analysis/job/job_ranks.h"

/* The rows are groups of ops of the cube, which has ranks, over its kept steps; the class of an op
 * is that of its row. Each rank is in the set of its steps. The sums of sources that stand for
 * several ranks are used up. The caller frees it. NULL with err set: there are too many sets of
 * steps, or steps of such a source are not kept. */
struct job_sums *job_sums_make(const struct cube *self, const struct step_set *steps,
	const struct grouping *rows, const struct op_classes *classes, struct error *err);

#endif
