/*
 * No output replaces an input: notes the files that a command reads, before any is opened, and
 * holds its outputs against them and against each other.
 */
#ifndef STEPSTAT_CLI_OUTPUTS_H
#define STEPSTAT_CLI_OUTPUTS_H

#include "cli/options/settings.h"
#include "tfprof/flags.h"

/* ERROR_USAGE when an output is an input, or the same as another. Files in folders count when a
 * reader takes them. */
int outputs_check(const struct settings *settings, struct error *err);
/* The same for the words of tfprof; outputs that are typed at its prompt are checked when they are
 * opened. */
int outputs_check_tfprof(const struct tfprof_flags *flags, struct error *err);

#endif
