/*
 * --explain-inputs: which files make which run, what was left out, what was odd.
 */
#ifndef STEPSTAT_CLI_EXPLAIN_H
#define STEPSTAT_CLI_EXPLAIN_H

#include "cli/side.h"

int explain_inputs(const struct settings *settings, const struct side *side, struct error *err);

#endif
