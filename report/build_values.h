/* The values behind the means: a row for each row of the report and a column for each kept step. */
#pragma once

#include "analysis/summary.h"
#include "report/build.h"

/* More of them are left out, and a note says so: each takes about 100 bytes. */
#define VALUES_MOST ((size_t)4 << 20)

/* Adds the extra tables `values` (of the first measure) and `values MEASURE` (of the others). The
 * rows are the groups in the order in which they are listed; `group` may repeat some, and those
 * are taken out of it. name: the short form of each group. */
void build_values(struct report *report, const struct summary *summary, size_t *group, size_t count,
	const char *const *name, const struct build_options *opt);

/* The values of rows over the steps, for the strips and plots of writers. Nothing is read here
 * before a writer asks. */

/* The summary must live as long as the report is written. Without this the steps of rows are not
 * read. */
void report_set_steps(struct report *report, const struct summary *summary);
/* Row `group` of the part. */
void row_set_steps(struct report *report, const struct summary *summary,
	const struct summary_part *part, size_t group, struct row *row);
/* The total without the rows that are shown; NULL: the whole total. */
void row_set_rest(
	struct report *report, const struct summary *summary, const bool *shown, struct row *row);
