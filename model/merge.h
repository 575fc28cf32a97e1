/* Merges profiles into one cube: finds which files make which run and which are the same run, and
 * numbers ops by name, so that the order of the inputs cannot change the result. It reads no
 * files. */
#pragma once

#include "model/cube.h"

enum runs_mode {
	RUNS_AUTO,
	RUNS_FILES,
	RUNS_FOLDERS,
	RUNS_NAMED,
	RUNS_INPUTS /* each argument, with all that was found in it */
};
enum ranks_mode {
	RANKS_AUTO,
	RANKS_NONE, /* each is a run */
	RANKS_NAMED
};
/* Value that stands for the ranks of a step, for each op and measure: the mean over the ranks that
 * recorded the step, the largest, or the sum. */
enum rank_value { RANK_VALUE_MEAN, RANK_VALUE_MAX, RANK_VALUE_SUM };

/* Meaning of rows: parts of a step, which add up to it, or benchmarks. AUTO: benchmarks where all
 * profiles with steps say so. */
enum rows_mode { ROWS_AUTO, ROWS_PARTS, ROWS_BENCHMARKS };

struct merge_options {
	enum runs_mode mode;
	enum rows_mode rows;
	/* RUNS_NAMED: name of the run of a path (in the arena), or NULL with err set when the path
	 * gives none. */
	const char *(*name_run)(
		void *context, const char *path, struct arena *arena, struct error *err);
	void *context;
	enum ranks_mode ranks;
	/* All inputs are of one run, whatever their times; no rank may be there twice. */
	bool one_job;
	/* RANKS_NAMED: the same for the name of the rank. */
	const char *(*name_rank)(
		void *context, const char *path, struct arena *arena, struct error *err);
	void *rank_context;
	enum rank_value rank_value;
	const char *const *rank; /* the ranks that count, by name; NULL: all */
	size_t rank_count;
	/* The group of a rank, in the arena or that of the caller; NULL: what the source says. */
	const char *(*group_of_rank)(void *context, const char *rank);
	void *group_context;
	enum step_time_kind step_time; /* what a step's time is */
	size_t threads; /* that place rows and add up ranks, the caller's included; 0 is 1 */
	struct call_values *call_values; /* of the profiles; must outlive the cube. NULL: none */
	/* RUNS_INPUTS: the name of the run of each argument (profile->argument). */
	const char *const *input_run;
};

/* Moves the observations out of the profiles that are not kept. All remain the caller's. */
struct cube *merge_profiles(struct profile *const *profiles, size_t count,
	const struct merge_options *opt, struct error *err);

/* Issues found when the profiles become runs, without merging them; into the list's arena. */
int merge_check(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct issue_list *out, struct error *err);
