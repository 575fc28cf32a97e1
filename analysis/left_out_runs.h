/*
 * Runs that a comparison leaves out of a side: copies of another run, and single runs without a
 * steady state. It takes their steps out of a set that is selected already. Internal to analysis/.
 */
#ifndef STEPSTAT_ANALYSIS_LEFT_OUT_RUNS_H
#define STEPSTAT_ANALYSIS_LEFT_OUT_RUNS_H

#include "analysis/steps.h"

/* Fewer runs than this never remain of a side because of a run without a steady state. */
#define STEADY_RUNS_LEAST 3

/* Takes the runs out of step, first, run and warmup of the set; says which in left_out. index_of is
 * not touched: it is made after. */
void leave_out_runs(const struct cube *cube, const struct step_options *opt, struct arena *arena,
	struct step_set *set);

#endif
