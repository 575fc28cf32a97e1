/* Inside the reader of timelines: the meaning of rows, by the names of their processes; rows of the
 * host tracer, which wait until all are known; the steps that were merged into one timeline. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/text.h"
#include "base/memory.h"
#include "ingest/chrome/trace.h"
#include "ingest/events/eventlog.h"

enum timeline_row {
	ROW_HOST,   /* a device of the session: ops by when the CPU ran or scheduled them */
	ROW_WHOLE,  /* stream:all: what the device did */
	ROW_STREAM, /* one stream */
	ROW_COPY,   /* /memcpy */
	ROW_TRACER, /* /host:CPU: what the host tracer saw (tfprof/graph/host_trace.h) */
	ROW_OTHER,  /* a device that tfprof has no time for */
	ROW_UNNAMED,
	ROW_KINDS
};

/* Device in lower case, "" when the process is none. */
enum timeline_row timeline_device(const char *process, struct text *device);

/* Sets devices, kinds of time and what is skipped of all lanes: tfprof's rules for the same devices
 * (tfprof/graph/step_stats.h). Rows of streams and copies count where the device has no stream:all.
 * Both get events (`events`: by lane) added by kind of row: those left out, and those that count.
 */
void timeline_devices(struct trace *t, const uint64_t *events, size_t count,
	uint64_t skipped[ROW_KINDS], uint64_t counted[ROW_KINDS]);

/* The executions of TensorFlow's host tracer ("/host:CPU Compute"). These rows are not threads:
 * which execution is nested in which is known only when all of them are
 * (tfprof/graph/host_trace.h), so they wait until then. */
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

/* Several steps in one timeline. Scripts merge timelines under one set of rows; each step begins
 * with TensorFlow's node _SOURCE, one on each device. `stepstat timeline generate` and `merge` give
 * each step rows of its own, labelled.
 *
 * A second _SOURCE on a device is a new step only where nothing is running: functions inside of a
 * step have a _SOURCE too, while the op that calls them runs. */
struct timeline_steps {
	struct vec busy; /* struct keyed, from key to value; disjoint after coalescing */
	size_t coalesce_at;
	struct vec source; /* struct source */
	struct vec range;  /* struct process_range, by process */
	bool full;	   /* too many stretches or sources: not divided */
};

void timeline_steps_init(struct timeline_steps *s);
void timeline_steps_release(struct timeline_steps *s);
/* An execution of an op in the rows of this process. */
int timeline_steps_add(struct timeline_steps *s, uint32_t process, int64_t start_ps, int64_t dur_ps,
	struct error *err);
/* A _SOURCE there, which is in no step's time. */
int timeline_steps_source(
	struct timeline_steps *s, uint32_t process, int64_t start_ps, struct error *err);
/* Marks the steps that labels of processes or _SOURCE separate; *merged is the number found by
 * _SOURCE, 0 for a file of one step (which gets no mark) or with labels. -1: steps with labels run
 * at the same time. */
int timeline_steps_mark(struct timeline_steps *s, struct eventlog *log, const char *path,
	size_t *merged, struct error *err);
