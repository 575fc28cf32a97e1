/*
 * Meaning of the words in the names of columns: for `stepstat help COLUMN` and for documents that
 * explain their own columns. It knows no table of numbers.
 */
#ifndef STEPSTAT_REPORT_DOCUMENT_COLUMN_WORDS_H
#define STEPSTAT_REPORT_DOCUMENT_COLUMN_WORDS_H

#include "base/text.h"
#include "report/report.h"

/* Meaning of a word of columns.def alone; NULL: it has none. Lines after the first are indented. */
const char *column_word(const char *word);
/* Meaning of such a word, of a statistic or of a percentile; NULL: it is none. */
const char *column_word_or_statistic(const char *word);
/* Adds a sentence about a column of this table in one line: the meaning of its number, then the
 * measure. Nothing where no part of the name is known. */
void column_explain(const char *table, const struct column *column, struct text *out);

#endif
