/* Messages that protobuf-c unpacks into an arena. */
#ifndef STEPSTAT_INGEST_PROTOBUF_ARENA_ALLOCATOR_H
#define STEPSTAT_INGEST_PROTOBUF_ARENA_ALLOCATOR_H

#include <protobuf-c/protobuf-c.h>
#include "base/arena.h"

/* Allocator whose messages last as long as the arena; single messages are not freed. */
ProtobufCAllocator arena_allocator(struct arena *arena);

#endif
