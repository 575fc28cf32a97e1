/*
 * Parts that the commands of `stepstat timeline` share: inputs, one output, notes on standard
 * error.
 */
#ifndef STEPSTAT_CLI_TIMELINE_PART_H
#define STEPSTAT_CLI_TIMELINE_PART_H

#include "cli/options/settings.h"
#include "timeline/merge/merge_files.h"

/* -1 without an input, and with an output that is not one file. The hints name `example`, a
 * command, and `output`, the file that it writes. */
int timeline_check(
	const struct settings *s, const char *example, const char *output, struct error *err);
const char *timeline_output(const struct settings *s); /* after timeline_check */
/* The job that merge and mean share. */
struct merge_job timeline_job(const struct settings *s);

/* A trace has no place for these, so they are notes on standard error. */
void timeline_report_issues(const struct issue_list *issues, enum issue_severity least);
void timeline_report(const char *note);
void timeline_report_count(uint64_t count, const char *what); /* nothing for 0 */

#endif
