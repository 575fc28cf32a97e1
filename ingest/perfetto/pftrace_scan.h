/* A Perfetto trace (.pftrace: TrackEvents and stages of devices in protobuf) as a stream of the
 * same events that a Chrome trace has: a slice is a complete event (ph X), its debug annotations
 * are its args. Attributes of the trace are the members around the events. What an event means is
 * up to the dialects of producers.
 *
 * Memory does not grow with the input but for the names in it, slices that are open, and 64 MiB of
 * events of tracks that have to be sorted. */
#pragma once

#include "ingest/input/input.h"
#include "ingest/reader.h"
#include "ingest/trace/trace_event.h"
#include "model/issue/issue.h"

/* Reads all of the input, as trace_scan does for a Chrome trace. */
int pftrace_scan(struct input *in, const struct trace_handler *handler, struct issue_list *issues,
	size_t max_record_bytes, struct trace_totals *totals, struct error *err);

/* True if an input begins like such a trace. */
bool pftrace_begins(const unsigned char *bytes, size_t size);

#define PFTRACE_STARTS_MOST 64

/* Facts from the first packets. */
struct pftrace_head {
	int64_t start_us[PFTRACE_STARTS_MOST]; /* of the first events */
	size_t starts;
	bool is_merged;	    /* `timeline merge` wrote it, with a description of its files */
	const char *reader; /* whose dialect it is: "kineto", "jax-trace", ...; NULL: of none */
};

/* Looks at so many bytes of the beginning. */
void pftrace_look(const unsigned char *bytes, size_t size, struct pftrace_head *head);
/* True if the input is such a trace, of the dialect of the reader of this name. NULL: of any. */
bool pftrace_is_of(const struct probe *p, const char *reader);
#define PFTRACE_SCORE 95 /* of the probe of that reader */
bool pftrace_is_merged(const struct probe *p);
