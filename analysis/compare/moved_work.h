/*
 * Work that went from some ops to others: changes that cancel, and NEW ops in the place of GONE
 * ones. It chooses the rows by their verdicts and decides their sum like a row.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_MOVED_WORK_H
#define STEPSTAT_ANALYSIS_COMPARE_MOVED_WORK_H

#include "analysis/compare/comparison.h"

/* Fills comparison->moved, and `moved` of its rows. Their verdicts are known. */
void moved_work_find(const struct compare_side *base, const struct compare_side *new_side,
	const struct compare_options *opt, struct comparison *comparison);

#endif
