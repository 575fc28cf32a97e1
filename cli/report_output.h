/*
 * Writes reports to standard output, with the terminal's width and colours, and to the files of
 * -o. All outputs are complete before any is put in place.
 */
#ifndef STEPSTAT_CLI_REPORT_OUTPUT_H
#define STEPSTAT_CLI_REPORT_OUTPUT_H

#include "cli/options/settings.h"
#include "pipeline/two_sides.h"
#include "report/build.h"
#include "report/report.h"

/* Writes the report as the settings say and adds the footer that names the files. */
int report_output_write(const struct settings *settings, struct report *report, struct error *err);

/* True if a page is written, so that report->page is wanted. */
bool report_output_wants_page(const struct settings *settings);
/* True if only the first lines and the table of ops are shown. */
bool report_output_is_of_ops(const struct settings *settings);
/* The report of a comparison or gate gets its page, where one is written; one that explains rows
 * (--explain) has none. */
void report_output_page_of_sides(const struct settings *s, const struct two_sides *sides,
	const struct build_options *build, struct report *report);

#endif
