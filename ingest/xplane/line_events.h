/* The events of one line as bytes become events of a log. What is read of a plane is in plane.h;
 * the meaning of names in ingest/trace/xla_rules.h. */
#pragma once

#include "ingest/events/eventlog.h"
#include "ingest/trace/trace_requests.h"
#include "ingest/trace/xla_log.h"
#include "ingest/xplane/event_windows.h"
#include "ingest/xplane/hlo_words.h"

/* Counts over all lines. */
struct line_tally {
	uint64_t events;     /* all that were read */
	size_t aggregated;   /* events that are sums (num_occurrences) */
	size_t unnamed;	     /* whose id the plane does not name */
	uint64_t unnamed_at; /* the first of them */
};

/* One file while it is read. */
struct xplane_reader {
	struct space *space;
	struct event_windows *windows;
	struct eventlog *log;
	struct trace_requests *asked;
	struct xla_log *xla;
	struct profile *profile;
	struct hlo_words *words; /* of the programs in it; NULL: not asked for */
	size_t device_ops;	 /* the first so many ops of the profile are of devices */
	struct line_tally tally;
	bool with_launchers; /* they are the rows (--by=launcher) */
	struct text scratch, host_name;
};

/* Bits of the roles of stats that are looked for on a host, or on a device. */
unsigned line_events_wanted(bool is_device);

/* Reads the events of the line of this place into the log; its plane is loaded. As for
 * event_windows_take. */
int line_events_read(struct xplane_reader *r, struct plane *plane, size_t place, uint32_t lane,
	struct error *err);
