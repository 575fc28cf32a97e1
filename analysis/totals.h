/*
 * The step itself as series: op time, wall time, busy time, step time, and what each device did in
 * it, described by every statistic. It holds no rows of ops.
 */
#ifndef STEPSTAT_ANALYSIS_TOTALS_H
#define STEPSTAT_ANALYSIS_TOTALS_H

#include "analysis/summary.h"

struct total {
	/* "op_time", "wall", "busy", "step_time"; of a device "gpu:0_window", "gpu:0_compute", ...
	 */
	const char *name;
	/* Totals of every step of the cube; NULL where the source does not have it. NaN: not known
	 * for this step. */
	double *step;
	bool known;		    /* it has a value: every kept step is known */
	struct summary_value value; /* over the kept steps */
};

struct totals {
	/* the summary with the statistics of `choice`: for summary_statistic */
	struct summary with;
	const struct statistic_choice *choice;
	size_t choice_count;
	struct total *total;
	size_t count;
};

/* In the arena. */
struct totals *totals_make(
	const struct summary *summary, const struct cube *self, struct arena *arena);

#endif
