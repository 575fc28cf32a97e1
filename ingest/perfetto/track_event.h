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

struct pf_track_event {
	struct pf_bytes bytes; /* all of it */
	uint64_t type, track_uuid, name_iid;
	struct pf_bytes name, category; /* category: the first of its texts */
	uint64_t category_iid;		/* the first of its numbers; 0: none */
	bool has_track, has_annotations, has_real, flows;
	int64_t value; /* of a counter */
	double real;   /* of has_real */
};

/* False: the bytes are no message; the fields before that place are there. */
bool pf_track_event_parse(struct pf_bytes bytes, struct pf_track_event *event);
/* Its first category; kind 0: it has none. */
struct json_value pf_track_event_category(const struct pf_track_event *event,
	const struct pf_names *names, struct arena *scratch);

struct pf_flow {
	uint64_t id;
	bool ends; /* there */
};

/* The arrows one by one; *at is 0 for the first. False after the last. */
bool pf_track_event_flow(const struct pf_track_event *event, size_t *at, struct pf_flow *flow);

#endif
