/*
 * JSON text as Python's json.dumps writes it with indent=4 and separators=(',', ': '): every member
 * on a line of its own, pure ASCII, whole numbers of any size. Members come in the order of the
 * calls. It knows no events.
 */
#ifndef STEPSTAT_TIMELINE_JSON_WRITER_H
#define STEPSTAT_TIMELINE_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include "base/text.h"
#include "timeline/trace_file.h"

/* A sum of a few 64-bit numbers, which always fits. */
typedef __int128 json_integer;

struct json_writer {
	struct trace_file *file;
	struct text text; /* not yet in the file */
	unsigned depth;
	bool empty;	 /* the innermost container has no member yet */
	size_t replaced; /* bytes that were not UTF-8, written as U+FFFD */
};

void json_begin(struct json_writer *json, struct trace_file *file);
void json_end(struct json_writer *json); /* writes the rest to the file; no line end, as Python */

/* Below, name is that of the member; NULL: an item of a list.
 * A container; `bracket` is '{' or '[', closed by '}' or ']'. */
void json_open(struct json_writer *json, const char *name, char bracket);
void json_close(struct json_writer *json, char bracket);
void json_number(struct json_writer *json, const char *name, json_integer value);
void json_real(struct json_writer *json, const char *name, double value); /* finite; 15 digits */
void json_string(struct json_writer *json, const char *name, const char *bytes, size_t size);
void json_word(struct json_writer *json, const char *name, const char *word); /* ends in 0 */
/* A member whose name may be any bytes: names of counters come from files. */
void json_number_named(
	struct json_writer *json, const char *name, size_t name_size, json_integer value);

#endif
