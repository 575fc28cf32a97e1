/*
 * The walk over the table of one event: its fields, the members of its args.
 */
#include "ingest/chrome/trace_event.h"

#include <assert.h>
#include <string.h>
#include "ingest/chrome/json_parse.h"

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

static inline void set_field(
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

static inline enum json_parsed stopped(enum json_parsed parsed, size_t at, size_t *i)
{
	if (parsed == JSON_WRONG)
		*i = at;
	return parsed;
}

enum json_parsed trace_event_parse(const struct json_piece *piece, size_t *i,
	struct trace_event *event, struct event_oddities *oddities)
{
	const struct json_piece here = *piece, *p = &here;
	size_t at = *i, first = *i, value_at;
	uint64_t odd = 0, repeated = 0;
	unsigned seen = 0;
	bool more = true;
	enum json_parsed parsed;

	*event = (struct trace_event){.piece = piece};
	if (++at < p->count && json_byte(p, at) == '}') {
		more = false;
		at++;
	}
	while (more) {
		struct json_value key, value;
		enum field field;

		parsed = json_parse_key(p, &at, &key);
		if (parsed != JSON_WHOLE)
			return stopped(parsed, at, i);
		field = field_of(&key);
		repeated += field != FIELD_OTHER && (seen & 1U << field);
		seen |= 1U << field;
		value_at = at;
		parsed = json_parse_value(p, &at, &value);
		if (parsed != JSON_WHOLE)
			return stopped(parsed, at, i);
		odd += is_odd(&value);
		if (field == FIELD_ARGS)
			event->args = value.kind == '{' ? value_at + 1 : 0;
		else
			set_field(event, field, &value);
		parsed = json_parse_separator(p, &at, '}', &more);
		if (parsed != JSON_WHOLE)
			return stopped(parsed, at, i);
	}
	event->text = (struct json_value){
		p->bytes + p->at[first], (size_t)(p->at[at - 1] + 1 - p->at[first]), '{'};
	oddities->odd_values += odd;
	oddities->repeated_keys += repeated;
	*i = at;
	return JSON_WHOLE;
}

/* ---- arguments ---- */

bool trace_next_arg(const struct trace_event *event, size_t *at, struct json_member *arg)
{
	struct json_walk walk = {event->piece, *at ? *at : event->args};

	if (walk.at == 0 || !json_next_member(&walk, arg, NULL))
		return false;
	*at = walk.at;
	return true;
}

JSON_INLINE void find_args(const struct trace_event *event, const char *const *names,
	struct json_value *values, size_t count)
{
	const struct json_piece here = *event->piece, *p = &here;
	size_t at = event->args, missing = count;
	bool more = at != 0;
	size_t size[TRACE_ARGS_MOST];

	assert(count <= TRACE_ARGS_MOST);
	for (size_t i = 0; i < count; i++)
		size[i] = strlen(names[i]);
	memset(values, 0, count * sizeof(*values));
	while (more && missing > 0) {
		struct json_value key, value;

		if (json_parse_key(p, &at, &key) != JSON_WHOLE ||
			json_parse_value(p, &at, &value) != JSON_WHOLE ||
			json_parse_separator(p, &at, '}', &more) != JSON_WHOLE)
			return;
		for (size_t i = 0; i < count; i++) {
			if (values[i].kind || key.size != size[i] ||
				memcmp(key.at, names[i], size[i]) != 0)
				continue;
			values[i] = value;
			missing--;
		}
	}
}

void trace_args(const struct trace_event *event, const char *const *names,
	struct json_value *values, size_t count)
{
	find_args(event, names, values, count);
}

struct json_value trace_arg(const struct trace_event *event, const char *name)
{
	struct json_value value;

	find_args(event, &name, &value, 1);
	return value;
}
