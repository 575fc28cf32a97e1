/*
 * The sweep over the events of lanes, by several threads: each has a copy of the log for what its
 * events say together (log_fork), and a struct sweep. Only for ingest/events/eventlog*.c.
 */
#ifndef STEPSTAT_INGEST_EVENTS_EVENTLOG_SWEEP_H
#define STEPSTAT_INGEST_EVENTS_EVENTLOG_SWEEP_H

#include "ingest/events/eventlog_parts.h"

/* eventlog_check.c */
/* State of the checks: the events before that show which of the next ones cannot be true. */
struct checks {
	/* The event before, on any lane. */
	struct {
		int64_t start_ps, dur_ps;
		uint64_t link;
		uint32_t lane, op;
		bool is_around;
	} same;
	/* The event before that took time, on a serial lane. */
	bool has_last;
	uint32_t lane, last_op;
	int64_t last_start_ps, last_end_ps;
	uint64_t last_link;
};
/* Looks at each event with a time of its own, lane by lane in order. False: it is the event before
 * once more. */
bool check_event(struct eventlog *log, struct checks *checks, const struct log_record *event,
	int64_t start_ps);
/* The host waits for the lane: what still runs is too long. */
void check_wait(struct eventlog *log, const struct checks *checks, uint32_t lane, int64_t start_ps);
/* Another lane begins, or there is none. */
void check_lane(struct eventlog *log, struct checks *checks);
/* Counts an event of a device outside of steps, until one is inside: by then all may be outside. */
void check_outside(
	struct eventlog *log, const struct log_record *event, int64_t start_ps, uint32_t slot);
/* Counts an event of the host that ends after the step in which it starts, on the step's thread. */
void check_crossing(
	struct eventlog *log, const struct log_record *event, int64_t start_ps, uint32_t slot);

/* eventlog_busy.c */
void log_init_busy(struct eventlog *log);
/* Adds a stretch of a lane; those of a lane come in order of start. */
int log_add_busy(
	struct eventlog *log, uint32_t lane, const struct busy_record *record, struct error *err);
void log_release_busy(struct eventlog *log);
/* Sets the busy time of each slot, by what the log and its forks have. */
int log_measure_busy(
	struct eventlog *log, struct eventlog *const *fork, size_t forks, struct error *err);

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

/* Parts of the merge. */
void tallies_merge(struct eventlog *log, const struct eventlog *fork);
void doubts_merge(struct eventlog *log, const struct eventlog *fork);
int sums_merge(struct eventlog *log, const struct eventlog *fork, struct error *err);
void log_merge_calls(struct eventlog *log, const struct eventlog *fork);

/* eventlog_sum.c: adds to SUM_FLOAT_OPS; below 0: not known, and then the sum is not either. */
void sum_add_float_ops(struct eventlog *log, size_t row, int64_t count);

/* eventlog_labels.c: labels that are open on a lane; the rows of what is launched, or runs, in
 * them. */

/* Kinds of records in log->labels that launch nothing. */
enum label_kind {
	LABEL_SURE,
	LABEL_GUESSED,
	LABEL_FORWARD,	/* the point at which an op of the forward pass begins; `link` numbers it */
	LABEL_BACKWARD, /* what is around the last LABEL_FORWARD of this number is around it, too */
};

/* Keeps a labelled event, a launch, or a part of autograd's passes. */
int log_add_label(
	struct eventlog *log, const struct log_record *event, uint32_t label, struct error *err);
/* True if a device worked, or something that was launched on one. */
bool log_has_device(const struct eventlog *log);
/* Makes log->launches (and log->around) of them, each with its op; or, where nothing is launched on
 * a device, prepares the rows of the host's own events. */
int log_label_launches(struct eventlog *log, struct error *err);

/* Lists of ops. */
size_t op_list_count(const struct intern *lists, uint32_t id);
uint32_t op_list_at(const struct intern *lists, uint32_t id, size_t index);

struct label_stack;

/* is_of_events: labels without a duration are around the events of their start, and names of stacks
 * are made when a label is opened. */
struct label_stack *label_stack_new(struct eventlog *log, bool is_of_events);
void label_stack_free(struct label_stack *s); /* NULL is fine */
/* Finds what is around each LABEL_FORWARD, and where rows are stacks of events, all of their names:
 * from here on ops are made only without is_of_events. The labels are sorted, and at their first
 * one again after it. */
int label_stack_prepare(struct label_stack *s, struct error *err);
/* Goes on to a time of a lane: labels that have ended by then are closed. */
void label_stack_move(struct label_stack *s, uint32_t lane, int64_t now_ps);
/* Opens the label of a record that starts now. */
void label_stack_open(struct label_stack *s, const struct log_record *record, int64_t start_ps);
/* Rows of what is launched now: its own first, then, with totals, those of the other labels, each
 * once. At least one. */
size_t label_stack_rows(struct label_stack *s, int64_t now_ps, const uint32_t **rows);
/* Rows of the host's own events, where nothing is launched on a device. Events come lane by lane in
 * order of time. */
struct host_rows *host_rows_new(struct eventlog *log, struct error *err); /* NULL: failed */
void host_rows_free(struct host_rows *h);				  /* NULL is fine */
/* Makes the event one of its row. *rows: all rows that it is in, where there are totals. */
int host_rows_place(
	struct host_rows *h, struct log_record *event, uint32_t *rows, struct error *err);
/* The lists of these rows. */
const struct intern *host_rows_lists(const struct host_rows *h);

#endif
