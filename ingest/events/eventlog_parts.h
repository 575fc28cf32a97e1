/* Declarations that the parts of ingest/events/eventlog share: the log itself, the records that are
 * sorted, steps while events find them. Only for ingest/events/eventlog*.c.
 *
 * A slot is the index of a mark among all marks in order; a step of the profile is made of each in
 * which something runs. */
#pragma once

#include "base/number.h"
#include "base/unit.h"
#include "base/memory.h"
#include "ingest/events/byte_runs.h"
#include "ingest/events/eventlog.h"
#include "ingest/events/spill.h"

#define LANES_MOST ((size_t)1000000) /* fits the 20 bits that the key has for it */
#define TIME_MOST (INT64_C(1) << 62) /* differences of two times fit 64 bits */

#define LAUNCH_UNKNOWN INT64_MIN
#define LANE_UNKNOWN UINT32_MAX /* in the place of an issue */

#define SLOT_NONE UINT32_MAX	       /* in no step */
#define SLOT_BY_TIME (UINT32_MAX - 1)  /* that of its process at its start */
#define SLOT_UNLINKED (UINT32_MAX - 2) /* in no step: its launch is not there */
#define SLOT_LEAST_SPECIAL SLOT_UNLINKED

/* An event. In a sorter it has a key: of all events lane, start and duration (longest first,
 * rounded above 1.1 s), of launched events link and start. */
struct log_record {
	union {
		int64_t start_ps;
		uint64_t hi; /* in a sorter */
	};
	uint64_t lo; /* in a sorter */
	int64_t dur_ps, bytes;
	uint64_t link;
	int64_t launch_ps; /* of what launched it, once that is found; LAUNCH_UNKNOWN */
	uint32_t lane, slot;
	uint32_t op;
	uint8_t type, flags, bytes_kind,
		kind;	      /* what often changes first: see ingest/events/spill.h */
	uint64_t launch_lane; /* of the launch, where launch_ps is known */
};

/* Launches, or what they launched, by link and start. A launch has its enum launch_traits in the
 * place of the slot; where rows are launchers the op that has what it launched, and in the place of
 * the bytes its number of all launches, from 1. */
struct linked {
	struct lane_runs *runs; /* of lanes whose links come in order; the others are in `sorter` */
	struct spill *sorter;
};

/* The host waits for all that it has launched. */
struct device_wait {
	int64_t start_ps, end_ps;
};
#define WAITS_MOST 65536 /* further ones are not looked at */

/* Another op around a launch: (link, number of the launch) is the key. */
struct around_record {
	uint64_t link, number, op;
};

/* A stretch of time in which a lane was busy: the start is the key. */
struct busy_record {
	uint64_t start, slot;
	int64_t end_ps;
};

/* The stretches of all lanes in some of the slots. */
struct busy_range {
	struct spill *sorter; /* NULL: there are none */
	uint32_t lane, lanes; /* the last one; how many have come */
};

/* An event on its way to the sink: (rank of the lane, number in order of the sweep) is the key. */
struct row_record {
	uint64_t rank, number;
	int64_t start_ps, dur_ps, self_ps, bytes;
	uint64_t link;
	uint32_t lane, slot;
	uint32_t op, depth;
	uint8_t flags, bytes_kind, type, unused[5];
};

/* A mark and what was found in it. */
struct slot {
	uint32_t process; /* or EVENTLOG_ANY */
	bool unnumbered;  /* in the profile */
	bool numbered;	  /* by the source */
	bool outermost;	  /* no step where it is in another such mark */
	bool is_whole;	  /* as in struct step_mark */
	bool from_events; /* as in struct step_mark */
	bool open_end;	  /* the mark says no end */
	bool closed_end;  /* its last point in time is end_ps, else the one before */
	bool used;	  /* some event is in it */
	bool doubtful;	  /* some event of it has no time */
	bool cut;	  /* recording began after it, or ended before it */
	int64_t number, start_ps, end_ps;
	int64_t mark_end_ps; /* of the mark itself; end_ps may lie before it, or after it */
	const char *run, *kind;
	int64_t first_ps, last_ps, busy_ps; /* of its events */
	int64_t device_ps, device_end_ps;   /* time of the device's events, and the last end */
	int64_t early_ps; /* of what ran in it, before the first of its lane whose launch is known
			   */
	uint64_t hash, events, device_events;
	struct step_launches launches;
	uint32_t index;	 /* in the profile */
	uint32_t thread; /* its lane + 1; 0: none, or its end is not its own */
	int64_t took_ps; /* 0: from start to end */
};

/* True if steps are missing between the two, by their numbers. `here` then lasts no longer than its
 * events. Numbers that begin again, or are of another kind of step, prove nothing. */
static inline bool slot_is_gap(const struct slot *here, const struct slot *next)
{
	return next->kind == here->kind && next->number > here->number &&
	       next->number - 1 > here->number;
}

/* Something is in the step from start to end. */
static inline void slot_use(struct slot *slot, int64_t start_ps, int64_t end_ps)
{
	if (!slot->used || start_ps < slot->first_ps)
		slot->first_ps = start_ps;
	if (!slot->used || end_ps > slot->last_ps)
		slot->last_ps = end_ps;
	slot->used = true;
}

/* A launched event with the slot of its launch. */
struct launched_event {
	const struct log_record *record;
	int64_t start_ps, launch_ps; /* LAUNCH_UNKNOWN: not known */
};

/* The slots of a process, which are together. */
struct slot_range {
	size_t first, count;
};

/* Events and steps that are counted for issues. The place is that of the first event by lane and
 * time, not by order of adding. */
enum tally_id {
	TALLY_RANGE,
	TALLY_OUTSIDE,
	TALLY_DEVICE_OUTSIDE,
	TALLY_UNLINKED,
	TALLY_BEFORE,
	TALLY_AWAITED,
	TALLY_REPLAYS,
	TALLY_NO_DEVICE,
	TALLY_BY_TIME,
	TALLY_LINK_TWICE,
	TALLY_OVERLAP,
	TALLY_DEEP,
	TALLY_LABELS_DEEP,
	TALLY_FORWARD_UNKNOWN,
	TALLY_CAPTURED,
	TALLY_UNCAPTURED,
	TALLY_IN_GRAPH,
	TALLY_GRAPH_CUTS, /* three, as of graph_captures_cut */
	TALLY_STACK_NAMES = TALLY_GRAPH_CUTS + 3,
	TALLY_LISTS_MANY,
	TALLY_FORWARDS_MANY,
	TALLY_CAUSES_MANY,
	TALLY_CAUSES_DEEP,
	TALLY_SELF,
	TALLY_SUM,
	TALLY_STEP_CUT,
	TALLY_STEP_POINT,
	TALLY_STEP_BACKWARDS,
	TALLY_STEP_EMPTY,
	TALLY_TAIL,
	TALLY_STEP_REPLACED,
	TALLY_SHARED,
	TALLY_STEP_NESTED,
	TALLY_TYPES,
	TALLY_DEVICES,
	TALLY_ZERO,
	TALLY_STREAM,
	TALLY_LEAD,
	TALLY_NESTING,
	TALLY_DUPLICATE,
	TALLY_LONG,
	TALLY_FAR,
	TALLY_DEVICE_CLOCK,
	TALLY_CROSSING,
	TALLY_SYNC,
	TALLY_LATE,
	TALLY_HANDED,
	TALLY_HANDED_MANY,
	/* How events of devices in steps have found them. */
	TALLY_STEP_OF_LAUNCH,
	TALLY_STEP_OF_CALL,
	TALLY_STEP_OF_TIME,
	TALLY_COUNT
};

struct tally {
	size_t count;
	int64_t lost_ps; /* the time of what is counted, where that is a loss */
	bool placed;
	bool in_step; /* the place is op and step, else op, lane and start */
	uint32_t lane, op;
	int64_t start_ps; /* in_step: the number of the step */
};

/* Time of all events of an op, in steps or not. */
struct op_time {
	int64_t sum_ps, longest_ps;
};

/* Sums of an op in a step. */
enum sum_id {
	SUM_CPU,
	SUM_ACCELERATOR,
	SUM_CALLS,
	SUM_TOTAL_CPU,
	SUM_TOTAL_ACCELERATOR,
	SUM_TOTAL_CALLS, /* only where rows are launchers, or host_rows */
	SUM_REQUESTED,
	SUM_RESIDUAL,
	SUM_OUTPUT,
	SUM_TRANSFERRED,
	SUM_FLOAT_OPS,
	SUM_MATRIX_BYTES,
	SUM_COUNT
};

/* Calls with self times, and with nested events. */
enum call_place { CALLS_SELF, CALLS_TOTAL, CALL_PLACES };

/* A row for each (op, slot). Events come lane by lane in order of time, so the rows of an op are a
 * list in order of slots, and where to go on in it is known. Where too many steps along the lists
 * are needed, all rows are found by open addressing from then on. The columns become those of the
 * profile's observations; only while the sums of several threads are joined there are two of them.
 */
struct sums {
	int64_t *column[SUM_COUNT];			  /* NULL: not used */
	struct call_sums *calls[CALL_PLACES][CALL_KINDS]; /* NULL: not used */
	uint32_t *op, *slot;
	size_t count, room;
	uint32_t *last; /* of each op: its row that was asked for last, + 1 */
	uint32_t *first,
		*next; /* of each op, of each row: row + 1, 0: none. NULL: `place` is used */
	size_t last_room, first_room; /* of both, in ops */
	size_t steps_left;	      /* along the lists */
	uint32_t *place; /* row + 1, 0: empty; twice as many as there is room for rows. NULL: lists
			    are used */
	size_t mask;
};

/* A call of a collective in a step. */
struct log_call {
	uint32_t op, slot, group; /* as the value of eventlog_collective has it */
	uint32_t part;		  /* of the sweep */
	int64_t sequence, start_ps, dur_ps;
};

/* Description that another event gives of the collective with this id. */
struct described_id {
	uint64_t id;
	int64_t value; /* of eventlog_collective */
};

/* Events that are not stored yet: eventlog_feed.c. */
struct log_feed {
	struct log_record *at, *end; /* of the batch that is filled */
	struct log_record *batch;    /* NULL: none as yet */
	struct feed_thread *thread;  /* NULL: batches are stored when they are full */
	size_t stored;		     /* batches without a thread */
	struct error err;	     /* why storing failed */
};

struct eventlog {
	struct log_feed feed;
	struct arena *arena;
	struct profile *profile;
	struct eventlog_options opt;
	struct intern *processes, *texts, *types;
	struct intern *lanes;	    /* their keys begin with the id of the process */
	struct intern *contexts;    /* names of EVENT_CONTEXT */
	struct intern *products;    /* struct log_product */
	struct intern *event_types; /* their number + 1 is eventlog_type */
	uint16_t *row_type;	    /* by op: event_types + 1 of those that its row counts; see
				       eventlog_sweep.c. NULL before */
	uint32_t *row_of;	    /* by op: its number + 1 of those in row_names */
	size_t row_room;
	struct intern *row_names;
	struct vec process_name; /* of const char *, NULL: its key */
	struct vec lane;	 /* of struct lane */
	struct vec mark;	 /* of struct slot, in order of adding, later in order */
	struct vec given, taken; /* eventlog_handoffs.c */
	struct vec stretch;	 /* of struct step_stretch, later in order of process and number */
	struct lane_runs *runs;	 /* events in order; the others are in `events` */
	struct linked launches, launched;
	struct spill *events, *work, *rows;
	struct spill *late;	 /* eventlog_causes.c; NULL: there are none */
	bool *is_late;		 /* of each lane: it has some, and its events say more of them */
	struct busy_range *busy; /* from the sweep on */
	size_t busy_ranges, busy_slots;	     /* their number; slots of each */
	struct spill *labels, *around;	     /* only where rows are launchers */
	struct label_stack *label_stack;     /* then, until causes are found */
	struct host_rows *host_rows;	     /* eventlog_labels.c; NULL: rows are not these */
	bool any_backward;		     /* LABEL_BACKWARD */
	uint32_t unlabelled, not_attributed; /* ops, while eventlog_finish runs */
	bool any_label;			     /* around a launch */
	bool no_guesses;		     /* eventlog_drop_guesses */
	unsigned bytes_seen;		     /* bit for each event_bytes */
	double bytes_sum;		     /* of all, those below 0 as if they were above */
	bool share_marks;
	bool tell_steps; /* eventlog_tell_steps */
	uint32_t shared; /* the process whose marks are those of all, UINT32_MAX: none */
	bool any_launch, any_launched, any_event, one_run;
	bool any_link; /* of a launched event */
	/* Marks are only launches: more than a fifth of the time of what was launched in them runs
	 * after their ends. */
	bool is_launch_only;
	bool by_period;	  /* steps are from mark to mark */
	int64_t ahead_ps; /* then: time of devices before the first mark, where no step is */
	const char *run;  /* of all steps; NULL: none is named */
	int64_t first_ps; /* of all events, when there is any */
	struct tally tally[TALLY_COUNT];
	int64_t whole[LOSS_KINDS]; /* of which losses are parts; eventlog_loss.c */
	/* While eventlog_finish runs. */
	uint32_t *process_rank, *lane_rank;
	struct slot_range *range;  /* of each process, then of EVENTLOG_ANY */
	uint32_t *by_start;	   /* slots of all processes by start */
	struct log_device *device; /* eventlog_devices.c */
	size_t device_count;
	bool any_work;			  /* of a device */
	uint32_t *device_of_lane;	  /* UINT32_MAX: none */
	uint32_t *next_lane;		  /* with events, of the device of each lane */
	struct call_record *waiting_call; /* eventlog_rows.c; NULL: none as yet */
	size_t waiting_calls;
	uint32_t call_source;
	struct sums sums, *more_sums; /* more_sums: of forks */
	size_t more_sums_count, more_sums_room;
	int64_t base_us; /* for messages */
	/* Doubtful times; eventlog_doubt.c. */
	struct doubts *doubts[DOUBT_COUNT]; /* NULL: nothing */
	struct op_time *op_time;	    /* of each op, from the sweep on */
	struct op_time device_time;	    /* of all launched events */
	bool no_busy;			    /* opt.ops_suffice, and parts are there */
	bool has_fraction;		    /* some time is no multiple of 1 us */
	bool any_joined;		    /* some launched event has its launch */
	bool any_inside; /* some event of a device that was not launched is in a step */
	bool has_end;
	int64_t end_ps;		   /* of the recording, when has_end */
	int64_t lead_ps;	   /* the most that an event starts before its launch */
	int64_t longest_replay_ps; /* the most work of one graph launch */
	int64_t late_ps;	   /* the most that one ends after the host has waited for it */
	uint32_t lead_op, late_op;
	/* eventlog_collectives.c */
	struct intern *groups; /* of processes; in the arena of the profile */
	struct vec described;  /* of struct described_id, sorted by log_begin_collectives */
	uint8_t *name_says;    /* of each op, enum name_says; shared by threads */
	size_t threads;	       /* that the events are worth, from the sweep on */
	uint32_t part;	       /* of the sweep, in order; UINT32_MAX: what is in the sorter */
	struct log_call *call;
	size_t call_count, call_room, calls_left_out;
	struct vec captures;	       /* eventlog_launchers.c: calls that begin and end captures */
	struct graph_captures *graphs; /* what was captured; NULL: nothing */
	struct recurrence *recurrence; /* eventlog_recurring.c; NULL: there are marks */
	struct vec waits; /* of struct device_wait, in order of time when links are joined */
};

/* Times of one microsecond and less say nothing of clocks: so coarse are those of many traces. */
#define CLOCK_PS PS_PER_US

static inline struct slot *slots_of(const struct eventlog *log)
{
	return log->mark.data;
}

static inline struct lane *lanes_of(const struct eventlog *log)
{
	return log->lane.data;
}

struct log_product log_product_of(
	const struct eventlog *log, int64_t number); /* of eventlog_product */
/* A call that begins or ends a capture; log_pair_captures comes after the last one. */
void log_add_capture(struct eventlog *log, const struct log_record *record, uint32_t label);
void log_pair_captures(struct eventlog *log);
/* 0: what the lane launches at this time is not captured; else another number for each capture. */
size_t log_capture_at(const struct eventlog *log, uint32_t lane, int64_t start_ps);
/* Names of slices that may be marks: between these calls each op of the host is noted. */
void log_begin_recurring(struct eventlog *log);
void log_note_recurring(struct eventlog *log, const struct log_record *event, int64_t start_ps);
void log_end_recurring(struct eventlog *log);

/* The row of an op as a number, by opt.row_of; at most as many as there are ops. */
uint32_t log_row_of(struct eventlog *log, uint32_t op);

/* A signed value as the key of a sorter. */
static inline uint64_t key_of(int64_t value)
{
	return (uint64_t)value ^ UINT64_C(1) << 63;
}

static inline int64_t value_of(uint64_t key)
{
	return (int64_t)(key ^ UINT64_C(1) << 63);
}

/* The key in the sorter of all events. In hi: the lane and the start without its last bits. */
#define KEY_START_BITS_IN_LO 19
#define KEY_DUR_BITS 44
#define KEY_DUR_DIGITS 39 /* bits of a long duration after the first */

/* A duration in 44 bits that keeps the order; above 2^40 ps the lowest bits are lost. */
static inline uint64_t log_rounded_dur(int64_t dur_ps)
{
	uint64_t dur = (uint64_t)dur_ps;
	unsigned shift = 0;

	if (dur >> (KEY_DUR_DIGITS + 1))
		shift = (unsigned)(63 - __builtin_clzll(dur)) - KEY_DUR_DIGITS;
	return ((uint64_t)shift << KEY_DUR_DIGITS) + (dur >> shift);
}

/* Duration of an event, with its time on other lanes that its place in time does not show. */
static inline int64_t log_record_lasts(const struct log_record *record)
{
	const bool is_longer = record->flags & EVENT_NESTS && record->bytes < 0;

	return record->dur_ps - (is_longer ? record->bytes : 0);
}

/* Makes the key. In lo: the rest of the start, the duration, and whether it is not EVENT_AROUND. */
static inline void log_record_key(struct log_record *record, int64_t start_ps)
{
	uint64_t start = (uint64_t)(start_ps + TIME_MOST); /* 63 bits */
	uint64_t longest = (UINT64_C(1) << KEY_DUR_BITS) - 1;

	record->hi = (uint64_t)record->lane << (63 - KEY_START_BITS_IN_LO) |
		     start >> KEY_START_BITS_IN_LO;
	record->lo = start << (KEY_DUR_BITS + 1) |
		     (longest - log_rounded_dur(record->dur_ps)) << 1 |
		     !(record->flags & EVENT_AROUND);
}

/* Finds the start in the key again. */
static inline int64_t log_record_start(const struct log_record *record)
{
	uint64_t start = record->hi << KEY_START_BITS_IN_LO | record->lo >> (KEY_DUR_BITS + 1);

	return (int64_t)(start & INT64_MAX) - TIME_MOST;
}

/* A sorter with this part of the buffer, in 16ths; or with so many bytes, also for packed runs (0:
 * little). */
struct spill *log_sorter(const struct eventlog *log, size_t record_bytes, size_t sixteenths);
struct spill *log_sorter_of(
	const struct eventlog *log, size_t record_bytes, size_t buffer_bytes, size_t run_bytes);
/* *record is the next one of a sorter, or NULL after the last; of no sorter, too. -1: it failed. */
static inline int log_next_sorted(struct spill *sorter, const void **record, struct error *err)
{
	const int got = sorter ? spill_next(sorter, record, err) : 0;

	if (got <= 0)
		*record = NULL;
	return got < 0 ? -1 : 0;
}
/* Returns 0 if all temporary files together are within the limit, else -1. */
int log_check_disk(const struct eventlog *log, struct error *err);

/* eventlog_issues.c */
void tally_event(
	struct eventlog *log, enum tally_id id, uint32_t lane, int64_t start_ps, uint32_t op);
/* The same for several, of which this is the first. */
void tally_events(struct eventlog *log, enum tally_id id, size_t count, uint32_t lane,
	int64_t start_ps, uint32_t op);
/* The same for an op in a step; the place is the first by name of op and number. */
void tally_sum(struct eventlog *log, enum tally_id id, uint32_t op, uint32_t slot);
void log_issues(struct eventlog *log);
/* Time of counted events, and of all of their kind; a sum that does not fit stays as large as it
 * can be. */
static inline void log_add_lost(struct eventlog *log, enum tally_id id, int64_t ps)
{
	int64_t *const sum = &log->tally[id].lost_ps;

	if (!number_add(*sum, ps, sum))
		*sum = INT64_MAX;
}
static inline void log_add_whole(struct eventlog *log, enum loss_kind kind, int64_t ps)
{
	if (!number_add(log->whole[kind], ps, &log->whole[kind]))
		log->whole[kind] = INT64_MAX;
}

/* eventlog_doubt.c */
/* The kernels at the start of a lane are lost, or were launched before the recording began. */
void doubts_end_early(struct eventlog *log, bool is_lost);
/* Gives the issues of the profile their effects; after log_issues. */
void doubts_bound(struct eventlog *log);
void doubts_release(struct eventlog *log);

/* eventlog_steps.c */
/* Puts marks, or windows, in order, cuts and numbers them. `number` as for eventlog_finish. */
int log_resolve_steps(struct eventlog *log, int64_t number, bool numbered, struct error *err);
/* Steps are from mark to mark from here on, where they are asked for so or is_launch_only. */
void log_choose_steps(struct eventlog *log);
/* End of the mark of a step, the start of the next one at most. */
static inline int64_t slot_mark_end(const struct slot *slot)
{
	return slot->mark_end_ps < slot->end_ps ? slot->mark_end_ps : slot->end_ps;
}
/* True without marks: everything is one step. */
static inline bool log_is_whole(const struct eventlog *log)
{
	return slots_of(log)[0].start_ps == INT64_MIN;
}

/* The slot of a process (or EVENTLOG_ANY) at this time, else that of EVENTLOG_ANY, or SLOT_NONE.
 * *near is where to look first, any number; it is moved. */
uint32_t log_slot_at(const struct eventlog *log, uint32_t process, int64_t time_ps, size_t *near);
/* The same among the slots of all processes, for a process that has none. */
uint32_t log_slot_anywhere(
	const struct eventlog *log, uint32_t process, int64_t time_ps, size_t *near);
/* Slot that was found last, and is often found again. Zeroed before the first search. */
struct lasting_slot {
	uint32_t process, slot; /* of its times from from_ps to before until_ps */
	int64_t from_ps, until_ps;
	size_t near;
};
void log_find_lasting(const struct eventlog *log, uint32_t process, bool is_anywhere,
	int64_t time_ps, struct lasting_slot *last);
/* log_slot_at, or log_slot_anywhere; always the same of both for one `last`. */
static inline uint32_t log_lasting_slot(const struct eventlog *log, uint32_t process,
	bool is_anywhere, int64_t time_ps, struct lasting_slot *last)
{
	if (process != last->process || time_ps < last->from_ps || time_ps >= last->until_ps)
		log_find_lasting(log, process, is_anywhere, time_ps, last);
	return last->slot;
}
/* Adds what was used to the profile's steps. */
int log_profile_steps(struct eventlog *log, struct error *err);

/* eventlog_handoffs.c */
void log_init_handoffs(struct eventlog *log);
void log_release_handoffs(struct eventlog *log);
/* Pairs what was given with what was taken; after log_resolve_steps. */
void log_resolve_handoffs(struct eventlog *log);
/* Finds the steps of what was given once more. */
void log_place_handoffs(struct eventlog *log);
/* Place where the last search ended: the next one goes on from there. Zeroed before the first. */
struct near_taken {
	size_t near; /* where to look for the last that has begun */
	size_t last; /* that one + 1; 0: none */
	/* First of `last` and those around it that had not ended at time_ps; UINT32_MAX: all had.
	 */
	uint32_t open;
	int64_t time_ps;
};
struct near_handoff {
	struct near_taken lane, process;
};
/* True if the lane, or its device, is at this time in work that it has taken over: then in the step
 * of this slot. */
bool log_handoff_slot(const struct eventlog *log, uint32_t lane, int64_t time_ps,
	struct near_handoff *near, uint32_t *slot);

/* eventlog_order.c */
/* Hands over all records of a sorted sorter, and those in the runs, where they are not NULL, of
 * some lanes: what is equal in lane and times in order of the links, but contexts first. */
struct log_sorted {
	struct spill *sorter;
	struct lane_runs *runs;
	const bool *lanes;	      /* which lanes; NULL: those with records in the sorter */
	const struct lane_part *part; /* not NULL: only what is in this part of the runs */
};
int log_in_order(struct eventlog *log, struct log_sorted from,
	int (*add)(void *context, const struct log_record *record, struct error *err),
	void *context, struct error *err);

/* eventlog_runs.c: events that come in order need no sorter. */
#define LANES_SIDE_BY_SIDE 32 /* lanes that are read at a time, at most: each needs a buffer */

/* The order is that of starts, or by_link that of links. More lanes than `lanes_most` are refused.
 */
struct lane_runs *lane_runs_new(
	struct eventlog *log, size_t buffer_bytes, bool by_link, size_t lanes_most);
void lane_runs_free(struct lane_runs *runs); /* NULL is fine */
/* 1: taken; 0: it comes before another one of its lane, or there is no room for more or for more
 * lanes; -1. */
int lane_runs_add(struct lane_runs *runs, const struct log_record *record, struct error *err);
int lane_runs_sort(struct lane_runs *runs, struct error *err);
/* No event of the lane was refused. */
bool lane_runs_have_all(const struct lane_runs *runs, uint32_t lane);
bool lane_runs_have_any(const struct lane_runs *runs, uint32_t lane);
/* True if the lane has an op that takes time, in the runs or not. */
bool lane_runs_have_work(const struct lane_runs *runs, uint32_t lane);
/* True if some event may last longer than its place in time shows: log_record_lasts. */
bool lane_runs_have_longer(const struct lane_runs *runs, uint32_t lane);
/* One pass over the events of a lane. After lane_runs_sort; there may be several at a time. */
struct lane_pass *lane_pass_new(const struct lane_runs *runs, uint32_t lane);
/* The same from a record on with this key, or a lower one: a link, else key_of a start. Nothing
 * before it is open then. */
struct lane_pass *lane_pass_from(const struct lane_runs *runs, uint32_t lane, uint64_t key);
void lane_pass_free(struct lane_pass *pass); /* NULL is fine */
/* 1 and the next one in order, valid until the call after the next one; 0 and NULL at the end; -1.
 */
int lane_pass_next(struct lane_pass *pass, const struct log_record **record, struct error *err);
/* Parts of a lane, between which nothing is open, in order of time. */
struct lane_part {
	uint32_t lane;
	const struct stretch *first, *last; /* `last`: behind them */
	uint64_t bytes;
};
struct lane_parts {
	struct lane_part *part;
	size_t count, room;
	uint64_t bytes;
};
/* True if no event can be read without those before it: the lane is one part. */
bool lane_runs_are_one(const struct lane_runs *runs, uint32_t lane);
/* Adds the parts of a lane: several only where an event says nothing of those in other parts. */
void lane_runs_add_parts(const struct lane_runs *runs, uint32_t lane, struct lane_parts *parts);
/* The start of its first event. */
int lane_part_start(const struct lane_runs *runs, const struct lane_part *part, int64_t *start_ps,
	struct error *err);
struct lane_pass *lane_pass_of(const struct lane_runs *runs, const struct lane_part *part);
uint64_t lane_runs_disk_bytes(const struct lane_runs *runs); /* NULL: 0 */
/* Runs that take what comes after those of here, for a fork of the log. */
struct lane_runs *lane_runs_fork(const struct lane_runs *runs, struct eventlog *fork);
/* Adds all that the fork has, which is sorted; it belongs to these runs. */
int lane_runs_adopt(struct lane_runs *runs, struct lane_runs *fork, struct error *err);

/* eventlog_feed.c */
/* Stores the batch, which is full, or gives it to the thread that does it; makes room for another
 * one. */
int log_feed_batch(struct eventlog *log, struct error *err);
/* Stores what is left. */
int log_feed_end(struct eventlog *log, struct error *err);
void log_feed_release(struct eventlog *log);
/* Where the caller puts the next event, with its `label` in the place of the slot. NULL: failed. */
static inline struct log_record *log_feed_next(struct eventlog *log, struct error *err)
{
	return log->feed.at == log->feed.end && log_feed_batch(log, err) ? NULL : log->feed.at++;
}
/* Keeps an event, and may make a key of its start. */
int log_add_event(struct eventlog *log, struct log_record *record, struct error *err);

/* eventlog_linked.c */
/* Adds a launch, or a launched event; may make a key of it. */
int linked_add(
	struct eventlog *log, struct linked *to, struct log_record *record, struct error *err);
/* Sorts them by link and start; passes come after. */
int linked_sort(struct linked *linked, struct error *err);
void linked_release(struct linked *linked);
uint64_t linked_disk_bytes(const struct linked *linked);
/* Links from `first` to `last`. */
struct link_range {
	uint64_t first, last;
};
/* Several passes may go on at a time where there is no sorter; else one, over all links. */
struct linked_pass *linked_pass_new(const struct eventlog *log, const struct linked *linked,
	struct link_range range, struct error *err); /* NULL: failed */
void linked_pass_free(struct linked_pass *pass);     /* NULL is fine */
/* 1 and the next one, valid until the next call; 0 and NULL at the end; -1. */
int linked_pass_next(struct linked_pass *pass, const struct log_record **record, struct error *err);
/* Cuts all links into ranges, `most` at most, with about as many bytes in each. Returns how many.
 */
size_t log_link_ranges(const struct eventlog *log, size_t most, struct link_range *range);

/* eventlog_links.c */
/* Gives launched events the slot and time of their launch and adds them to the others. */
int log_join_links(struct eventlog *log, struct error *err);

/* eventlog_lanes.c: the sweep of all lanes, and the busy time of each slot. */
int log_sweep(struct eventlog *log, struct error *err);
/* How many threads these bytes of packed events are worth, so that copies of the log are small. */
size_t log_threads_for(const struct eventlog *log, uint64_t bytes);
/* A copy for a thread; there are `forks` of them. The log and its forks do not change what they
 * share. */
struct eventlog *log_fork(const struct eventlog *log, size_t forks);
void log_free_fork(struct eventlog *fork);
/* Adds what the events of a fork say, but for busy times and sums, to the log or another fork. */
void log_merge_fork(struct eventlog *log, struct eventlog *fork);

/* eventlog_sum.c */
void sums_init(struct eventlog *log);
void sums_know_ops(struct eventlog *log); /* after ops have come since sums_init */
void sums_release(struct eventlog *log);
int sums_find_row(struct eventlog *log, uint32_t op, uint32_t slot, size_t *row, struct error *err);

/* The row for sum_add. */
static inline int sums_row(
	struct eventlog *log, uint32_t op, uint32_t slot, size_t *row, struct error *err)
{
	const uint32_t last = log->sums.last[op];

	if (!last || log->sums.slot[last - 1] != slot)
		return sums_find_row(log, op, slot, row, err);
	*row = last - 1;
	return 0;
}

/* The sum is out of range, now or since an earlier value. */
void sum_overflow(struct eventlog *log, size_t row, enum sum_id id);

static inline void sum_add(struct eventlog *log, size_t row, enum sum_id id, int64_t value)
{
	int64_t *sum = &log->sums.column[id][row], result;

	if (*sum != CELL_ABSENT && number_add(*sum, value, &result) && result != CELL_ABSENT)
		*sum = result;
	else
		sum_overflow(log, row, id);
}

/* One call of the op in the step of the row, when calls are asked for. */
struct row_call {
	enum call_place place;
	enum call_kind kind;
	int64_t ps;
};
int sum_asked_call(struct eventlog *log, size_t row, struct row_call call, struct error *err);

static inline int sum_call(
	struct eventlog *log, size_t row, struct row_call call, struct error *err)
{
	return log->sums.calls[call.place][call.kind] ? sum_asked_call(log, row, call, err) : 0;
}

/* One launched event in the total of an op around its launch. */
int sum_launched(struct eventlog *log, uint32_t op, const struct launched_event *launched,
	struct error *err);
/* Adds the time from its launch to the start of a launched event of the op, where calls are asked
 * for. */
int sum_delay(struct eventlog *log, uint32_t op, const struct launched_event *launched,
	struct error *err);
/* Makes observations of the rows. */
int sums_observe(struct eventlog *log, struct error *err);

/* eventlog_rows.c */
/* Keeps one call, where they are kept; `place` is the slot, `source` need not be set. */
int log_keep_call(struct eventlog *log, const struct call_record *call, struct error *err);
/* Gives the profile its source of calls. After log_profile_steps. */
int log_end_calls(struct eventlog *log, struct error *err);
int log_write_rows(struct eventlog *log, struct error *err);

/* eventlog_devices.c */
/* Finds the device of each lane; after log_resolve_steps. */
void log_find_devices(struct eventlog *log);
/* False: the lane is of no device, or of one whose work is read from its lanes. */
bool log_wants_work(const struct eventlog *log, uint32_t lane);
struct lane_work {
	uint32_t lane, op;
	int64_t start_ps, dur_ps;
	int64_t launch_ps; /* LAUNCH_UNKNOWN: not known */
	uint32_t launch_lane;
	bool is_around; /* it contains other events of the lane, which say what the device does */
};
/* Chooses the devices whose work is read from log->runs once more when their parts are measured:
 * all their events are there. Nothing need be added of it. After lane_runs_sort. */
void log_choose_work(struct eventlog *log);
/* True if each step with work will have the parts of one device; after log_choose_work. */
bool log_has_parts(const struct eventlog *log);
/* Adds work on a lane, where it is wanted. */
int log_add_work(struct eventlog *log, const struct lane_work *work, struct error *err);
/* Adds the parts of each device to the profile's series. After log_profile_steps. */
int log_measure_devices(struct eventlog *log, struct error *err);

/* eventlog_causes.c */
/* A stretch in which a device was idle because the host was late, in the window of a step. */
struct late_stretch {
	uint32_t device; /* of log->device */
	uint32_t step;	 /* of the profile */
	uint32_t lane;	 /* of the thread that launches next; LANE_UNKNOWN */
	int64_t from_ps, to_ps;
	int64_t window_start_ps, window_end_ps;
};
int log_add_late(struct eventlog *log, const struct late_stretch *late, struct error *err);
const char *log_device_name(const struct eventlog *log, uint32_t device);
/* Adds to the profile's series what the host did in them, while all events are there. */
int log_find_causes(struct eventlog *log, struct error *err);

/* eventlog_collectives.c */
enum name_says { NAME_UNSEEN, NAME_OF_ALL, NAME_OF_SOME, NAME_OF_OTHER };

static inline uint8_t log_name_says(const struct eventlog *log, uint32_t op)
{
	return __atomic_load_n(&log->name_says[op], __ATOMIC_RELAXED);
}

/* Before the first event; all ops are known. */
void log_begin_collectives(struct eventlog *log);
/* Keeps the event where the reader or the name of its op says that it is a call of a collective. */
void log_note_call(
	struct eventlog *log, const struct log_record *event, int64_t start_ps, uint32_t slot);

/* Gives the profile its calls of collectives. After log_profile_steps. */
void log_end_collectives(struct eventlog *log);
void log_release_collectives(struct eventlog *log);
