/*
 * One event of a part, with the numbers that it has in the merged trace. Internal to merge_*.c.
 */
#ifndef STEPSTAT_TIMELINE_MERGE_EVENT_H
#define STEPSTAT_TIMELINE_MERGE_EVENT_H

#include "timeline/json_fields.h"
#include "timeline/merge_parts.h"

/* Adds the event's text with pid, tid, ts, ids and names of processes changed for the part;
 * everything else is copied. False: its time could not be moved exactly and stands as it was. */
bool merge_event_add(struct merge *m, size_t part, uint32_t process,
	const struct trace_event *event, const struct merged_part *old,
	const struct json_fields *fields, const char *text, size_t size, struct text *out);
/* Metadata that the file does not have and the merged trace needs: names and places of the part's
 * processes, each behind `between`. */
void merge_event_add_missing(struct merge *m, size_t part, struct text *out, uint64_t *events);

#endif
