/*
 * Runs of base that are runs of new: the same recording on both sides. Internal to
 * analysis/compare/.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_TWIN_RUNS_H
#define STEPSTAT_ANALYSIS_COMPARE_TWIN_RUNS_H

#include "analysis/compare/comparison.h"

/* Fills duplicates, duplicate_base and duplicate_new, and sets new_is_base where each run of new
 * has its twin. By the times of the ops that are on both sides; without times nothing is found. */
void twin_runs_find(const struct comparison_input *input, struct comparison *comparison);

#endif
