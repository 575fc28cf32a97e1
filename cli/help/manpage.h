/*
 * The man page, made from the tables of commands and options (stepstat help man). doc/stepstat.1 is
 * its output.
 */
#ifndef STEPSTAT_CLI_HELP_MANPAGE_H
#define STEPSTAT_CLI_HELP_MANPAGE_H

#include "base/output/outfile.h"

void manpage_write(struct outfile *out);

#endif
