/* The ranks of a job, each by itself: which of them are slow, in the whole of their work or in
 * single rows, and how the variance over ranks and steps splits. Nothing here makes a verdict about
 * runs: a rank is no replicate. */
#pragma once

#include "analysis/job/job_collectives.h"
#include "analysis/select/rules.h"
#include "model/ranks.h"
#include "stats/job/rank_culprits.h"
#include "stats/job/rank_split.h"

/* Classes of ops: each op has one. */
struct op_class {
	const char *name;
	bool is_work; /* not communication, not waiting */
};

struct op_classes {
	const struct op_class *item; /* sorted by name */
	size_t count;
	const uint32_t *of_op;
	const char *const *input; /* causes of idle devices that are input of the host */
	size_t input_count;
};

enum split_of { SPLIT_OF_WORK, SPLIT_OF_CLASS, SPLIT_OF_ROW };

/* The split of the work as a whole, of a class or of a row. */
struct job_split {
	enum split_of of;
	size_t index; /* of the class, of the group in the grouping */
	struct rank_split split;
};

struct job_ranks {
	const struct ranks *of;
	size_t steps;		 /* kept steps, of all runs together */
	struct rank_place *rank; /* of each rank, in its work; times in ps */
	double *work_ps;	 /* of each rank, the mean over its steps; NaN: it has none */
	/* The input in which a rank is late by more than the median rank, and by how much: a part
	 * of its excess. NULL: none. */
	const char **input;
	double *input_ps;
	double *work_of_step_ps; /* [rank * steps + step]; NaN: the rank has no such step */
	/* True if the work is without the time of communication and waiting. They are no work: who
	 * waits for a slow rank would look slow. Where nothing else has a time it is all there
	 * is. */
	bool without_waiting;
	const struct job_collectives *collectives; /* NULL: the sources have none */
	struct op_classes classes;
	struct job_split *split; /* the work, the classes, the rows in order */
	size_t split_count;
	const struct rank_culprit *culprit; /* rows are of the grouping; excess in ps */
	size_t culprit_count;
	size_t tests; /* 0: nobody could have been named */
	/* Sums of a job of which nothing else is there: these are of the rows and steps that are
	 * shown; else splits and culprits of rows are left out. */
	bool rows_are_known;
	/* Several jobs, of some of which only sums are there: nothing is said of any rank. */
	bool is_unknown;
	size_t other_ranks; /* that recorded other steps and are in no sum of a row */
	size_t least;	    /* ranks of the smallest group; below RANK_CULPRITS_RANKS: too few */
};

/* The input of hosts, by the rules of classes: their devices are idle meanwhile, and the other
 * ranks wait. */
int job_input_find(const struct cube *self, struct rules *rules, struct arena *arena,
	struct op_classes *out, struct error *err);

/* In the arena, in which the classes are, too. `self` has ranks. usual_rows: of devices and the
 * host those are left that a report shows without --on; only of these there are sums. */
struct job_ranks *job_ranks_make(const struct summary *summary, const struct cube *self,
	const struct op_classes *classes, bool usual_rows, struct arena *arena);

/* True if all of the row is work. The time of the others depends on who else is slow. */
bool job_ranks_is_work(const struct job_ranks *ranks, const struct group *row);

/* The mean over the ranks of the work of each step. */
double *job_ranks_mean_work(const struct job_ranks *ranks, struct arena *arena);
