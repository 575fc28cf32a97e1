/*
 * Activities of the devices in a step, base against new: a table before that of the ops, a
 * sentence, and the table "parts" of files.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_PARTS_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_PARTS_H

#include "report/compare/build_compare_words.h"

/* Adds report->before and, in report->more, the table "parts", where the inputs have step times
 * that decide or parts of devices. */
void compare_add_parts(struct compare_builder *b);
/* "What changed on gpu:0: idle +9.10 ms a step, compute +0.20 ms.", where one part is most of what
 * changed and the step is not known to be the same. */
void compare_answer_parts(struct compare_builder *b);

#endif
