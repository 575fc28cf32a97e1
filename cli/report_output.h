/*
 * Where reports go: standard output with the terminal's width and colours, and the files of -o. All
 * outputs are complete before any is put in place.
 */
#ifndef STEPSTAT_CLI_REPORT_OUTPUT_H
#define STEPSTAT_CLI_REPORT_OUTPUT_H

#include "cli/options/settings.h"
#include "report/report.h"

/* Writes the report as the settings ask; adds the footer line that names what was written. */
int emit_report(const struct settings *settings, struct report *report, struct error *err);

#endif
