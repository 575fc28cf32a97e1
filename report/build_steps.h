/*
 * The values of rows over the steps, for the strips and plots of writers. Nothing is read here
 * before a writer asks.
 */
#ifndef STEPSTAT_REPORT_BUILD_STEPS_H
#define STEPSTAT_REPORT_BUILD_STEPS_H

#include "report/build.h"

/* The summary must live as long as the report is written. Without this the steps of rows are not
 * read. */
void report_set_steps(struct report *report, const struct summary *summary);
/* Row `group` of the part. */
void row_set_steps(struct report *report, const struct summary *summary,
	const struct summary_part *part, size_t group, struct row *row);
/* The total without the rows that are shown; NULL: the whole total. */
void row_set_rest(
	struct report *report, const struct summary *summary, const bool *shown, struct row *row);

#endif
