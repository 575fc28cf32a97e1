/*
 * One event of a track (TrackEvent): its kind, its name, which track, its arrows.
 */
#ifndef STEPSTAT_INGEST_PERFETTO_TRACK_EVENT_H
#define STEPSTAT_INGEST_PERFETTO_TRACK_EVENT_H

#include "ingest/perfetto/names.h"

enum pf_event_type { /* of the format */
	PF_SLICE_BEGIN = 1,
	PF_SLICE_END = 2,
	PF_INSTANT = 3,
	PF_COUNTER = 4,
};

enum pf_event_has {
	PF_HAS_TRACK = 1,
	PF_HAS_ARGS = 2,
	PF_HAS_FLOWS = 4,
	PF_HAS_REAL = 8,
	PF_HAS_NAME = 16,	/* a text, not the number of one */
	PF_HAS_CATEGORY = 32,	/* the same */
	PF_HAS_PLAIN_NAME = 64, /* it is no event but a name (ingest/perfetto/ftrace.h) */
};

struct pf_track_event {
	uint64_t type, track_uuid;
	uint64_t name_iid, category_iid; /* category: the first; 0: none */
	unsigned has;			 /* enum pf_event_has */
	uint64_t value;			 /* of a counter; PF_HAS_REAL: the bits of a double */
};

/* False: the bytes are no message. */
bool pf_track_event_parse(struct pf_bytes bytes, struct pf_track_event *event);
/* Texts in the bytes: the name, the first category; at NULL: there is none. */
struct pf_bytes pf_track_event_name(struct pf_bytes bytes);
struct pf_bytes pf_track_event_category(struct pf_bytes bytes);

struct pf_flow {
	uint64_t id;
	bool ends; /* there */
};

/* The arrows of an event, of which those before this place were taken. */
struct pf_flows {
	struct wire event, list; /* list: of numbers that are packed, in which it is */
	bool is_fixed, ends;	 /* of the list */
};

struct pf_flows pf_track_event_flows(struct pf_bytes bytes);
/* False after the last. */
bool pf_flows_next(struct pf_flows *flows, struct pf_flow *flow);

#endif
