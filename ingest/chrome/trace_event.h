/*
 * One event out of a table of JSON text. Internal to trace_scan.
 */
#ifndef STEPSTAT_INGEST_CHROME_TRACE_EVENT_H
#define STEPSTAT_INGEST_CHROME_TRACE_EVENT_H

#include "ingest/chrome/trace_scan.h"

enum taken {
	TAKEN_WHOLE,
	TAKEN_CUT,   /* the piece ends inside */
	TAKEN_WRONG, /* the grammar is broken */
};

/* A piece of text and its table (ingest/chrome/json_index.h). */
struct json_piece {
	const char *bytes;
	size_t size;
	const uint32_t *at;
	size_t count;
};

/* Of all events that were whole: keys given twice, values like NaN. */
struct event_oddities {
	uint64_t repeated_keys, odd_values;
};

/* The object that begins at entry *i ('{'); *i moves behind it when it is whole, to where it breaks
 * when it is wrong. */
enum taken event_take(const struct json_piece *piece, size_t *i, struct trace_event *event,
	struct event_oddities *odd);
/* One member of an object from entry *i (its key) on: *i moves to the entry after the value. A
 * composite value is passed over. */
enum taken member_take(const struct json_piece *piece, size_t *i, struct json_member *member);

#endif
