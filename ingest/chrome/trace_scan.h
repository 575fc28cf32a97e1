/*
 * A Chrome trace as a stream of events: the container that TensorFlow, PyTorch, ONNX Runtime, JAX
 * and many others write. It knows the container (an array of events, or an object with
 * "traceEvents", or several of them one after the other), not what an event means. Memory does not
 * grow with the input, events may be written in any order of keys.
 *
 * Format: "Trace Event Format" (Google, 2016 and later); what producers make of it: doc/inputs.md.
 *
 * Defects are passed over and counted in the issues: no closing bracket, a cut end, missing and
 * trailing commas, quotes that are not escaped, control bytes, bytes that are not UTF-8, keys given
 * twice. An event that cannot be read is left out and counted; reading goes on with the next.
 */
#ifndef STEPSTAT_INGEST_CHROME_TRACE_SCAN_H
#define STEPSTAT_INGEST_CHROME_TRACE_SCAN_H

#include "base/text.h"
#include "ingest/input/input.h"
#include "ingest/json/json_value.h"
#include "model/issue/issue.h"

/* A point in time or a duration, exact: us + ps / 10^6 (0 <= ps < 10^6). */
struct trace_time {
	int64_t us;
	int32_t ps;
	bool known;
};

struct json_piece; /* ingest/json/json_table.h */
struct json_walk;

struct trace_event {
	char phase;					       /* of "ph"; 0 when it has none */
	struct json_value name, category, process, thread, id; /* process: "pid", thread: "tid" */
	struct trace_time start, duration;		       /* "ts", "dur" */
	bool odd_duration;				       /* it has one that cannot be read */
	/* Where its "args" are: they are parsed only when asked for (trace_arg,
	 * trace_next_arg). */
	const struct json_piece *piece;
	size_t first;		/* where its first member is: trace_event_members */
	size_t args;		/* 0: none */
	struct json_value text; /* all of it, from { to } */
	uint64_t offset;	/* of the { in the unpacked input */
};

struct trace_handler {
	/* Each event with a phase; its texts are valid during the call. */
	int (*event)(void *context, const struct trace_event *event, struct error *err);
	/* Each member of an object around the events but "traceEvents"; NULL: of no interest. One
	 * that is longer than a megabyte (or than member_bytes) is only counted. */
	int (*member)(void *context, const struct json_member *member, struct error *err);
	void *context;
	size_t member_bytes; /* longest member that is passed; 0: a megabyte. Memory grows with it
				when there is such a member */
	/* Not a trace, but another array of objects, which have no phase: each is passed, and the
	 * array has to be closed. */
	bool is_table;
};

struct trace_totals {
	uint64_t events; /* elements of the arrays of events, damaged ones too */
	uint64_t damaged;
	uint64_t empty;	       /* {} */
	uint64_t long_members; /* around the events, passed over */
	bool is_array;	       /* the (first) root is a bare array */
	bool is_closed;	       /* the last root is closed */
};

/* Reads all of the input. ERROR_INPUT when it is not a trace at all, ERROR_LIMIT when an event is
 * longer than max_event_bytes (--max-record). */
int trace_scan(struct input *in, const struct trace_handler *handler, struct issue_list *issues,
	size_t max_event_bytes, struct trace_totals *totals, struct error *err);

/* A walk over the members of the event itself (ingest/json/json_table.h). */
struct json_walk trace_event_members(const struct trace_event *event);
/* Value of the argument of this name, kind 0 when there is none. Valid during the handler's
 * call. */
struct json_value trace_arg(const struct trace_event *event, const char *name);
/* The values of several, at most TRACE_ARGS_MOST, as trace_arg gives each. */
#define TRACE_ARGS_MOST 4
void trace_args(const struct trace_event *event, const char *const *names,
	struct json_value *values, size_t count);
/* The arguments one by one, in their order; *at is 0 for the first. False after the last, or where
 * they are damaged. */
bool trace_next_arg(const struct trace_event *event, size_t *at, struct json_member *arg);

/* A decimal number of microseconds, in quotes or not, with any fraction and exponent, rounded to
 * the nearest ps. */
struct trace_time json_time(const struct json_value *value);
/* time - us as ps; false when it does not fit. */
bool trace_time_since(const struct trace_time *time, int64_t us, int64_t *ps);

#endif
