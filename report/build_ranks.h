/* The ranks of a job in a report: who is slow, and how the variance over ranks and steps splits, in
 * sentences and as the tables `ranks`, `split` and `culprits`. Nothing is computed here. */
#pragma once

#include "analysis/causes/causes.h"
#include "report/build.h"

/* "Rank 3 is the slowest of 8 in 95 of 97 steps, +3.1 ms of work, 2.9 ms in X; the others wait in
 * Y." name: the short form of each group of the grouping. */
const char *phrase_slow_rank(struct report *report, const struct job_ranks *ranks,
	const char *const *name, const struct cause *cause);
/* Answers what else is known of the ranks. */
void answers_add_ranks(
	struct report *report, const struct job_ranks *ranks, const char *const *name);
/* Adds the tables of opt->ranks to those that the report has. */
void build_rank_tables(
	struct report *report, const struct summary *summary, const struct build_options *opt);
