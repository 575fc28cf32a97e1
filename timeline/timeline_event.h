/*
 * Chrome trace events in the spelling of timeline.py: ph, cat, name, pid, tid, ts, then what the
 * phase has. The caller adds that and closes the event.
 */
#ifndef STEPSTAT_TIMELINE_TIMELINE_EVENT_H
#define STEPSTAT_TIMELINE_TIMELINE_EVENT_H

#include "tfprof/files/run_metadata.h"
#include "timeline/json_writer.h"

struct timeline_event {
	const char *phase, *category;
	struct recorded_text name;
	int64_t pid, tid;
	json_integer ts_micros;
};

void trace_event_open(struct json_writer *json, const struct timeline_event *event);
void trace_event_close(struct json_writer *json);
/* An event with nothing but an id: flows, and objects that are created and destroyed. */
void trace_event_with_id(struct json_writer *json, const struct timeline_event *event, int64_t id);
/* The name of a process: "LABEL: NAME KIND", or without the label. */
void trace_event_process(struct json_writer *json, int64_t pid, const char *label,
	struct recorded_text name, const char *kind);

#endif
