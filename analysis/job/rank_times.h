/* The times of an op, or of several together, in the ranks and steps of a job: unpacked one op
 * after the other, as a matrix for stats/job. It knows which step of which source goes where, and
 * estimates nothing. */
#pragma once

#include "model/cube.h"
#include "model/ranks.h"
#include "analysis/summary.h"

struct rank_times {
	const struct cube *self;
	size_t ranks, steps;
	double *x;	/* [rank][step], ps; what it is after rank_times_finish: rank_culprits.h */
	bool *recorded; /* the same: the rank has this step */
	bool *present;	/* of each rank: an op that was added is there in some step */
	/* The rest is its own. */
	size_t **cell; /* [source][step]: index in x */
	struct rank_line {
		size_t from, to, cell; /* steps from .. to - 1 have cells that follow each other */
	} * line;		       /* [source]; to is 0: there are none, or they do not */
	uint32_t *step;
	int64_t *accelerator, *cpu, *given; /* of the rows of a part */
};

/* A matrix in which no source has a place yet; in the arena. `self` has ranks. */
void rank_times_init(struct rank_times *times, const struct cube *self, size_t ranks, size_t steps,
	struct arena *arena);
/* Another matrix with the places of `from`, which outlives it: for another thread. */
void rank_times_share(struct rank_times *times, const struct rank_times *from, struct arena *arena);
/* This step of this source is that step of that rank in the matrix. */
void rank_times_place(
	struct rank_times *times, size_t source, size_t source_step, size_t rank, size_t step);

/* The cell of this step of this source; NULL: it has no place. */
double *rank_times_at(const struct rank_times *times, size_t source, size_t source_step);

/* Sums of 0, nothing present. */
void rank_times_clear(struct rank_times *times);
/* Adds the sums of another matrix with the same places, which is not finished either. */
void rank_times_join(struct rank_times *times, const struct rank_times *from);
/* Adds an op: its time is the accelerator's where it has any in the cube. */
void rank_times_add(struct rank_times *times, uint32_t op);
/* Adds the part of one source alone (rank_part of struct ranks), if it has accelerator time there
 * or not, as asked; else returns false. So a sum does not depend on what other sources have. */
bool rank_times_add_part(
	struct rank_times *times, uint32_t op, const struct rank_part *part, bool on_accelerator);
/* A time without a value becomes NaN: a rank in which no op was present, a step that a rank did not
 * record, a time that is too long for sums of squares. */
void rank_times_finish(struct rank_times *times);

/* The sums of several matrices, before they are finished. */
struct rank_totals {
	double *x;
	bool *present;
	double total; /* of what is known */
};

struct rank_totals rank_totals_new(const struct rank_times *times, struct arena *arena);
void rank_totals_add(struct rank_totals *totals, const struct rank_times *times);
/* The matrix becomes the sums, finished. */
void rank_totals_take(struct rank_times *times, const struct rank_totals *totals);

/* Rows of single ranks: each rank of a job, in the steps that the report is about, described as the
 * job as a whole is. */

/* The parts of the summary become those of each rank over all runs, ordered by rank; with per_run
 * those of each rank of each run, ordered by run, then rank. Shares are of the op time of the rank.
 * `self` has ranks and is what the summary was made of. ERROR_INPUT as cube_totals. */
int rank_rows_add(
	struct summary *summary, const struct cube *self, bool per_run, struct error *err);
