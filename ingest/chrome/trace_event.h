/*
 * One event out of a table of JSON text. Internal to trace_scan.
 */
#ifndef STEPSTAT_INGEST_CHROME_TRACE_EVENT_H
#define STEPSTAT_INGEST_CHROME_TRACE_EVENT_H

#include "ingest/chrome/json_table.h"

/* Of all events that were whole: keys given twice, values like NaN. */
struct event_oddities {
	uint64_t repeated_keys, odd_values;
};

/* The object that begins at entry *i ('{'); *i moves after it when it is whole, to where it breaks
 * when it is wrong. */
enum json_parsed trace_event_parse(const struct json_piece *piece, size_t *i,
	struct trace_event *event, struct event_oddities *odd);

#endif
