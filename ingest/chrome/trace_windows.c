/* The input is cut where an event seems to begin. A window of a file is found, read, indexed and
 * parsed by any thread; a stream is read by the caller's. */
#include "ingest/chrome/trace_windows.h"

#include <string.h>
#include "base/memory.h"
#include "base/ordered_work.h"
#include "base/text.h"
#include "ingest/json/json_index.h"
#include "ingest/json/json_parse.h"

#define WINDOW_BYTES TRACE_WINDOW_BYTES
#define WINDOW_ROOM (2 * WINDOW_BYTES)
#define CUT_BYTES ((size_t)4 << 10) /* that most often have the end of an event */

struct trace_windows {
	struct input *in;
	const struct trace_handler *handler;
	struct ordered_work *work;
	struct event_tables **tables; /* by thread */
	struct trace_window *window;
	size_t stream_bytes;   /* of a window */
	uint64_t read;	       /* windows so far */
	bool is_read;	       /* the last one, too */
	struct span_file span; /* size 0: the input is a stream */
	struct text tail;      /* of a stream: read, and of the next window */
};

/* ---- reading ---- */

/* The first place from `from` on where an object follows another one in an array, as events do;
 * SIZE_MAX: none. It need not be right, but the same for all who look from there. */
static size_t find_cut(const char *text, size_t size, size_t from)
{
	const char *begin = text + from, *end = text + size;

	for (const char *at = begin; (at = memchr(at, '{', (size_t)(end - at))); at++) {
		const char *before = at;

		while (before > begin && json_is_blank(before[-1]))
			before--;
		if (before == begin || *--before != ',')
			continue;
		while (before > begin && json_is_blank(before[-1]))
			before--;
		if (before > begin && before[-1] == '}')
			return (size_t)(at - text);
	}
	return SIZE_MAX;
}

/* Reads a window out of a stream: what the one before left of it, and what comes next. */
static void read_stream(struct trace_windows *ws, struct trace_window *w)
{
	bool is_end = false;
	size_t cut;

	w->size = ws->tail.size;
	memcpy(w->bytes, text_string(&ws->tail), ws->tail.size);
	text_clear(&ws->tail);
	while (!is_end && w->size < ws->stream_bytes) {
		size_t got = 0;

		is_end = input_take(ws->in, w->bytes + w->size, ws->stream_bytes - w->size, &got,
				 &w->fault) != 0 ||
			 got == 0;
		w->size += got;
	}
	w->is_last = is_end;
	if (is_end)
		return;
	cut = w->size > CUT_BYTES ? find_cut(w->bytes, w->size, w->size - CUT_BYTES) : SIZE_MAX;
	if (cut == SIZE_MAX)
		cut = find_cut(w->bytes, w->size, w->size / 2);
	if (cut == SIZE_MAX)
		return;
	text_add_bytes(&ws->tail, w->bytes + cut, w->size - cut);
	w->size = cut;
}

/* Reads a window of a file: from the first cut in its block to the first in the next one, to the
 * end of that where there is none. Work of any thread. */
static void read_block(struct trace_window *w)
{
	const struct span_file *span = &w->of->span;
	const uint64_t begin = w->block * WINDOW_BYTES, rest = span->size - begin;
	size_t size = rest < WINDOW_BYTES + CUT_BYTES ? (size_t)rest : WINDOW_BYTES + CUT_BYTES;
	size_t first = 0, end = SIZE_MAX;

	if (span_file_read(span, begin, w->bytes, size, "a trace", &w->fault) != 0)
		return;
	if (w->block > 0)
		first = find_cut(w->bytes, size < WINDOW_BYTES ? size : WINDOW_BYTES, 0);
	if (!w->is_last)
		end = find_cut(w->bytes, size, WINDOW_BYTES);
	if (!w->is_last && end == SIZE_MAX) {
		const size_t had = size;

		size = rest < WINDOW_ROOM ? (size_t)rest : WINDOW_ROOM;
		if (span_file_read(span, begin + had, w->bytes + had, size - had, "a trace",
			    &w->fault) != 0)
			return;
		end = find_cut(w->bytes, size, WINDOW_BYTES);
	}
	end = end == SIZE_MAX ? size : end;
	if (first == SIZE_MAX)
		first = size < WINDOW_BYTES ? size : WINDOW_BYTES;
	w->text = w->bytes + first;
	w->size = end - first;
}

/* ---- parsing ---- */

/* The tables of a thread are made when it first needs them. */
static enum trace_readiness look_ahead(struct trace_windows *ws, size_t thread,
	struct trace_event *event, struct trace_ready *ready)
{
	if (!ws->handler->ahead)
		return EVENT_WHOLE;
	if (!ws->tables[thread])
		ws->tables[thread] = event_tables_new(ws->handler, (uint16_t)thread);
	return event_look_ahead(ws->tables[thread], event, ready);
}

void trace_windows_look_ahead(struct trace_windows *ws, struct trace_event *event)
{
	struct trace_ready unused;

	look_ahead(ws, 0, event, &unused);
}

/* Parses the event at entry *i. False: it breaks, or does not end here. */
static bool parse_event(struct trace_window *w, size_t thread, size_t *i)
{
	const uint64_t repeated = w->past.repeated_keys, odd = w->past.odd_values;
	struct parsed_event *e;
	struct whole_event *whole;

	w->event =
		memory_make_room(w->event, &w->event_room, w->event_count + 1, sizeof(*w->event));
	w->whole =
		memory_make_room(w->whole, &w->whole_room, w->whole_count + 1, sizeof(*w->whole));
	e = &w->event[w->event_count];
	whole = &w->whole[w->whole_count];
	e->first = (uint32_t)*i;
	if (trace_event_parse(&w->piece, i, &whole->event, &w->past) != JSON_WHOLE)
		return false;
	e->after = (uint32_t)*i;
	w->event_count++;
	whole->repeated_keys = (uint32_t)(w->past.repeated_keys - repeated);
	whole->odd_values = (uint32_t)(w->past.odd_values - odd);
	e->readiness = look_ahead(w->of, thread, &whole->event, &e->ready);
	e->ready.offset = w->piece.at[e->first];
	if (e->readiness != EVENT_WHOLE && !whole->repeated_keys && !whole->odd_values)
		return true;
	e->readiness = EVENT_WHOLE;
	e->whole = w->whole_count++;
	return true;
}

/* Reads and indexes a window and parses the events it begins with. Work of any thread. */
static void make_window(void *item, size_t thread)
{
	struct trace_window *w = item;
	struct json_piece *p = &w->piece;
	size_t i = 0;

	w->event_count = w->whole_count = 0;
	if (w->of->span.size)
		read_block(w);
	w->size = w->fault.kind == ERROR_NONE ? w->size : 0;
	if (w->block == 0 && w->size >= 3 && memcmp(w->text, "\xef\xbb\xbf", 3) == 0) {
		w->text += 3;
		w->size -= 3;
	}
	memset(w->text + w->size, 0, JSON_INDEX_PADDING);
	p->bytes = w->text;
	p->size = w->size;
	w->is_damaged = !json_index_fast(w->index, w->text, w->size, &p->at, &p->count);
	if (w->is_damaged || w->block == 0)
		return;
	for (; i < p->count; i++) {
		while (json_byte(p, i) == '{')
			if (!parse_event(w, thread, &i) || i == p->count)
				return;
		if (json_byte(p, i) != ',')
			return;
	}
}

/* ---- windows ---- */

/* Begins the next window: all of it from a stream, which is one after the other. */
static void *begin_window(void *context, size_t slot)
{
	struct trace_windows *ws = context;
	struct trace_window *w = &ws->window[slot];

	if (ws->is_read)
		return NULL;
	if (!w->bytes) {
		w->bytes = memory_alloc(
			(ws->span.size ? WINDOW_ROOM : ws->stream_bytes) + JSON_INDEX_PADDING);
		w->index = json_index_new();
		w->of = ws;
	}
	w->block = ws->read++;
	w->text = w->bytes;
	w->size = 0;
	w->fault.kind = ERROR_NONE;
	if (ws->span.size)
		w->is_last = ws->span.size - w->block * WINDOW_BYTES <= WINDOW_BYTES;
	else
		read_stream(ws, w);
	ws->is_read = w->is_last;
	return w;
}

const struct trace_window *trace_windows_next(struct trace_windows *ws)
{
	return ordered_work_next(ws->work, begin_window, ws);
}

struct trace_windows *trace_windows_new(
	struct input *in, const struct trace_handler *handler, size_t bytes)
{
	struct trace_windows *ws = memory_alloc(sizeof(*ws));

	ws->in = in;
	ws->handler = handler;
	/* An input that is shorter than the window is held as a whole; one byte more shows its
	 * end. */
	ws->stream_bytes = bytes < WINDOW_BYTES ? bytes + 1 : WINDOW_BYTES;
	ws->work = ordered_work_new(handler->threads, make_window);
	ws->window =
		memory_alloc(memory_product(ordered_work_depth(ws->work), sizeof(*ws->window)));
	ws->tables = memory_alloc(
		memory_product(ordered_work_threads(ws->work), sizeof(struct event_tables *)));
	text_init(&ws->tail);
	if (input_offset(in) > 0 || bytes < WINDOW_BYTES || !input_span(in, &ws->span))
		ws->span.size = 0;
	return ws;
}

void trace_windows_free(struct trace_windows *ws)
{
	const size_t windows = ordered_work_depth(ws->work),
		     threads = ordered_work_threads(ws->work);

	ordered_work_free(ws->work);
	for (size_t i = 0; i < windows; i++) {
		json_index_free(ws->window[i].index);
		memory_free(ws->window[i].event);
		memory_free(ws->window[i].whole);
		memory_free(ws->window[i].bytes);
	}
	for (size_t i = 0; i < threads; i++)
		event_tables_free(ws->tables[i]);
	memory_free(ws->window);
	memory_free(ws->tables);
	if (ws->span.size)
		span_file_close(&ws->span);
	text_release(&ws->tail);
	memory_free(ws);
}
