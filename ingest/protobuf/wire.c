/* The slow paths of the framing, and the framing from a stream. Groups are walked with a stack of
 * fixed size, so hostile nesting costs neither memory nor stack. */
#include "ingest/protobuf/wire.h"

#include <string.h>

#define GROUPS_MOST 64
#define FIELD_HEAD_MOST 20 /* two varints of 10 bytes */

static bool wire_fixed(struct wire *w, size_t size, uint64_t *value)
{
	if ((size_t)(w->end - w->at) < size)
		return false;
	*value = 0;
	for (size_t i = 0; i < size; i++)
		*value |= (uint64_t)w->at[i] << (8 * i);
	w->at += size;
	return true;
}

/* A tag that is allowed anywhere: number 1 to 2^29 - 1, a type that exists. */
static bool wire_tag(struct wire *w, struct wire_field *field)
{
	const unsigned char *start = w->at;
	uint64_t tag;

	if (!wire_varint(w, &tag))
		return false;
	field->number = (uint32_t)(tag >> 3);
	field->type = (enum wire_type)(tag & 7);
	if (tag <= UINT32_MAX && field->number != 0 && (tag & 7) <= WIRE_FIXED32)
		return true;
	w->at = start;
	return false;
}

/* Payload of a field, after its tag; groups excepted. */
static bool wire_payload(struct wire *w, struct wire_field *field)
{
	const unsigned char *start = w->at;

	switch (field->type) {
	case WIRE_VARINT:
		return wire_varint(w, &field->value);
	case WIRE_FIXED64:
		return wire_fixed(w, 8, &field->value);
	case WIRE_FIXED32:
		return wire_fixed(w, 4, &field->value);
	case WIRE_BYTES:
		if (!wire_varint(w, &field->size))
			return false;
		if (field->size > (uint64_t)(w->end - w->at)) {
			w->at = start;
			return false;
		}
		field->bytes = w->at;
		w->at += field->size;
		return true;
	default:
		return false;
	}
}

static bool wire_skip_group(struct wire *w, uint32_t number)
{
	uint32_t open[GROUPS_MOST] = {number};
	size_t depth = 1;

	while (depth > 0) {
		const unsigned char *start = w->at;
		struct wire_field field;

		if (!wire_tag(w, &field))
			return false;
		if (field.type == WIRE_GROUP && depth < GROUPS_MOST) {
			open[depth++] = field.number;
		} else if (field.type == WIRE_GROUP_END && open[depth - 1] == field.number) {
			depth--;
		} else if (!wire_payload(w, &field)) {
			w->at = start;
			return false;
		}
	}
	return true;
}

enum wire_result wire_next_slow(struct wire *w, struct wire_field *field)
{
	const unsigned char *start = w->at;

	if (!wire_tag(w, field))
		return WIRE_BAD;
	if (field->type == WIRE_GROUP ? wire_skip_group(w, field->number) : wire_payload(w, field))
		return WIRE_FIELD;
	w->at = start;
	return WIRE_BAD;
}

int wire_damaged(const struct input *in, uint64_t offset, const char *what, struct error *err)
{
	char place[512];

	error_place_offset(place, sizeof(place), input_path(in), offset);
	error_set(err, ERROR_INPUT, place, "damaged inside %s", what);
	return error_hint(err, "the file was changed or cut on its way: copy or record it again");
}

/* One tag with its value or its length; groups come as WIRE_GROUP and WIRE_GROUP_END. */
static int stream_head(struct input *in, uint64_t end, const char *what, struct wire_field *field,
	struct error *err)
{
	const unsigned char *bytes;
	size_t size;
	uint64_t start = input_offset(in);

	if (start == end)
		return 0;
	if (input_peek(in, FIELD_HEAD_MOST, &bytes, &size, err))
		return -1;
	if (size == 0)
		return end == UINT64_MAX ? 0 : input_read(in, 1, 1, what, &bytes, err);
	bool cut = size < FIELD_HEAD_MOST;

	if (size > end - start) {
		size = (size_t)(end - start);
		cut = false;
	}
	struct wire w = {bytes, bytes + size};
	bool good = wire_tag(&w, field);

	/* Unfinished at the end of the file says "cut", anything else "damaged". */
	cut = cut && (good || bytes[size - 1] >= 0x80);
	field->bytes = NULL;
	field->size = 0;
	if (good && field->type == WIRE_BYTES)
		good = wire_varint(&w, &field->size);
	else if (good && field->type != WIRE_GROUP && field->type != WIRE_GROUP_END)
		good = wire_payload(&w, field);
	if (!good) {
		if (cut)
			return input_read(in, size + 1, SIZE_MAX, what, &bytes, err);
		return wire_damaged(in, start, what, err);
	}
	input_skip(in, (size_t)(w.at - bytes));
	/* The contents of a field that may reach to `end` but not further. */
	if (field->size <= end - input_offset(in))
		return 1;
	return wire_damaged(in, start, what, err);
}

int wire_stream_next(struct input *in, uint64_t end, const char *what, struct wire_field *field,
	struct error *err)
{
	uint32_t open[GROUPS_MOST];
	size_t depth = 0;

	for (;;) {
		struct wire_field inner;
		uint64_t start = input_offset(in);
		int got = stream_head(in, end, what, depth ? &inner : field, err);

		if (got < 0)
			return -1;
		const struct wire_field *f = depth ? &inner : field;

		if (got == 0)
			return depth ? wire_damaged(in, start, what, err) : 0;
		if (f->type == WIRE_GROUP) {
			if (depth == GROUPS_MOST)
				return wire_damaged(in, start, what, err);
			open[depth++] = f->number;
			continue;
		}
		if (f->type == WIRE_GROUP_END) {
			if (depth == 0 || open[--depth] != f->number)
				return wire_damaged(in, start, what, err);
			if (depth == 0) {
				field->type = WIRE_GROUP;
				return 1;
			}
			continue;
		}
		if (depth == 0)
			return 1;
		if (f->type == WIRE_BYTES && input_discard(in, f->size, what, err))
			return -1;
	}
}
