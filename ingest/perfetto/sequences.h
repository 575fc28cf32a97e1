/* The sequences of packets in a Perfetto trace (trusted_packet_sequence_id): each writer has one,
 * with names and defaults that its packets refer to until it begins anew. */
#pragma once

#include "ingest/perfetto/names.h"

struct pf_sequence {
	uint32_t id, number; /* number: from 0, in the order of the file */
	struct pf_names *names;
	bool is_valid; /* it has begun, and nothing of it was lost since */
	bool has_clock, has_track;
	uint32_t clock;	     /* of packets that name none */
	uint64_t track_uuid; /* of events that name none */
};

struct pf_sequences;

struct pf_sequences *pf_sequences_new(void);
void pf_sequences_free(struct pf_sequences *sequences); /* NULL is fine */
/* The sequence of a packet, updated by the packet's own names, defaults and new beginning. Valid
 * until the next call. NULL: there are more than a million. *lost: entries of names that could not
 * be kept. */
struct pf_sequence *pf_sequences_take(
	struct pf_sequences *sequences, const struct pf_packet *packet, size_t *lost);
