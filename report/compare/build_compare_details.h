/*
 * Notes on how sure the numbers are: spread, correlation, false discoveries, what more runs would
 * show. Files have them; a screen shows them with --explain.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_DETAILS_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_DETAILS_H

#include "report/compare/build_compare_words.h"

void compare_details_add(struct compare_builder *b);

#endif
