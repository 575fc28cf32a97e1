/* Between the container of a Chrome trace (ingest/chrome/trace_scan.h) and its events as a log
 * (ingest/events/eventlog.h): what all dialects share. It names processes and threads, keeps times
 * exact, makes names of ops, finds step markers that the user names. A dialect says what an event
 * means: one struct in a file of its own, used by one reader. */
#pragma once

#include "ingest/reader.h"
#include "ingest/trace/step_names.h"
#include "ingest/trace/trace_requests.h"
#include "ingest/chrome/trace_scan.h"
#include "ingest/events/eventlog.h"

struct trace;

struct trace_dialect {
	size_t state_bytes; /* zeroed, trace_state() */
	/* A member of the object around the events, in the order of the file (which may be after
	 * them); NULL: none matters. */
	int (*member)(struct trace *t, const struct json_member *member, struct error *err);
	/* Each event but metadata (ph M), which names processes and lanes for all dialects. */
	int (*event)(struct trace *t, const struct trace_event *event, struct error *err);
	/* The same for a slice that is ready, with its op's pair (trace_pair) and its lane: sets
	 * what is not set of the event and adds it. 1: done; 0: the whole event is wanted; -1.
	 * NULL: none is made ready. */
	int (*ready)(struct trace *t, const struct trace_ready *ready, uint32_t pair,
		struct event *event, struct error *err);
	/* Sets devices of lanes, steps and issues after the last event, when names of processes and
	 * lanes are known. NULL: nothing. */
	int (*end)(struct trace *t, struct error *err);
	/* Frees what the state holds outside of the arena; NULL: nothing. */
	void (*release)(struct trace *t);
	const struct trace_ahead *ahead; /* NULL: nothing is made ahead */
	const char *device_option;	 /* as in struct eventlog_options */
	/* How to record what makes rows, for what lies in none; NULL, also of it: nothing is known.
	 */
	const char *(*outside_hint)(enum trace_rows rows, bool has_backward);
	bool without_arrows;	/* `event` has no use for ph s, t, f */
	trace_row_words *words; /* NULL: no rows are made of args */
	bool has_pids;		/* numbers of processes are those of the system */
	bool file_is_step;	/* without marks the file is one step, of the number in its name
				   (ingest/input/step_number.h) */
};

/* The read function of a reader. A merged trace fills a profile for each of its files: out and
 * the profiles chained to it (profile.h, next). NULL dialect: that of the reader that each file
 * had. */
int trace_read(struct input *in, struct profile *out, const struct read_options *opt,
	const struct trace_dialect *dialect, struct error *err);

void *trace_state(struct trace *t);
struct eventlog *trace_log(struct trace *t);
struct profile *trace_profile(struct trace *t);
const struct read_options *trace_read_options(const struct trace *t);

/* True if the trace is one of the files of a merged trace: the text of an event then differs from
 * its fields. */
bool trace_is_part(const struct trace *t);
/* Lane of the event's pid and tid. -1: too many. */
int trace_lane(struct trace *t, const struct trace_event *event, uint32_t *lane, struct error *err);
/* Start of the event as ps since the profile's base; false (counted as an issue) when it has none
 * or it is out of range. */
bool trace_start(struct trace *t, const struct trace_event *event, int64_t *start_ps);
/* Duration of the event in ps: 0 when it has none (not counted), one that cannot be read or a
 * negative one (both counted). */
int64_t trace_duration(struct trace *t, const struct trace_event *event);
/* Facts by the dialect's `ahead` on name and category. */
uint32_t trace_traits(struct trace *t, const struct trace_event *event);
/* Number of the pair of texts among all of the trace, from 0 on. False: there are too many. */
bool trace_pair(struct trace *t, const struct trace_event *event, const struct name_pair *pair,
	uint32_t *id);
/* Sets op and type of the event to those of the pair. False: they are not known yet. */
bool trace_known_op(const struct trace *t, uint32_t pair, struct event *event);
/* Op of this name and type, and the type for the event (struct event); NULL type: none. The name is
 * made by the user's template (--name) when there is one. */
uint32_t trace_op(struct trace *t, const struct trace_event *event, const struct json_value *name,
	const struct json_value *type, uint8_t *event_type);
/* Returns 1 if this is the name of a step by --step-marker, 0 if it is not, -1 on an error. */
int trace_is_marker(struct trace *t, const struct json_value *name, struct marker_name *marker,
	struct error *err);
/* Kind of step in a marker's name, as in trace_requests_kind. */
const char *trace_kind(struct trace *t, const struct json_value *name);
/* Returns 1 if a frame of Python of this name is the user's code, 0 if it is not, -1 on an
 * error. */
int trace_is_user_code(struct trace *t, const struct json_value *name, struct error *err);
/* True if the user has named a marker. */
bool trace_has_marker(const struct trace *t);

/* Start, duration and lane of a complete event, where it is an op. 1; 0: it is none, but a mark by
 * --step-marker, which is added, or out of range, which is counted; -1. */
int trace_place(struct trace *t, const struct trace_event *event, const struct json_value *name,
	struct event *out, struct error *err);
/* The same, with the op of this name (NULL: its own) and type. A duration that cannot be true is 0
 * and in doubt. */
int trace_place_op(struct trace *t, const struct trace_event *event, const struct json_value *name,
	const struct json_value *type, struct event *out, struct error *err);
/* An event of this op that trace_place left out, because its time is far from that of the others.
 */
void trace_note_far(struct trace *t, const struct trace_event *event, uint32_t op);
/* Adds a complete event with its own name (or `name`) as an op: lane, times, op are filled, then
 * `extra` (link, bytes and flags; may be NULL). Events out of range are counted and left out. A
 * name that --step-marker matches becomes a mark. */
static inline int trace_add(struct trace *t, const struct trace_event *event,
	const struct json_value *name, const struct json_value *type, const struct event *extra,
	struct error *err)
{
	struct event e = extra ? *extra : (struct event){0};
	const int placed = trace_place_op(t, event, name, type, &e, err);

	return placed == 1 ? eventlog_add(trace_log(t), &e, err) : placed;
}
/* A step from start to start + duration of the event, of the event's process. */
int trace_mark(struct trace *t, const struct trace_event *event, const struct marker_name *name,
	struct error *err);

/* Counts an issue at the event. `text` is a literal. */
void trace_report_issue(struct trace *t, enum issue_severity severity, const char *code,
	const char *text, const struct trace_event *event);
/* The same for `count` events of which the first is at this offset; 0: nothing. */
void trace_report_issues(struct trace *t, enum issue_severity severity, const char *code,
	const char *text, size_t count, uint64_t offset);

/* The writer stopped at its limit of events; so many steps are in the trace. */
void trace_report_cap(struct trace *t, size_t steps);

/* True if the string is one of these words (NULL-terminated, lower case), in upper or lower
 * case. */
bool json_is_one_of(const struct json_value *value, const char *const *words);
