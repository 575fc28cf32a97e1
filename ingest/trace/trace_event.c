/* The args of an event: of JSON out of the table of its text, of other files by who reads them. */
#include "ingest/trace/trace_event.h"

#include <assert.h>
#include <string.h>
#include "ingest/json/json_parse.h"

struct json_walk trace_event_members(const struct trace_event *event)
{
	return (struct json_walk){event->piece, event->first};
}

bool trace_next_arg(const struct trace_event *event, size_t *at, struct json_member *arg)
{
	struct json_walk walk = {event->piece, *at ? *at : event->args};

	if (event->source)
		return event->source->next_arg(event->source->context, at, arg);
	if (walk.at == 0 || !json_next_member(&walk, arg, NULL))
		return false;
	*at = walk.at;
	return true;
}

/* Names are a few bytes long: a call to compare them takes longer than a loop. */
static inline bool is_named(const struct json_value *key, const char *name)
{
	for (size_t i = 0; i < key->size; i++)
		if (name[i] == '\0' || name[i] != key->at[i])
			return false;
	return name[key->size] == '\0';
}

/* The place of the first value of this name; `other` when it is not wanted. */
static inline struct json_value *arg_of(const struct json_value *key, const char *const *names,
	struct json_value *values, size_t count, struct json_value *other)
{
	for (size_t i = 0; i < count; i++)
		if (is_named(key, names[i]))
			return values[i].kind ? other : &values[i];
	return other;
}

void trace_args(const struct trace_event *event, const char *const *names,
	struct json_value *values, size_t count)
{
	assert(count <= TRACE_ARGS_MOST);
	if (event->source)
		event->source->args(event->source->context, names, values, count);
	else {
		const struct json_piece here = *event->piece, *p = &here;
		const struct json_value none = {0};
		size_t at = event->args, missing = count;
		bool more = at != 0;

		for (size_t i = 0; i < count; i++)
			values[i] = none;
		while (more && missing > 0) {
			struct json_value key, other, *value;

			if (json_parse_key(p, &at, &key) != JSON_WHOLE)
				return;
			value = arg_of(&key, names, values, count, &other);
			if (json_plain_value(p, at, value)) {
				at += 2;
			} else if (json_parse_value(p, &at, value) != JSON_WHOLE ||
				   json_parse_separator(p, &at, '}', &more) != JSON_WHOLE) {
				*value = none; /* what is damaged has no value */
				return;
			}
			missing -= value != &other;
		}
	}
}

struct json_value trace_arg(const struct trace_event *event, const char *name)
{
	struct json_value value;

	trace_args(event, &name, &value, 1);
	return value;
}

struct json_value trace_event_text(const struct trace_event *event)
{
	return event->source ? event->source->text(event->source->context) : event->text;
}
