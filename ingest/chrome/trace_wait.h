/* Events of a trace that cannot be understood yet, because what names their process or thread comes
 * later in the file: their text is kept until the end. Writers put names first, so that nothing
 * waits; files that were sorted or put together may have them anywhere. */
#pragma once

#include "ingest/chrome/trace.h"

struct trace_wait;

struct trace_wait *trace_wait_new(void);
void trace_wait_free(struct trace_wait *wait); /* NULL is fine */

/* Stores the event; `is_part`: of a merged trace, so that its process and start are not those of
 * its text. False when 64 MiB are kept already: then the caller must use the event without what
 * comes later. */
bool trace_wait_add(struct trace_wait *wait, const struct trace_event *event, bool is_part);
/* Passes on each event, in the order of the file, with its offset there, and removes all. */
int trace_wait_end(struct trace_wait *wait, struct trace *t,
	int (*take)(struct trace *t, const struct trace_event *event, struct error *err),
	struct error *err);
