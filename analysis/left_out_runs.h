/*
 * Runs that a comparison leaves out of a side: copies of another run, and single runs without a
 * steady state. Their steps are removed from a set that is selected already. Internal to analysis/.
 */
#ifndef STEPSTAT_ANALYSIS_LEFT_OUT_RUNS_H
#define STEPSTAT_ANALYSIS_LEFT_OUT_RUNS_H

#include "analysis/steps.h"

/* Fewer runs than this never remain of a side because of a run without a steady state. */
#define STEADY_RUNS_LEAST 3

/* Removes the runs from step, first, run and warmup of the set, and lists them in left_out.
 * index_of is made afterwards. */
void leave_out_runs(const struct cube *cube, const struct step_options *opt, struct arena *arena,
	struct step_set *set);

#endif
