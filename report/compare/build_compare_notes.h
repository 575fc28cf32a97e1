/*
 * The notes under a comparison: what is odd, what was left out, how far these numbers go, and the
 * option that acts on it. The screen shows the first few.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_NOTES_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_NOTES_H

#include "report/compare/build_compare_words.h"

/* Adds the notes; returns the marks of each row's verdict (NULL where none), in the report's
 * arena. */
const char **compare_notes_add(struct compare_builder *b, const bool *shown);

/* REGRESSED, IMPROVED, SLOWER or FASTER? */
bool compare_claims_change(const struct compared *value);
/* True if nearly all rows lean to one side, by more than a trifle. */
bool compare_has_common_shift(const struct compare_builder *b);
/* And do the sides differ by more than chance allows among runs? Then not only the machine comes
 * into question. */
bool compare_shift_exceeds_runs(const struct compare_builder *b);
/* The note about it, if they do. */
void compare_note_shift(struct compare_builder *b);
/* Adds the rows whose change of time is that of a clock, a measure in Hz beside it. */
void compare_note_clock(struct compare_builder *b);
/* The first sentence about benchmarks. */
void compare_answer_typical(struct compare_builder *b);
/* "Against the other ops: 6 REGRESSED, ...": the second answer of the same runs, and with
 * --normalize that the ops are two groups. */
void compare_answer_against(struct compare_builder *b);
/* The row that changed most against the others and has no verdict of its own; SIZE_MAX: none. */
size_t compare_most_against(const struct compare_builder *b);
/* The question that these runs cannot answer: which of two groups of ops changed. */
bool compare_has_groups(const struct compare_builder *b);
/* A screen has four notes, three where nothing changed: those from `first` on (0: none), then what
 * has a mark, then the others as they come; the rest become details. */
void compare_trim_notes(struct report *report, const struct comparison *comparison, size_t first);

#endif
