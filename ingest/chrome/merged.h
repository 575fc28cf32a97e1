/* Description of the files in the output of `timeline merge`: the member "stepstat" at its head
 * (doc/timelines.md). A merged trace is read as its files: each event gets the process and the time
 * back that it had in its own file. */
#pragma once

#include "base/arena.h"
#include "ingest/chrome/trace_scan.h"

#define MERGED_MEMBER_BYTES ((size_t)16 << 20) /* largest size of the description */

/* A file, or one step of it where it was aligned by steps: each has processes and a shift of its
 * own. */
struct merged_part {
	size_t source;		 /* place of its file, from 0 */
	const char *label;	 /* put before the names of its processes */
	struct trace_time shift; /* added to its times */
	uint64_t id_shift;	 /* added to its ids */
	uint64_t id_number;	 /* put before ids that are texts; 0: nothing */
};

struct merged_source {
	const char *path;   /* as named on the command line of the merge */
	const char *reader; /* its name; "" when there was none */
	uint64_t base_ns;
	uint64_t events; /* of the file; 0: not known */
	bool has_near;
	int64_t near_us; /* a time in the middle of the file */
	size_t part;	 /* its first */
};

struct merged;

/* Description of a merged trace, in the arena; NULL when it describes no files. */
struct merged *merged_new(const struct json_value *description, struct arena *arena);
size_t merged_source_count(const struct merged *merged);
const struct merged_source *merged_source_at(const struct merged *merged, size_t source);
const struct merged_part *merged_part_at(const struct merged *merged, size_t part);

/* The event as its file had it: process and time. NULL: its process is of no part. */
const struct merged_part *merged_restore(
	const struct merged *merged, const struct trace_event *event, struct trace_event *own);
/* The name of a process without the part's label: moves *name. The label alone is not a name: then
 * the size is 0. */
void merged_cut_label(const struct merged_part *part, const char **name, size_t *size);

/* Each member beside the events of one of the files ("stepstat_files"), with its file's
 * place. */
int merged_each_member(const struct json_value *files,
	int (*member)(
		void *context, size_t source, const struct json_member *member, struct error *err),
	void *context, struct error *err);
