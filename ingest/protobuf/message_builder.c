/*
 * Tags, numbers and lengths into a buffer; allocation for the unpacker out of an arena.
 */
#include "ingest/protobuf/message_builder.h"

#include "ingest/protobuf/wire.h"

static void *element_alloc(void *arena, size_t size)
{
	return arena_alloc(arena, size);
}

static void element_free(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

ProtobufCAllocator element_allocator(struct arena *arena)
{
	return (ProtobufCAllocator){element_alloc, element_free, arena};
}

void element_add_varint(struct text *t, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		text_add_char(t, (char)(value | 0x80));
	text_add_char(t, (char)value);
}

void element_add_number(struct text *t, uint32_t field, uint64_t value)
{
	element_add_varint(t, (uint64_t)field << 3 | WIRE_VARINT);
	element_add_varint(t, value);
}

void element_add(struct text *t, uint32_t field, const void *bytes, size_t size)
{
	element_add_varint(t, (uint64_t)field << 3 | WIRE_BYTES);
	element_add_varint(t, size);
	text_add_bytes(t, bytes, size);
}
