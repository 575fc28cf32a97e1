/*
 * Merges profiles into one cube: finds which files make which run and which are the same run, and
 * numbers ops by name, so that the order of the inputs cannot change the result. It reads no files.
 */
#ifndef STEPSTAT_MODEL_MERGE_H
#define STEPSTAT_MODEL_MERGE_H

#include "model/cube.h"

enum runs_mode { RUNS_AUTO, RUNS_FILES, RUNS_FOLDERS, RUNS_NAMED };

struct merge_options {
	enum runs_mode mode;
	/* RUNS_NAMED: name of the run of a path (in the arena), or NULL with err set when the path
	 * gives none. */
	const char *(*name_run)(
		void *context, const char *path, struct arena *arena, struct error *err);
	void *context;
	enum step_time_kind step_time;	 /* what a step's time is */
	struct call_values *call_values; /* of the profiles; must outlive the cube. NULL: none */
};

/* Moves the observations out of the profiles, which remain the caller's. */
struct cube *merge_profiles(struct profile *const *profiles, size_t count,
	const struct merge_options *opt, struct error *err);

#endif
