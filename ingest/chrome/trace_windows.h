/* Windows of a Chrome trace, which threads read, index and parse ahead of the walk over them.
 * Internal to trace_scan. */
#pragma once

#include "ingest/chrome/event_ahead.h"
#include "ingest/chrome/event_parse.h"
#include "ingest/input/input.h"

/* An event as the walk needs it. Most are small: another core wrote them. */
struct parsed_event {
	uint32_t first, after; /* its entries */
	enum trace_readiness readiness;
	union {
		struct trace_ready ready; /* offset: in the text */
		size_t whole;		  /* its place among those of the window */
	};
};

struct whole_event {
	uint32_t repeated_keys, odd_values;
	struct trace_event event;
};

/* A part of the input, its table and its events. */
struct trace_window {
	uint64_t block;	    /* its number */
	char *bytes, *text; /* text: in the bytes */
	size_t size;
	bool is_last;	    /* of the input */
	struct error fault; /* of reading it: the last one, without text */
	bool is_damaged;    /* no table: the fast index refuses the text */
	struct json_piece piece;
	struct parsed_event *event; /* from the beginning of the window to where one breaks */
	struct whole_event *whole;
	size_t event_count, whole_count;
	/* Members for trace_windows alone. */
	struct trace_windows *of;
	struct json_index *index;
	struct event_past past;
	size_t event_room, whole_room;
};

/* Windows of an input of which `bytes` are there at least, fewer than a window's only where these
 * are all. Input and handler are the caller's. */
#define TRACE_WINDOW_BYTES ((size_t)128 << 10)
struct trace_windows *trace_windows_new(
	struct input *in, const struct trace_handler *handler, size_t bytes);
void trace_windows_free(struct trace_windows *ws);

/* The next window in the order of the input, valid until the next call; NULL after the last. */
const struct trace_window *trace_windows_next(struct trace_windows *ws);
/* Makes what is made ahead of an event that the caller has parsed. */
void trace_windows_look_ahead(struct trace_windows *ws, struct trace_event *event);
