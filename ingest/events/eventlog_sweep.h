/* The sweep over the events of lanes, by several threads: each has a copy of the log for what its
 * events say together (log_fork), and a struct sweep. Only for ingest/events/eventlog*.c. */
#pragma once

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
void log_init_busy(struct eventlog *log); /* log->threads are known */
/* Adds a stretch of a lane; those of a lane come in order of start. */
int log_add_busy(
	struct eventlog *log, uint32_t lane, const struct busy_record *record, struct error *err);
void log_release_busy(struct eventlog *log);
uint64_t log_busy_disk_bytes(const struct eventlog *log);
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
void sums_take(struct eventlog *log, struct eventlog *fork); /* sums_observe adds them */
void log_merge_calls(struct eventlog *log, const struct eventlog *fork);

/* eventlog_sum.c: adds to SUM_FLOAT_OPS or SUM_MATRIX_BYTES; below 0: not known, and then the sum
 * is not either. */
void sum_add_product(struct eventlog *log, size_t row, enum sum_id id, int64_t count);

/* Labels, or events, that are open on a lane. Those that have ended stay until they are on top, or
 * until there is no room. */
struct open_label {
	int64_t start_ps, end_ps;
	uint64_t link;
	uint32_t op;
	bool covers, is_frame;
	bool is_marker;	 /* a LABEL_BACKWARD while forward ops are looked at */
	size_t forward;	 /* a label that was around this forward op, + 1; 0: it is open by itself */
	bool is_base;	 /* the outermost of those */
	uint32_t thread; /* of a LABEL_BACKWARD: in label_stack.threads, + 1; 0: not known */
	/* The op of the stack of labels that ends with this one, until one of them ends; of an
	 * event its row. */
	uint32_t row;
	int64_t row_end_ps; /* INT64_MIN: not made yet */
};

struct open_labels {
	struct open_label *item; /* the outermost first */
	size_t count, most;
	bool from_start; /* what begins now is open, also without a duration */
};

static inline bool open_labels_has(
	const struct open_labels *open, const struct open_label *label, int64_t now_ps)
{
	return label->end_ps > now_ps || (open->from_start && label->start_ps == now_ps);
}

/* Drops those that ended before: on top always, all of them when there is no room. */
static inline void open_labels_move(struct open_labels *open, int64_t now_ps)
{
	size_t kept = 0;

	while (open->count && !open_labels_has(open, &open->item[open->count - 1], now_ps))
		open->count--;
	if (open->count < open->most)
		return;
	for (size_t i = 0; i < open->count; i++)
		if (open_labels_has(open, &open->item[i], now_ps))
			open->item[kept++] = open->item[i];
	open->count = kept;
}

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
/* Closes the labels that have ended when a record starts, and opens its own. */
void label_stack_add(struct label_stack *s, const struct log_record *record, int64_t start_ps);
/* Rows of what is launched now: its own first, then, with totals, those of the other labels, each
 * once. At least one. */
size_t label_stack_rows(struct label_stack *s, int64_t now_ps, const uint32_t **rows);
/* All labels have been added: from here on they are read beside something else, and a stack that is
 * no op is ROW_OF_CONTEXT and a number of eventlog_context. */
#define ROW_OF_CONTEXT (UINT32_C(1) << 31)
void label_stack_end(struct label_stack *s);
/* Goes on to what begins then on a lane and lasts so long: adds the labels before it. */
int label_stack_read(
	struct label_stack *s, uint32_t lane, int64_t start_ps, int64_t dur_ps, struct error *err);
/* The row of what would be launched now, and until when it stays that. */
uint32_t label_stack_row(struct label_stack *s, int64_t now_ps, int64_t *until_ps);
/* Frees the labels and their stack. */
void log_release_labels(struct eventlog *log);

/* Rows of the host's own events, where nothing is launched on a device. Events come lane by lane in
 * order of time. */
struct host_rows *host_rows_new(struct eventlog *log, struct error *err); /* NULL: failed */
void host_rows_free(struct host_rows *h);				  /* NULL is fine */
/* Makes the event one of its row. *rows: all rows that it is in, where there are totals. */
int host_rows_place(
	struct host_rows *h, struct log_record *event, uint32_t *rows, struct error *err);
/* The lists of these rows. */
const struct intern *host_rows_lists(const struct host_rows *h);
