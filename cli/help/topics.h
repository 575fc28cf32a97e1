/*
 * Topics of `stepstat help`: one for each kind of input and for each word of a report's first
 * screen (topics_formats.def, topics_words.def).
 */
#ifndef STEPSTAT_CLI_HELP_TOPICS_H
#define STEPSTAT_CLI_HELP_TOPICS_H

#include <stdbool.h>
#include <stddef.h>
#include "base/output/outfile.h"

struct topic {
	const char *name;    /* as in the table: with underscores */
	const char *aliases; /* with blanks between them */
	const char *title;   /* one line */
	const char *text;    /* lines that end in \n */
	bool is_format;
};

extern const struct topic topic_table[];
extern const size_t topic_count;

/* The topic of this name or alias, or NULL. Case does not matter; a blank or an underscore is
 * the same as a dash. */
const struct topic *topic_find(const char *name);
/* Calls `add` with each name and alias, as they are typed. */
void topic_words(void (*add)(void *context, const char *word), void *context);
void topic_write(struct outfile *out, const struct topic *topic);
/* Names and titles of all, formats first. */
void topic_list(struct outfile *out);

#endif
