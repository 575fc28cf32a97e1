/* Names of the ranks of a job. Internal to model/. */
#pragma once

#include "model/merge.h"

struct rank_names {
	const char **name;   /* of the rank of each profile; NULL: none */
	const char **folder; /* in which the other ranks of its run are */
	size_t assumed;	     /* processes that are ranks only by their times */
};

/* Names are the profiles' own words, else the number in which the names of files of one folder
 * differ after "rank", "worker" or "host", else the hosts and numbers of processes that were
 * recorded at one time. With one_job no name depends on the other files, and none is NULL. A
 * profile whose steps have ranks of their own has none. In the arena. */
int rank_names_find(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct arena *arena, struct rank_names *out, struct error *err);

/* The folder of the file that was read; "": none. A profiler of XLA has one for each recording in
 * the folder of all. */
const char *recording_folder(const struct profile *profile, struct arena *arena);
