/* One walk over the fields of a packet. */
#include "ingest/perfetto/packet.h"

enum pf_packet_field {
	PACKET_FTRACE = 1,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_CLEARED = 41, /* of writers before the flags */
	PACKET_DROPPED = 42,
	PACKET_PROCESS = 43,
	PACKET_THREAD = 44,
	PACKET_COMPRESSED = 50,
	PACKET_GPU_COUNTERS = 52,
	PACKET_RENDER_STAGE = 53,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_ATTRIBUTES = 126,
	PACKET_COMPRESSED_ZSTD = 133,
};

static void set_number(struct pf_packet *p, const struct wire_field *f)
{
	switch (f->number) {
	case PACKET_TIMESTAMP:
		p->has_time = true;
		p->time = f->value;
		break;
	case PACKET_SEQUENCE:
		p->sequence = (uint32_t)f->value;
		break;
	case PACKET_SEQUENCE_FLAGS:
		p->flags |= (uint32_t)f->value & (PF_CLEARED | PF_NEEDS);
		break;
	case PACKET_CLEARED:
		p->flags |= f->value ? PF_CLEARED : 0;
		break;
	case PACKET_DROPPED:
		p->flags |= f->value ? PF_DROPPED : 0;
		break;
	case PACKET_CLOCK:
		p->has_clock = true;
		p->clock = (uint32_t)f->value;
		break;
	default:
		break;
	}
}

static void set_message(struct pf_packet *p, const struct wire_field *f)
{
	switch (f->number) {
	case PACKET_FTRACE:
		p->ftrace = pf_bytes_of(f);
		break;
	case PACKET_TRACK_EVENT:
		p->event = pf_bytes_of(f);
		break;
	case PACKET_INTERNED_DATA:
		p->interned = pf_bytes_of(f);
		break;
	case PACKET_TRACK:
		p->track = pf_bytes_of(f);
		break;
	case PACKET_CLOCK_SNAPSHOT:
		p->clocks = pf_bytes_of(f);
		break;
	case PACKET_DEFAULTS:
		p->defaults = pf_bytes_of(f);
		break;
	case PACKET_PROCESS:
		p->process = pf_bytes_of(f);
		break;
	case PACKET_THREAD:
		p->thread = pf_bytes_of(f);
		break;
	case PACKET_RENDER_STAGE:
		p->stage = pf_bytes_of(f);
		break;
	case PACKET_ATTRIBUTES:
		p->attributes = pf_bytes_of(f);
		break;
	case PACKET_COMPRESSED:
		p->compressed = pf_bytes_of(f);
		break;
	case PACKET_GPU_COUNTERS:
		p->has_gpu_counters = true;
		break;
	case PACKET_COMPRESSED_ZSTD:
		p->is_zstd = true;
		break;
	default:
		break;
	}
}

bool pf_packet_parse(struct pf_bytes bytes, struct pf_packet *packet)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	enum wire_result got;

	*packet = (struct pf_packet){0};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type == WIRE_BYTES)
			set_message(packet, &f);
		else
			set_number(packet, &f);
	}
	return got == WIRE_END;
}
