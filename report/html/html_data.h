/* The numbers of a page as one JSON text, for its script: arrays by column, integers where the
 * program has integers, else six significant digits. The keys are described in doc/pages.md. */
#pragma once

#include "base/text.h"
#include "report/page/page.h"
#include "report/report.h"

/* Adds the text; html_frame_write() replaces each '<'. */
void html_data(struct text *out, const struct report *report, const struct web_page *page);

/* ---- Pieces, for the data of a comparison, too ---- */

/* Adds the format, in which words are keys and get quotes: {first:%z,mean:%n}. %s is a text (NULL:
 * null), %z a size_t, %b a truth, %n a double with six digits (not finite: null). */
void data_print(struct text *out, const char *format, ...);
/* A comma before all but the first. */
void data_comma(struct text *out, size_t index);

/* A list, key and all, of what `add` says of each `item` of an array. */
#define DATA_EACH(out, key, type, item, array, n, add)                                             \
	do {                                                                                       \
		text_add(out, ",\"" key "\":[");                                                   \
		for (size_t at = 0; at < (n); at++) {                                              \
			const struct type *item = &(array)[at];                                    \
                                                                                                   \
			data_comma(out, at);                                                       \
			add;                                                                       \
		}                                                                                  \
		text_add_char(out, ']');                                                           \
	} while (0)

/* The table as a member, by column; NULL: nothing. */
void data_table(struct text *out, const char *key, const struct table *table, struct arena *arena);

/* The unit of the values of a dimension in the data: "us", "B", or the word of that unit. */
const char *data_base_unit(enum dimension dimension);
/* Members that all pages have, the first without a comma. */
void data_common(struct text *out, const struct report *report, const struct web_page *page);
/* An object of these keys and texts. */
void data_words(struct text *out, const char *key, const char *const (*word)[2], size_t count);
