/*
 * The handlers of the option table: each turns one option's text into a setting. value is NULL for
 * a switch.
 */
#ifndef STEPSTAT_CLI_APPLY_H
#define STEPSTAT_CLI_APPLY_H

#include "cli/settings.h"

#define OPTION(name, ...)                                                                          \
	int apply_##name(struct settings *s, const char *value, struct error *err);
#include "cli/options.def"
#undef OPTION

#endif
