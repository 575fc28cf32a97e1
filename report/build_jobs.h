/*
 * State of each run of jobs that are still running, as the table `jobs`: for people above the ops.
 * Nothing is computed here.
 */
#ifndef STEPSTAT_REPORT_BUILD_JOBS_H
#define STEPSTAT_REPORT_BUILD_JOBS_H

#include "analysis/run_stability.h"
#include "report/build.h"

/* Adds the table to those that the report has. One entry of `latest` for each run. */
void build_jobs(struct report *report, const struct summary *summary,
	const struct run_latest *latest, const struct build_options *opt);

#endif
