/*
 * Help on the columns of CSV files, by the name in the header.
 */
#ifndef STEPSTAT_CLI_HELP_COLUMNS_H
#define STEPSTAT_CLI_HELP_COLUMNS_H

#include <stdbool.h>
#include "base/outfile.h"

/* Writes what the column of this name holds ("time_low_us": measure, word and unit); false: there
 * is none. */
bool column_help(const char *name, struct outfile *out);
/* The same of a header that is one word, which may be a word of reports or an option, too ("value",
 * "from"). */
bool column_word_help(const char *name, struct outfile *out);

#endif
