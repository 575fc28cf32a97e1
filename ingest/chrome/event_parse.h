/* One event out of a table of JSON text. Internal to trace_scan. */
#pragma once

#include "ingest/json/json_table.h"
#include "ingest/trace/trace_event.h"

/* A short key as it was written: its bytes from its quote to its colon. */
struct event_key {
	uint64_t bytes, mask; /* as they are in memory; the mask is 0xff for each of them */
	uint32_t colon;	      /* bytes before it; 0: no key */
	uint32_t field;
};

#define EVENT_KEYS 16

/* Counts and keys of the events parsed before. */
struct event_past {
	uint64_t repeated_keys, odd_values; /* of all whole events; odd values: those like NaN */
	/* Keys by their place in the event, of slices and of others. A writer puts the members of
	 * events of a kind in the same order. */
	struct event_key key[2][EVENT_KEYS];
};

/* The object that begins at entry *i ('{'); *i moves after it when it is whole, to where it breaks
 * when it is wrong. After the piece there are JSON_INDEX_PADDING bytes. */
enum json_parsed trace_event_parse(const struct json_piece *piece, size_t *i,
	struct trace_event *event, struct event_past *past);
