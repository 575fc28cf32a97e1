/* The container of a Chrome trace. The input is cut into windows where an event seems to begin.
 * Threads index them (ingest/json/json_index.h) and parse the events in them; the walk over their
 * tables, in the order of the input, decides what is an event. What a window does not end is joined
 * with the next one and indexed again, so that a cut in the wrong place costs time alone. Where the
 * table of the fast index breaks the grammar, the rest of the piece is indexed again by the patient
 * one. Where that table breaks it too, the event is lost and the walk looks for the next one. */
#include "ingest/chrome/trace_scan.h"

#include <string.h>
#include "base/memory.h"
#include "ingest/json/json_index.h"
#include "ingest/json/json_parse.h"
#include "ingest/chrome/trace_windows.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "ingest/reader.h"

#define MEMBER_LIMIT ((size_t)1 << 20) /* longer members of the root are passed over */
/* Entries that may be walked in vain, besides one for each byte. */
#define VAIN_FIRST ((uint64_t)1 << 20)

enum place {
	BEFORE_ROOT,
	IN_OBJECT,
	IN_EVENTS,
	PASSING, /* over a long member of the root */
};

struct scan {
	struct input *in;
	const struct trace_handler *handler;
	struct issue_list *issues;
	struct trace_totals *totals;
	size_t max_event_bytes;
	struct trace_windows *windows;
	struct error fault; /* of reading on after the last window */
	/* The text that is walked: a window's, or `joined` with an index of its own. */
	char *text;
	size_t size;
	uint64_t offset; /* of its first byte in the input */
	bool is_end;	 /* it is the end of the input */
	char *joined;
	size_t joined_room;
	struct json_index *index;
	struct event_past past;
	struct json_piece piece;
	struct parsed_event *next, *end; /* events of the window that are not walked */
	struct whole_event *whole;	 /* of the window */
	bool is_lost;			 /* looking for the next event */
	uint64_t vain; /* entries that were walked for objects that broke, in the whole input */
	enum place place;
	bool in_object; /* the array of events is a member */
	size_t depth;	/* of what is passed over */
	bool is_cut;	/* the input ends inside something, which began at `cut` */
	uint64_t cut;
	size_t roots, arrays;
};

/* ---- issues ---- */

static void report_issue(struct scan *s, enum issue_severity severity, const char *code,
	const char *text, size_t count, uint64_t offset)
{
	char place[512];

	if (count == 0)
		return;
	error_place_offset(place, sizeof(place), input_path(s->in), offset);
	issue_add(s->issues, severity, code, text, count, place);
}

static void report_damage(struct scan *s, size_t used)
{
	struct json_damage d = {0};
	const uint32_t *at;
	size_t count;

	json_index_patient(s->index, s->text, used, &at, &count, &d);
	report_issue(s, ISSUE_LOSS, "json-open-quote",
		"quotes inside strings that are not escaped; read as part of the text",
		d.open_quotes, s->offset + d.open_quote_at);
	report_issue(s, ISSUE_LOSS, "json-control-byte", "control bytes inside strings",
		d.control_bytes, s->offset + d.control_byte_at);
	report_issue(s, ISSUE_LOSS, "json-not-utf8", "places that are not UTF-8", d.not_utf8,
		s->offset + d.not_utf8_at);
	report_issue(s, ISSUE_LOSS, "json-backslash",
		"strings that end in a backslash that is not escaped", d.bad_escapes,
		s->offset + d.bad_escape_at);
}

static uint64_t offset_of(const struct scan *s, size_t i)
{
	return s->offset + (i < s->piece.count ? s->piece.at[i] : s->piece.size);
}

/* ---- the walk ---- */

static char byte_at(const struct scan *s, size_t i)
{
	return s->piece.bytes[s->piece.at[i]];
}

static enum json_parsed root_begins(struct scan *s, size_t *i)
{
	char c = byte_at(s, *i);

	if (c != '{' && c != '[') {
		if (s->roots == 0)
			return JSON_WRONG;
		report_issue(s, ISSUE_INFO, "trace-tail", "bytes after the end of the trace", 1,
			offset_of(s, *i));
		(*i)++;
		return JSON_WHOLE;
	}
	if (s->roots++ == 0)
		s->totals->is_array = c == '[';
	s->totals->is_closed = false;
	s->in_object = false;
	s->place = c == '{' ? IN_OBJECT : IN_EVENTS;
	s->arrays += c == '[';
	(*i)++;
	return JSON_WHOLE;
}

static void close_root(struct scan *s)
{
	s->place = BEFORE_ROOT;
	s->totals->is_closed = true;
}

static bool is_events_key(const struct scan *s, size_t i)
{
	return i + 2 < s->piece.count && byte_at(s, i + 1) == ':' && byte_at(s, i + 2) == '[' &&
	       s->piece.at[i + 1] - s->piece.at[i] >= 13 &&
	       memcmp(s->piece.bytes + s->piece.at[i], "\"traceEvents\"", 13) == 0;
}

/* A composite member that does not end in this piece: the scan waits for more bytes until the
 * member is too long to be kept. */
static enum json_parsed long_member(struct scan *s, size_t *i)
{
	size_t at = *i, limit = s->handler->member_bytes ? s->handler->member_bytes : MEMBER_LIMIT;

	if (at + 2 >= s->piece.count || s->size - s->piece.at[at] < limit ||
		byte_at(s, at + 1) != ':' ||
		(byte_at(s, at + 2) != '{' && byte_at(s, at + 2) != '['))
		return JSON_CUT;
	s->place = PASSING;
	s->depth = 0;
	s->totals->long_members++;
	*i = at + 2;
	return JSON_WHOLE;
}

/* A member of the root breaks at `broken_at`. The next member may be inside it, so the scan
 * continues after its key; when too much was walked in vain (see break_off), at `broken_at`. */
static enum json_parsed break_member(struct scan *s, size_t *i, size_t broken_at)
{
	s->vain += broken_at > *i ? broken_at - *i : 0;
	if (broken_at > *i && s->vain >= VAIN_FIRST + offset_of(s, *i))
		*i = broken_at - 1; /* what is lost goes one on */
	return JSON_WRONG;
}

static enum json_parsed root_member(struct scan *s, size_t *i, struct error *err, int *status)
{
	struct json_member member;
	size_t at = *i;
	enum json_parsed parsed;
	char c = byte_at(s, at);

	if (c == ',' || c == '}') {
		if (c == '}')
			close_root(s);
		(*i)++;
		return JSON_WHOLE;
	}
	if (c != '"')
		return JSON_WRONG;
	if (at + 2 >= s->piece.count)
		return JSON_CUT;
	if (is_events_key(s, at)) {
		s->place = IN_EVENTS;
		s->in_object = true;
		s->arrays++;
		*i += 3;
		return JSON_WHOLE;
	}
	parsed = json_parse_member(&s->piece, &at, &member);
	if (parsed == JSON_CUT)
		return long_member(s, i);
	if (parsed == JSON_WRONG)
		return break_member(s, i, at);
	if (s->handler->member)
		*status = s->handler->member(s->handler->context, &member, err);
	*i = at;
	return JSON_WHOLE;
}

static enum json_parsed pass(struct scan *s, size_t *i)
{
	char c = byte_at(s, *i);

	(*i)++;
	if (c == '{' || c == '[')
		s->depth++;
	else if ((c == '}' || c == ']') && --s->depth == 0)
		s->place = IN_OBJECT;
	return JSON_WHOLE;
}

/* After a damaged event the scan tries each object as the next event, from its opening brace on.
 * Such an object may itself break, far after its brace, and may contain the next candidate: a
 * million nested brackets would be walked a million times. `vain` counts the entries that were
 * walked for objects that broke. Once there are more of them than bytes so far (and at least
 * VAIN_FIRST), the scan continues after the point where the object broke, not after its opening
 * brace. This keeps the time linear. */
static enum json_parsed break_off(struct scan *s, size_t *i, size_t broken_at)
{
	s->vain += broken_at - *i;
	if (!s->is_lost || s->vain < VAIN_FIRST + offset_of(s, *i))
		return JSON_WRONG;
	*i = broken_at > *i ? broken_at : *i + 1;
	return JSON_WHOLE;
}

/* The event at entry *at: as a thread has parsed it, or parsed here, into `own`. `ready`: what a
 * thread has made of it that was not enough; NULL: nothing. */
static enum json_parsed find_event(struct scan *s, size_t *at, const struct parsed_event *parsed,
	struct trace_event *own, struct trace_event **event)
{
	enum json_parsed status;

	if (parsed && parsed->readiness == EVENT_WHOLE) {
		struct whole_event *whole = &s->whole[parsed->whole];

		s->past.repeated_keys += whole->repeated_keys;
		s->past.odd_values += whole->odd_values;
		*event = &whole->event;
		*at = parsed->after;
		return JSON_WHOLE;
	}
	*event = own;
	status = trace_event_parse(&s->piece, at, own, &s->past);
	if (status == JSON_WHOLE && parsed)
		event_look_again(s->handler->ahead, &parsed->ready, own);
	else if (status == JSON_WHOLE)
		trace_windows_look_ahead(s->windows, own);
	return status;
}

/* Event that a thread has parsed at this entry; NULL: none. */
static struct parsed_event *parsed_at(struct scan *s, size_t at)
{
	while (s->next < s->end && s->next->first < at)
		s->next++;
	return s->next < s->end && s->next->first == at ? s->next++ : NULL;
}

/* Hands over what is ready of an event. False: all of it is wanted. */
static bool take_ready(
	struct scan *s, size_t *i, struct parsed_event *parsed, struct error *err, int *status)
{
	int taken = 1;

	if (parsed->readiness == EVENT_WHOLE)
		return false;
	if (parsed->readiness == EVENT_READY) {
		parsed->ready.offset += s->offset;
		taken = s->handler->ready(s->handler->context, &parsed->ready, err);
	}
	if (taken == 0)
		return false;
	*status = taken < 0 ? -1 : 0;
	s->is_lost = false;
	s->totals->events++;
	*i = parsed->after;
	return true;
}

static enum json_parsed one_event(struct scan *s, size_t *i, struct error *err, int *status)
{
	struct trace_event own, *event;
	struct parsed_event *ahead = parsed_at(s, *i);
	size_t at, first;
	enum json_parsed parsed;

	/* Text and table are of another core: its thread has seen the one comma between events. */
	while (ahead && take_ready(s, i, ahead, err, status)) {
		if (*status || s->next == s->end || s->next->first != ahead->after + 1)
			return JSON_WHOLE;
		ahead = s->next++;
		*i = ahead->first;
	}
	at = first = *i;
	parsed = find_event(s, &at, ahead, &own, &event);
	if (parsed == JSON_WRONG)
		return break_off(s, i, at);
	if (parsed == JSON_CUT)
		return parsed;
	if (s->is_lost && !event->phase && !s->handler->is_table) {
		(*i)++; /* an object, but no event: part of the one that was lost */
		return JSON_WHOLE;
	}
	s->is_lost = false;
	s->totals->events++;
	*i = at;
	event->offset = offset_of(s, first);
	if (event->phase || s->handler->is_table)
		*status = s->handler->event(s->handler->context, event, err);
	else if (event->text.size <= 2 || at == first + 2)
		s->totals->empty++;
	else
		report_issue(s, ISSUE_LOSS, "event-phase", "events without a phase (\"ph\")", 1,
			event->offset);
	return JSON_WHOLE;
}

/* Parses the separators and ends between events. */
static enum json_parsed between_events(struct scan *s, size_t *i)
{
	char c = byte_at(s, *i);

	if (c == ']' && !s->is_lost) {
		if (s->in_object)
			s->place = IN_OBJECT;
		else
			close_root(s);
		(*i)++;
		return JSON_WHOLE;
	}
	if (c != ',' && !s->is_lost)
		return JSON_WRONG;
	(*i)++;
	return JSON_WHOLE;
}

static enum json_parsed walk_one(struct scan *s, size_t *i, struct error *err, int *status)
{
	if (*i + 1 >= s->piece.count && byte_at(s, *i) == '"' && !s->is_end)
		return JSON_CUT; /* a string that may go on */
	switch (s->place) {
	case BEFORE_ROOT:
		return root_begins(s, i);
	case IN_OBJECT:
		return root_member(s, i, err, status);
	case IN_EVENTS:
		return byte_at(s, *i) == '{' ? one_event(s, i, err, status) : between_events(s, i);
	case PASSING:
	default:
		return pass(s, i);
	}
}

/* Reports and passes over what cannot be read. 0, or -1 when the input cannot be a trace. */
static int skip_damaged(struct scan *s, size_t *i, struct error *err)
{
	char place[512];

	if (s->place == BEFORE_ROOT) {
		error_place_offset(place, sizeof(place), input_path(s->in), offset_of(s, *i));
		error_set(err, ERROR_INPUT, place,
			"found '%c' where a trace begins with '{' or '['", byte_at(s, *i));
		return error_hint(err, "give a trace as a profiler writes it (JSON), plain or "
				       "gzip: stepstat formats");
	}
	if (s->is_lost) {
		/* counted already: still looking for the next one */
	} else if (s->place == IN_EVENTS) {
		report_issue(s, ISSUE_ERROR, "event-damaged",
			"events that could not be read, left out", 1, offset_of(s, *i));
		s->totals->events++;
		s->totals->damaged++;
		s->is_lost = true;
	} else {
		report_issue(s, ISSUE_ERROR, "trace-member",
			"places around the events that are not JSON", 1, offset_of(s, *i));
	}
	(*i)++;
	return 0;
}

/* Walks the table. *used is how much of the text is done with; *broken: the fast index's table
 * breaks the grammar there. */
static int walk(struct scan *s, bool patient, size_t *used, bool *broken, struct error *err)
{
	size_t i = 0;
	int status = 0;

	*broken = false;
	while (i < s->piece.count && status == 0) {
		enum json_parsed parsed = walk_one(s, &i, err, &status);

		if (parsed == JSON_WHOLE)
			continue;
		if (parsed == JSON_CUT || !patient) {
			*broken = parsed == JSON_WRONG;
			*used = s->piece.at[i];
			return 0;
		}
		if (skip_damaged(s, &i, err) != 0)
			return -1;
	}
	*used = s->piece.size;
	return status;
}

/* ---- the text ---- */

/* Appends a window to what is left of the text. */
static void join_window(struct scan *s, const struct trace_window *w)
{
	s->joined = memory_make_room(
		s->joined, &s->joined_room, s->size + w->size + JSON_INDEX_PADDING, 1);
	memcpy(s->joined + s->size, w->text, w->size);
	s->text = s->joined;
	s->size += w->size;
	memset(s->joined + s->size, 0, JSON_INDEX_PADDING);
}

/* Moves what is left of a text to the beginning of `joined`: its window is read anew. */
static void keep_rest(struct scan *s)
{
	s->joined = memory_make_room(s->joined, &s->joined_room, s->size + JSON_INDEX_PADDING, 1);
	memmove(s->joined, s->text, s->size);
}

/* Takes windows until the text has `want` bytes, at the end of the input fewer. *indexed: it is a
 * window, whose table is there. False: none is left. */
static bool take_text(struct scan *s, size_t want, bool *indexed)
{
	*indexed = false;
	if (s->size > 0 && s->size < want && !s->is_end)
		keep_rest(s);
	while (!s->is_end && (s->size == 0 || s->size < want)) {
		const struct trace_window *w = trace_windows_next(s->windows);

		if (w->fault.kind != ERROR_NONE)
			s->fault = w->fault;
		s->is_end = w->is_last || w->fault.kind != ERROR_NONE;
		s->next = s->end = NULL;
		if (s->size > 0) {
			join_window(s, w);
			*indexed = false;
			continue;
		}
		if (w->block == 0)
			s->offset += (uint64_t)(w->text - w->bytes);
		s->text = w->text;
		s->size = w->size;
		s->piece = w->piece;
		s->next = w->event;
		s->end = w->event ? w->event + w->event_count : NULL;
		s->whole = w->whole;
		*indexed = !w->is_damaged;
	}
	return s->size > 0;
}

static int too_long(const struct scan *s, struct error *err)
{
	char place[512];

	error_place_offset(place, sizeof(place), input_path(s->in), s->offset);
	error_set(err, ERROR_LIMIT, place, "an event or a text is longer than %zu bytes",
		s->max_event_bytes);
	return error_hint(err, "allow more with max-record in stepstat.yaml, if the file is right");
}

/* Makes the table of the text. */
static void index_text(struct scan *s, bool *patient)
{
	struct json_damage ignored = {0}; /* report_damage reports it, for what is used */

	s->piece.bytes = s->text;
	s->piece.size = s->size;
	s->next = s->end = NULL;
	*patient = *patient ||
		   !json_index_fast(s->index, s->text, s->size, &s->piece.at, &s->piece.count);
	if (*patient)
		json_index_patient(
			s->index, s->text, s->size, &s->piece.at, &s->piece.count, &ignored);
}

static int scan_all(struct scan *s, struct error *err)
{
	bool patient = false, indexed, broken;
	size_t want = 1, used = 0;

	while (take_text(s, want, &indexed)) {
		if (patient || !indexed)
			index_text(s, &patient);
		if (walk(s, patient, &used, &broken, err) != 0)
			return -1;
		if (patient)
			report_damage(s, used);
		patient = broken;
		if (used == 0 && !broken && s->is_end) {
			s->is_cut = true;
			s->cut = s->offset;
			used = s->size;
		}
		if (used == 0 && !broken && s->size >= s->max_event_bytes)
			return too_long(s, err);
		s->text += used;
		s->size -= used;
		s->offset += used;
		want = broken ? 1 : 2 * s->size;
	}
	if (s->fault.kind == ERROR_NONE)
		return 0;
	*err = s->fault;
	return -1;
}

/* ---- the end ---- */

static int check_end(struct scan *s, struct error *err)
{
	if (s->roots == 0 || s->arrays == 0) {
		error_set(err, ERROR_INPUT, input_path(s->in),
			s->roots == 0 ? "is empty where a trace (JSON) was expected"
				      : "JSON without an array of events (\"traceEvents\")");
		return error_hint(err,
			"give a trace as a profiler writes it, plain or gzip: stepstat formats");
	}
	if (s->is_cut)
		report_issue(s, ISSUE_LOSS, "trace-cut",
			"the file ends inside an event or a value, which is lost", 1, s->cut);
	else if (!s->totals->is_closed)
		report_issue(s, s->in_object || s->handler->is_table ? ISSUE_LOSS : ISSUE_INFO,
			"trace-open",
			s->in_object || s->handler->is_table
				? "the file ends before the trace does; everything after its last "
				  "event is missing"
				: "the array of events has no end, which its format allows",
			1, s->offset);
	report_issue(s, ISSUE_LOSS, "json-key-twice",
		"keys given twice in one event; the last one counts", s->past.repeated_keys, 0);
	report_issue(s, ISSUE_INFO, "json-odd-value",
		"values that are not JSON (NaN, Infinity, N/A)", s->past.odd_values, 0);
	input_report_tail(s->in, s->issues);
	return 0;
}

static int json_scan(struct input *in, const struct trace_handler *handler,
	struct issue_list *issues, size_t max_event_bytes, struct trace_totals *totals,
	struct error *err)
{
	struct scan s = {.in = in,
		.handler = handler,
		.issues = issues,
		.totals = totals,
		.max_event_bytes = max_event_bytes,
		.offset = input_offset(in)};
	const unsigned char *bytes;
	size_t size;
	int status;

	*totals = (struct trace_totals){0};
	if (input_peek(in, TRACE_WINDOW_BYTES, &bytes, &size, err) != 0)
		return -1;
	s.windows = trace_windows_new(in, handler, size);
	s.index = json_index_new();
	status = scan_all(&s, err);
	if (status == 0)
		status = check_end(&s, err);
	trace_windows_free(s.windows);
	json_index_free(s.index);
	memory_free(s.joined);
	return status;
}

int trace_scan(struct input *in, const struct trace_handler *handler, struct issue_list *issues,
	size_t max_event_bytes, struct trace_totals *totals, struct error *err)
{
	const unsigned char *bytes;
	size_t size;

	if (input_peek(in, PROBE_BYTES, &bytes, &size, err) != 0)
		return -1;
	if (pftrace_begins(bytes, size))
		return pftrace_scan(in, handler, issues, max_event_bytes, totals, err);
	return json_scan(in, handler, issues, max_event_bytes, totals, err);
}
