/*
 * Lines of a text input with their numbers, for readers of text formats. It knows neither their
 * meaning nor the characters in them.
 */
#ifndef STEPSTAT_INGEST_INPUT_TEXT_LINES_H
#define STEPSTAT_INGEST_INPUT_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"
#include "base/text.h"
#include "ingest/input/input.h"

struct line_reader {
	struct input *in;
	size_t cap; /* bytes of a line; more is ERROR_LIMIT (max-record) */
	struct text text;
	size_t number; /* of the last line, from 1 */
	bool unended;  /* the last line had no line end */
};

void line_reader_init(struct line_reader *r, struct input *in, size_t cap);
void line_reader_release(struct line_reader *r);
/* The next line without its end (LF, CR LF) and without a byte order mark, good until the next
 * call. 1, 0 at the end of the input, -1. There may be zero bytes inside; a zero follows the last
 * one. */
int line_reader_next(struct line_reader *r, const char **line, size_t *size, struct error *err);
/* "FILE:LINE" of the last line in out. Returns out. */
const char *line_reader_place(const struct line_reader *r, char *out, size_t room);

#endif
