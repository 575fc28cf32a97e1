/*
 * Suggestions on standard error for words that tfprof ignores or refuses. The original has none.
 * They change nothing else that tfprof does or prints.
 */
#ifndef STEPSTAT_TFPROF_OPTIONS_HINTS_H
#define STEPSTAT_TFPROF_OPTIONS_HINTS_H

#include "tfprof/options/options.h"

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

#endif
