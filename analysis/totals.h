/*
 * The step itself as series: op time, wall time, busy time of each step, described by every
 * statistic. It holds no rows of ops.
 */
#ifndef STEPSTAT_ANALYSIS_TOTALS_H
#define STEPSTAT_ANALYSIS_TOTALS_H

#include "analysis/summary.h"

enum total_kind { TOTAL_OP_TIME, TOTAL_WALL, TOTAL_BUSY, TOTAL_KINDS };

struct totals {
	/* the summary with the statistics of `choice`: for summary_statistic */
	struct summary with;
	const struct statistic_choice *choice;
	size_t choice_count;
	/* Of every step of the cube; NULL where the source does not have it. NaN: not known for
	 * this step. */
	double *step[TOTAL_KINDS];
	struct summary_value value[TOTAL_KINDS]; /* over the kept steps */
	bool known[TOTAL_KINDS];		 /* it has a value: every kept step is known */
};

const char *total_name(enum total_kind kind); /* "op_time", "wall", "busy" */
/* In the arena. */
struct totals *totals_make(
	const struct summary *summary, const struct cube *self, struct arena *arena);

#endif
