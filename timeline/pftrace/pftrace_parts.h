/*
 * A Perfetto trace that is written, between its first reading, which makes records, and its second,
 * which makes packets of them. Internal to pftrace_file.c and pftrace_packets.c.
 */
#ifndef STEPSTAT_TIMELINE_PFTRACE_PFTRACE_PARTS_H
#define STEPSTAT_TIMELINE_PFTRACE_PFTRACE_PARTS_H

#include "base/temporary/spool.h"
#include "base/vec.h"
#include "events/spill.h"
#include "timeline/pftrace/pftrace_event.h"
#include "timeline/pftrace/pftrace_file.h"
#include "timeline/pftrace/pftrace_tracks.h"

#define OPEN_MOST ((size_t)1 << 20) /* slices that are open at one time */
#define NOW_MOST ((size_t)1 << 16)  /* events of one time that are held */

enum record_kind { /* of a record */
	KIND_SLICE,
	KIND_BEGIN, /* its end is an event of its own */
	KIND_END,
	KIND_INSTANT,
	KIND_COUNTER,
	KIND_FLOW,
	KIND_FLOW_END,
};

enum pftrace_unwritten {
	LOST_PHASE,
	LOST_TIME,
	LOST_NEGATIVE,
	LOST_ROUNDED,
	LOST_OVERLAP,
	LOST_FLOW,
	LOST_KINDS
};

/* The key is the time, and for slices of the same time how long they are: longer ones first. */
struct pftrace_record {
	uint64_t hi, lo;
	uint64_t body, end_ns; /* body: in the spool; of arrows their number */
	uint32_t body_size, lane;
	uint8_t kind, rest[7];
};

enum written_event_field {
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_COUNTER = 30,
	EVENT_COUNTER_REAL = 44,
	EVENT_FLOWS = 47,
	EVENT_FLOWS_END = 48,
};

struct lane_layer {	   /* of a lane */
	uint64_t *ends_ns; /* of the slices that are open, the innermost last */
	size_t count, room;
};

struct lane_layers {
	struct lane_layer *layer;
	size_t layers, room;
	bool has_slices, has_pairs;
	/* Of what is written now the lane's last slice that begins, and that ends, + 1; 0: none. */
	size_t now, ended;
};

struct slice_ending { /* of a slice that is open; in a heap, what ends first at its top */
	uint64_t end_ns, order;
	uint32_t lane, layer;
	struct text *flows; /* of arrows at the open slice, fields of its end; NULL: none */
};

struct now_event { /* an event of the time that is being written */
	uint64_t body;
	uint32_t body_size, lane, layer, type;
	struct text *flows; /* NULL: none */
};

struct pftrace_file {
	struct pftrace_options options;
	int fd;
	struct text text; /* not in the file yet */
	uint64_t size;	  /* of the file */
	bool has_error;
	struct error error;
	struct pftrace_names *names;
	struct pftrace_tracks *tracks;
	struct spool *bodies;
	struct spill *records;
	struct text members, body, packet, out;
	struct lane_layers *lane;
	size_t lane_count, lane_room;
	struct vec ending; /* struct slice_ending */
	struct vec now;	   /* struct now_event */
	uint64_t now_ns, order;
	size_t lost[LOST_KINDS];
	char *scratch;
	size_t scratch_room;
	void (*write)(void *to, const void *bytes, size_t n);
	void *to;
};

/* What is known of a lane; its number may be new. */
struct lane_layers *pftrace_lane_at(struct pftrace_file *f, uint32_t lane);
/* The second reading. */
int pftrace_write_packets(struct pftrace_file *f, struct error *err);
void pftrace_free_flows(struct text *flows); /* NULL is fine */

#endif
