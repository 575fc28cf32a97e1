/* The tracks of a Perfetto trace (TrackDescriptor), as lanes: a process and a thread. A thread is
 * its own lane. A track below a process or a thread (a stream, a queue, work that runs beside) is a
 * lane with the track's name for a thread. What a counter counts is no lane. */
#pragma once

#include "base/arena.h"
#include "ingest/json/json_table.h"
#include "ingest/perfetto/packet.h"

#define PF_TRACK_NONE UINT32_MAX

/* Descriptions by which `timeline` marks the kind of a track. */
#define PF_TRACK_OVERLAP "slices that overlap those of the thread"
#define PF_TRACK_ASYNC "asynchronous"

struct pf_track {
	uint64_t uuid, parent;
	bool is_described, has_parent, is_thread, is_process, is_counter, is_async, is_overlap;
	int64_t pid, tid;
	struct json_value name; /* of the track, the thread, the process; kind 0: it has none */
	struct json_value description;
	const char *unit; /* of a counter: what its values are called */
	/* The lane, found when it is first asked for. */
	bool has_lane;
	struct json_value process, thread;
};

struct pf_tracks;

struct pf_tracks *pf_tracks_new(void);
void pf_tracks_free(struct pf_tracks *tracks); /* NULL is fine */
/* True if their names and lanes take more than 256 MiB. */
bool pf_tracks_is_full(const struct pf_tracks *tracks);
struct pf_track *pf_tracks_at(const struct pf_tracks *tracks, uint32_t track);

/* The track of this number, added when it is new. PF_TRACK_NONE: there are more than a million. */
uint32_t pf_tracks_find(struct pf_tracks *tracks, uint64_t uuid);
/* The number of a track that is only known by its packets' sequence. */
uint64_t pf_tracks_uuid_of_sequence(uint32_t sequence);
/* The track of a thread that is known by its number alone, process 0: not known yet. */
uint32_t pf_tracks_of_thread(struct pf_tracks *tracks, int64_t process, int64_t thread);
/* A TrackDescriptor; PF_TRACK_NONE: damaged, or too many. */
uint32_t pf_tracks_describe(struct pf_tracks *tracks, struct pf_bytes descriptor);
/* A ProcessDescriptor of a packet, as old writers have it: the track is one of its own. */
uint32_t pf_tracks_describe_process(struct pf_tracks *tracks, struct pf_bytes descriptor);
/* A ThreadDescriptor of a packet, of the track of this number. */
uint32_t pf_tracks_describe_thread(
	struct pf_tracks *tracks, uint64_t uuid, struct pf_bytes descriptor);

/* Fills the track's lane. True: it was not asked for before. */
bool pf_tracks_lane(struct pf_tracks *tracks, uint32_t track);
