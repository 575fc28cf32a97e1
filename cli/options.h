/*
 * The option table: it feeds the command line, the help and the man page. Words are matched
 * exactly.
 */
#ifndef STEPSTAT_CLI_OPTIONS_H
#define STEPSTAT_CLI_OPTIONS_H

#include "cli/settings.h"

enum option_group {
	GROUP_SELECT,
	GROUP_STEPS,
	GROUP_SIDES,
	GROUP_DECIDE,
	GROUP_MEASURE,
	GROUP_SHOW,
	GROUP_OUTPUT,
	GROUP_INPUT,
	GROUP_COUNT
};

struct option_spec {
	const char *name;     /* "on-collision"; "o" is -o */
	const char *argument; /* "" for a switch */
	enum option_group group;
	const char *commands;  /* letters of the commands that take it */
	const char *short_for; /* letters of the commands whose one-screen help has it */
	const char *standard;  /* default, "" when none */
	const char *help;
	int (*apply)(struct settings *settings, const char *value, struct error *err);
};

extern const struct option_spec option_table[];
extern const size_t option_count;
extern const char *const option_group_titles[GROUP_COUNT];

/* The entry of this name (dashes as typed), or NULL. */
const struct option_spec *options_find(const char *name);
/* Takes a setting of a configuration file; `place` for messages and for `stepstat config`. */
int options_set(struct settings *settings, char letter, const char *name, const char *value,
	const char *place, struct error *err);

/* Fills the settings from the words after the command; `letter` is the command's. */
int options_parse(struct settings *settings, char letter, const char *command, int argc,
	char *const *argv, struct error *err);

#endif
