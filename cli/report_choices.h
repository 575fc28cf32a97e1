/*
 * From settings to the choices of the report builders: default columns, the sort column, the noun
 * of a row.
 */
#ifndef STEPSTAT_CLI_REPORT_CHOICES_H
#define STEPSTAT_CLI_REPORT_CHOICES_H

#include "cli/side.h"
#include "report/build.h"

/* `out` refers into the settings' arena. ERROR_USAGE for an unknown --sort; a side without a
 * summary is not sorted. */
int present_options(const struct settings *settings, const struct side *side,
	struct build_options *out, struct error *err);
/* ERROR_USAGE for a statistic that --per=call does not have. */
int present_check_calls(
	const char *option, const struct statistic_choice *choice, struct error *err);
/* The statistic that --sort names; false when it names none. */
bool present_sort_stat(const struct settings *settings, struct statistic_choice *out);
/* The columns of a report when the user gives no --stats. */
void present_default_stats(struct settings *settings);

#endif
