/* The page of a comparison or gate: its sentences and tables, which are complete without script,
 * and the document of JSON, which the script draws. */
#pragma once

#include "base/text.h"
#include "report/page/page_compare.h"
#include "report/report.h"

/* Look of a verdict: a mark before its word, a class of the style, what it means. */
struct verdict_look {
	const char *word, *mark, *class_name, *meaning;
	bool is_shown; /* to have changed: filled in plots */
};
/* NULL and words that are none: those of no verdict. */
const struct verdict_look *verdict_look_of(const char *verdict);

/* The looks as a member of the data: word, [mark, class, shown]. */
void html_looks(struct text *out);

/* NULL is no word. */
bool html_is_word(const char *s, const char *word);

/* Class of the result of a gate: "worse", "better", "quiet". */
const char *html_gate_class(const struct report *report, const struct page_compare *compare);
/* Checks that failed and are no row, a section; then all checks, folded. */
void html_checks_failed(
	struct text *out, const struct report *report, const struct page_compare *compare);
void html_checks(struct text *out, const struct report *report);

/* Rows that are open at first. */
size_t html_rows_open(const struct page_compare *compare);
void html_compare(struct text *out, const struct report *report, const struct web_page *page);
