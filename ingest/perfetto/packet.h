/* One packet of a Perfetto trace (TracePacket): what it says of itself, and where in it the
 * messages are that matter here. It decodes none of these.
 *
 * Format: protos/perfetto/trace/perfetto_trace.proto of google/perfetto, version 59. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ingest/protobuf/wire.h"

/* A message or a string in the bytes of a packet; at NULL: absent. */
struct pf_bytes {
	const unsigned char *at;
	size_t size;
};

enum pf_flag {
	PF_CLEARED = 1, /* what the sequence said before does not count any more */
	PF_NEEDS = 2,	/* it refers to what the sequence said before */
	PF_DROPPED = 4, /* packets of the sequence before it are lost */
};

struct pf_packet {
	bool has_time, has_clock;
	uint64_t time;	   /* in units of its clock */
	uint32_t clock;	   /* of has_clock */
	uint32_t sequence; /* trusted_packet_sequence_id; packets without one share 0 */
	uint32_t flags;	   /* enum pf_flag */
	struct pf_bytes clocks, interned, defaults, track, process, thread, event, stage,
		attributes, compressed, ftrace, gpu_counters, zstd;
};

static inline struct pf_bytes pf_bytes_of(const struct wire_field *field)
{
	return (struct pf_bytes){field->bytes, (size_t)field->size};
}

static inline struct wire pf_wire(struct pf_bytes bytes)
{
	return (struct wire){bytes.at, bytes.size ? bytes.at + bytes.size : bytes.at};
}

/* Fields of a message that become members of a struct as they are, by their numbers. Those of
 * another type than their member are passed over, as all others. */
enum pf_member_kind { PF_NO_MEMBER, PF_UINT64, PF_UINT32, PF_INT32 /* in an int64_t */, PF_BYTES };

#define PF_FIELDS 134 /* numbers are below */

struct pf_layout {
	struct {
		uint16_t kind, at; /* enum pf_member_kind, offset in the struct */
	} member[PF_FIELDS];
};

/* False: the field has no member. */
bool pf_set_member(void *to, const struct pf_layout *layout, const struct wire_field *field);
/* Sets the members that have a field; the last one of a number counts. False: damaged. */
bool pf_set_members(void *to, const struct pf_layout *layout, struct pf_bytes bytes);

/* False: the bytes are no message. */
bool pf_packet_parse(struct pf_bytes bytes, struct pf_packet *packet);

/* One event of a track (TrackEvent): its kind, its name, which track, its arrows. */

enum pf_event_type { /* of the format */
	PF_SLICE_BEGIN = 1,
	PF_SLICE_END = 2,
	PF_INSTANT = 3,
	PF_COUNTER = 4,
};

enum pf_event_has {
	PF_HAS_TRACK = 1,
	PF_HAS_ARGS = 2,
	PF_HAS_FLOWS = 4,
	PF_HAS_REAL = 8,
	PF_HAS_NAME = 16,	/* a text, not the number of one */
	PF_HAS_CATEGORY = 32,	/* the same */
	PF_HAS_PLAIN_NAME = 64, /* it is no event but a name (ingest/perfetto/ftrace.h) */
};

struct pf_track_event {
	uint64_t type, track_uuid;
	uint64_t name_iid, category_iid; /* category: the first; 0: none */
	unsigned has;			 /* enum pf_event_has */
	uint64_t value;			 /* of a counter; PF_HAS_REAL: the bits of a double */
};

/* False: the bytes are no message. */
bool pf_track_event_parse(struct pf_bytes bytes, struct pf_track_event *event);
/* Texts in the bytes: the name, the first category; at NULL: there is none. */
struct pf_bytes pf_track_event_name(struct pf_bytes bytes);
struct pf_bytes pf_track_event_category(struct pf_bytes bytes);

struct pf_flow {
	uint64_t id;
	bool ends; /* there */
};

/* The arrows of an event, of which those before this place were taken. */
struct pf_flows {
	struct wire event, list; /* list: of numbers that are packed, in which it is */
	bool is_fixed, ends;	 /* of the list */
};

struct pf_flows pf_track_event_flows(struct pf_bytes bytes);
/* False after the last. */
bool pf_flows_next(struct pf_flows *flows, struct pf_flow *flow);
