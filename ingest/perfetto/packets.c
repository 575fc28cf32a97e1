/* The input passes through a buffer; a packet is handed over where it lies. */
#include "ingest/perfetto/packets.h"

#include <string.h>
#include "base/memory.h"
#include "ingest/input/gzip_stream.h"
#include "ingest/perfetto/ftrace.h"

#define WINDOW_BYTES ((size_t)256 << 10)
#define TAG_PACKET 0x0a /* field 1, bytes */
#define HEAD_MOST 11	/* a tag and a length */
#define VAIN_MOST 64	/* bytes looked at for each byte of the input, in search of a packet */
#define CANDIDATE_MOST ((size_t)64 << 10)

struct pf_packets {
	struct input *in;
	size_t max_record_bytes;
	char *buffer;
	size_t room, size, at; /* at: of the next packet */
	uint64_t offset;       /* of buffer[0] */
	uint64_t packed_bytes; /* what packed packets were longer than in the file, so far */
	bool is_end, is_lost;
	uint64_t vain;
	struct text unpacked;
	struct wire inner; /* packets in `unpacked` */
	uint64_t inner_offset;
	struct pf_packets_lost lost;
};

struct pf_packets *pf_packets_new(struct input *in, size_t max_record_bytes)
{
	struct pf_packets *p = memory_alloc(sizeof(*p));

	p->in = in;
	p->max_record_bytes = max_record_bytes;
	p->offset = input_offset(in);
	p->room = WINDOW_BYTES;
	p->buffer = memory_alloc(p->room);
	text_init(&p->unpacked);
	return p;
}

void pf_packets_free(struct pf_packets *p)
{
	if (!p)
		return;
	memory_free(p->buffer);
	text_release(&p->unpacked);
	memory_free(p);
}

const struct pf_packets_lost *pf_packets_lost(const struct pf_packets *p)
{
	return &p->lost;
}

static void count_damaged(struct pf_packets *p, uint64_t offset)
{
	if (p->lost.damaged++ == 0)
		p->lost.damaged_offset = offset;
}

/* ---- the buffer ---- */

/* Makes at least `want` bytes visible from `at` on, fewer only at the end of the input. */
static int fill(struct pf_packets *p, size_t want, struct error *err)
{
	if (p->size - p->at >= want || p->is_end)
		return 0;
	memmove(p->buffer, p->buffer + p->at, p->size - p->at);
	p->offset += p->at;
	p->size -= p->at;
	p->at = 0;
	if (want > p->room) {
		p->room = memory_next_room(p->room, want);
		p->buffer = memory_resize(p->buffer, p->room);
	}
	while (!p->is_end && p->size < p->room) {
		size_t got;

		if (input_take(p->in, p->buffer + p->size, p->room - p->size, &got, err) != 0)
			return -1;
		p->is_end = got == 0;
		p->size += got;
	}
	return 0;
}

static struct wire unread(const struct pf_packets *p)
{
	const unsigned char *bytes = (const unsigned char *)p->buffer;

	return (struct wire){bytes + p->at, bytes + p->size};
}

/* ---- after damage ---- */

/* True if there is a whole packet at these bytes, and after it another one or the end. */
static bool is_packet(struct wire w, bool is_end, uint64_t *vain)
{
	struct pf_packet packet;
	uint64_t size;

	if (w.at == w.end || *w.at != TAG_PACKET)
		return false;
	w.at++;
	if (!wire_varint(&w, &size) || size == 0 || size > CANDIDATE_MOST ||
		size > (uint64_t)(w.end - w.at))
		return false;
	*vain += size;
	if ((uint64_t)(w.end - w.at) == size ? !is_end : w.at[size] != TAG_PACKET)
		return false;
	return pf_packet_parse((struct pf_bytes){w.at, (size_t)size}, &packet);
}

/* Moves on to the next packet, or to the end. */
static int search(struct pf_packets *p, struct error *err)
{
	while (p->vain < VAIN_MOST * (p->offset + p->at + WINDOW_BYTES)) {
		const char *next;

		if (fill(p, 2 * CANDIDATE_MOST, err) != 0)
			return -1;
		if (p->at == p->size)
			return 0;
		next = memchr(p->buffer + p->at, TAG_PACKET, p->size - p->at);
		if (!next) {
			p->at = p->size;
			continue;
		}
		p->at = (size_t)(next - p->buffer);
		if (fill(p, 2 * CANDIDATE_MOST, err) != 0)
			return -1;
		if (is_packet(unread(p), p->is_end, &p->vain))
			return 0;
		p->at++;
	}
	p->at = p->size;
	p->is_end = true; /* the rest is not worth the time */
	return 0;
}

/* ---- packets ---- */

static int damaged_or_cut(struct pf_packets *p, struct error *err)
{
	const uint64_t offset = p->offset + p->at;

	count_damaged(p, p->offset + p->at);
	p->at++;
	if (search(p, err) != 0)
		return -1;
	if (p->is_end && p->at == p->size) { /* nothing follows: the file was cut there */
		p->lost.damaged--;
		p->lost.is_cut = true;
		p->lost.cut_offset = offset;
	}
	return 0;
}

/* The next field of the trace that is a packet. 1, 0, -1; 2: look again. */
static int next_record(
	struct pf_packets *p, struct pf_bytes *record, uint64_t *offset, struct error *err)
{
	struct wire w;
	uint64_t tag, size;
	size_t head;

	if (fill(p, HEAD_MOST, err) != 0)
		return -1;
	if (p->at == p->size)
		return 0;
	w = unread(p);
	*offset = p->offset + p->at;
	if (!wire_varint(&w, &tag) || (tag & 7) != WIRE_BYTES || !wire_varint(&w, &size) ||
		size > p->max_record_bytes)
		return damaged_or_cut(p, err) != 0 ? -1 : 2;
	head = (size_t)(w.at - unread(p).at);
	if (fill(p, head + (size_t)size, err) != 0)
		return -1;
	if (p->size - p->at < head + size)
		return damaged_or_cut(p, err) != 0 ? -1 : 2;
	*record = (struct pf_bytes){(const unsigned char *)p->buffer + p->at + head, (size_t)size};
	p->at += head + (size_t)size;
	return tag == TAG_PACKET ? 1 : 2;
}

static void unpack(struct pf_packets *p, struct pf_bytes packed, uint64_t offset)
{
	if (!unzlib(packed.at, packed.size, p->max_record_bytes, &p->unpacked))
		count_damaged(p, offset);
	p->inner = (struct wire){(const unsigned char *)p->unpacked.data,
		(const unsigned char *)p->unpacked.data + p->unpacked.size};
	p->inner_offset = offset + p->packed_bytes;
	p->packed_bytes += p->unpacked.size;
}

/* The next of the packets that were packed together; 0: there is none. */
static int next_inner(struct pf_packets *p, struct pf_packet *packet, uint64_t *offset)
{
	struct wire_field f;
	enum wire_result got;

	while (p->inner.at < p->inner.end) {
		*offset =
			p->inner_offset + (uint64_t)((const char *)p->inner.at - p->unpacked.data);
		got = wire_next(&p->inner, &f);
		if (got != WIRE_FIELD) {
			count_damaged(p, *offset);
			p->inner.at = p->inner.end;
			return 0;
		}
		if (f.number != 1 || f.type != WIRE_BYTES)
			continue;
		if (!pf_packet_parse(pf_bytes_of(&f), packet)) {
			count_damaged(p, *offset);
			continue;
		}
		return 1;
	}
	return 0;
}

int pf_packets_next(
	struct pf_packets *p, struct pf_packet *packet, uint64_t *offset, struct error *err)
{
	struct pf_bytes record;

	for (;;) {
		int got = next_inner(p, packet, offset);

		if (got == 0)
			got = next_record(p, &record, offset, err);
		else
			return 1;
		if (got <= 0)
			return got;
		if (got == 2)
			continue;
		if (!pf_packet_parse(record, packet)) {
			count_damaged(p, *offset);
			continue;
		}
		if (packet->zstd.at && p->lost.zstd++ == 0)
			p->lost.zstd_offset = *offset;
		if (packet->compressed.at) {
			unpack(p, packet->compressed, *offset);
			continue;
		}
		*offset += p->packed_bytes;
		return 1;
	}
}

/* The types of the first fields of a packet; messages of other formats have others. */
static bool has_types(struct pf_bytes bytes)
{
	static const char types[] = "?BBVBBBBVBVBBV"; /* B: bytes, V: varint; by number */
	struct wire w = pf_wire(bytes);
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number < sizeof(types) - 1 &&
			f.type != (types[f.number] == 'B' ? WIRE_BYTES : WIRE_VARINT))
			return false;
	return true;
}

static bool has_print(struct pf_bytes ftrace)
{
	struct pf_bundle bundle = pf_bundle_open(ftrace);
	struct pf_print print;

	while (ftrace.at && pf_bundle_next(&bundle, &print))
		if (print.phase)
			return true;
	return false;
}

/* Nor have they fields of numbers as high as these, or texts of atrace. */
static bool is_known(const struct pf_packet *packet)
{
	return packet->sequence || packet->track.at || packet->interned.at || packet->event.at ||
	       packet->compressed.at || packet->zstd.at || packet->stage.at ||
	       has_print(packet->ftrace);
}

/* The first bytes are packets, as far as they are seen. */
bool pf_packets_begin(const unsigned char *bytes, size_t size)
{
	struct wire w = {bytes, bytes + size};
	size_t packets = 0, known = 0;

	while (w.at < w.end && packets < 64) {
		struct pf_packet packet;
		struct pf_bytes record;
		uint64_t length;
		bool is_cut;

		if (*w.at++ != TAG_PACKET || !wire_varint(&w, &length))
			break;
		is_cut = length > (uint64_t)(w.end - w.at);
		record = (struct pf_bytes){w.at, is_cut ? (size_t)(w.end - w.at) : (size_t)length};
		if (!has_types(record) || (!pf_packet_parse(record, &packet) && !is_cut))
			return false;
		known += is_known(&packet);
		packets++;
		w.at += record.size;
	}
	return packets > 0 && known > 0;
}
