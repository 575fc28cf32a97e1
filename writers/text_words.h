/*
 * Breaks of lines of words. It knows no page and no colours.
 */
#ifndef STEPSTAT_WRITERS_TEXT_WORDS_H
#define STEPSTAT_WRITERS_TEXT_WORDS_H

#include <stddef.h>
#include "base/text.h"

/*
 * Length of the part of s that fits in `room` columns, in bytes, at least one word. Where a line
 * has a gap of several blanks in its second half (before a phrase in brackets, between the phrases
 * of a footer), it breaks there.
 */
size_t words_in_line(const char *s, size_t room, struct text *scratch);

#endif
