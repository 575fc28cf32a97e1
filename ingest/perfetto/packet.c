/* One walk over the fields of a packet. */
#include "ingest/perfetto/packet.h"

bool pf_set_member(void *to, const struct pf_layout *layout, const struct wire_field *f)
{
	const unsigned kind = f->number < PF_FIELDS ? layout->member[f->number].kind : PF_NO_MEMBER;
	void *member;

	if (kind == PF_NO_MEMBER || f->type != (kind == PF_BYTES ? WIRE_BYTES : WIRE_VARINT))
		return false;
	member = (char *)to + layout->member[f->number].at;
	if (kind == PF_UINT64)
		*(uint64_t *)member = f->value;
	else if (kind == PF_UINT32)
		*(uint32_t *)member = (uint32_t)f->value;
	else if (kind == PF_INT32)
		*(int64_t *)member = (int32_t)f->value;
	else
		*(struct pf_bytes *)member = pf_bytes_of(f);
	return true;
}

bool pf_set_members(void *to, const struct pf_layout *layout, struct pf_bytes bytes)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		pf_set_member(to, layout, &f);
	return got == WIRE_END;
}

enum pf_packet_field {
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_CLEARED = 41, /* of writers before the flags */
	PACKET_DROPPED = 42,
	PACKET_CLOCK = 58,
};

#define AT(member) offsetof(struct pf_packet, member)

static const struct pf_layout packet_layout = {{[1] = {PF_BYTES, AT(ftrace)},
	[6] = {PF_BYTES, AT(clocks)},
	[PACKET_TIMESTAMP] = {PF_UINT64, AT(time)},
	[10] = {PF_UINT32, AT(sequence)},
	[11] = {PF_BYTES, AT(event)},
	[12] = {PF_BYTES, AT(interned)},
	[43] = {PF_BYTES, AT(process)},
	[44] = {PF_BYTES, AT(thread)},
	[50] = {PF_BYTES, AT(compressed)},
	[52] = {PF_BYTES, AT(gpu_counters)},
	[53] = {PF_BYTES, AT(stage)},
	[PACKET_CLOCK] = {PF_UINT32, AT(clock)},
	[59] = {PF_BYTES, AT(defaults)},
	[60] = {PF_BYTES, AT(track)},
	[126] = {PF_BYTES, AT(attributes)},
	[133] = {PF_BYTES, AT(zstd)}}};

bool pf_packet_parse(struct pf_bytes bytes, struct pf_packet *packet)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	enum wire_result got;

	*packet = (struct pf_packet){0};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		const bool is_set = pf_set_member(packet, &packet_layout, &f);

		packet->has_time |= is_set && f.number == PACKET_TIMESTAMP;
		packet->has_clock |= is_set && f.number == PACKET_CLOCK;
		if (is_set || f.type == WIRE_BYTES)
			continue;
		if (f.number == PACKET_SEQUENCE_FLAGS)
			packet->flags |= (uint32_t)f.value & (PF_CLEARED | PF_NEEDS);
		else if (f.number == PACKET_CLEARED && f.value)
			packet->flags |= PF_CLEARED;
		else if (f.number == PACKET_DROPPED && f.value)
			packet->flags |= PF_DROPPED;
	}
	return got == WIRE_END;
}

/* One walk over the fields of an event; texts and arrows are looked for when they are needed. */

enum pf_event_field {
	EVENT_CATEGORY_IIDS = 3,
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_CATEGORIES = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_FLOWS_OLD = 36,
	EVENT_FLOWS_END_OLD = 42,
	EVENT_COUNTER_REAL = 44,
	EVENT_FLOWS = 47,
	EVENT_FLOWS_END = 48,
};

static bool is_flow(uint32_t number)
{
	return number == EVENT_FLOWS || number == EVENT_FLOWS_END || number == EVENT_FLOWS_OLD ||
	       number == EVENT_FLOWS_END_OLD;
}

/* A packed list of numbers: its first. */
static uint64_t first_of(const struct wire_field *f)
{
	struct wire w = wire_inside(f);
	uint64_t value;

	return wire_varint(&w, &value) ? value : 0;
}

static void set_rare(struct pf_track_event *e, const struct wire_field *f)
{
	switch (f->number) {
	case EVENT_COUNTER:
		e->value = f->value;
		break;
	case EVENT_COUNTER_REAL:
		e->has |= f->type == WIRE_FIXED64 ? PF_HAS_REAL : 0;
		e->value = f->value;
		break;
	case EVENT_NAME:
		e->has |= f->type == WIRE_BYTES ? PF_HAS_NAME : 0;
		break;
	case EVENT_CATEGORIES:
		e->has |= f->type == WIRE_BYTES ? PF_HAS_CATEGORY : 0;
		break;
	default:
		e->has |= is_flow(f->number) ? PF_HAS_FLOWS : 0;
		break;
	}
}

bool pf_track_event_parse(struct pf_bytes bytes, struct pf_track_event *event)
{
	struct wire w = pf_wire(bytes);
	struct pf_track_event e = {0};
	struct wire_field f;
	enum wire_result got;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		switch (f.number) {
		case EVENT_ANNOTATIONS:
			e.has |= PF_HAS_ARGS;
			break;
		case EVENT_TYPE:
			e.type = f.value;
			break;
		case EVENT_TRACK:
			e.has |= PF_HAS_TRACK;
			e.track_uuid = f.value;
			break;
		case EVENT_NAME_IID:
			e.name_iid = f.value;
			break;
		case EVENT_CATEGORY_IIDS:
			if (e.category_iid == 0)
				e.category_iid = f.type == WIRE_BYTES ? first_of(&f) : f.value;
			break;
		default:
			set_rare(&e, &f);
			break;
		}
	}
	*event = e;
	return got == WIRE_END;
}

static struct pf_bytes text_of(struct pf_bytes bytes, uint32_t number)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == number && f.type == WIRE_BYTES)
			return pf_bytes_of(&f);
	return (struct pf_bytes){0};
}

struct pf_bytes pf_track_event_name(struct pf_bytes bytes)
{
	return text_of(bytes, EVENT_NAME);
}

struct pf_bytes pf_track_event_category(struct pf_bytes bytes)
{
	return text_of(bytes, EVENT_CATEGORIES);
}

struct pf_flows pf_track_event_flows(struct pf_bytes bytes)
{
	return (struct pf_flows){.event = pf_wire(bytes)};
}

/* The next number of a packed list: of 8 bytes each, or a varint. */
static bool next_in_list(struct pf_flows *flows, uint64_t *id)
{
	struct wire *list = &flows->list;

	if (list->at == list->end)
		return false;
	if (!flows->is_fixed)
		return wire_varint(list, id);
	if (list->end - list->at < 8)
		return false;
	*id = 0;
	for (size_t i = 0; i < 8; i++)
		*id |= (uint64_t)*list->at++ << (8 * i);
	return true;
}

bool pf_flows_next(struct pf_flows *flows, struct pf_flow *flow)
{
	struct wire_field f;

	while (!next_in_list(flows, &flow->id)) {
		flows->list = (struct wire){0};
		do
			if (wire_next(&flows->event, &f) != WIRE_FIELD)
				return false;
		while (!is_flow(f.number));
		flows->ends = f.number == EVENT_FLOWS_END || f.number == EVENT_FLOWS_END_OLD;
		flows->is_fixed = f.number == EVENT_FLOWS || f.number == EVENT_FLOWS_END;
		if (f.type == WIRE_BYTES) {
			flows->list = wire_inside(&f);
			continue;
		}
		flow->id = f.value;
		break;
	}
	flow->ends = flows->ends;
	return true;
}
