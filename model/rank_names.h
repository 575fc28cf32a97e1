/*
 * Names of the ranks of a job. Internal to model/.
 */
#ifndef STEPSTAT_MODEL_RANK_NAMES_H
#define STEPSTAT_MODEL_RANK_NAMES_H

#include "model/merge.h"

/* The name of the rank of each profile: of the profiles' own words, else the number in which the
 * names of files of one folder differ after "rank", "worker" or "host". NULL: none. With
 * one_job no name depends on the other files, and none is NULL. A profile whose steps have
 * ranks of their own has none. In the arena. */
int rank_names_find(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct arena *arena, const char ***out, struct error *err);

#endif
