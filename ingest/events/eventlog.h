/* The events of one trace become observations: they come in any order, are sorted by lane and time
 * in bounded memory (ingest/events/spill), are assigned to steps, are reduced by the time of events
 * nested in them, and are summed per op and step into a profile. It knows no formats: readers say
 * what is an op, what marks a step and what a lane is.
 *
 * A lane is what executes one event at a time (a thread, a stream of a device). A step is an
 * interval of time of one process (or of all). An event belongs to the step in which it starts; one
 * that was launched (a kernel) to the step of its launch, wherever it runs. Points in time and
 * durations are ps since the profile's base. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"
#include "ingest/events/call_store.h"
#include "ingest/events/graph_captures.h"
#include "model/profile.h"
#include "model/step_series.h"

#define EVENTLOG_ANY UINT32_MAX /* a step of all processes */
#define EVENT_OWN_LABEL UINT32_MAX
/* Added to the op of a label: it counts only where no other label is around the launch, and not
 * after eventlog_drop_guesses. */
#define EVENT_GUESSED_LABEL (UINT32_C(1) << 31)
#define NOT_ATTRIBUTED_NAME "[not attributed]"

enum event_kind {
	EVENT_OP,     /* its time is time of its op */
	EVENT_SILENT, /* contains the events nested in it, but is not an op and in no step's time */
	EVENT_INSTANT, /* a point in time: bytes for the op around it (on its lane), else for the
			  event's own op, without a call. Without bytes, on a serial lane: the host
			  waits for it from here on, and nothing may be running */
	EVENT_FRAME,   /* only a label: nothing else is made of it */
	EVENT_CONTEXT, /* is open on its lane, for the causes of idle time, and nothing else; `op`
			  is of eventlog_context */
	/* An op of the forward pass begins, an op of the backward pass runs; `link` is their number
	 * in the sequence of autograd, which both have; EVENT_BACKWARD: `bytes` is the number of
	 * the thread of that sequence, which no lane has. Labelled, and nothing else is made of it.
	 */
	EVENT_FORWARD,
	EVENT_BACKWARD,
};

enum event_bytes {
	BYTES_NONE,
	BYTES_ALLOCATED, /* negative: freed. `requested` sums positive ones, `residual` all */
	BYTES_OUTPUT,
	BYTES_TRANSFERRED,
	BYTES_COLLECTIVE, /* none: `bytes` is what eventlog_collective gave */
	BYTES_PRODUCT,	  /* none: `bytes` is what eventlog_product gave; of the event's own op
			     also where rows are launchers; of such in each other the innermost */
	BYTES_NAME,	  /* none: `bytes` is a number of eventlog_context, the name by which the
			     outermost of idle time knows an event whose op is a row of many */
};

enum event_flags {
	EVENT_LAUNCHES = 1,   /* `link` names what it starts */
	EVENT_LAUNCHED = 2,   /* `link` names what started it: its step is that of the launch. Not
				 together with EVENT_LAUNCHES */
	EVENT_AROUND = 4,     /* contains the other events of the same lane, start and duration */
	EVENT_UNMEASURED = 8, /* with EVENT_LAUNCHED: its duration is not known, dur_ps is 0, and an
				 issue of the reader says so */
	EVENT_NESTS = 16,     /* `bytes` is a time in ps instead: how long events nested in this one
				 run on other lanes, which is not its own time; below 0: how much
				 longer it took than its place in time shows. Only with
				 BYTES_NONE */
	EVENT_LABELLED = 32,  /* `label` is the row of what is launched in it. Not together with
				 EVENT_LAUNCHES or EVENT_LAUNCHED */
	EVENT_COVERS = 64,    /* with EVENT_LABELLED: no label in it counts beside its own */
	EVENT_MAY_OVERLAP = 64, /* with EVENT_LAUNCHED: it may start when what is before it on its
				   stream is about to end. Set by the log */
	EVENT_TIMELESS = 128, /* with EVENT_LAUNCHED: neither start nor duration are known. It is a
				 call of no time in the step of its launch; an issue counts it */
};

/* Kinds of work that a launching call (EVENT_LAUNCHES) starts, by `label`. An issue counts the
 * calls without a launched event in the trace. */
enum launch_traits {
	LAUNCH_KERNEL = 1, /* there must be an event of the device */
	LAUNCH_REPLAY = 2, /* a graph: the same, of at least one */
	LAUNCH_COPY = 4,   /* there is one, but for copies of 0 bytes */
	LAUNCH_EARLY = 8,  /* EVENT_MAY_OVERLAP */
	/* None of these: what its thread launches from here on is captured into a graph, to the
	 * end of the capture. */
	LAUNCH_CAPTURE_BEGINS = 16,
	LAUNCH_CAPTURE_ENDS = 32,
};

struct event {
	uint32_t lane;
	uint32_t op; /* of eventlog_op. EVENT_INSTANT: has the bytes where no op is around it */
	int64_t start_ps, dur_ps; /* dur_ps >= 0 */
	/* Correlation id; 0: none. One name space for all processes of the trace. Of an event that
	 * neither launches nor is launched: any number that grows in the order in which events
	 * begin. */
	uint64_t link;
	int64_t bytes;
	uint8_t kind, flags, bytes_kind;
	uint8_t type; /* of eventlog_type: shown where events of the op have several types; 0: the
			 op's */
	/* With EVENT_LABELLED: an op, EVENT_OWN_LABEL: the event's own; with EVENT_LAUNCHES: enum
	 * launch_traits. */
	uint32_t label;
};

/* Times and durations are below 2^62 ps (53 days): events beyond are left out and counted. */

/* Properties of a lane, set by a reader at any time before eventlog_finish. */
struct lane {
	uint32_t process;
	const char *name;   /* for `events`: "thread 8839 (python)"; as the key when unknown. As
			       `device` of eventlog_text */
	const char *device; /* canonical: "cpu:0", "gpu:0"; "" when unknown */
	bool accelerator;   /* its durations are accelerator time, else cpu time */
	bool flat;	    /* its events do not nest: each has its whole duration */
	bool serial;	    /* a stream, which does one thing after the other: launched events that
			       overlap are an issue, unless one launch started them */
	bool uncounted;	    /* its events count as time, but not as calls of their ops in the
				 measure `occurrence` */
	bool skip; /* its events are left out, without an issue; launches still give a step */
	bool has_contexts; /* set by the log */
};

/* Each mark is a step, also of a number that another one has. Where two marks of one process
 * overlap, the earlier ends at the start of the later; one without a duration lasts until the next.
 * A mark in which nothing starts is not a step. Issues count all of these. When more than one
 * process has marks, each is a run of its own with the name of the process. An event whose process
 * has no step at its start is assigned by the marks of EVENTLOG_ANY. */
struct step_mark {
	uint32_t process;	  /* or EVENTLOG_ANY */
	int64_t number;		  /* when numbered */
	bool numbered;		  /* else numbered from 0 in order of time */
	const char *kind;	  /* as in struct step; lives as long as the profile */
	int64_t start_ps, end_ps; /* without the end, unless ... */
	bool closed_end;	  /* events that start exactly at the end belong to it, too */
	bool outermost;	  /* of such marks of a process only those outside of all others count */
	bool from_events; /* a reader found it from events: the source marks no step */
	bool open_end;	  /* ends where the next step of its process starts, else with the trace */
	bool is_whole;	  /* it lasts as long as the step by its nature, unless there is time
			     before the next one: a single one is never only a launch */
	uint32_t thread;  /* the lane of the mark + 1; 0: it has none */
	int64_t took_ps;  /* how long it took where devices did it at different times: then start
			     and end are the first and last of all. 0: from start to end */
};

/* Stretch in which a device (the lanes of an accelerator of this process) did the step of this
 * place in the order of time, from 0; steps are of EVENTLOG_ANY then. The parts of such a device
 * are those of its stretches, and not of the steps of all devices. At most limits.steps. */
struct step_stretch {
	uint32_t process;
	size_t place;
	int64_t start_ps, end_ps;
};

/* One event as `events` and the table of events show it. Texts live as long as the log. */
struct event_row {
	const struct profile *profile; /* that the log fills: one for each file in a merged trace */
	bool has_step;
	uint32_t place;	 /* of its step in the profile */
	int64_t step;	 /* its number */
	const char *run; /* name of the run from the source, or NULL */
	const char *process, *lane, *device, *op, *type;
	const struct event *event;
	int64_t base_us; /* what the source calls point 0 */
	int64_t self_ps; /* without the events nested in it */
	uint32_t depth;	 /* 0: nothing around it on its lane */
};

/* A stretch of time from the first event on, as a step. */
struct log_window {
	int64_t from_ps, to_ps; /* 0 <= from < to, without `to`; INT64_MAX: to the end */
};

struct eventlog_options {
	struct profile_limits limits;
	size_t threads;		  /* for eventlog_finish, the caller's included; 0 is 1 */
	size_t buffer_bytes;	  /* for sorting, all sorters together; 0: 32 MiB */
	const char *spill_folder; /* of temporary files; NULL: /tmp */
	uint64_t max_spill_bytes; /* spill-limit, all files together; 0: no files, and too many
				     events are ERROR_LIMIT */
	/* The steps of all processes instead of marks; in order, without overlaps. A single one is
	 * numbered as eventlog_finish says, several from 0. */
	const struct log_window *window;
	size_t window_count; /* 0: marks are the steps */
	/* PERIOD: work of the host and launches belong to a step from its mark to the next one.
	 * AUTO: where marks are only launches. The last step, and one before numbers that are
	 * missing, lasts as the longest of the others at most, but not shorter than its mark; where
	 * no period is known, to the next mark or the end of the trace. */
	enum step_time_kind step_time;
	bool totals; /* --value=total: fill profile->totals, whose times include nested events */
	/* With totals: the row, any text, in which an op of this name and type ("" when its events
	 * have several) is added up with others; NULL: it is one of its own. What runs inside of
	 * another op of its row is in no total then, so that totals of the ops of a row add up.
	 * NULL: each op is a row. */
	const char *(*row_of)(
		void *context, const char *name, const char *type, struct arena *arena);
	void *row_context;
	bool ops_suffice; /* calls of collectives are not needed, nor the busy time of steps where
			     all of them are windows of a device with work: it is
			     STEP_BUSY_UNKNOWN then */
	bool calls; /* also the calls of each observation, and of the totals: the duration of a
		       call with the events nested in it, also with those of its own op; where the
		       host launches work of devices, also how long after its launch it starts */
	struct call_store *call_store; /* keeps each of these calls; NULL: only their sums are */
	/* A rule of PyTorch's key_averages: an event that is the only child of a parent of the same
	 * op is merged into it (its self time counts, its call and its total do not). Bytes in a
	 * silent event do not belong to the op around it. */
	bool merge_only_child;
	/* Rows are what launched the work of devices, not what worked. The time, calls and bytes of
	 * an event of an accelerator are those of the innermost labelled event that runs on the
	 * thread of its launch when the launch starts; other lanes have no rows. With `totals` each
	 * label around the launch has them once. What was launched outside of all labels is of the
	 * op `unlabelled` (NULL: also of the following), what has no launch in the trace of
	 * NOT_ATTRIBUTED_NAME. Of bytes only BYTES_TRANSFERRED and BYTES_PRODUCT count. */
	bool by_launcher;
	/* With by_launcher: in a trace without a device rows are those of the host's own events, by
	 * the labels that each lies in. */
	bool or_host;
	/* A row is so many labels: the innermost around the launch and those around it, as
	 * "outer;inner" (as many as there are). 0 and 1: the innermost. Not with EVENT_COVERS. */
	size_t stack_depth;
	const char *unlabelled;
	/* With by_launcher: graphs that other traces have captured, to which kernels of replays
	 * belong as to those that are captured here; NULL: none. */
	const struct graph_captures *captures;
	struct graph_captures
		*captures_out; /* gets those that are captured here; NULL: nobody asks */
	bool keeps_own_label;  /* a label around the replay counts, and not that of the capture */
	bool rows_are_ops;     /* what nothing names in a graph has a row each, else one a graph */
	/* Appends the name under which a slice of the host recurs ("eval_step" of "eval_step 3"),
	 * nothing where it can be no marker, and returns the number. NULL: eventlog_recurring finds
	 * none. */
#define MARKER_UNNUMBERED (-1)
	int64_t (*marker_name)(const char *name, struct text *out);
	/* Name of the option that records the devices ("ProfilerActivity.CUDA"), where the trace
	 * has only the host's launches. NULL: unknown to the reader. */
	const char *device_option;
	/* NULL, or called for each event of kind EVENT_OP: in natural order of the keys of process
	 * and lane, then by start, an event before those nested in it. When it does not return 0,
	 * eventlog_finish returns -1. */
	int (*sink)(void *context, const struct event_row *row, struct error *err);
	void *context;
};

struct eventlog;

/* eventlog_finish fills the profile, which is the caller's and must outlive the log. */
struct eventlog *eventlog_new(struct profile *profile, const struct eventlog_options *opt);
void eventlog_free(struct eventlog *log); /* NULL is fine */

/* Ids of processes and lanes by a key of the reader's choice (the text of pid, of tid); dense, in
 * order of first use. After 10^6 of each the result is UINT32_MAX; eventlog_lane fails with
 * ERROR_LIMIT for that process. */
uint32_t eventlog_process(struct eventlog *log, const char *key, size_t n);
uint32_t eventlog_lane(
	struct eventlog *log, uint32_t process, const char *key, size_t n, struct error *err);
struct lane *eventlog_lane_at(
	struct eventlog *log, uint32_t lane); /* valid until the next eventlog_lane */
size_t eventlog_lane_count(const struct eventlog *log);
const char *eventlog_process_key(const struct eventlog *log, uint32_t process);
/* Process UINT32_MAX has no name. */
void eventlog_name_process(struct eventlog *log, uint32_t process, const char *name, size_t n);
const char *eventlog_process_name(
	const struct eventlog *log, uint32_t process); /* its key when it has none */
size_t eventlog_process_count(const struct eventlog *log);

/* Time of point 0 as the source writes it, in us: messages give places as the source writes them
 * ("ts 1712195495502094.565"). */
void eventlog_set_base(struct eventlog *log, int64_t base_us);

/* A copy of the text that lives as long as the log; equal texts are one. A zero byte becomes
 * "\\0". */
const char *eventlog_text(struct eventlog *log, const char *s, size_t n);

/* Index of the op of this name in the profile. A new op gets the type; the type of an op that comes
 * again with another type becomes "". Past limits.ops the op is "[other names]". */
uint32_t eventlog_op(
	struct eventlog *log, const char *name, size_t n, const char *type, size_t type_n);

/* Costs of a product of matrices; -1: not known. */
struct log_product {
	int64_t float_ops, bytes;
};
/* Returns event->bytes for BYTES_PRODUCT. */
int64_t eventlog_product(struct eventlog *log, struct log_product product);

/* The number of a name for EVENT_CONTEXT and BYTES_NAME. */
uint32_t eventlog_context(struct eventlog *log, const char *name, size_t n);

/* With by_launcher: the number of a kernel's name, as `bytes` of an event that launches it. */
int64_t eventlog_kernel(struct eventlog *log, const char *name, size_t n);
/* The type of an event, 0 where it is empty or there are more than 255 of them. */
uint8_t eventlog_type(struct eventlog *log, const char *type, size_t n);
/* -1: the temporary file failed (ERROR_OUTPUT, ERROR_LIMIT). Of events equal in lane, start and
 * duration (and in EVENT_AROUND) the one with the lower link contains the other; events equal in
 * that, too, nest in the order in which they are added. Otherwise the order does not matter. */
int eventlog_add(struct eventlog *log, const struct event *event, struct error *err);

/* Properties of one call of a collective, from a reader. Calls go to profile->collectives; in lanes
 * of accelerators also calls without such properties, by the names of their ops. */
struct log_collective {
	bool is_of_all;	   /* else it is none that model/collective_calls.h is about */
	const char *group; /* name of the group of processes, of group_size bytes; 0: not known */
	size_t group_size;
	int64_t sequence; /* its number in the group; COLLECTIVE_UNKNOWN */
};
/* Returns event->bytes for BYTES_COLLECTIVE. */
int64_t eventlog_collective(struct eventlog *log, const struct log_collective *collective);
/* The same for an event of which another one says more, by this id; where none does, this is all.
 */
int64_t eventlog_collective_of_id(uint64_t id, bool is_of_all);
/* Sets the properties of the call with this id; any time before eventlog_finish. */
void eventlog_describe_id(
	struct eventlog *log, uint64_t id, const struct log_collective *collective);

/* Reasons to doubt the total time of an op: each is an issue that takes time from the total, or
 * adds to it, and names the op with the widest bounds. Issues of the reader are added by the
 * reader. */
enum doubt_id {
	DOUBT_ZERO_TIME,
	DOUBT_NEGATIVE_TIME,
	DOUBT_LONG_EVENT,
	DOUBT_CLOCK_JUMP,
	DOUBT_OVERLAP,
	DOUBT_NESTING,
	DOUBT_DUPLICATE,
	DOUBT_KERNEL_LOST,
	DOUBT_SYNC,
	DOUBT_CROSSING,
	DOUBT_DEVICE_CLOCK,
	DOUBT_EARLY, /* of the lane that is read: of kernels that may be lost; no issue */
	DOUBT_COUNT
};
enum doubt_kind {
	DOUBT_LESS,	  /* so much of its time may be false */
	DOUBT_LEFT_OUT,	  /* so much is recorded and not counted */
	DOUBT_BEYOND,	  /* one call counts as 0, as recorded its time is beyond 64 bits of ps */
	DOUBT_UNMEASURED, /* one call counts as 0: it may have taken as long as the longest one */
};
void eventlog_doubt(
	struct eventlog *log, enum doubt_id id, uint32_t op, enum doubt_kind kind, int64_t ps);
/* One thread gives work to another under an id, or takes it over from start to end (given: the end
 * is not used). What a thread does, and launches, while it has taken something over is in the step
 * of the moment in which that was given; where ids are given twice the first counts. */
struct log_handover {
	uint32_t lane, kind; /* ids are of a kind */
	uint64_t id;
	int64_t start_ps, end_ps;
	bool is_taken;
	bool by_process; /* taken over by all lanes of the lane's process: a device */
};
void eventlog_hand_over(struct eventlog *log, const struct log_handover *handover);
/* Steps are what devices did: when the host gave work to a thread says nothing of them. */
void eventlog_forget_handoffs(struct eventlog *log);
/* The host waited from start to end until all that it had launched on its device had ended. */
void eventlog_device_wait(struct eventlog *log, int64_t start_ps, int64_t end_ps);
/* The source says when recording ended: no event can end long after it. */
void eventlog_set_end(struct eventlog *log, int64_t end_ps);
/* At most limits.steps marks, then ERROR_LIMIT. */
int eventlog_mark(struct eventlog *log, const struct step_mark *mark, struct error *err);
int eventlog_stretch(struct eventlog *log, const struct step_stretch *stretch, struct error *err);
size_t eventlog_mark_count(const struct eventlog *log); /* or of windows, where there are any */
/* When only one process has marks, they are the steps of all processes. */
void eventlog_share_marks(struct eventlog *log);
/* Labels with EVENT_GUESSED_LABEL do not count. */
void eventlog_drop_guesses(struct eventlog *log);
/* Issues count how the events of devices have found their steps: by launches, by calls that gave
 * work to the device, by time. */
void eventlog_tell_steps(struct eventlog *log);
/* The marks of all processes are steps of one run, although they may overlap. Their numbers must be
 * distinct. */
void eventlog_join_runs(struct eventlog *log);
/* All steps are of the run of this name, unless several processes have marks. Any time before
 * eventlog_finish; lives as long as the profile. */
void eventlog_name_run(struct eventlog *log, const char *name);

/* Findings of by_launcher, after eventlog_finish: whether anything was launched, and anything in a
 * labelled event. */
struct log_launched {
	bool any, labelled;
	bool host;   /* rows are those of the host's own events */
	bool device; /* a device has work, of which launchers are rows */
	bool backward;
};
struct log_launched eventlog_launched(const struct eventlog *log);

/* Slices of the host of one name that may mark steps: they recur at regular intervals on a thread
 * and reach over at least half of the recording. */
struct recurring {
	const char *name;   /* of opt.marker_name; lives as long as the log */
	size_t count;	    /* on all threads */
	bool counts;	    /* each has the number of the one before and 1 more, or more */
	int64_t covered_ps; /* on the thread that they cover most */
};
/* Recurring slices of a recording without marks, after eventlog_finish: those that count first,
 * then the most covered time, then by name. */
size_t eventlog_recurring(const struct eventlog *log, const struct recurring **found);

/* Sorts, attributes, sums; fills ops' devices, steps (with wall and busy time and fingerprints),
 * observations and issues of the profile. Without marks everything is one step, of this number when
 * `numbered`, else unnumbered. Wall time of a step is that of its mark, extended by its events;
 * busy time is the union of its EVENT_OPs. Called once, as the last call before
 * eventlog_free; after an error the profile is partly filled. */
int eventlog_finish(struct eventlog *log, int64_t number, bool numbered, struct error *err);
