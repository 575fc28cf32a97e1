/*
 * The walk over the table of one event: its fields, the members of its args.
 */
#include "ingest/chrome/trace_event.h"

#include <string.h>

#define DEPTH_LIMIT 4096

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline char byte_at(const struct json_piece *p, size_t i)
{
	return p->bytes[p->at[i]];
}

/* The byte after the value that ends before entry `next`. */
static inline const char *end_before(const struct json_piece *p, size_t next)
{
	const char *end = p->bytes + p->at[next];

	while (is_blank(end[-1]))
		end--;
	return end;
}

/* ---- values ---- */

/* Passes over an object or array: *i moves behind its end, or to the bracket that is one too deep
 * or of the wrong kind. */
static enum taken pass_composite(const struct json_piece *p, size_t *i)
{
	size_t depth = 0, deepest = 0, at = *i;
	uint64_t kinds = 0; /* of the open brackets, 1 for a square one; only those of the last 64
			       levels are known */

	for (; at < p->count; at++) {
		char bracket = byte_at(p, at), c = bracket | 0x20;

		/* [ and { are 0x20 apart, as ] and } are; no other byte of a table becomes one of
		 * them. */
		if (c == '{') {
			kinds = kinds << 1 | (bracket == '[');
			if (++depth > DEPTH_LIMIT)
				break;
			deepest = depth > deepest ? depth : deepest;
		} else if (c == '}') {
			if (depth + 64 > deepest && (kinds & 1) != (bracket == ']'))
				break;
			kinds >>= 1;
			if (--depth == 0) {
				*i = at + 1;
				return TAKEN_WHOLE;
			}
		}
	}
	if (at == p->count)
		return TAKEN_CUT;
	*i = at;
	return TAKEN_WRONG;
}

static inline enum taken take_string(const struct json_piece *p, size_t i, struct json_value *value)
{
	const char *begin = p->bytes + p->at[i] + 1, *end;

	if (i + 1 >= p->count)
		return TAKEN_CUT;
	end = end_before(p, i + 1) - 1;
	if (end < begin || *end != '"')
		return TAKEN_WRONG;
	*value = (struct json_value){begin, (size_t)(end - begin), '"'};
	return TAKEN_WHOLE;
}

static char scalar_kind(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ? '0' : 'w';
}

/* Any value at entry *i. */
static inline enum taken take_value(const struct json_piece *p, size_t *i, struct json_value *value)
{
	size_t first = *i;
	const char *begin;
	enum taken taken;
	char c;

	if (first >= p->count)
		return TAKEN_CUT;
	c = byte_at(p, first);
	begin = p->bytes + p->at[first];
	switch (c) {
	case '"':
		(*i)++;
		return take_string(p, first, value);
	case '{':
	case '[':
		taken = pass_composite(p, i);
		if (taken == TAKEN_WHOLE)
			*value = (struct json_value){
				begin, (size_t)(p->bytes + p->at[*i - 1] + 1 - begin), c};
		return taken;
	case '}':
	case ']':
	case ':':
	case ',':
		return TAKEN_WRONG;
	default:
		if (first + 1 >= p->count)
			return TAKEN_CUT;
		(*i)++;
		*value = (struct json_value){
			begin, (size_t)(end_before(p, *i) - begin), scalar_kind(c)};
		return TAKEN_WHOLE;
	}
}

/* A key and its colon at entry *i; *i moves to the value. */
static inline enum taken take_key(const struct json_piece *p, size_t *i, struct json_value *key)
{
	enum taken taken;

	if (*i + 1 >= p->count)
		return TAKEN_CUT;
	if (byte_at(p, *i) != '"' || byte_at(p, *i + 1) != ':')
		return TAKEN_WRONG;
	taken = take_string(p, *i, key);
	*i += 2;
	return taken;
}

enum taken member_take(const struct json_piece *piece, size_t *i, struct json_member *member)
{
	enum taken taken = take_key(piece, i, &member->key);

	return taken == TAKEN_WHOLE ? take_value(piece, i, &member->value) : taken;
}

/* What separates members: *more is false at the end of the object, with *i behind it. A comma
 * before the end is let pass. */
static inline enum taken take_separator(const struct json_piece *p, size_t *i, bool *more)
{
	if (*i >= p->count)
		return TAKEN_CUT;
	if (byte_at(p, *i) == ',') {
		if (++*i >= p->count)
			return TAKEN_CUT;
		*more = byte_at(p, *i) != '}';
	} else if (byte_at(p, *i) == '}') {
		*more = false;
	} else {
		return TAKEN_WRONG;
	}
	*i += !*more;
	return TAKEN_WHOLE;
}

/* ---- events ---- */

static inline bool is_odd(const struct json_value *value)
{
	static const char *const words[] = {"true", "false", "null"};

	if (value->kind != 'w')
		return false;
	for (size_t k = 0; k < 3; k++)
		if (strlen(words[k]) == value->size &&
			memcmp(words[k], value->at, value->size) == 0)
			return false;
	return true;
}

enum field {
	FIELD_OTHER,
	FIELD_PHASE,
	FIELD_NAME,
	FIELD_CATEGORY,
	FIELD_PROCESS,
	FIELD_THREAD,
	FIELD_ID,
	FIELD_START,
	FIELD_DURATION,
	FIELD_ARGS
};

static inline enum field field_of(const struct json_value *key)
{
	const char *k = key->at;

	switch (key->size) {
	case 2:
		if (k[0] == 'p' && k[1] == 'h')
			return FIELD_PHASE;
		if (k[0] == 't' && k[1] == 's')
			return FIELD_START;
		return k[0] == 'i' && k[1] == 'd' ? FIELD_ID : FIELD_OTHER;
	case 3:
		if (memcmp(k, "pid", 3) == 0)
			return FIELD_PROCESS;
		if (memcmp(k, "tid", 3) == 0)
			return FIELD_THREAD;
		if (memcmp(k, "dur", 3) == 0)
			return FIELD_DURATION;
		return memcmp(k, "cat", 3) == 0 ? FIELD_CATEGORY : FIELD_OTHER;
	case 4:
		if (memcmp(k, "name", 4) == 0)
			return FIELD_NAME;
		return memcmp(k, "args", 4) == 0 ? FIELD_ARGS : FIELD_OTHER;
	default:
		return FIELD_OTHER;
	}
}

static inline void keep_field(
	struct trace_event *event, enum field field, const struct json_value *value)
{
	switch (field) {
	case FIELD_PHASE:
		event->phase = value->kind == '"' && value->size > 0 ? value->at[0] : '\0';
		break;
	case FIELD_NAME:
		event->name = *value;
		break;
	case FIELD_CATEGORY:
		event->category = *value;
		break;
	case FIELD_PROCESS:
		event->process = *value;
		break;
	case FIELD_THREAD:
		event->thread = *value;
		break;
	case FIELD_ID:
		event->id = *value;
		break;
	case FIELD_START:
		event->start = json_time(value);
		break;
	case FIELD_DURATION:
		event->duration = json_time(value);
		event->odd_duration = !event->duration.known;
		break;
	case FIELD_ARGS:
	case FIELD_OTHER:
		break;
	}
}

static inline enum taken stopped(enum taken taken, size_t at, size_t *i)
{
	if (taken == TAKEN_WRONG)
		*i = at;
	return taken;
}

enum taken event_take(const struct json_piece *p, size_t *i, struct trace_event *event,
	struct event_oddities *oddities)
{
	size_t at = *i, first = *i, value_at;
	uint64_t odd = 0, repeated = 0;
	unsigned seen = 0;
	bool more = true;
	enum taken taken;

	*event = (struct trace_event){.piece = p};
	if (++at < p->count && byte_at(p, at) == '}') {
		more = false;
		at++;
	}
	while (more) {
		struct json_value key, value;
		enum field field;

		taken = take_key(p, &at, &key);
		if (taken != TAKEN_WHOLE)
			return stopped(taken, at, i);
		field = field_of(&key);
		repeated += field != FIELD_OTHER && (seen & 1U << field);
		seen |= 1U << field;
		value_at = at;
		taken = take_value(p, &at, &value);
		if (taken != TAKEN_WHOLE)
			return stopped(taken, at, i);
		odd += is_odd(&value);
		if (field == FIELD_ARGS)
			event->args = value.kind == '{' ? value_at + 1 : 0;
		else
			keep_field(event, field, &value);
		taken = take_separator(p, &at, &more);
		if (taken != TAKEN_WHOLE)
			return stopped(taken, at, i);
	}
	event->text = (struct json_value){
		p->bytes + p->at[first], (size_t)(p->at[at - 1] + 1 - p->at[first]), '{'};
	oddities->odd_values += odd;
	oddities->repeated_keys += repeated;
	*i = at;
	return TAKEN_WHOLE;
}

/* ---- arguments ---- */

bool trace_next_arg(const struct trace_event *event, size_t *at, struct json_member *arg)
{
	const struct json_piece *p = event->piece;
	size_t i = *at ? *at : event->args;
	bool more;

	if (i == 0 || i >= p->count || byte_at(p, i) != '"' ||
		member_take(p, &i, arg) != TAKEN_WHOLE ||
		take_separator(p, &i, &more) != TAKEN_WHOLE)
		return false;
	*at = more ? i : p->count;
	return true;
}

struct json_value trace_arg(const struct trace_event *event, const char *name)
{
	size_t at = 0, size = strlen(name);
	struct json_member arg;

	while (trace_next_arg(event, &at, &arg))
		if (arg.key.size == size && memcmp(arg.key.at, name, size) == 0)
			return arg.value;
	return (struct json_value){0};
}
