/* Tables of leveldb's format made block by block for tests, with right checksums: entries, blocks
 * as given (packed or not), index and footer. */
#pragma once

#include "base/checksum.h"
#include "tests/unit/encode.h"

static inline void put_fixed32(struct text *t, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		text_add_char(t, (char)(unsigned char)(value >> 8 * i));
}

static inline void add_entry(struct text *block, size_t shared, const char *key, size_t key_size,
	const void *value, size_t value_size)
{
	put_varint(block, shared);
	put_varint(block, key_size);
	put_varint(block, value_size);
	text_add_bytes(block, key, key_size);
	text_add_bytes(block, value, value_size);
}

/* Adds bytes as a block of this kind of compression; where it begins and its size go to
 * `handle`. */
static inline void put_stored(
	struct text *file, const void *bytes, size_t size, char kind, struct text *handle)
{
	size_t begin = file->size;

	put_varint(handle, begin);
	put_varint(handle, size);
	text_add_bytes(file, bytes, size);
	text_add_char(file, kind);
	put_fixed32(file, crc32c_mask(crc32c(0, file->data + begin, size + 1)));
}

/* The same for entries, which get one restart and are cleared. */
static inline void put_block(struct text *file, struct text *block, char kind, struct text *handle)
{
	put_fixed32(block, 0);
	put_fixed32(block, 1);
	put_stored(file, block->data, block->size, kind, handle);
	text_clear(block);
}

/* An empty block of the metaindex, an index of the one block at `handle`, the footer. */
static inline void put_end(struct text *file, const struct text *handle)
{
	struct text block, footer;

	text_init(&block);
	text_init(&footer);
	put_block(file, &block, 0, &footer);
	add_entry(&block, 0, "\xff", 1, handle->data, handle->size);
	put_block(file, &block, 0, &footer);
	text_add_bytes(file, footer.data, footer.size);
	text_add_repeat(file, 0, 40 - footer.size);
	put_fixed32(file, 0x8b80fb57);
	put_fixed32(file, 0xdb477524);
	text_release(&block);
	text_release(&footer);
}
