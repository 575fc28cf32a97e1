/*
 * How often ops ran in the steps of a summary: exact sums of the measure `occurrence`.
 * CELL_ABSENT: not known.
 */
#ifndef STEPSTAT_ANALYSIS_EXECUTIONS_H
#define STEPSTAT_ANALYSIS_EXECUTIONS_H

#include "analysis/summary.h"

int64_t executions_of_group(
	const struct summary *summary, const struct summary_part *part, const struct group *group);
/* As the total of the summary: of all ops (`self` has them), or of the rows with of_selected. */
int64_t executions_of_all(
	const struct summary *summary, const struct cube *self, const struct summary_part *part);
/* The total over all runs without the rows that are shown, which must not overlap. */
int64_t executions_of_rest(
	const struct summary *summary, const struct cube *self, const bool *shown);

#endif
