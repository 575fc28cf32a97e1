/*
 * The report of `stepstat audit`: false or missing values in each input, their effect, and the
 * remedy. It finds nothing itself: issues do.
 */
#ifndef STEPSTAT_CLI_AUDIT_FINDINGS_REPORT_H
#define STEPSTAT_CLI_AUDIT_FINDINGS_REPORT_H

#include "report/build.h"

/* One input. */
struct audited {
	const char *path;
	const char *title; /* of its format */
	size_t steps, ops;
	const struct issue_list *issues;
};

/* True if the issue is a finding, not plain information. */
bool is_finding(const struct issue *issue);
/* Strings must outlive the report. *findings: of all files. */
struct report *findings_report(const struct audited *file, size_t count, size_t *findings);

#endif
