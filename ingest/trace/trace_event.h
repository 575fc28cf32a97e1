/* One event of a trace of slices, whatever file it is in: a Chrome trace (JSON) or a Perfetto trace
 * (protobuf). It has the fields of the "Trace Event Format"; what they mean is up to the dialects
 * of producers. */
#pragma once

#include "base/error.h"
#include "base/intern.h"
#include "ingest/json/json_table.h"

/* A point in time or a duration, exact: us + ps / 10^6 (0 <= ps < 10^6). */
struct trace_time {
	int64_t us;
	int32_t ps;
	bool known;
};

struct json_piece; /* ingest/json/json_table.h */
struct json_walk;
struct trace_event;

/* Makes what an event of another file than JSON has, when it is asked for. What it gives is valid
 * during the handler's call. */
struct trace_source {
	void (*args)(
		void *context, const char *const *names, struct json_value *values, size_t count);
	bool (*next_arg)(void *context, size_t *at, struct json_member *arg);
	struct json_value (*text)(void *context); /* the event as JSON, from { to } */
	void *context;
};

#define TRACE_ASKED_MOST 3
#define TRACE_ASKED_ALL ((1U << TRACE_ASKED_MOST) - 1)

/* Requests of a dialect to the threads that parse events (JSON): what they make of each, so that
 * the dialect need not look at texts. Pure functions. */
struct trace_ahead {
	const char *asked[TRACE_ASKED_MOST + 1]; /* arguments; NULL-terminated */
	bool are_numbers;			 /* the dialect asks for their numbers */
	/* The texts that the facts on an event depend on, such as those of its op. NULL: name and
	 * category. No first text: none. */
	void (*pair)(const struct trace_event *event, struct name_pair *pair);
	/* Facts that follow from name and category alone. The lowest TRACE_ASKED_MOST bits say
	 * which arguments are wanted. NULL: all are, and `pair` sees them. */
	uint32_t (*traits)(const struct trace_event *event);
	/* True if a struct trace_ready has all that the dialect needs, for a slice with the texts
	 * of its op and lane and with times in range. NULL: for none. */
	bool (*ready)(const struct trace_event *event);
	const char *phases; /* with `ready`: of the events that matter, most first; NULL: of all */
};

/* A slice that a dialect adds without a look at its text. */
struct trace_ready {
	int64_t start_ps, dur_ps; /* start: since the handler's base */
	uint64_t link;		  /* the first argument wanted, where it is a number; 0: none */
	uint64_t offset;	  /* as in struct trace_event */
	uint32_t traits, pair_key, lane_key;
	uint16_t table;
};

struct trace_event {
	char phase;					       /* of "ph"; 0 when it has none */
	struct json_value name, category, process, thread, id; /* process: "pid", thread: "tid" */
	struct trace_time start, duration;		       /* "ts", "dur" */
	bool odd_duration;				       /* it has one that cannot be read */
	/* Place of its "args": they are parsed only when asked for (trace_arg, trace_next_arg). */
	const struct json_piece *piece;
	size_t first;			   /* of JSON: see trace_event_members */
	size_t args;			   /* 0: none */
	const struct trace_source *source; /* NULL: the event is JSON */
	struct json_value text;		   /* of JSON: see trace_event_text */
	uint64_t offset;		   /* of the { in the unpacked input */
	/* Made ahead (struct trace_ahead), where is_ahead. Keys stand for texts in the table of
	 * this number, of the scan; 0: none. */
	bool is_ahead;
	uint8_t asked, asked_numbers; /* bits by argument: looked for; a whole number */
	uint16_t table;
	uint32_t traits, pair_key, lane_key;
	struct name_pair pair;
	struct json_value asked_value[TRACE_ASKED_MOST];
	uint64_t asked_number[TRACE_ASKED_MOST];
};

struct trace_handler {
	/* Each event with a phase; its texts are valid during the call. */
	int (*event)(void *context, const struct trace_event *event, struct error *err);
	/* The same for slices that threads have made ready; 0: the event is wanted instead, 1: it
	 * is taken. NULL: none are made ready. */
	int (*ready)(void *context, const struct trace_ready *ready, struct error *err);
	int64_t base_us; /* of times that are ready */
	/* Each member of an object around the events but "traceEvents"; NULL: of no interest. One
	 * that is longer than a megabyte (or than member_bytes) is only counted. */
	int (*member)(void *context, const struct json_member *member, struct error *err);
	void *context;
	size_t member_bytes; /* longest member that is passed; 0: a megabyte. Memory grows with it
				when there is such a member */
	/* Not a trace, but another array of objects (JSON), which have no phase: each is passed,
	 * and the array has to be closed. */
	bool is_table;
	const struct trace_ahead *ahead; /* NULL: nothing is made ahead */
	size_t threads; /* for the parsing of JSON; the handler is called by the caller's alone */
	bool without_arrows; /* ph s, t, f need not be handed over: a Perfetto trace makes them */
	/* Folder of a temporary file, needed only for traces that write slices in large groups.
	 * NULL: "/tmp"; 0 bytes: no file may be made. */
	const char *spill_folder;
	uint64_t max_spill_bytes;
};

struct trace_totals {
	uint64_t events; /* elements of the arrays of events, damaged ones too */
	uint64_t damaged;
	uint64_t empty;	       /* {} */
	uint64_t long_members; /* around the events, passed over */
	bool is_array;	       /* the (first) root is a bare array */
	bool is_closed;	       /* the last root is closed */
	int64_t epoch_ns;      /* time 0, in ns since 1970; 0: not known */
	int64_t process;       /* number of the only process of which it is said ... */
	uint64_t process_key;  /* ... what no other one has; 0: not said */
};

/* A walk over the members of an event that is JSON (ingest/json/json_table.h). */
struct json_walk trace_event_members(const struct trace_event *event);
/* Value of the argument of this name, kind 0 when there is none. Valid during the handler's
 * call. */
struct json_value trace_arg(const struct trace_event *event, const char *name);
/* The values of several, at most TRACE_ARGS_MOST, as trace_arg gives each. */
#define TRACE_ARGS_MOST 4
void trace_args(const struct trace_event *event, const char *const *names,
	struct json_value *values, size_t count);
/* Argument k of those of `ahead`, as trace_arg gives it, and as a whole number that is not
 * negative; false: it is none. */
static inline struct json_value trace_asked(
	const struct trace_event *event, const struct trace_ahead *ahead, size_t k)
{
	return event->is_ahead && event->asked >> k & 1 ? event->asked_value[k]
							: trace_arg(event, ahead->asked[k]);
}

static inline bool trace_asked_number(const struct trace_event *event,
	const struct trace_ahead *ahead, size_t k, uint64_t *number)
{
	struct json_value value;

	if (ahead->are_numbers && event->is_ahead && event->asked >> k & 1) {
		*number = event->asked_number[k];
		return event->asked_numbers >> k & 1;
	}
	value = trace_asked(event, ahead, k);
	return json_unsigned(&value, number);
}

/* The arguments one by one, in their order; *at is 0 for the first. False after the last, or where
 * they are damaged. */
bool trace_next_arg(const struct trace_event *event, size_t *at, struct json_member *arg);
/* All of the event as its file has it, from { to }; of other files than JSON as it would be there.
 * Fields that were changed since are not in it. */
struct json_value trace_event_text(const struct trace_event *event);

/* A decimal number of microseconds, in quotes or not, with any fraction and exponent, rounded to
 * the nearest ps. */
struct trace_time json_time(const struct json_value *value);
/* time - us as ps; false when it does not fit. */
bool trace_time_since(const struct trace_time *time, int64_t us, int64_t *ps);
