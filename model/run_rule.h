/*
 * Decides which steps of which profiles make which run. It compares contents: a dump whose steps
 * another dump contains is the same run. Internal to model/; merge.c builds the cube from the
 * result.
 */
#ifndef STEPSTAT_MODEL_RUN_RULE_H
#define STEPSTAT_MODEL_RUN_RULE_H

#include "base/vec.h"
#include "model/merge.h"

/* A step of a profile. */
struct run_piece {
	uint32_t profile, step;
	int64_t number;
	uint64_t fingerprint;
};

struct run_plan {
	const char *name;    /* unique */
	const char *sources; /* the files, blank-separated, and what was found to be the same run */
	struct run_piece *piece; /* in order of number, numbers distinct */
	size_t count;
};

/* Plans in natural order of names, in the arena. Duplicates found are told as issues. */
int run_rule_apply(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct arena *arena, struct issue_list *issues, struct run_plan **plans, size_t *plan_count,
	struct error *err);

#endif
