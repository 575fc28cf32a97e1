/* Sums of the ranks of a job (model/sums/job_sums.h), from what each of them recorded and from the
 * sums of others: a partial job is made of them. */
#pragma once

#include "analysis/job/job_ranks.h"
#include "analysis/summary.h"
#include "model/ranks.h"

/* The rows are groups of ops of the cube, which has ranks, over its kept steps; the class of an op
 * is that of its row. Each rank is in the set of its steps. The sums of sources that stand for
 * several ranks are used up. The caller frees it. NULL with err set: there are too many sets of
 * steps, or steps of such a source are not kept. */
struct job_sums *job_sums_make(const struct cube *self, const struct step_set *steps,
	const struct grouping *rows, const struct op_classes *classes, struct error *err);

/* The ranks of a job of which only sums are there (a .part file), for analysis/job/job_ranks.h: the
 * work of each rank in the kept steps, and the sums of rows as they were added up. */

struct part_sums {
	struct job_sums *job;
	struct sums_set *set; /* the one of most ranks: its rows are what is known */
	const struct ranks *ranks;
	const struct cube *self;
	struct row_sums none; /* of no rank */
	uint32_t *to, *back;  /* of each rank of the set its number in the job, and back */
	/* The kept steps are those of the set, so that its sums are of these. */
	bool same_steps;
	size_t other_ranks; /* that recorded other steps: they are in no row */
};

/* False: the values of the single ranks are there, or there are several jobs. The arrays are in the
 * arena. part_sums_close gives the sums their own numbers of ranks back. */
bool part_sums_open(struct part_sums *part, const struct summary *summary, const struct cube *self,
	struct arena *arena);
void part_sums_close(struct part_sums *part);

/* x[rank * kept steps + step]: the work, or all; NaN: not known. Returns its sum. */
double part_sums_work(
	const struct part_sums *part, const struct summary *summary, bool all, double *x);
/* The sums of a row in each group of ranks, whose numbers group[rank] are below `groups`; NULL: one
 * group. They stay the part's; a group that is not in the row has sums of no rank. */
void part_sums_row(const struct part_sums *part, const struct sums_row *row, const size_t *group,
	size_t groups, struct row_sums *out);
/* NULL: no rank has it. */
const struct sums_row *part_sums_find(
	const struct part_sums *part, const char *name, bool is_class, bool on_accelerator);
