/*
 * The numbers of a page as one JSON text, for its script: arrays by column, integers where the
 * program has integers, else six significant digits. The keys are described in doc/pages.md.
 */
#ifndef STEPSTAT_REPORT_HTML_HTML_DATA_H
#define STEPSTAT_REPORT_HTML_HTML_DATA_H

#include "base/text.h"
#include "report/page/page.h"
#include "report/report.h"

/* Adds the text; html_frame_write() replaces each '<'. */
void html_data(struct text *out, const struct report *report, const struct web_page *page);

/* Digits of numbers in the data. */
#define HTML_DIGITS 6
/* Adds values, for the parts of a comparison, too: a number ("null" where it is not defined), a
 * text in quotes (NULL: null), a key with its colon after a comma (then with a value), and a comma
 * before all but the first. */
void data_number(struct text *out, double value);
void data_text(struct text *out, const char *s);
void data_next(struct text *out, const char *key);
void data_member(struct text *out, const char *key, const char *value);
void data_real(struct text *out, const char *key, double value);
/* An object of these keys and texts. */
void data_words(struct text *out, const char *key, const char *const (*word)[2], size_t count);
void data_comma(struct text *out, size_t index);
/* Base units of the page's measure in one unit of its numbers: 10^6 for times (us), else 1. */
double data_unit(const struct web_page *page);
/* The same of any dimension: us, bytes, or the smallest unit of what has a unit of its own. */
double data_unit_of(enum dimension dimension);
/* The unit of the values of a dimension in the data: "us", "B", or the word of that unit. */
const char *data_base_unit(enum dimension dimension);
/* inputs, options, measure, scale, notes and the like: what all pages have. Ends without a comma.
 */
void data_common(struct text *out, const struct report *report, const struct web_page *page);

#endif
