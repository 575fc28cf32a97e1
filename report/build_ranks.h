/*
 * The ranks of a job in a report: who is slow, and how the variance over ranks and steps splits, in
 * sentences and as the tables `ranks`, `split` and `culprits`. Nothing is computed here.
 */
#ifndef STEPSTAT_REPORT_BUILD_RANKS_H
#define STEPSTAT_REPORT_BUILD_RANKS_H

#include "analysis/job/job_ranks.h"
#include "report/build.h"

/* Answers who is slow, then what else is known of the ranks. name: the short form of each group of
 * the grouping. */
void answers_add_culprits(
	struct report *report, const struct job_ranks *ranks, const char *const *name);
void answers_add_ranks(
	struct report *report, const struct job_ranks *ranks, const char *const *name);
/* Adds the tables of opt->ranks to those that the report has. */
void build_rank_tables(
	struct report *report, const struct summary *summary, const struct build_options *opt);

#endif
