/*
 * One event out of a table of JSON text. Internal to trace_scan.
 */
#ifndef STEPSTAT_INGEST_TRACE_EVENT_H
#define STEPSTAT_INGEST_TRACE_EVENT_H

#include "base/vec.h"
#include "ingest/trace_scan.h"

enum taken {
	TAKEN_WHOLE,
	TAKEN_CUT,   /* the piece ends inside */
	TAKEN_WRONG, /* the grammar is broken */
};

/* A piece of text and its table (ingest/json_index.h). */
struct json_piece {
	const char *bytes;
	size_t size;
	const uint32_t *at;
	size_t count;
};

/* What events are taken into; holds the arguments. */
struct event_taker {
	struct json_member *arg;
	size_t room;
	uint64_t repeated_keys, odd_values; /* of all events that were whole: keys given twice, NaN and the like */
};

void event_taker_release(struct event_taker *taker);

/* The object that begins at entry *i ('{'); *i moves behind it when it is whole. */
enum taken event_take(struct event_taker *taker, const struct json_piece *piece, size_t *i, struct trace_event *event);
/* One member of an object from entry *i (its key) on: *i moves to the entry after the value. A composite value is passed over. */
enum taken member_take(const struct json_piece *piece, size_t *i, struct json_member *member);

#endif
