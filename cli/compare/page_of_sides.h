/*
 * The page of a comparison, where one is written: compare and gate have the same.
 */
#ifndef STEPSTAT_CLI_COMPARE_PAGE_OF_SIDES_H
#define STEPSTAT_CLI_COMPARE_PAGE_OF_SIDES_H

#include "cli/options/settings.h"
#include "pipeline/two_sides.h"
#include "report/build.h"

/* The report of a comparison gets report->page; one that explains rows (--explain) does not. */
void page_of_sides(const struct settings *s, const struct two_sides *sides,
	const struct build_options *build, struct report *report);

#endif
