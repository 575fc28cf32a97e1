#include "ingest/perfetto/track_event.h"

#include <string.h>

enum event_field {
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

static void set_number(struct pf_track_event *e, const struct wire_field *f)
{
	switch (f->number) {
	case EVENT_TYPE:
		e->type = f->value;
		break;
	case EVENT_TRACK:
		e->has_track = true;
		e->track_uuid = f->value;
		break;
	case EVENT_NAME_IID:
		e->name_iid = f->value;
		break;
	case EVENT_CATEGORY_IIDS:
		e->category_iid = e->category_iid ? e->category_iid : f->value;
		break;
	case EVENT_COUNTER:
		e->value = (int64_t)f->value;
		break;
	case EVENT_COUNTER_REAL:
		e->has_real = f->type == WIRE_FIXED64;
		memcpy(&e->real, &f->value, sizeof(e->real));
		break;
	default:
		e->flows |= is_flow(f->number);
		break;
	}
}

/* A packed list of numbers: its first. */
static uint64_t first_of(const struct wire_field *f)
{
	struct wire w = wire_inside(f);
	uint64_t value;

	return wire_varint(&w, &value) ? value : 0;
}

static void set_bytes(struct pf_track_event *e, const struct wire_field *f)
{
	switch (f->number) {
	case EVENT_ANNOTATIONS:
		e->has_annotations = true;
		break;
	case EVENT_NAME:
		e->name = pf_bytes_of(f);
		break;
	case EVENT_CATEGORIES:
		if (!e->category.at)
			e->category = pf_bytes_of(f);
		break;
	case EVENT_CATEGORY_IIDS:
		e->category_iid = e->category_iid ? e->category_iid : first_of(f);
		break;
	default:
		e->flows |= is_flow(f->number);
		break;
	}
}

bool pf_track_event_parse(struct pf_bytes bytes, struct pf_track_event *event)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	enum wire_result got;

	*event = (struct pf_track_event){.bytes = bytes};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type == WIRE_BYTES)
			set_bytes(event, &f);
		else
			set_number(event, &f);
	}
	return got == WIRE_END;
}

struct json_value pf_track_event_category(const struct pf_track_event *event,
	const struct pf_names *names, struct arena *scratch)
{
	if (event->category.at)
		return pf_json_string(event->category, scratch);
	if (event->category_iid)
		return pf_name(names, PF_CATEGORY, event->category_iid);
	return (struct json_value){0};
}

/* The n-th number of a list of 8 bytes each, or of varints. */
static bool packed_at(const struct wire_field *f, bool is_fixed, size_t n, uint64_t *value)
{
	struct wire w = wire_inside(f);

	if (is_fixed) {
		if (n >= f->size / 8)
			return false;
		*value = 0;
		for (size_t i = 0; i < 8; i++)
			*value |= (uint64_t)f->bytes[8 * n + i] << (8 * i);
		return true;
	}
	do {
		if (w.at == w.end || !wire_varint(&w, value))
			return false;
	} while (n-- > 0);
	return true;
}

/* Numbers of packed lists are counted one by one, so that *at says how many were given. */
bool pf_track_event_flow(const struct pf_track_event *event, size_t *at, struct pf_flow *flow)
{
	struct wire w = pf_wire(event->bytes);
	struct wire_field f;
	size_t seen = 0;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		const bool is_fixed = f.number == EVENT_FLOWS || f.number == EVENT_FLOWS_END;
		size_t k = 0;

		if (!is_flow(f.number))
			continue;
		flow->ends = f.number == EVENT_FLOWS_END || f.number == EVENT_FLOWS_END_OLD;
		if (f.type != WIRE_BYTES) {
			flow->id = f.value;
			if (seen++ == *at) {
				++*at;
				return true;
			}
			continue;
		}
		while (packed_at(&f, is_fixed, k++, &flow->id))
			if (seen++ == *at) {
				++*at;
				return true;
			}
	}
	return false;
}
