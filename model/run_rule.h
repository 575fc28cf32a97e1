/* Decides which steps of which profiles make which run. It compares contents: a dump whose steps
 * another dump contains is the same run. Internal to model/; merge.c builds the cube from the
 * result. */
#pragma once

#include "base/memory.h"
#include "model/merge.h"
#include "model/run/run_pieces.h"

struct run_plan {
	const char *name;    /* unique */
	const char *sources; /* the files, blank-separated, and what was found to be the same run */
	const char *path;    /* the file; NULL: several */
	/* Pieces in order of place, then of rank; no two of one place and one rank. Places are in
	 * order of time, where it is not known of number. */
	struct run_piece *piece;
	size_t count;
	const char *rank, *rank_group; /* of a run on one process; NULL: not known, or several */
	bool several_ranks;
};

struct run_plans {
	struct arena *arena;	   /* set by the caller: it owns the plans */
	struct issue_list *issues; /* set by the caller: duplicates are reported there */
	struct run_plan *plan;	   /* in natural order of names */
	size_t count;
	/* The ranks of all runs, in natural order of their names; none unless a run has several. */
	const char **rank, **rank_group; /* groups are NULL where not known */
	size_t rank_count;
};

int run_rule_apply(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct run_plans *out, struct error *err);
