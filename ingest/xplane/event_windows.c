/* Windows at fixed places of a line. Where its first event starts a thread finds by the lengths of
 * the events before; the caller, who knows where the window before has ended, has it read anew
 * where that was wrong. An event is looked at once, where it lies. */
#include "ingest/xplane/event_windows.h"

#include "base/number.h"
#include "base/ordered_work.h"

#define WINDOW_BYTES ((size_t)64 << 10)
#define MARGIN_BYTES ((size_t)2 << 10) /* before a window, to find an event, and behind it */

#define FIELD(number, type) ((uint64_t)(number) << 3 | (type))
#define EVENT_TAG FIELD(LINE_EVENT, WIRE_BYTES)

/* Stats of events that hand work to another thread, and of those that take it over. */
#define HANDED_COUNT (ROLE_CONSUMER - ROLE_PRODUCER_TYPE + 1)

/* One event, and the values in its own stats. */
struct xevent {
	const struct plane *plane;
	struct wire bytes;
	const unsigned char *readable_end; /* of the memory behind it: not before bytes.end */
	int64_t id, offset_ps, dur_ps;
	bool is_aggregated; /* it is the sum of many */
	unsigned seen;	    /* bits of roles */
	struct stat_value value[ROLE_COUNT];
	/* Stats of HANDED_ROLES as bytes: each op of XLA on a CPU has some, and they are not
	 * used. */
	struct wire handed[HANDED_COUNT];
};

struct event_windows {
	struct ordered_work *work;
	struct event_window *window;
	size_t count; /* of windows */
	/* Where the next window is, and its first event; 0: not known. */
	const struct plane *plane;
	size_t line;
	uint64_t at; /* in the line; 0: at its first event */
	uint64_t start;
};

/* ---- one event ---- */

/* The first of several stats of one name counts. */
static void keep_handoffs(struct xevent *e, uint32_t role, struct wire stat)
{
	if (!(e->seen >> role & 1))
		e->handed[role - ROLE_PRODUCER_TYPE] = stat;
	e->seen |= 1u << role;
}

static inline void keep_value(struct xevent *e, uint32_t role, const struct stat_value *value)
{
	if (!(e->seen >> role & 1))
		e->value[role] = *value;
	e->seen |= 1u << role;
}

/* A varint that ends within w. It is loaded as one word, which may reach beyond w: most are at the
 * end of a short record. False leaves it, and what is wrong, to the framing. */
static inline bool varint_within(
	const struct xevent *e, struct wire *w, const unsigned char *at, uint64_t *value)
{
	struct wire wide = {at, e->readable_end};

	if (!wire_varint(&wide, value) || wide.at > w->end)
		return false;
	w->at = wide.at;
	return true;
}

/* A stat whose value is a varint, and the rest of it from `at` on. False: it is any other. */
static inline bool number_stat(
	const struct xevent *e, struct wire stat, const unsigned char *at, struct stat_value *value)
{
	uint64_t bits;

	if (at == stat.end || (*at != FIELD(STAT_UNSIGNED, WIRE_VARINT) &&
				      *at != FIELD(STAT_SIGNED, WIRE_VARINT) &&
				      *at != FIELD(STAT_REFERENCE, WIRE_VARINT)))
		return false;
	if (!varint_within(e, &stat, at + 1, &bits) || stat.at != stat.end)
		return false;
	*value = plane_stat_number(e->plane, *at >> 3, bits);
	return true;
}

/* The value of a stat that has a role. */
static bool read_stat(struct xevent *e, struct wire stat)
{
	struct stat_value value;
	uint32_t place, role;

	if (!plane_stat(e->plane, stat, &place, &value))
		return false;
	role = place ? e->plane->stat[place - 1].role : ROLE_NONE;
	if (HANDED_ROLES >> role & 1)
		keep_handoffs(e, role, stat);
	else if (role != ROLE_NONE)
		keep_value(e, role, &value);
	return true;
}

/* The role of the stat; ROLE_COUNT: it must be read to know. Its id comes first, and most have a
 * short one; *rest is what follows. */
static inline uint32_t role_at(
	const struct plane *plane, struct wire stat, const unsigned char **rest)
{
	const unsigned char *at = stat.at;
	const size_t size = (size_t)(stat.end - at);
	uint32_t place;

	if (size < 2 || at[0] != FIELD(STAT_METADATA_ID, WIRE_VARINT))
		return ROLE_COUNT;
	if (at[1] < 0x80)
		place = id_map_find(&plane->stats, at[1]);
	else if (size > 2 && at[2] < 0x80)
		place = id_map_find(&plane->stats, (at[1] & 0x7f) | at[2] << 7);
	else
		return ROLE_COUNT;
	*rest = at + (at[1] < 0x80 ? 2 : 3);
	return place ? plane->stat[place - 1].role : ROLE_NONE;
}

/* False: damaged. */
static inline bool take_stat(struct xevent *e, struct wire stat)
{
	const unsigned char *rest;
	const uint32_t role = role_at(e->plane, stat, &rest);
	struct stat_value value;

	if (role == ROLE_NONE)
		return true;
	if (HANDED_ROLES >> role & 1) {
		keep_handoffs(e, role, stat);
		return true;
	}
	if (role == ROLE_COUNT || !number_stat(e, stat, rest, &value))
		return read_stat(e, stat);
	keep_value(e, role, &value);
	return true;
}

/* A field that is a varint, if it is the next. */
static inline void take_number(
	const struct xevent *e, struct wire *w, unsigned char tag, int64_t *number)
{
	uint64_t value;

	if (w->at < w->end && *w->at == tag && varint_within(e, w, w->at + 1, &value))
		*number = (int64_t)value;
}

/* Takes the event apart. False: damaged. All known writers have the fields in order of their
 * numbers; what is left then may come in any order. */
static inline bool read_event(struct xevent *e)
{
	struct wire w = e->bytes;
	struct wire_field field;
	enum wire_result got;

	e->id = e->offset_ps = e->dur_ps = 0;
	e->seen = 0;
	e->is_aggregated = false;
	take_number(e, &w, FIELD(XEVENT_ID, WIRE_VARINT), &e->id);
	take_number(e, &w, FIELD(XEVENT_OFFSET, WIRE_VARINT), &e->offset_ps);
	take_number(e, &w, FIELD(XEVENT_DURATION, WIRE_VARINT), &e->dur_ps);
	/* The stats of less than 128 bytes that are next. */
	while (w.end - w.at > 1 && *w.at == FIELD(XEVENT_STAT, WIRE_BYTES) && w.at[1] < 0x80 &&
		w.at[1] <= w.end - w.at - 2) {
		const struct wire stat = {w.at + 2, w.at + 2 + w.at[1]};

		w.at = stat.end;
		if (!take_stat(e, stat))
			return false;
	}
	while ((got = wire_next(&w, &field)) == WIRE_FIELD) {
		switch (FIELD(field.number, field.type)) {
		case FIELD(XEVENT_STAT, WIRE_BYTES):
			if (!take_stat(e, wire_inside(&field)))
				return false;
			break;
		case FIELD(XEVENT_ID, WIRE_VARINT):
			e->id = (int64_t)field.value;
			break;
		case FIELD(XEVENT_OFFSET, WIRE_VARINT):
			e->offset_ps = (int64_t)field.value;
			e->is_aggregated = false;
			break;
		case FIELD(XEVENT_DURATION, WIRE_VARINT):
			e->dur_ps = (int64_t)field.value;
			break;
		case FIELD(XEVENT_OCCURRENCES, WIRE_VARINT):
			e->is_aggregated = true;
			break;
		default:
			break;
		}
	}
	return got == WIRE_END;
}

/* ---- records ---- */

/* True if the event may hand work over, or take it. Points in time (of thread pools) and ends of
 * ops have such ids, too: they contain nothing. The first in a thread pool only says who had a
 * thread to spare. A device takes over a program that it then executes. */
static bool may_hand_over(const struct event_window *w, const struct xevent *e, uint32_t place)
{
	return (!w->plane->is_device || w->line->is_modules) && e->dur_ps > 0 &&
	       !(e->seen >> ROLE_HLO_OP & 1) &&
	       w->plane->event[place - 1].host_event != XLA_HOST_END;
}

/* The values of HANDED_ROLES. */
static void read_handoffs(const struct event_window *w, struct xevent *e, uint32_t place)
{
	uint32_t ignored;

	if (!may_hand_over(w, e, place)) {
		e->seen &= ~HANDED_ROLES;
		return;
	}
	for (uint32_t role = ROLE_PRODUCER_TYPE; role <= ROLE_CONSUMER; role++)
		if (e->seen >> role & 1 &&
			!plane_stat(e->plane, e->handed[role - ROLE_PRODUCER_TYPE], &ignored,
				&e->value[role]))
			e->seen &= ~(1u << role);
}

static struct event_value small_value(const struct stat_value *value)
{
	struct event_value small = {.kind = (uint8_t)value->kind,
		.is_unsigned = value->is_unsigned,
		.is_reference = value->reference != 0,
		.size = value->reference,
		.bits = value->bits};

	if (value->kind == VALUE_TEXT && !value->reference) {
		small.size = (uint32_t)value->text.size;
		small.text = value->text.at;
	}
	return small;
}

/* Appends the event at this offset. */
static void add_record(struct event_window *w, struct xevent *e, uint64_t at)
{
	const uint32_t place = id_map_find(&w->plane->events, e->id);
	struct event_record *record;
	unsigned left;

	w->event = memory_make_room(w->event, &w->room, w->count + 1, sizeof(*w->event));
	record = &w->event[w->count++];
	*record = (struct event_record){.at = (uint32_t)(e->bytes.at - w->first),
		.size = (uint32_t)(e->bytes.end - e->bytes.at),
		.dur_ps = e->dur_ps,
		.place = place};
	if (!place || e->is_aggregated) {
		record->start_ps = (int64_t)at;
		record->seen = EVENT_AGGREGATED;
		return;
	}
	if (!number_add(w->line->zero_ps, e->offset_ps, &record->start_ps))
		record->start_ps = INT64_MAX;
	if (e->seen & HANDED_ROLES)
		read_handoffs(w, e, place);
	record->seen = e->seen;
	w->value = memory_make_room(
		w->value, &w->value_room, w->value_count + ROLE_COUNT, sizeof(*w->value));
	left = w->plane->is_device ? e->seen : e->seen & ~(1u << ROLE_HLO_OP);
	for (; left; left &= left - 1, record->values++)
		w->value[w->value_count++] = small_value(&e->value[__builtin_ctz(left)]);
}

/* ---- windows ---- */

/* The length of the event whose head is at the beginning. False: there is none, it is not here as
 * a whole, or its length is damaged. */
static inline bool event_here(struct wire all, struct wire *event)
{
	uint64_t length;

	*event = (struct wire){all.at + 1, all.end};
	if (all.at == all.end || *all.at != EVENT_TAG || !wire_varint(event, &length) ||
		length > (uint64_t)(event->end - event->at))
		return false;
	event->end = event->at + length;
	return true;
}

/* The bytes from the offset on up to the end of the window, and some behind it, or as many as the
 * first event has. */
static bool load(struct event_window *w, uint64_t at, uint64_t event_bytes, struct wire *out)
{
	const uint64_t left = w->line->events.end - at, usual = w->to + MARGIN_BYTES - at;
	struct error ignored; /* the caller has it once more */
	size_t size;

	if (span_window_get(&w->bytes, at, event_bytes < usual ? usual : event_bytes, &out->at,
		    &size, &ignored))
		return false;
	out->end = out->at + (size < left ? size : (size_t)left);
	return true;
}

void event_window_read(struct event_window *w, uint64_t start)
{
	struct xevent e = {.plane = w->plane};
	struct wire all, head;
	uint64_t length;

	w->start = w->end = start;
	w->count = w->value_count = 0;
	if (start >= w->to) /* a long event is before it: there is none in this window */
		return;
	if (!load(w, start, 0, &all))
		return;
	/* The first event is there as a whole, however long. */
	head = (struct wire){all.at + 1, all.end};
	if (all.at == all.end || !wire_varint(&head, &length) || length > w->most_bytes ||
		!load(w, start, EVENT_HEAD_MOST + length, &all))
		return;
	w->first = all.at;
	while (w->end < w->to && event_here(all, &e.bytes) &&
		(size_t)(e.bytes.end - e.bytes.at) <= w->most_bytes) {
		e.readable_end = all.end;
		if (!read_event(&e))
			return;
		add_record(w, &e, w->end);
		all.at = e.bytes.end;
		w->end = start + (uint64_t)(all.at - w->first);
	}
}

/* Where the first event at the offset or behind it starts; 0: not found. The events before lead to
 * it, and so do stats of theirs, which look like events. */
static uint64_t find_event(struct event_window *w, uint64_t from)
{
	const uint64_t lines_start = w->line->events.start;
	const uint64_t start =
		from - lines_start > MARGIN_BYTES ? from - MARGIN_BYTES : lines_start;
	struct wire all, event;

	if (!load(w, start, 0, &all) || (uint64_t)(all.end - all.at) <= from - start)
		return 0;
	const unsigned char *wanted = all.at + (from - start);

	for (const unsigned char *at = all.at;
		at < wanted && (at = memchr(at, EVENT_TAG, (size_t)(wanted - at))); at++) {
		struct wire rest = {at, all.end};

		while (rest.at < wanted && event_here(rest, &event))
			rest.at = event.end;
		if (rest.at >= wanted && event_here(rest, &event))
			return start + (uint64_t)(rest.at - all.at);
	}
	return 0;
}

/* Work of any thread. */
static void read_window(void *item, size_t thread)
{
	struct event_window *w = item;

	(void)thread;
	if (w->start == 0)
		w->start = find_event(w, w->from);
	if (w->start != 0)
		event_window_read(w, w->start);
}

struct event_windows *event_windows_new(const struct space *space, size_t threads)
{
	struct event_windows *ws = memory_alloc(sizeof(*ws));

	ws->work = ordered_work_new(threads, read_window);
	ws->count = ordered_work_depth(ws->work);
	ws->window = memory_alloc(ws->count * sizeof(*ws->window));
	for (size_t i = 0; i < ws->count; i++) {
		/* Sizes in records have 32 bits. */
		ws->window[i].most_bytes =
			space->most_bytes < UINT32_MAX ? space->most_bytes : UINT32_MAX;
		span_window_init(&ws->window[i].bytes, space->window.file,
			MARGIN_BYTES + WINDOW_BYTES + MARGIN_BYTES);
	}
	return ws;
}

void event_windows_free(struct event_windows *ws)
{
	if (!ws)
		return;
	ordered_work_free(ws->work);
	for (size_t i = 0; i < ws->count; i++) {
		span_window_release(&ws->window[i].bytes);
		memory_free(ws->window[i].event);
		memory_free(ws->window[i].value);
	}
	memory_free(ws->window);
	memory_free(ws);
}

/* Begins the next window of the plane. */
static void *begin_window(void *context, size_t slot)
{
	struct event_windows *ws = context;
	struct event_window *w = &ws->window[slot];
	const struct xline *line;

	for (;; ws->line++, ws->at = 0) {
		if (ws->line == ws->plane->line.count)
			return NULL;
		line = vec_at(&ws->plane->line, ws->line);
		if (line->is_wanted && line->events.start + ws->at < line->events.end)
			break;
	}
	w->plane = ws->plane;
	w->line = line;
	w->from = line->events.start + ws->at;
	w->to = line->events.end - w->from > WINDOW_BYTES ? w->from + WINDOW_BYTES
							  : line->events.end;
	w->start = ws->at == 0 ? w->from : ws->start;
	ws->start = 0;
	ws->at += WINDOW_BYTES;
	return w;
}

struct event_window *event_windows_take(
	struct event_windows *ws, const struct plane *plane, size_t line, uint64_t at)
{
	const struct xline *wanted = vec_at(&plane->line, line);
	struct event_window *w;

	do {
		if (ordered_work_is_empty(ws->work)) {
			ws->plane = plane;
			ws->line = line;
			ws->at = (at - wanted->events.start) & ~(uint64_t)(WINDOW_BYTES - 1);
			ws->start = at;
		}
		w = ordered_work_next(ws->work, begin_window, ws);
	} while (w->line != wanted || w->to <= at);
	return w;
}

void event_windows_drop(struct event_windows *ws)
{
	ordered_work_drop(ws->work);
}
