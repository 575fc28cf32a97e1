/*
 * The tables of a comparison: for people the rows that decide, folded so that they add up to the
 * step, and for programs every row with every number. It words no sentences and no notes.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_TABLE_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_TABLE_H

#include "report/compare/build_compare_words.h"

/* Which rows of the comparison the screen shows one by one, in the report's arena. */
const bool *compare_choose_rows(const struct compare_builder *b);
/* True if rows of the table are of several measures: benchmarks that have them. */
bool compare_is_mixed(const struct compare_builder *b);
/* mark[i]: letters of the notes about row i, or NULL. */
void compare_add_display(struct compare_builder *b, const bool *shown, const char *const *mark);
void compare_add_data(struct compare_builder *b);
/* Words of the table for programs about a row: "name", "type+shape", "nearest", "new", "gone"; the
 * codes of its notes ("floor one-run"), of the first measure, but for what is lost of any. */
const char *compare_paired_word(const struct compared_row *row);
const char *compare_codes(const struct compare_builder *b, const struct compared_row *row);
/* Rows are parts of the step: they do not overlap, and absent steps count. */
bool compare_adds_up(const struct compare_builder *b);

#endif
