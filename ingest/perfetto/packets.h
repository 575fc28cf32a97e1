/* A Perfetto trace (message Trace) as a stream of packets. Packets that are packed (zlib) come one
 * by one, as if they were not. Memory does not grow with the input, only with its largest packet.
 *
 * Defects are passed over and counted: a cut end, damaged packets. After a place that is no packet
 * it looks for the next bytes that are one. */
#pragma once

#include "base/error.h"
#include "ingest/input/input.h"
#include "ingest/perfetto/packet.h"

struct pf_packets_lost {
	uint64_t damaged, damaged_offset;
	uint64_t zstd, zstd_offset; /* packets that are packed in a way that is not read */
	bool is_cut;
	uint64_t cut_offset;
};

struct pf_packets;

struct pf_packets *pf_packets_new(struct input *in, size_t max_record_bytes);
void pf_packets_free(struct pf_packets *packets); /* NULL is fine */
/* 1 and the next packet, valid until the next call; 0 at the end; -1: the input cannot be read. The
 * offset is that of the packet in the unpacked input; of a packed one of the bytes before it as
 * they would be if nothing was packed: it grows from packet to packet. */
int pf_packets_next(
	struct pf_packets *packets, struct pf_packet *packet, uint64_t *offset, struct error *err);
const struct pf_packets_lost *pf_packets_lost(const struct pf_packets *packets);

/* True if the input begins like such a trace. `size`: of the bytes at hand, of more. */
bool pf_packets_begin(const unsigned char *bytes, size_t size);
