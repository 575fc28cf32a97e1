/*
 * The command table: one struct per command, listed in commands.def. A command fills a status and
 * an error; main prints.
 */
#ifndef STEPSTAT_CLI_OPTIONS_COMMAND_H
#define STEPSTAT_CLI_OPTIONS_COMMAND_H

#include "cli/options/settings.h"

struct command {
	const char *name;
	char letter;	       /* of the option table; 0: takes no options */
	const char *arguments; /* "INPUT..." */
	const char *summary;   /* one line */
	const char *about;     /* a few lines for its help */
	const char *examples;  /* two, one per line */
	/* The exit status (0 done), -1 with err. `s` holds the parsed options. */
	int (*run)(struct settings *s, struct error *err);
	/* Instead of all that: the commands behind this one, which are named by both words
	 * ("timeline generate"). The last is NULL. */
	const struct command *const *part;
	const char *output_help; /* -o takes any name, and this is its help; NULL: the suffix names
				    a writer */
	/* Instead of run, for a command that parses its own words, --help among them: the words
	 * behind the name that the program was called by. */
	int (*run_words)(const char *program, int argc, char *const *argv, struct error *err);
};

extern const struct command *const command_table[];
extern const size_t command_count;
const struct command *command_find(const char *name); /* NULL when unknown */
/* The part of the command that the word names, or NULL. */
const struct command *command_part(const struct command *command, const char *word);
const char *command_last_word(
	const struct command *command); /* "generate" of "timeline generate" */
/* Every command that does something, parts in the place of what they are parts of: the first
 * (NULL), or the one behind; NULL at the end. */
const struct command *command_next(const struct command *command);

#endif
