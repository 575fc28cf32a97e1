/* The page of a report: which sections it has and what is in each. Tables and sentences are
 * report/html/html_page.h; the script draws the plots. */
#pragma once

#include "base/text.h"
#include "report/page/page.h"
#include "report/report.h"

void html_report(struct text *out, const struct report *report, const struct web_page *page);
/* Page of a report without data for plots: sentences, its table, issues. */
void html_plain(struct text *out, const struct report *report);
