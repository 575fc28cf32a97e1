/*
 * The notes of a comparison on how rows were tested: changes that are on another scale than the
 * means, floors, values of 0, spread that was given, rows without a verdict. The other notes are
 * build_compare_notes.c.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_TESTS_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_TESTS_H

#include "report/compare/build_compare_words.h"

/* shown: rows of the comparison that are in the table for people. */
void compare_notes_tests(struct compare_builder *b, const bool *shown);

#endif
