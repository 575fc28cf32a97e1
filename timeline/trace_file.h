/*
 * The file that a trace is written to: whole or not at all, gzipped when its name ends in ".gz".
 * What is written is the text of a Chrome trace; a file whose name ends in ".pftrace"
 * (".pftrace.gz") gets a Perfetto trace made of it.
 */
#ifndef STEPSTAT_TIMELINE_TRACE_FILE_H
#define STEPSTAT_TIMELINE_TRACE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "model/issue/issue.h"

struct trace_file_options {
	const char *path; /* "-" is standard output */
	/* Of a Perfetto trace: what it cannot hold is told here (NULL: not told) when the file is
	 * finished; where temporary files are made, and how large. */
	struct issue_list *issues;
	const char *folder;
	uint64_t max_disk_bytes;
};

struct trace_file;

/* ERROR_OUTPUT with the path and the system's word. */
struct trace_file *trace_file_open(const struct trace_file_options *options, struct error *err);
void trace_file_write(
	struct trace_file *file, const void *bytes, size_t n); /* an error is kept for the commit */
/* Nothing is written any more: a Perfetto trace is made now. Before the commit, which does it where
 * it was not done. */
int trace_file_finish(struct trace_file *file, struct error *err);
/* Puts the file in place, or says why it cannot be; frees it in every case. */
int trace_file_commit(struct trace_file *file, struct error *err);
void trace_file_discard(struct trace_file *file); /* leaves nothing behind, frees; NULL is fine */

#endif
