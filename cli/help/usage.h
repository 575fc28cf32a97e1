/* Help texts made from the tables of options and commands. It writes to an outfile; it does not
 * parse. */
#pragma once

#include <stdbool.h>
#include "base/output/outfile.h"
#include "cli/options/command.h"
#include "cli/options/options.h"

void usage_brief(struct outfile *out); /* `stepstat` alone: the kinds of input and six commands */
void usage_command(struct outfile *out, const struct command *command, bool all);
void usage_commands(struct outfile *out); /* stepstat --help */

/* The line of the option, and the commands that have it. */
void usage_option(struct outfile *out, const struct option_spec *spec);
/* "Commands: report, ops; key of stepstat.yaml: gate". */
void usage_option_commands(const struct option_spec *spec, struct text *out);
/* Lines of the options that are keys only, of one command at least. */
void usage_keys(struct outfile *out);

/* "--by=name|type", "jobs: N", "-o FILE". */
void usage_option_words(const struct option_spec *spec, struct text *out);
