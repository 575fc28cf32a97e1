/*
 * Spells events.
 */
#include "timeline/timeline_event.h"

void trace_event_open(struct json_writer *json, const struct timeline_event *event)
{
	json_open(json, NULL, '{');
	json_word(json, "ph", event->phase);
	json_word(json, "cat", event->category);
	json_string(json, "name", event->name.bytes, event->name.size);
	json_number(json, "pid", event->pid);
	json_number(json, "tid", event->tid);
	json_number(json, "ts", event->ts_micros);
}

void trace_event_close(struct json_writer *json)
{
	json_close(json, '}');
}

void trace_event_with_id(struct json_writer *json, const struct timeline_event *event, int64_t id)
{
	trace_event_open(json, event);
	json_number(json, "id", id);
	trace_event_close(json);
}

void trace_event_process(struct json_writer *json, int64_t pid, const char *label,
	struct recorded_text name, const char *kind)
{
	struct text text;

	text_init(&text);
	if (label)
		text_printf(&text, "%s: ", label);
	text_add_bytes(&text, name.bytes, name.size);
	text_add(&text, kind);
	json_open(json, NULL, '{');
	json_word(json, "name", "process_name");
	json_word(json, "ph", "M");
	json_number(json, "pid", pid);
	json_open(json, "args", '{');
	json_string(json, "name", text_string(&text), text.size);
	json_close(json, '}');
	json_close(json, '}');
	text_release(&text);
}
