/* A table by number, open addressing; most packets are of the sequence of the one before. */
#include "ingest/perfetto/sequences.h"

#include "base/memory.h"

#define SEQUENCES_MOST ((size_t)1000000)

enum pf_defaults_field { DEFAULTS_TRACK_EVENT = 11, DEFAULTS_CLOCK = 58 };
enum pf_event_defaults_field { EVENT_DEFAULTS_TRACK = 11 };

struct pf_sequences {
	struct vec sequence; /* struct pf_sequence */
	uint32_t *place;     /* number + 1; 0: free */
	size_t room, last;
};

struct pf_sequences *pf_sequences_new(void)
{
	struct pf_sequences *s = memory_alloc(sizeof(*s));

	vec_init(&s->sequence, sizeof(struct pf_sequence), SEQUENCES_MOST, "sequences of packets");
	return s;
}

void pf_sequences_free(struct pf_sequences *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->sequence.count; i++)
		pf_names_release(((struct pf_sequence *)vec_at(&s->sequence, i))->names);
	vec_release(&s->sequence);
	memory_free(s->place);
	memory_free(s);
}

static uint32_t *place_of(const struct pf_sequences *s, uint32_t id)
{
	size_t i = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (s->room - 1);

	while (s->place[i] &&
		((const struct pf_sequence *)vec_at(&s->sequence, s->place[i] - 1))->id != id)
		i = (i + 1) & (s->room - 1);
	return &s->place[i];
}

static struct pf_sequence *find(struct pf_sequences *s, uint32_t id)
{
	struct pf_sequence *sequence;
	uint32_t *place;

	if (s->last < s->sequence.count) {
		sequence = vec_at(&s->sequence, s->last);
		if (sequence->id == id)
			return sequence;
	}
	if (2 * (s->sequence.count + 1) > s->room) {
		memory_free(s->place);
		s->room = s->room ? 2 * s->room : 64;
		s->place = memory_alloc(memory_product(s->room, sizeof(*s->place)));
		for (size_t i = 0; i < s->sequence.count; i++)
			*place_of(s, ((const struct pf_sequence *)vec_at(&s->sequence, i))->id) =
				(uint32_t)i + 1;
	}
	place = place_of(s, id);
	if (*place == 0) {
		sequence = vec_push(&s->sequence, NULL);
		if (!sequence)
			return NULL;
		*place = (uint32_t)s->sequence.count;
		*sequence = (struct pf_sequence){
			.id = id, .number = *place - 1, .names = pf_names_new()};
	}
	s->last = *place - 1;
	return vec_at(&s->sequence, s->last);
}

static void set_event_defaults(struct pf_sequence *sequence, struct pf_bytes bytes)
{
	struct wire w = pf_wire(bytes);
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == EVENT_DEFAULTS_TRACK && f.type == WIRE_VARINT) {
			sequence->has_track = true;
			sequence->track_uuid = f.value;
		}
}

struct pf_sequence *pf_sequences_take(
	struct pf_sequences *s, const struct pf_packet *packet, size_t *lost)
{
	struct pf_sequence *sequence = find(s, packet->sequence);

	*lost = 0;
	if (!sequence)
		return NULL;
	if (packet->flags & PF_CLEARED) {
		pf_names_release(sequence->names);
		sequence->names = pf_names_new();
		sequence->is_valid = true;
		sequence->has_clock = sequence->has_track = false;
	} else if (packet->flags & PF_DROPPED)
		sequence->is_valid = false;
	if (packet->interned.at)
		*lost = pf_names_add(sequence->names, packet->interned);
	if (packet->defaults.at) {
		struct wire w = pf_wire(packet->defaults);
		struct wire_field f;

		sequence->has_clock = sequence->has_track = false;
		while (wire_next(&w, &f) == WIRE_FIELD) {
			if (f.number == DEFAULTS_CLOCK && f.type == WIRE_VARINT) {
				sequence->has_clock = true;
				sequence->clock = (uint32_t)f.value;
			} else if (f.number == DEFAULTS_TRACK_EVENT && f.type == WIRE_BYTES) {
				set_event_defaults(sequence, pf_bytes_of(&f));
			}
		}
	}
	return sequence;
}
