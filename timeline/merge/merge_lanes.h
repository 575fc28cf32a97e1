/*
 * Open slices on each thread of a file, for slices in two events (B, E). It pairs in the order of
 * the file and does not know what an item means.
 */
#ifndef STEPSTAT_TIMELINE_MERGE_MERGE_LANES_H
#define STEPSTAT_TIMELINE_MERGE_MERGE_LANES_H

#include "base/memory.h"
#include "ingest/trace/trace_event.h"

struct merge_lanes;

/* `item_bytes` is the size of what is kept for an open slice. */
struct merge_lanes *merge_lanes_new(size_t item_bytes);
void merge_lanes_free(struct merge_lanes *lanes); /* NULL is fine */
/* Another file: nothing is open. */
void merge_lanes_clear(struct merge_lanes *lanes);
/* A slice begins on the event's thread: its item, zeroed, valid until the next call. NULL: too many
 * threads, or too deep. */
void *merge_lanes_push(
	struct merge_lanes *lanes, const struct trace_event *event, struct error *err);
/* The slice that the event ends: its item, valid until the next call, no longer open. NULL: none is
 * open. */
void *merge_lanes_pop(struct merge_lanes *lanes, const struct trace_event *event);

#endif
