/*
 * The sweep over the events of lanes, by several threads: each has a copy of the log for what its
 * events say together (log_fork), and a struct sweep. Only for ingest/events/eventlog*.c.
 */
#ifndef STEPSTAT_INGEST_EVENTS_EVENTLOG_SWEEP_H
#define STEPSTAT_INGEST_EVENTS_EVENTLOG_SWEEP_H

#include "ingest/events/eventlog_parts.h"

struct sweep;

/* Properties of ops that all sweeps of a log share. */
struct sweep_ops {
	const uint64_t *name_hash; /* of each op, as intern_end_three wants it */
	const uint32_t *row;	   /* of each op; NULL: no totals */
};

struct sweep *sweep_new(struct eventlog *log, const struct sweep_ops *ops);
void sweep_free(struct sweep *s);
/* Passes over a part of a lane, in which nothing is open at both ends. */
int sweep_part(struct sweep *s, const struct lane_part *part, struct error *err);
/* Passes over the lanes of which some events are in the sorter. */
int sweep_sorted(struct sweep *s, struct error *err);
/* Adds what another sweep has found out about ops. */
void sweep_merge(struct sweep *s, const struct sweep *other);
/* Gives the ops of the profile their types and devices. */
void sweep_set_attributes(const struct sweep *s);

/* A copy for a thread; there are `forks` of them. The log and its forks do not change what they
 * share. */
struct eventlog *log_fork(const struct eventlog *log, size_t forks);
/* Adds what the events of the forks say, but for busy times. */
int log_merge_forks(
	struct eventlog *log, struct eventlog *const *fork, size_t forks, struct error *err);
void log_free_fork(struct eventlog *fork);

/* Parts of the merge. */
void tallies_merge(struct eventlog *log, const struct eventlog *fork);
void doubts_merge(struct eventlog *log, const struct eventlog *fork);
int sums_merge(struct eventlog *log, const struct eventlog *fork, struct error *err);
void log_merge_calls(struct eventlog *log, struct eventlog *const *fork, size_t forks);

#endif
