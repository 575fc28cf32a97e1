/* Topics of `stepstat help`: one for each kind of input and for each word of a report's first
 * screen. They are sections of doc/topics.md and of the pages of producers, which are compiled
 * in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/output/outfile.h"

/* A part of the page. */
struct topic_part {
	const char *at;
	size_t size;
};

struct topic {
	struct topic_part name;
	struct topic_part aliases; /* ", " between them */
	struct topic_part title;   /* one line */
	struct topic_part text;	   /* whole lines */
	bool is_format;
};

/* The topic behind this one; behind one of zeros the first. False behind the last. */
bool topic_next(struct topic *topic);
/* True if there is a topic of this name or alias. Case does not matter; a blank or an underscore is
 * the same as a dash. */
bool topic_find(const char *name, struct topic *out);
/* Writes the line of the word in the glossary; false: it has none. */
bool glossary_write(struct outfile *out, const char *name);
/* Calls `add` with each name and alias, as they are typed. */
void topic_words(void (*add)(void *context, const char *word), void *context);
void topic_write(struct outfile *out, const struct topic *topic);
/* Names and titles of all, formats first. */
void topic_list(struct outfile *out);
