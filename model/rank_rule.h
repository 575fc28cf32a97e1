/* Rule for which recordings are the processes ("ranks") of one run. A recording is a run as the
 * rule for runs (run_rule.h) finds it: the steps of one process. Internal to model/. */
#pragma once

#include "model/run_rule.h"

/* Facts about a recording besides its steps. */
struct recording {
	struct run_plan plan; /* of this rank alone */
	/* Recordings with the same job are the ranks of one run. */
	const char *job;
	const char *folder; /* of the file; "" when named on the command line alone */
};

/* Makes runs of recordings: those of one job; with RUNS_AUTO those of different ranks in one folder
 * that overlap in time, or, where times are not known, have the same step numbers. The plans are in
 * the order of the recordings. ERROR_INPUT for a chosen rank that is not there. */
int rank_rule_apply(struct profile *const *profiles, const struct recording *recording,
	size_t count, const struct merge_options *opt, struct run_plans *out, struct error *err);
