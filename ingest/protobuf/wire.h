/* Framing of protobuf bytes: tags, varints, lengths; from a stream, and inside a record in memory.
 * It does not know messages, and it copies nothing. */
#pragma once

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

static inline bool wire_varint(struct wire *w, uint64_t *value)
{
	return packed_varint_next(&w->at, w->end, value);
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
		struct wire copy = *w; /* as in packed_varint_next */
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
