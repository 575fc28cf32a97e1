/* The command table: one struct per command, listed in commands.def. A command returns a status
 * and an error; main prints. */
#pragma once

#include "cli/options/settings.h"

struct command {
	const char *name;
	char letter;	       /* in the option table; 0: the command has no options */
	const char *arguments; /* "INPUT..." */
	const char *summary;   /* one line */
	const char *about;     /* a few lines for its help */
	const char *examples;  /* two, one per line */
	/* Returns the exit status (0 done), or -1 with err. `s` holds the parsed options. */
	int (*run)(struct settings *s, struct error *err);
	/* Without --on the rows are those of the host and of devices: it shows what was recorded,
	 * and a report on what it writes chooses among them. */
	bool shows_all_rows;
	/* Instead of all that: the parts of this command, which are named by both words
	 * ("timeline generate"). The last is NULL. */
	const struct command *const *part;
	const char *output_help; /* the help of -o, which accepts any name; NULL: the suffix names a
				    writer */
	/* Instead of run, for a command that parses its own words, --help among them: the words
	 * after its name. */
	int (*run_words)(const char *program, int argc, char *const *argv, struct error *err);
};

extern const struct command *const command_table[];
extern const size_t command_count;
const struct command *command_find(const char *name); /* NULL when unknown */
/* The part of the command that the word names, or NULL. */
const struct command *command_part(const struct command *command, const char *word);
const char *command_last_word(
	const struct command *command); /* "generate" of "timeline generate" */
/* All commands that do something; parts replace the command that they are parts of. Returns the
 * first (for NULL), or the next; NULL at the end. */
const struct command *command_next(const struct command *command);
