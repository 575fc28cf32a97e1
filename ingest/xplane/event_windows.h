/* The events of lines, taken apart by several threads: windows of a line become records, in the
 * order of the file. It knows the framing of events and of their stats; what they mean is in
 * line_events.h. */
#pragma once

#include "ingest/xplane/plane.h"

/* The value of a stat, small, since the caller takes it out of another processor's cache. */
struct event_value {
	uint8_t kind; /* enum stat_value_kind */
	bool is_unsigned, is_reference;
	uint32_t size; /* of a text; of a reference its place + 1 */
	union {
		uint64_t bits;
		const char *text;
	};
};

/* One event. */
struct event_record {
	int64_t start_ps; /* INT64_MAX: beyond 64 bits. Without a place: where it is in the file */
	int64_t dur_ps;
	uint32_t at, size; /* of its bytes, in those of the window */
	uint32_t place;	   /* of its id in the table of events + 1; 0: the plane does not name it */
	uint32_t seen : 24; /* bits of the roles of its stats; only EVENT_AGGREGATED: it is a sum */
	uint32_t values : 8;
};
#define EVENT_HEAD_MOST 11 /* bytes of tag and length of an event */
#define EVENT_AGGREGATED (1u << ROLE_COUNT)

/* Consecutive events of one line: those from `start` (0: not found) to `end`, which is `to` or
 * beyond, unless something else comes first. */
struct event_window {
	const struct plane *plane;
	const struct xline *line;
	size_t most_bytes; /* of an event */
	uint64_t from, start, to, end;
	struct span_window bytes;
	const unsigned char *first; /* of the bytes: at `start` */
	struct event_record *event;
	size_t count, room;
	/* The values of the roles of each event in their order, without that of ROLE_HLO_OP on a
	 * host. */
	struct event_value *value;
	size_t value_count, value_room;
};

struct event_windows;

struct event_windows *event_windows_new(const struct space *space, size_t threads);
void event_windows_free(struct event_windows *w); /* NULL is fine */

/* The next window of the line of this place in its plane: it reaches beyond `at`, where the events
 * that are left go on. Lines are asked for in their order, those that are wanted and have events;
 * those behind are read ahead. */
struct event_window *event_windows_take(
	struct event_windows *w, const struct plane *plane, size_t line, uint64_t at);
/* Drops the windows that were not taken: no thread reads from the plane any more. */
void event_windows_drop(struct event_windows *w);
/* Reads the window anew, from an event at this offset on. */
void event_window_read(struct event_window *w, uint64_t start);
