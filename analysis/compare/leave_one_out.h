/*
 * Tests whether a verdict hangs on one run, or on one step. It looks at what is flagged, with the
 * worst one left out. Internal to analysis/compare/.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_LEAVE_ONE_OUT_H
#define STEPSTAT_ANALYSIS_COMPARE_LEAVE_ONE_OUT_H

#include "analysis/compare/row_test.h"

/* Sets fragile_run and fragile_step with their places; limit: the largest p that is still enough
 * for the claim. The spread is taken as it was found with all
 * runs, the standard error grows by the missing one. x: the samples of the test; without new,
 * base has differences by round; tables: of a rank test, else NULL. */
void fragile_find(struct compared *value, const struct row_test_sample *x,
	struct rank_tables *tables, enum run_value_kind kind, double limit);

#endif
