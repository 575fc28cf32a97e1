/*
 * Runs a report again whenever a file in its folders is complete, until a signal ends it.
 */
#ifndef STEPSTAT_CLI_REPORT_FOLLOW_H
#define STEPSTAT_CLI_REPORT_FOLLOW_H

#include "cli/options/settings.h"

/* `report` makes the report and writes it as usual; the text for the screen is put in
 * settings->screen. Ends by SIGINT or SIGTERM, as the program does anyway; returns -1 when the
 * folders cannot be followed, when the settings are wrong, or an output cannot be written. */
int follow(struct settings *settings, int (*report)(struct settings *settings, struct error *err),
	struct error *err);

#endif
