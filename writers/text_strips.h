/* Strips beside the rows of a table on a terminal: a bar for the size, a mark for each step, the
 * interval of a change. They use room that the columns leave and never take the place of one. */
#pragma once

#include <stddef.h>
#include "writers/writer.h"
#include "base/text.h"

enum strip_kind { STRIP_NONE, STRIP_STEPS, STRIP_BAND };

struct strips {
	const struct report *report;
	const struct table *table;
	const struct writer_options *opt;
	size_t bar_width; /* 0: none; it stands right of the column bar_of */
	size_t bar_of;
	double bar_scale; /* the value of a full bar */
	enum strip_kind kind;
	size_t width;	   /* of the strip that is last but for a column that wraps; 0: none */
	size_t most;	   /* it gains nothing by being wider */
	double band_scale; /* the change at the right end */
	/* work space for a row */
	double *value;
	bool *outlier;
};

/* Chooses what fits into `room` columns, gaps included. bar_of: the first column with `bar` that is
 * shown; SIZE_MAX: none. */
void strips_plan(struct strips *strips, size_t room, size_t bar_of, size_t gap);
/* `room` more columns are left over. */
void strips_widen(struct strips *strips, size_t room);
void strips_release(struct strips *strips);
/* Columns of all strips with the gap before each. */
size_t strips_width(const struct strips *strips, size_t gap);

/* Exactly as many columns as the strip has. row NULL: its title. */
void strips_add_bar(const struct strips *strips, const struct row *row, struct text *out);
void strips_add(const struct strips *strips, const struct row *row, struct text *out);
/* Explains the marks, a sentence for below the table. */
void strips_explain(const struct strips *strips, struct text *out);

/* The code of a colour; "" for none. */
const char *tone_color(enum tone tone);

/* ---- Breaks of lines of words. It knows no page and no colours ---- */

/* Length of the part of s that fits in `room` columns, in bytes, at least one word. Where a line
 * has a gap of several blanks in its second half (before a phrase in brackets, between the phrases
 * of a footer), it breaks there. */
size_t words_in_line(const char *s, size_t room, struct text *scratch);
