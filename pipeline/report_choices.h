/*
 * Choices of the report builders, made from settings: default columns, the sort column, the noun of
 * a row.
 */
#ifndef STEPSTAT_PIPELINE_REPORT_CHOICES_H
#define STEPSTAT_PIPELINE_REPORT_CHOICES_H

#include "pipeline/one_side.h"
#include "report/build.h"

/* `out` refers into the settings' arena. ERROR_USAGE for an unknown --sort; a side without a
 * summary is not sorted. */
int report_choices_make(const struct job_settings *settings, const struct side *side,
	struct build_options *out, struct error *err);
/* The percentiles over calls that the report may need, in the settings' arena; after set_stats. */
struct calls_options report_choices_percentiles(const struct job_settings *settings);
/* ERROR_USAGE for a statistic that --per=call does not have, or that only it has. */
int report_choices_check_stat(
	bool calls, const char *option, const struct statistic_choice *choice, struct error *err);
/* The statistic that --sort names; false when it names none. */
bool report_choices_sort_stat(const struct job_settings *settings, struct statistic_choice *out);
/* The columns of a report when the user gives no --stats. */
void report_choices_set_stats(struct job_settings *settings);

#endif
