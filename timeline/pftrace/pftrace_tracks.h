/*
 * The tracks of a Perfetto trace that is written: one for each process and thread of a Chrome
 * trace, for each of its counters, and for each piece of work that runs beside threads. It keeps
 * what they are called, and describes each before its first event.
 */
#ifndef STEPSTAT_TIMELINE_PFTRACE_PFTRACE_TRACKS_H
#define STEPSTAT_TIMELINE_PFTRACE_PFTRACE_TRACKS_H

#include "base/text.h"
#include "ingest/trace/trace_event.h"

#define PFTRACE_LANE_NONE UINT32_MAX

struct pftrace_tracks;

struct pftrace_tracks *pftrace_tracks_new(void);
void pftrace_tracks_free(struct pftrace_tracks *tracks); /* NULL is fine */

/* The lane of a thread; without a thread, of the process. PFTRACE_LANE_NONE: there are more than a
 * million. */
uint32_t pftrace_lane(struct pftrace_tracks *tracks, const struct trace_event *event);
/* Of work beside the threads, by its process, category and id; called as this event. */
uint32_t pftrace_lane_async(struct pftrace_tracks *tracks, const struct trace_event *event);
/* Of one series of a counter. */
uint32_t pftrace_lane_counter(struct pftrace_tracks *tracks, const struct trace_event *event,
	const struct json_value *series);
/* process_name, thread_name, process_labels, and the places for them to be shown at. False: another
 * kind of metadata. */
bool pftrace_name(struct pftrace_tracks *tracks, const struct trace_event *event);

/* The number of the lane's track; `layer` is 0, or tells those apart that the slices of one lane
 * need where they overlap. */
#define PFTRACE_LAYERS 1024
uint64_t pftrace_track(uint32_t lane, uint32_t layer);
/* Adds packets that describe the track and those above it, unless they were described before. */
void pftrace_describe(
	struct pftrace_tracks *tracks, uint32_t lane, uint32_t layer, struct text *packets);

#endif
