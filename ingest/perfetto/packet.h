/*
 * One packet of a Perfetto trace (TracePacket): what it says of itself, and where in it the
 * messages are that matter here. It decodes none of these.
 *
 * Format: protos/perfetto/trace/perfetto_trace.proto of google/perfetto, version 59.
 */
#ifndef STEPSTAT_INGEST_PERFETTO_PACKET_H
#define STEPSTAT_INGEST_PERFETTO_PACKET_H

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
		attributes, compressed, ftrace;
	bool has_gpu_counters, is_zstd;
};

static inline struct pf_bytes pf_bytes_of(const struct wire_field *field)
{
	return (struct pf_bytes){field->bytes, (size_t)field->size};
}

static inline struct wire pf_wire(struct pf_bytes bytes)
{
	return (struct wire){bytes.at, bytes.size ? bytes.at + bytes.size : bytes.at};
}

/* False: the bytes are no message. */
bool pf_packet_parse(struct pf_bytes bytes, struct pf_packet *packet);

#endif
