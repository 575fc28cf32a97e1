/*
 * The page of a comparison or gate: which sections it has and what is in each. Plots are
 * report/html/plots_compare.h, tables and sentences report/html/html_page.h.
 */
#ifndef STEPSTAT_REPORT_HTML_HTML_COMPARE_H
#define STEPSTAT_REPORT_HTML_HTML_COMPARE_H

#include "base/text.h"
#include "report/page/page_compare.h"
#include "report/report.h"

void html_compare(struct text *out, const struct report *report, const struct web_page *page);
/* The symbols of verdicts, for the frame. */
extern const char html_compare_icons[];
/* The data of the page, as html_data of a report. */
void html_compare_data(struct text *out, const struct report *report, const struct web_page *page);

#endif
