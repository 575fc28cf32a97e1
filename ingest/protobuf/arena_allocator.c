/* protobuf-c's way to allocate, with an arena. */
#include "ingest/protobuf/arena_allocator.h"

static void *allocate(void *arena, size_t size)
{
	return arena_alloc(arena, size);
}

static void free_nothing(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

ProtobufCAllocator arena_allocator(struct arena *arena)
{
	return (ProtobufCAllocator){allocate, free_nothing, arena};
}
