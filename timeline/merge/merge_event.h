/*
 * One event of a part, with the numbers that it has in the merged trace. Internal to merge_*.c.
 */
#ifndef STEPSTAT_TIMELINE_MERGE_MERGE_EVENT_H
#define STEPSTAT_TIMELINE_MERGE_MERGE_EVENT_H

#include "timeline/merge/json_fields.h"
#include "timeline/merge/merge_parts.h"

/* An event with the text that is written for it. */
struct event_text {
	const struct trace_event *event; /* as its file had it */
	const struct merged_part *old;	 /* the part that it was in an earlier merge; NULL: none */
	const char *text;		 /* as it was read, made JSON where it was not */
	size_t size;
	struct json_fields fields; /* of the text */
};

/* Adds the event's text with pid, tid, ts, ids and names of processes changed for the part;
 * everything else is copied. False: its time could not be moved exactly and is unchanged. */
bool merge_event_add(struct merge *m, size_t part, uint32_t process, const struct event_text *event,
	struct text *out);
/* Metadata that the file does not have and the merged trace needs: names and places of the part's
 * processes, each after `between`. */
void merge_event_add_missing(struct merge *m, size_t part, struct text *out, uint64_t *events);

#endif
