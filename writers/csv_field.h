/*
 * One text field of a CSV line: made harmless, quoted where a reader would otherwise take it for
 * something else.
 */
#ifndef STEPSTAT_WRITERS_CSV_FIELD_H
#define STEPSTAT_WRITERS_CSV_FIELD_H

#include <stdbool.h>
#include "base/text.h"

/* `safe`: what a spreadsheet would run (= + - @ at the start) gets a single quote before it. */
void csv_field(struct text *line, const char *s, bool safe);
/* The same where fields are separated by `separator`. */
void csv_field_between(struct text *line, const char *s, bool safe, char separator);

#endif
