/*
 * The notes about the runs of a comparison: which are copies, which are left out. Internal to the
 * building of comparisons: it chooses no rows.
 */
#ifndef STEPSTAT_REPORT_BUILD_COMPARE_RUNS_H
#define STEPSTAT_REPORT_BUILD_COMPARE_RUNS_H

#include "report/build_compare_words.h"

void compare_notes_runs(struct compare_builder *b);
/* What the rule claims where the runs are divided otherwise. */
void compare_note_relabelling(struct compare_builder *b);

#endif
