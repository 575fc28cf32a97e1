/* Help on the columns of CSV files, by the name in the header. */
#pragma once

#include <stdbool.h>
#include "base/output/outfile.h"

/* Explains the column of this name ("time_low_us": measure, word and unit); false: unknown. */
bool column_help(const char *name, struct outfile *out);
/* The same for a header of one word, which may also be a word of reports or an option ("value",
 * "from"). */
bool column_word_help(const char *name, struct outfile *out);
