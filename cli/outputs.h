/*
 * No output replaces an input: before any file is opened, compares the outputs of a command with
 * its inputs and with each other.
 */
#ifndef STEPSTAT_CLI_OUTPUTS_H
#define STEPSTAT_CLI_OUTPUTS_H

#include "cli/options/settings.h"
#include "tfprof/options/flags.h"

/* ERROR_USAGE when an output is an input or the same file as another output. A file in a folder
 * counts when a reader accepts it. */
int outputs_check(const struct settings *settings, struct error *err);
/* The same for the words of tfprof; outputs that are typed at its prompt are checked when they are
 * opened. */
int outputs_check_tfprof(const struct tfprof_flags *flags, struct error *err);

#endif
