/* The words of tfprof until 2017, and today's for them: options and values that have gone, flags
 * with a blank for "=", flags with one dash. It changes no word of today. */
#pragma once

#include "tfprof/options/flags.h"
#include "tfprof/options/options.h"

/* The words of the command line as flags of today, in the arena; in messages a line for each that
 * is taken for another. Words that are no flags of any time stay as they are. */
struct tfprof_command_line tfprof_words_of_today(
	const struct tfprof_command_line *line, struct arena *arena, struct text *messages);
/* The same for a typed line. */
const char *tfprof_line_of_today(const char *line, struct arena *arena, struct text *messages);

/* ---- Suggestions on standard error for words that tfprof ignores or refuses. The original has
 * none. They change nothing else that tfprof does or prints ---- */

/* The words of the command line, as parsed. */
struct tfprof_words {
	int count;
	char *const *word;
	const bool *taken;	       /* used by a flag or as the command */
	const char *command;	       /* the first word that is not a flag, NULL: none */
	const char *order_by, *select; /* values of these flags */
	const char *unused_op_log; /* value of --op_log_path beside a profile, NULL: not given */
};

/* A line for each word that is passed over. */
void tfprof_hint_flags(const struct tfprof_words *words, struct text *messages);
/* Adds hints for a typed line that was refused: the nearest command or option, today's words for
 * those of 2017. */
void tfprof_hint_line(const char *line, struct text *messages);
