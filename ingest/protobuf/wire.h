/*
 * Framing of protobuf bytes: tags, varints, lengths; from a stream, and inside a record in memory.
 * It does not know messages, and it copies nothing.
 */
#ifndef STEPSTAT_INGEST_PROTOBUF_WIRE_H
#define STEPSTAT_INGEST_PROTOBUF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/error.h"
#include "base/output/protobuf_writer.h"
#include "ingest/input/input.h"

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;		    /* WIRE_VARINT, and the bits of the fixed types */
	const unsigned char *bytes; /* WIRE_BYTES of a record in memory; NULL from a stream */
	uint64_t size;
};

/* A record in memory: unread is [at, end). */
struct wire {
	const unsigned char *at, *end;
};

/* A varint of at most 10 bytes; what is above bit 63 falls away, as everywhere in protobuf. */
bool wire_varint_slow(struct wire *w, uint64_t *value);

/* The seven low bits of each of the eight bytes, side by side. */
static inline uint64_t wire_join_sevens(uint64_t word)
{
	word &= UINT64_C(0x7f7f7f7f7f7f7f7f);
	word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
	word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
	return (word & UINT64_C(0x000000000fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* A varint of up to 8 bytes (points in time have 8) in one step; false leaves it to the loop. */
static inline bool wire_varint_word(struct wire *w, uint64_t *value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t word, ends;

	if (w->end - w->at < 8)
		return false;
	memcpy(&word, w->at, 8);
	ends = ~word & UINT64_C(0x8080808080808080);
	if (ends == 0)
		return false;
	unsigned last = (unsigned)__builtin_ctzll(ends); /* bit 7 of the last byte */

	w->at += last / 8 + 1;
	*value = wire_join_sevens(word & (UINT64_MAX >> (63 - last)));
	return true;
#else
	(void)w;
	(void)value;
	return false;
#endif
}

static inline bool wire_varint(struct wire *w, uint64_t *value)
{
	if (w->at < w->end && *w->at < 0x80) {
		*value = *w->at++;
		return true;
	}
	if (wire_varint_word(w, value))
		return true;
	/* Through copies, here and below: what is handed to a function has to live in memory. */
	struct wire copy = *w;
	uint64_t slow;
	bool good = wire_varint_slow(&copy, &slow);

	*w = copy;
	if (good)
		*value = slow;
	return good;
}

enum wire_result { WIRE_END, WIRE_FIELD, WIRE_BAD };

/* The rest of wire_next: fields other than varints and bytes, and what is wrong. */
enum wire_result wire_next_slow(struct wire *w, struct wire_field *field);

/* The next field. A group comes as one field of type WIRE_GROUP without contents. On WIRE_BAD,
 * w->at is where it went wrong. */
static inline enum wire_result wire_next(struct wire *w, struct wire_field *field)
{
	const unsigned char *start = w->at;

	if (start == w->end)
		return WIRE_END;
	/* The common tags are one byte: numbers below 16, types 0 and 2. */
	if (*start < 8 || *start >= 0x80 || (*start & 5)) {
		struct wire copy = *w;
		struct wire_field slow = {0};
		enum wire_result got = wire_next_slow(&copy, &slow);

		*w = copy;
		*field = slow;
		return got;
	}
	field->number = *start >> 3;
	field->type = (enum wire_type)(*start & 7);
	w->at++;
	if (!wire_varint(w, &field->value))
		return WIRE_BAD;
	field->bytes = NULL;
	field->size = 0;
	if (field->type == WIRE_VARINT)
		return WIRE_FIELD;
	if (field->value > (uint64_t)(w->end - w->at)) {
		w->at = start;
		return WIRE_BAD;
	}
	field->bytes = w->at;
	field->size = field->value;
	w->at += field->size;
	return WIRE_FIELD;
}

/* The contents of a field of type WIRE_BYTES as a record. */
static inline struct wire wire_inside(const struct wire_field *field)
{
	return (struct wire){field->bytes, field->size ? field->bytes + field->size : field->bytes};
}

/* The next field of a message that ends at offset `end` (UINT64_MAX: at the end of the input).
 * Returns 1, or 0 at the end, or -1: damaged, with FILE:byte N. The contents of a WIRE_BYTES field
 * (size bytes) are next in the input, for the caller to read or discard; groups are skipped here.
 * `what` names the message: "a node". */
int wire_stream_next(struct input *in, uint64_t end, const char *what, struct wire_field *field,
	struct error *err);

/* The error of a damaged record: place, what, hint. Always -1. */
int wire_damaged(const struct input *in, uint64_t offset, const char *what, struct error *err);

#endif
