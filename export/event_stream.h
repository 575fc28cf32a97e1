/*
 * Single events as lines, one at a time: for people, as CSV, as NDJSON. Times are us as the source
 * writes them, exact decimals.
 */
#ifndef STEPSTAT_EXPORT_EVENT_STREAM_H
#define STEPSTAT_EXPORT_EVENT_STREAM_H

#include "base/output/outfile.h"
#include "base/text.h"
#include "export/event_source.h"

enum stream_form { STREAM_TEXT, STREAM_CSV, STREAM_NDJSON };

struct event_stream {
	struct outfile *out; /* the caller's */
	enum stream_form form;
	bool csv_safe;
	bool any; /* a heading was written */
	struct text line;
	struct text lane, lane_before; /* heading in text */
};

/* Writes what comes before the events. The out, the form and csv_safe are set. */
void event_stream_begin(struct event_stream *stream);
/* op: its name. */
void event_stream_add(struct event_stream *stream, const struct event_place *at, const char *op,
	const struct event_row *row);
void event_stream_end(struct event_stream *stream);

#endif
