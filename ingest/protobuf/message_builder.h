/*
 * One element of a protobuf file on its way to the unpacker: a small binary message that is made of
 * the fields that are wanted, and unpacked into an arena. It knows no messages.
 */
#ifndef STEPSTAT_INGEST_PROTOBUF_MESSAGE_BUILDER_H
#define STEPSTAT_INGEST_PROTOBUF_MESSAGE_BUILDER_H

#include <stdint.h>
#include <protobuf-c/protobuf-c.h>
#include "base/arena.h"
#include "base/text.h"

/* What is unpacked with it lasts as long as the arena, and is never freed apart. */
ProtobufCAllocator element_allocator(struct arena *arena);

void element_add_varint(struct text *t, uint64_t value);
void element_add_number(struct text *t, uint32_t field, uint64_t value);
void element_add(struct text *t, uint32_t field, const void *bytes, size_t size);

#endif
