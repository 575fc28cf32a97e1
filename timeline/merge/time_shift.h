/*
 * Points in time of a trace as decimal text in microseconds, moved by whole picoseconds without any
 * rounding.
 */
#ifndef STEPSTAT_TIMELINE_MERGE_TIME_SHIFT_H
#define STEPSTAT_TIMELINE_MERGE_TIME_SHIFT_H

#include <stdbool.h>
#include "base/text.h"

typedef __int128 picoseconds; /* holds times since any epoch */

/* Adds the sum to `out`, with as many decimals as the text has, or as the shift needs. False (and
 * nothing is added): the text is not a decimal number, or has more digits than 128 bits hold. */
bool time_shift(const char *text, size_t size, picoseconds shift, struct text *out);
/* The shift alone: "-12.5". */
void time_add_text(picoseconds time, struct text *out);

#endif
