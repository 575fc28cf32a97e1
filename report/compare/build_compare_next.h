/*
 * The sentence of a comparison that says what to do next.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_NEXT_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_NEXT_H

#include "report/compare/build_compare_words.h"

/* True if the verdicts are others without the odd runs. */
bool compare_odd_decides(const struct comparison *c);
/* Adds it to the answers of the report, or nothing where nothing follows. */
void compare_answer_next(struct compare_builder *b);

#endif
