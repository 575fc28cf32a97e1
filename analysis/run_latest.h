/*
 * Where each run stands at its end: its last step, whether its steps get longer, and which row
 * moved most. For runs that are still being recorded; it judges nothing.
 */
#ifndef STEPSTAT_ANALYSIS_RUN_LATEST_H
#define STEPSTAT_ANALYSIS_RUN_LATEST_H

#include "analysis/run_stability.h"
#include "analysis/summary.h"

#define LATEST_STEPS_MIN 4 /* fewer have no later part */

enum run_trend {
	TREND_UNKNOWN, /* fewer than DRIFT_VALUES_MIN steps */
	TREND_NONE,    /* none is shown */
	TREND_DRIFT,   /* a straight line */
	TREND_SHIFT    /* one jump */
};

/* Values are those of the first measure of the summary, per step; NaN: not known. */
struct run_latest {
	const char *run;
	size_t steps;	   /* kept */
	double mean;	   /* as the first sentence of a report has it: step time, or the total */
	int64_t last;	   /* number of the last step */
	double last_value; /* of it, as the mean */
	enum run_trend trend;
	double trend_change; /* of the line, from first to last step, or of the level at the jump;
				a fraction */
	int64_t shift_step;  /* TREND_SHIFT: number of the first step after it */
	/* The row whose level changed most, from the first `before` kept steps to the `after` last
	 * ones. NULL: the run has too few steps, or nothing changed. */
	const struct group *moved;
	size_t before, after;
	double moved_from, moved_by;
};

/* One for each run of the step set, in the arena. The later part is what follows a jump, where one
 * is shown, else the last quarter. A level is the mean of the middle third, as of drift_find(),
 * with 0 where the row is absent; rows with a value that is not known are left out. */
struct run_latest *run_latest_find(
	const struct summary *summary, const struct cube *self, struct arena *arena);

#endif
