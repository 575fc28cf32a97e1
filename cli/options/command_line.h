/* The command line as typed, for outputs that say how they were made. */
#pragma once

#include "cli/options/settings.h"

/* "stepstat report profile_14 -o page.html", each word quoted for a POSIX shell where it must be;
 * in the settings' arena. */
const char *command_line_text(const struct settings *settings);
/* Inputs and options of it, without outputs, quoted alike. */
const char *command_line_inputs_and_options(const struct settings *settings);
/* The words that are neither inputs nor outputs: what another command needs to give the same
 * numbers. */
const char *const *command_line_options(const struct settings *settings, size_t *count);
/* Inputs in order, as typed. */
const char *const *command_line_inputs(const struct settings *settings, size_t *count);
