/*
 * The executions of TensorFlow's host tracer in a timeline ("/host:CPU Compute"). The rows of
 * timeline.py are not threads: which execution is nested in which is known only when all of them
 * are (tfprof/graph/host_trace.h), so they wait until then.
 */
#ifndef STEPSTAT_TFPROF_FILES_TIMELINE_HOST_H
#define STEPSTAT_TFPROF_FILES_TIMELINE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include "base/memory.h"
#include "ingest/events/eventlog.h"

struct timeline_host {
	struct vec held; /* struct event */
	struct vec seen; /* unsigned char: what is known of each process */
};

struct timeline_host_counts {
	size_t counted, repeated, range;
};

void timeline_host_init(struct timeline_host *h, size_t events_most);
void timeline_host_release(struct timeline_host *h);

/* True if the process is the host tracer's, or may be while its name is not known yet: its events
 * are to be held. */
bool timeline_host_is(struct timeline_host *h, const struct eventlog *log, uint32_t process);
int timeline_host_hold(struct timeline_host *h, const struct event *event, struct error *err);
/* Adds the held events to the log; of ops that a device of the session has (`of_session`, by op)
 * the tracer's events are left out. */
int timeline_host_add(struct timeline_host *h, struct eventlog *log, const struct profile *profile,
	const bool *of_session, struct timeline_host_counts *counts, struct error *err);

#endif
