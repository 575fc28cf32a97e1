/*
 * Lists of words separated by commas: splitting, quotes, printing. It does not know what the words
 * mean.
 */
#ifndef STEPSTAT_TFPROF_OPTIONS_WORD_LIST_H
#define STEPSTAT_TFPROF_OPTIONS_WORD_LIST_H

#include "tfprof/options/options.h"

/* Splits at commas; empty parts vanish. */
void word_list_split(struct word_list *list, const char *text, struct arena *arena);
/* The next word of a typed line, NULL after the last; only blanks separate. */
char *word_list_next(const char **line, struct arena *arena);
/* Without quote characters of both kinds at both ends; a text of quotes alone becomes empty. */
const char *word_list_strip_quotes(const char *text, struct arena *arena);
/* Inserts the word into a sorted list unless it is there; the list has room. */
void word_list_insert(struct word_list *list, const char *word);
void word_list_print(const struct word_list *list, struct text *out);

#endif
