/*
 * What `timeline merge` says in its output of the files that are in it: which process is of which file. Ids of launches are only
 * unique within a file.
 */
#ifndef STEPSTAT_INGEST_MERGED_H
#define STEPSTAT_INGEST_MERGED_H

#include "base/arena.h"
#include "ingest/trace_scan.h"

struct merged;

/* Of the member "stepstat" of a merged trace (doc/timelines.md), in the arena; NULL when it says nothing of processes. */
struct merged *merged_new(const struct json_value *description, struct arena *arena);
/* Number of the file that the process with this "pid" comes from; 0 for the first, and for what is not known. */
uint64_t merged_file_of(const struct merged *merged, const struct json_value *pid);

#endif
