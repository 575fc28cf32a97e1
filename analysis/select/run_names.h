/*
 * The name of a run, a rank or a round, out of a path: --runs=REGEX, --ranks=REGEX, --pair=REGEX.
 * It knows no profiles.
 */
#ifndef STEPSTAT_ANALYSIS_SELECT_RUN_NAMES_H
#define STEPSTAT_ANALYSIS_SELECT_RUN_NAMES_H

#include "model/merge.h"

struct run_namer;

/* Namer of runs or ranks, in the arena; a bad pattern is ERROR_USAGE. `option` and `what` it names
 * are for messages: "--runs", "run". */
struct run_namer *run_namer_new(const char *option, const char *what, const char *pattern,
	struct arena *arena, struct error *err);
/* The first capture group of the match, or the whole match; NULL is ERROR_INPUT. `namer` is a
 * struct run_namer, as struct merge_options wants it. */
const char *run_namer_name(void *namer, const char *path, struct arena *arena, struct error *err);

#endif
