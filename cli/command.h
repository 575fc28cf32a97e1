/*
 * The command table: one struct per command, listed in commands.def. A command fills a status and
 * an error; main prints.
 */
#ifndef STEPSTAT_CLI_COMMAND_H
#define STEPSTAT_CLI_COMMAND_H

#include "cli/settings.h"

struct command {
	const char *name;
	char letter;	       /* of the option table; 0: takes no options */
	const char *arguments; /* "INPUT..." */
	const char *summary;   /* one line */
	const char *about;     /* a few lines for its help */
	const char *examples;  /* two, one per line */
	/* The exit status (0 done), -1 with err. `s` holds the parsed options. */
	int (*run)(struct settings *s, struct error *err);
	/* Instead of run, for a command that parses its own words, --help among them: the words behind the name
	 * that the program was called by. */
	int (*run_words)(
		const char *program, int argc, char *const *argv, struct error *err);
};

extern const struct command *const command_table[];
extern const size_t command_count;
const struct command *command_find(const char *name); /* NULL when unknown */

#endif
