/* Where each run stands at its end: its last step, whether its steps get longer, and the row in
 * which that is. For runs that are still being recorded; it judges nothing. */
#pragma once

#include "analysis/causes/causes.h"
#include "analysis/run_stability.h"

/* Values are those of the first measure of the summary, per step; NaN: not known. */
struct run_latest {
	const char *run;
	size_t steps;	   /* kept */
	double mean;	   /* as the first sentence of a report has it: step time, or the total */
	int64_t last;	   /* number of the last step */
	double last_value; /* of it, as the mean */
	enum run_trend trend;
	/* Change of the level at the jump, or from the first third of the steps to the last one; a
	 * fraction. */
	double trend_change;
	int64_t shift_step; /* TREND_SHIFT: number of the first step after it */
	/* The row in which most of that is; NULL: there is no trend, or it is in no single row. */
	const struct group *moved;
	double moved_from, moved_by;
};

/* One for each run of the step set, in the arena. */
struct run_latest *run_latest_find(
	const struct summary *summary, const struct cube *self, struct arena *arena);
