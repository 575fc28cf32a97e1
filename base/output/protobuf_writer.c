/* Fields of the protobuf encoding, appended to a text. */
#include "base/output/protobuf_writer.h"

#include <string.h>

void protobuf_add_varint(struct text *t, uint64_t value)
{
	text_extend(t, packed_varint(text_room(t, PACKED_VARINT_MOST), value));
}

void protobuf_add_fixed(struct text *t, uint64_t value, size_t size)
{
	char *to = text_room(t, size);

	for (size_t i = 0; i < size; i++)
		to[i] = (char)(value >> 8 * i);
	text_extend(t, size);
}

void protobuf_add_tag(struct text *t, uint32_t field, enum wire_type type)
{
	protobuf_add_varint(t, protobuf_tag(field, type));
}

void protobuf_add_number(struct text *t, uint32_t field, uint64_t value)
{
	protobuf_add_tag(t, field, WIRE_VARINT);
	protobuf_add_varint(t, value);
}

void protobuf_add_bytes(struct text *t, uint32_t field, const void *bytes, size_t size)
{
	protobuf_add_tag(t, field, WIRE_BYTES);
	protobuf_add_varint(t, size);
	text_add_bytes(t, bytes, size);
}

void protobuf_add_string(struct text *t, uint32_t field, const char *s)
{
	protobuf_add_bytes(t, field, s, strlen(s));
}

void protobuf_add_message(struct text *t, uint32_t field, struct text *contents)
{
	protobuf_add_bytes(t, field, text_string(contents), contents->size);
	text_clear(contents);
}
