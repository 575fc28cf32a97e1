/*
 * The notes about the runs of a comparison: which are copies, which are left out. Internal to the
 * building of comparisons: it chooses no rows.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_RUNS_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_RUNS_H

#include "report/compare/build_compare_words.h"

/* Run `run` of the side's step set, made visible. */
const char *compare_run_name(
	const struct compare_builder *b, const struct compare_side *side, size_t run);
/* The run that lies apart (ODD_APART). */
const char *compare_odd_name(const struct compare_builder *b);
/* In what the sides differ although they are to be alike: --allow-mixed let it pass. */
void compare_notes_mixed(struct compare_builder *b);
/* First what the files say differently about driver, framework, backend and batch size. */
void compare_notes_runs(struct compare_builder *b);
/* True if base and new were recorded in turns: by the times in the files, or as --method=paired
 * says. */
bool compare_is_in_turns(const struct compare_builder *b);
/* "; all runs of base were recorded before new (2 days between): ..."; "" where they were not, or
 * where the times are not known. */
const char *compare_block_clause(const struct compare_builder *b);
/* Compared by round because the runs were recorded so. */
void compare_note_turns(struct compare_builder *b);
/* A change is claimed, and one side was recorded before the other. */
void compare_note_block(struct compare_builder *b);
/* Claims of the rule where the runs are divided otherwise: enough of it to matter, or the rest. */
void compare_note_relabelling(struct compare_builder *b, bool matters);

#endif
