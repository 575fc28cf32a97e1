/* The protobuf encoding, written: tags, numbers, bytes and messages appended to a text. It knows no
 * messages. A caller that leaves out zeros and empty texts, as proto3 does, tests for them
 * itself. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include "base/packed_number.h"
#include "base/text.h"

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
	WIRE_GROUP = 3, /* start; old, only skipped */
	WIRE_GROUP_END = 4,
	WIRE_FIXED32 = 5,
};

static inline uint64_t protobuf_tag(uint32_t field, enum wire_type type)
{
	return (uint64_t)field << 3 | type;
}

/* Adds a number without a tag: the inside of packed fields. */
void protobuf_add_varint(struct text *t, uint64_t value);
/* The low `size` bytes of the value, the lowest first: 4 of a fixed32, 8 of a fixed64. */
void protobuf_add_fixed(struct text *t, uint64_t value, size_t size);

void protobuf_add_tag(struct text *t, uint32_t field, enum wire_type type);
void protobuf_add_number(struct text *t, uint32_t field, uint64_t value); /* a varint */
void protobuf_add_bytes(struct text *t, uint32_t field, const void *bytes, size_t size);
void protobuf_add_string(struct text *t, uint32_t field, const char *s);
/* A message or a packed field that was made in a text of its own, which is emptied. */
void protobuf_add_message(struct text *t, uint32_t field, struct text *contents);
