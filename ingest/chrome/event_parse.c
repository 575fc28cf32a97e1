/* The walk over the table of one event: its fields. */
#include "ingest/chrome/event_parse.h"

#include <string.h>
#include "ingest/json/json_parse.h"

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

/* The value is passed by value, so that it need not be in memory for the other fields. */
static inline struct trace_time time_of(struct json_value value)
{
	return json_time(&value);
}

static inline void set_field(struct trace_event *event, enum field field,
	const struct json_value *value, size_t value_at)
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
		event->start = time_of(*value);
		break;
	case FIELD_DURATION:
		event->duration = time_of(*value);
		event->odd_duration = !event->duration.known;
		break;
	case FIELD_ARGS:
		event->args = value->kind == '{' ? value_at + 1 : 0;
		break;
	case FIELD_OTHER:
		break;
	}
}

/* ---- keys ---- */

/* True if this key is at entry i. */
static inline bool is_key_at(const struct json_piece *p, size_t i, const struct event_key *key)
{
	uint64_t bytes;

	if (p->count - i < 2 || p->at[i + 1] - p->at[i] != key->colon)
		return false;
	memcpy(&bytes, p->bytes + p->at[i], 8);
	return (bytes & key->mask) == key->bytes;
}

/* The key at entry i, which is whole, is expected at the same place of the next event. */
static void expect_key(
	const struct json_piece *p, size_t i, enum field field, struct event_key *key)
{
	static const unsigned char ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	const uint32_t colon = p->at[i + 1] - p->at[i];

	*key = (struct event_key){.colon = colon < 8 ? colon : 0, .field = field};
	if (key->colon == 0)
		return;
	memcpy(&key->mask, ones, colon + 1);
	memcpy(&key->bytes, p->bytes + p->at[i], colon + 1);
}

/* The field of the key at entry *i; *i moves to the value. */
static inline enum json_parsed parse_field(
	const struct json_piece *p, size_t *i, struct event_key *expected, enum field *field)
{
	const size_t first = *i;
	struct json_value key;
	enum json_parsed parsed;

	if (is_key_at(p, first, expected)) {
		*field = (enum field)expected->field;
		*i = first + 2;
		return JSON_WHOLE;
	}
	parsed = json_parse_key(p, i, &key);
	if (parsed != JSON_WHOLE)
		return parsed;
	*field = field_of(&key);
	expect_key(p, first, *field, expected);
	return JSON_WHOLE;
}

static inline enum json_parsed stopped(enum json_parsed parsed, size_t at, size_t *i)
{
	if (parsed == JSON_WRONG)
		*i = at;
	return parsed;
}

enum json_parsed trace_event_parse(const struct json_piece *piece, size_t *i,
	struct trace_event *event, struct event_past *past)
{
	const struct json_piece here = *piece, *p = &here;
	struct event_key *keys = past->key[0];
	size_t at = *i, first = *i, value_at;
	uint64_t odd = 0, fields = 0;
	unsigned seen = 0;
	bool more = true;
	enum json_parsed parsed;

	/* Field by field: compilers make one slow instruction of it when the whole is cleared at
	 * once. */
	const struct json_value none = {0};
	const struct trace_time never = {0};

	event->phase = '\0';
	event->name = none;
	event->category = none;
	event->process = none;
	event->thread = none;
	event->id = none;
	event->start = never;
	event->duration = never;
	event->odd_duration = false;
	event->args = 0;
	event->piece = piece;
	event->source = NULL;
	event->is_ahead = false;
	event->first = first + 1;
	if (++at < p->count && json_byte(p, at) == '}') {
		more = false;
		at++;
	}
	for (size_t member = 0; more; member = (member + 1) % EVENT_KEYS) {
		struct json_value value;
		enum field field;

		parsed = parse_field(p, &at, &keys[member], &field);
		if (parsed != JSON_WHOLE)
			return stopped(parsed, at, i);
		fields += field != FIELD_OTHER;
		seen |= 1U << field;
		if (json_plain_value(p, at, &value)) {
			set_field(event, field, &value, at);
			if (field == FIELD_PHASE)
				keys = past->key[event->phase == 'X'];
			at += 2;
			continue;
		}
		value_at = at;
		parsed = json_parse_value(p, &at, &value);
		if (parsed != JSON_WHOLE)
			return stopped(parsed, at, i);
		odd += is_odd(&value);
		set_field(event, field, &value, value_at);
		parsed = json_parse_separator(p, &at, '}', &more);
		if (parsed != JSON_WHOLE)
			return stopped(parsed, at, i);
	}
	event->text = (struct json_value){
		p->bytes + p->at[first], (size_t)(p->at[at - 1] + 1 - p->at[first]), '{'};
	past->odd_values += odd;
	past->repeated_keys += fields - (uint64_t)__builtin_popcount(seen & ~(1U << FIELD_OTHER));
	*i = at;
	return JSON_WHOLE;
}
