/*
 * The file that a trace is written to: whole or not at all, gzipped when its name ends in ".gz".
 */
#ifndef STEPSTAT_TIMELINE_TRACE_FILE_H
#define STEPSTAT_TIMELINE_TRACE_FILE_H

#include <stddef.h>
#include "base/error.h"

struct trace_file;

/* "-" is standard output. ERROR_OUTPUT with the path and the system's word; ERROR_USAGE for a name
 * of a Perfetto trace. */
struct trace_file *trace_file_open(const char *path, struct error *err);
void trace_file_write(
	struct trace_file *file, const void *bytes, size_t n); /* an error is kept for the commit */
/* Puts the file in place, or says why it cannot be; frees it in every case. */
int trace_file_commit(struct trace_file *file, struct error *err);
void trace_file_discard(struct trace_file *file); /* leaves nothing behind, frees; NULL is fine */

#endif
