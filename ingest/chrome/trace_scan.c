/*
 * The container of a Chrome trace. The input passes through a buffer, piece by piece. Each piece is
 * indexed (ingest/json/json_index.h) and its table walked. An event that the piece cuts stays in
 * the buffer and begins the next piece. Where the table of the fast index breaks the grammar, the
 * rest of the piece is indexed again by the patient one. Where that table breaks it too, the event
 * is lost and the walk looks for the next one.
 */
#include "ingest/chrome/trace_scan.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "ingest/json/json_index.h"
#include "ingest/chrome/event_parse.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "ingest/reader.h"

#define WINDOW_BYTES ((size_t)256 << 10)
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
	struct json_index *index;
	struct event_past past;
	char *buffer;
	size_t room, size;
	uint64_t offset; /* of buffer[0] in the input */
	bool is_end;	 /* the buffer holds the end of the input */
	struct json_piece piece;
	bool is_patient; /* the next piece is to be indexed patiently */
	bool is_lost;	 /* looking for the next event */
	uint64_t vain;	 /* entries that were walked for objects that broke, in the whole input */
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

	json_index_patient(s->index, s->buffer, used, &at, &count, &d);
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

	if (c == '"' && *i + 1 >= s->piece.count && !s->is_end)
		return JSON_CUT; /* a string that may go on */
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

static enum json_parsed one_event(struct scan *s, size_t *i, struct error *err, int *status)
{
	struct trace_event event;
	size_t at = *i, first = *i;
	enum json_parsed parsed = trace_event_parse(&s->piece, &at, &event, &s->past);

	if (parsed == JSON_WRONG)
		return break_off(s, i, at);
	if (parsed == JSON_CUT)
		return parsed;
	if (s->is_lost && !event.phase && !s->handler->is_table) {
		(*i)++; /* an object, but no event: part of the one that was lost */
		return JSON_WHOLE;
	}
	s->is_lost = false;
	s->totals->events++;
	*i = at;
	event.offset = offset_of(s, first);
	if (event.phase || s->handler->is_table)
		*status = s->handler->event(s->handler->context, &event, err);
	else if (event.text.size <= 2 || at == first + 2)
		s->totals->empty++;
	else
		report_issue(s, ISSUE_LOSS, "event-phase", "events without a phase (\"ph\")", 1,
			event.offset);
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
			"places around the events that are not "
			"JSON",
			1, offset_of(s, *i));
	}
	(*i)++;
	return 0;
}

/* Walks the table; *used is how much of the buffer is done with. */
static int walk(struct scan *s, bool patient, size_t *used, struct error *err)
{
	size_t i = 0;
	int status = 0;

	while (i < s->piece.count && status == 0) {
		enum json_parsed parsed = walk_one(s, &i, err, &status);

		if (parsed == JSON_WHOLE)
			continue;
		if (parsed == JSON_CUT) {
			*used = s->piece.at[i];
			return 0;
		}
		if (!patient) {
			s->is_patient = true;
			*used = s->piece.at[i];
			return 0;
		}
		if (skip_damaged(s, &i, err) != 0)
			return -1;
	}
	*used = s->piece.size;
	return status;
}

/* ---- the buffer ---- */

/* Fills the buffer after what is left in it. */
static int fill(struct scan *s, struct error *err)
{
	while (!s->is_end && s->size < s->room) {
		size_t got;

		if (input_take(s->in, s->buffer + s->size, s->room - s->size, &got, err) != 0)
			return -1;
		s->is_end = got == 0;
		s->size += got;
	}
	return 0;
}

/* End of the piece: after the last brace, because a table cannot end inside a string. The walk
 * finds out whether the brace ends an event. */
static size_t piece_end(const struct scan *s)
{
	size_t end = s->size;

	if (s->is_end)
		return end;
	while (end > 0 && s->buffer[end - 1] != '}')
		end--;
	return end > 0 ? end : s->size;
}

static int one_piece(struct scan *s, struct error *err)
{
	bool patient = s->is_patient;
	size_t used = 0;
	int status;

	s->piece.size = piece_end(s);
	s->piece.bytes = s->buffer;
	memset(s->buffer + s->size, 0, JSON_INDEX_PADDING);
	s->is_patient = false;
	if (!patient &&
		!json_index_fast(s->index, s->buffer, s->piece.size, &s->piece.at, &s->piece.count))
		patient = true;
	if (patient) {
		struct json_damage ignored = {0}; /* report_damage reports it, for what is used */

		json_index_patient(s->index, s->buffer, s->piece.size, &s->piece.at,
			&s->piece.count, &ignored);
	}
	status = walk(s, patient, &used, err);
	if (status != 0)
		return status;
	if (patient)
		report_damage(s, used);
	if (used == 0 && !s->is_patient && !s->is_end) {
		char place[512];

		if (s->room >= s->max_event_bytes) {
			error_place_offset(place, sizeof(place), input_path(s->in), s->offset);
			error_set(err, ERROR_LIMIT, place,
				"an event or a text is longer than %zu bytes", s->max_event_bytes);
			return error_hint(err, "allow more with max-record in stepstat.yaml, if "
					       "the file is right");
		}
		s->room = memory_next_room(s->room, 1);
		s->buffer = memory_resize(s->buffer, s->room + JSON_INDEX_PADDING);
		return 0;
	}
	if (used == 0 && !s->is_patient) {
		s->is_cut = true;
		s->cut = s->offset;
		used = s->size;
	}
	memmove(s->buffer, s->buffer + used, s->size - used);
	s->size -= used;
	s->offset += used;
	return 0;
}

static int scan_all(struct scan *s, struct error *err)
{
	if (fill(s, err) != 0)
		return -1;
	if (s->size >= 3 && memcmp(s->buffer, "\xef\xbb\xbf", 3) == 0) {
		memmove(s->buffer, s->buffer + 3, s->size - 3);
		s->size -= 3;
		s->offset += 3;
	}
	while (s->size > 0) {
		if (one_piece(s, err) != 0 || fill(s, err) != 0)
			return -1;
	}
	return 0;
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
				? "the file ends before the trace does; everything after "
				  "its last event is missing"
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
	int status;

	*totals = (struct trace_totals){0};
	/* An input that is shorter than the window is held as a whole; one byte more shows its
	 * end. */
	if (input_peek(in, WINDOW_BYTES, &bytes, &s.room, err) != 0)
		return -1;
	s.room = s.room < WINDOW_BYTES ? s.room + 1 : WINDOW_BYTES;
	s.buffer = memory_alloc(s.room + JSON_INDEX_PADDING);
	s.index = json_index_new();
	status = scan_all(&s, err);
	if (status == 0)
		status = check_end(&s, err);
	json_index_free(s.index);
	memory_free(s.buffer);
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
