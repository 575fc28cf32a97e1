/* A stream of bytes to read from: a file, standard input or memory, gzip unwrapped on the way
 * (several members too). It does not know what the bytes mean. gzopen would not do: truncation must
 * be an error, and memory must be a source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"
#include "ingest/input/span_file.h"

struct input;

/* "-" is standard input. ERROR_INPUT with the system's word (missing, no permission, is a
 * folder). */
struct input *input_open(const char *path, struct error *err);
/* The same, with a name that stands for the path wherever one matters; NULL: the path. */
struct input *input_open_as(const char *path, const char *name, struct error *err);
/* Bytes must outlive the input; name is for messages. */
struct input *input_memory(const void *bytes, size_t size, const char *name);
void input_close(struct input *in); /* NULL is fine */

/* Makes at least `want` bytes (want <= 1 MiB) visible at *bytes without consuming them; *size may
 * be smaller only at the end. Valid until the next call. -1: reading or inflating failed
 * (ERROR_INPUT with path and offset: truncated gzip, bad checksum, I/O error). */
int input_peek(struct input *in, size_t want, const unsigned char **bytes, size_t *size,
	struct error *err);
void input_skip(struct input *in, size_t n); /* n <= size of the last peek */
/* Moves up to `room` bytes into the caller's buffer and consumes them: *got is 0 only at the end
 * (or without room). What is not packed comes from the file without a copy. */
int input_take(struct input *in, void *to, size_t room, size_t *got, struct error *err);
/* Consumes exactly n bytes into a buffer that the input owns (valid until the next call); -1 when
 * the data ends before (ERROR_INPUT "ends inside ..." with what) or n > cap (ERROR_LIMIT). */
int input_read(struct input *in, size_t n, size_t cap, const char *what,
	const unsigned char **bytes, struct error *err);
/* Consumes n bytes without keeping them (seeks where it can). */
int input_discard(struct input *in, uint64_t n, const char *what, struct error *err);

uint64_t input_offset(const struct input *in); /* of the next byte, in the unpacked data */
const char *input_path(const struct input *in);
bool input_is_gzip(const struct input *in);
bool input_trailing_garbage(
	const struct input *in); /* after the last gzip member: an issue for the reader */

struct span_file;
/* The input as a file of its own that is read at offsets, where it can be: a regular file that is
 * not packed, from its beginning, or bytes in memory, which stay the caller's. The input may be
 * closed before. False: it is a stream (ingest/input/input.h), or the system has no file left.
 */
bool input_span(const struct input *in, struct span_file *out);

/* Adds what is read from the file from now on to *bytes, which others may read. */
void input_count(struct input *in, _Atomic uint64_t *bytes);

/* An input of any kind that is read at offsets: a stream (standard input, a packed file) is copied
 * into a temporary file first. For formats whose index is at their end. */

/* All of the input, of which nothing may be consumed; the caller closes `out`, and the input after
 * it. folder: of the temporary file, NULL is /tmp. ERROR_OUTPUT with the folder when it cannot be
 * made or written, ERROR_LIMIT past max_bytes. */
int input_seekable(struct input *in, const char *folder, uint64_t max_bytes, struct span_file *out,
	struct error *err);

/* Lines of a text input with their numbers, for readers of text formats. It knows neither their
 * meaning nor the characters in them. */

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
