/* JSON text as Python's json.dumps writes it with indent=4 and separators=(',', ': '): every member
 * on a line of its own, pure ASCII, whole numbers of any size. Members come in the order of the
 * calls. And the file that a trace is written to: whole or not at all, gzipped when its name ends
 * in ".gz". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/text.h"
#include "base/error.h"

/* A sum of a few 64-bit numbers, which always fits. */
typedef __int128 json_whole;

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
void json_number(struct json_writer *json, const char *name, json_whole value);
void json_real(struct json_writer *json, const char *name, double value); /* finite; 15 digits */
void json_string(struct json_writer *json, const char *name, const char *bytes, size_t size);
void json_word(struct json_writer *json, const char *name, const char *word); /* ends in 0 */
/* A member whose name may be any bytes: names of counters come from files. */
void json_number_named(
	struct json_writer *json, const char *name, size_t name_size, json_whole value);

/* ---- The file that a trace is written to: whole or not at all, gzipped when its name ends in
 * ".gz" ---- */

struct trace_file;

/* "-" is standard output. ERROR_OUTPUT with the path and the system's word; ERROR_USAGE for a name
 * of a Perfetto trace. */
struct trace_file *trace_file_open(const char *path, struct error *err);
void trace_file_write(
	struct trace_file *file, const void *bytes, size_t n); /* an error is kept for the commit */
/* Puts the file in place, or says why it cannot be; frees it in every case. */
int trace_file_commit(struct trace_file *file, struct error *err);
void trace_file_discard(struct trace_file *file); /* leaves nothing behind, frees; NULL is fine */
