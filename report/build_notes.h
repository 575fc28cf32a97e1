/* The notes under a report: what is odd in these numbers, and the option that acts on it. At most
 * six. */
#pragma once

#include "report/build_answers.h"

/* shown: the rows whose CV stands in the table, NULL: none. name: the short form of each group's.
 * Adds the notes; returns the marks of each group's CV cell (NULL where none), in the report's
 * arena. */
const char **notes_add(struct report *report, struct summary *summary, const struct cube *self,
	const struct build_options *opt, const struct report_warmup *warmup,
	struct answered answered, const bool *shown, const char *const *name);

/* Effects of the rules on the ops of one side ("", "base: "): names that became one, rename rules
 * that changed nothing. */
enum grouped_values { GROUPED_PER_STEP, GROUPED_TOTALS_PER_STEP, GROUPED_PER_CALL };
void report_notes_grouping(struct report *report, const char *side, const struct grouping *grouping,
	enum grouped_values values);

/* A note on processes of one side ("", "base: ") that were taken for ranks. */
void report_note_assumed(struct report *report, const struct cube *cube, const char *side);

/* Notes of a report over single executions. */
void notes_add_calls(struct report *report, const struct calls *calls, const struct cube *self,
	const struct build_options *opt, const struct report_warmup *warmup);
