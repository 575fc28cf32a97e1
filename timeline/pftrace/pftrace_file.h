/*
 * A Perfetto trace (.pftrace) made of the text of a Chrome trace: the same slices, instants,
 * counters and arrows, with the same names and args. Perfetto pairs what begins and what ends by
 * time, so events are sorted, and slices that overlap on their thread get tracks of their own below
 * it. What stands around the events becomes attributes of the trace.
 */
#ifndef STEPSTAT_TIMELINE_PFTRACE_PFTRACE_FILE_H
#define STEPSTAT_TIMELINE_PFTRACE_PFTRACE_FILE_H

#include "base/error.h"
#include "base/text.h"
#include "model/issue/issue.h"

struct pftrace_options {
	const char *path;	   /* for messages */
	struct issue_list *issues; /* what cannot be written, or not exactly; NULL: not told */
	const char *folder;	   /* of temporary files; NULL: "/tmp" */
	uint64_t max_disk_bytes;   /* of each */
	size_t sort_bytes;	   /* memory for sorting; 0: 16 MiB */
};

struct pftrace_file;

struct pftrace_file *pftrace_file_new(const struct pftrace_options *options);
void pftrace_file_free(struct pftrace_file *file); /* NULL is fine */
/* Takes the next bytes of the text of the Chrome trace; an error is kept for the end. */
void pftrace_file_add(struct pftrace_file *file, const void *bytes, size_t n);
/* After the last of them: hands the bytes of the Perfetto trace over, piece by piece. */
int pftrace_file_finish(struct pftrace_file *file,
	void (*write)(void *to, const void *bytes, size_t n), void *to, struct error *err);

#endif
