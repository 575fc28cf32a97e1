/*
 * The contents of a page as tables of the report: `series`, `levels`, `stacks`, `excess`.
 */
#ifndef STEPSTAT_REPORT_PAGE_PAGE_TABLES_H
#define STEPSTAT_REPORT_PAGE_PAGE_TABLES_H

#include "report/build.h"
#include "report/page/page.h"

void page_tables_add(
	struct report *report, const struct web_page *page, const struct build_options *opt);

#endif
