/*
 * The words of tfprof until 2017, and today's for them: options and values that have gone, flags
 * with a blank for "=", flags with one dash. It changes no word of today.
 */
#ifndef STEPSTAT_TFPROF_OPTIONS_OLD_WORDS_H
#define STEPSTAT_TFPROF_OPTIONS_OLD_WORDS_H

#include "tfprof/options/flags.h"

/* The words of the command line as flags of today, in the arena; in messages a line for each that
 * is taken for another. Words that are no flags of any time stay as they are. */
struct tfprof_command_line tfprof_words_of_today(
	const struct tfprof_command_line *line, struct arena *arena, struct text *messages);
/* The same for a typed line. */
const char *tfprof_line_of_today(const char *line, struct arena *arena, struct text *messages);

/* Name of the flag that is spelt so, with "-" for "_" too, or NULL. */
const char *tfprof_flag_spelt(const char *name);
/* A line about an option of 2017 for which today has no option that does the same
 * ("-device_regexes"); nothing for other words. */
void tfprof_old_word(const char *word, struct text *messages);

#endif
