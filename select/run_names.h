/*
 * --runs=REGEX: the name of a run out of a path. It knows no profiles.
 */
#ifndef STEPSTAT_SELECT_RUN_NAMES_H
#define STEPSTAT_SELECT_RUN_NAMES_H

#include "model/merge.h"

/* Sets opt->name_run and its context, which live in the arena. A bad pattern is ERROR_USAGE. */
int run_names_make(
	const char *pattern, struct arena *arena, struct merge_options *opt, struct error *err);

#endif
