/*
 * What a TrackEvent has of an event of a Chrome trace whatever its kind: name, category, args.
 * Names are numbers of a table that the trace has in front of the events.
 */
#ifndef STEPSTAT_TIMELINE_PFTRACE_PFTRACE_EVENT_H
#define STEPSTAT_TIMELINE_PFTRACE_PFTRACE_EVENT_H

#include "base/text.h"
#include "ingest/trace/trace_event.h"

struct pftrace_names;

struct pftrace_names *pftrace_names_new(void);
void pftrace_names_free(struct pftrace_names *names); /* NULL is fine */

/* Adds the fields of a TrackEvent: name, category, args. */
void pftrace_add_event(
	struct pftrace_names *names, const struct trace_event *event, struct text *track_event);
/* The number of a category among those of arrows: the first is 0. */
uint32_t pftrace_flow_category(struct pftrace_names *names, const struct json_value *category);

/* Adds the next packet with names, *at is 0 for the first; the first begins the sequence of
 * packets. False after the last. */
bool pftrace_add_names(const struct pftrace_names *names, size_t *at, struct text *packets);

/* The sequence that all packets are of. */
#define PFTRACE_SEQUENCE 1

#endif
