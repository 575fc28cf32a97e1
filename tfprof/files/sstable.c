/* File: data blocks, an index block, a footer of 48 bytes. A block is entries, offsets of restarts,
 * their number; the kind of compression and a checksum follow. The offsets of restarts are
 * for binary search: we walk, and do not use them. A packed block becomes the same when snappy has
 * unpacked it; the checksum is of what is stored. */
#include "tfprof/files/sstable.h"

#include <snappy-c.h>
#include <string.h>
#include "base/memory.h"
#include "base/checksum.h"
#include "base/packed_number.h"
#include "ingest/protobuf/wire.h"

#define FOOTER_SIZE 48
#define TRAILER_SIZE 5
#define MAGIC UINT64_C(0xdb4775248b80fb57)
#define KEY_MOST 65536 /* names of variables are shorter */
#define BLOCK_MOST (UINT64_C(1) << 30)
/* No element of snappy makes more bytes of one: 3 bytes are a copy of at most 64. */
#define SNAPPY_GROWTH_MOST 22

enum { BLOCK_PLAIN = 0, BLOCK_SNAPPY = 1 };

/* Entries as they are after unpacking. */
struct table_block {
	const unsigned char *entries;
	size_t size;
	uint64_t at; /* in the file, for messages */
	bool packed;
};

struct sstable {
	const struct span_file *file;
	bool unchecked;
	struct table_block index;
};

/* Walks the entries of a block. */
struct cursor {
	const struct span_file *file;
	const struct table_block *block;
	struct wire rest;
	unsigned char *key; /* grown as needed, freed by cursor_release */
	size_t key_size, key_room;
	bool has_key;
};

struct handle {
	uint64_t offset, size;
};

int sstable_compare(const void *a, size_t a_size, const void *b, size_t b_size)
{
	size_t both = a_size < b_size ? a_size : b_size;
	int order = both ? memcmp(a, b, both) : 0;

	return order ? order : (a_size > b_size) - (a_size < b_size);
}

static bool handle_read(struct wire *w, struct handle *out)
{
	return wire_varint(w, &out->offset) && wire_varint(w, &out->size);
}

static int check_stored(const struct sstable *t, const struct handle *h, const unsigned char *bytes,
	struct error *err)
{
	size_t size = (size_t)h->size;

	if (!t->unchecked && crc32c_mask(crc32c(0, bytes, size + 1)) !=
				     packed_little_endian(bytes + size + 1, 4))
		return span_file_damaged(
			t->file, h->offset, "checksum of a block does not match", err);
	if (bytes[size] != BLOCK_PLAIN && bytes[size] != BLOCK_SNAPPY)
		return span_file_damaged(t->file, h->offset, "unknown compression of a block", err);
	return 0;
}

/* Block unpacked with snappy, in the arena; *size is of the packed bytes, then of the others. */
static const unsigned char *unpack(const struct sstable *t, uint64_t at,
	const unsigned char *packed, size_t *size, struct arena *arena, struct error *err)
{
	unsigned char *bytes;
	size_t length;

	if (snappy_uncompressed_length((const char *)packed, *size, &length) != SNAPPY_OK ||
		length / SNAPPY_GROWTH_MOST > *size) {
		span_file_damaged(t->file, at,
			"a block packed with snappy begins with a size that it cannot have", err);
		return NULL;
	}
	if (length > BLOCK_MOST) {
		error_set(err, ERROR_LIMIT, t->file->path,
			"a block of the table is larger than 1 GiB when unpacked");
		return NULL;
	}
	bytes = arena_alloc(arena, length);
	if (snappy_uncompress((const char *)packed, *size, (char *)bytes, &length) != SNAPPY_OK) {
		span_file_damaged(t->file, at, "a block packed with snappy is damaged", err);
		return NULL;
	}
	*size = length;
	return bytes;
}

/* The block without its restarts. */
static int block_make(const struct sstable *t, uint64_t at, const unsigned char *bytes, size_t size,
	struct table_block *out, struct error *err)
{
	uint32_t restarts = size < 4 ? 0 : (uint32_t)packed_little_endian(bytes + size - 4, 4);

	if (size < 4 || restarts > (size - 4) / 4)
		return span_file_damaged(t->file, at, "block is damaged", err);
	out->entries = bytes;
	out->size = size - 4 - 4 * (size_t)restarts;
	out->at = at;
	return 0;
}

/* The entries of the block, in the arena. `named_at`: the offset of the handle, for messages. */
static int read_block(const struct sstable *t, const struct handle *h, uint64_t named_at,
	struct arena *arena, struct table_block *out, struct error *err)
{
	const unsigned char *entries;
	unsigned char *bytes;
	size_t size = (size_t)h->size;

	if (h->size > t->file->size || h->offset > t->file->size - h->size ||
		t->file->size - h->size - h->offset < TRAILER_SIZE)
		return span_file_damaged(t->file, named_at, "a block is outside of the file", err);
	if (h->size > BLOCK_MOST)
		return error_set(err, ERROR_LIMIT, t->file->path,
			"a block of the table is larger than 1 GiB");
	bytes = arena_alloc(arena, size + TRAILER_SIZE);
	if (span_file_read(t->file, h->offset, bytes, size + TRAILER_SIZE, "a block", err) ||
		check_stored(t, h, bytes, err))
		return -1;
	out->packed = bytes[size] == BLOCK_SNAPPY;
	entries = out->packed ? unpack(t, h->offset, bytes, &size, arena, err) : bytes;
	return entries ? block_make(t, h->offset, entries, size, out, err) : -1;
}

static void cursor_start(
	struct cursor *c, const struct span_file *file, const struct table_block *block)
{
	c->file = file;
	c->block = block;
	c->rest = (struct wire){block->entries, block->entries + block->size};
}

static void cursor_release(struct cursor *c)
{
	memory_free(c->key);
	c->key = NULL;
}

/* Unpacked bytes have no place in the file: then the place is the block's, and the message
 * counts. */
static int cursor_damaged(const struct cursor *c, const char *message, struct error *err)
{
	uint64_t inside = (uint64_t)(c->rest.at - c->block->entries);
	char place[sizeof(err->place)];

	if (!c->block->packed)
		return span_file_damaged(c->file, c->block->at + inside, message, err);
	error_place_offset(place, sizeof(place), c->file->path, c->block->at);
	return error_set(err, ERROR_INPUT, place, "%s (byte %llu of the unpacked block)", message,
		(unsigned long long)inside);
}

/* Replaces what follows the first `shared` bytes of the key. */
static int cursor_key(struct cursor *c, size_t shared, size_t added, struct error *err)
{
	size_t size = shared + added;
	bool grows;

	if (size > KEY_MOST)
		return error_set(err, ERROR_LIMIT, c->file->path,
			"a key of the table is longer than %d bytes", KEY_MOST);
	grows = !c->has_key ||
		sstable_compare(c->rest.at, added, c->key + shared, c->key_size - shared) > 0;
	if (!grows)
		return cursor_damaged(c, "keys of the table are not in order", err);
	c->key = memory_make_room(c->key, &c->key_room, size + 1, 1);
	if (added > 0)
		memcpy(c->key + shared, c->rest.at, added);
	c->key_size = size;
	c->has_key = true;
	return 0;
}

/* 1 and an entry, 0 at the end, -1. Keys rise over all blocks that one cursor goes through. */
static int cursor_next(struct cursor *c, struct sstable_entry *out, struct error *err)
{
	uint64_t shared, added, value;
	struct wire *w = &c->rest;
	size_t before =
		w->at > c->block->entries ? c->key_size : 0; /* a block begins with a whole key */

	if (w->at == w->end)
		return 0;
	if (!wire_varint(w, &shared) || !wire_varint(w, &added) || !wire_varint(w, &value) ||
		added > (uint64_t)(w->end - w->at) || value > (uint64_t)(w->end - w->at) - added ||
		shared > before)
		return cursor_damaged(c, "an entry of the table is damaged", err);
	if (cursor_key(c, (size_t)shared, (size_t)added, err))
		return -1;
	*out = (struct sstable_entry){.key = c->key,
		.key_size = c->key_size,
		.value = w->at + added,
		.value_size = (size_t)value};
	w->at += added + value;
	return 1;
}

struct sstable *sstable_open(
	const struct span_file *file, bool unchecked, struct arena *arena, struct error *err)
{
	struct sstable *t = arena_alloc(arena, sizeof(*t));
	unsigned char footer[FOOTER_SIZE];
	struct wire w = {footer, footer + 40};
	struct handle meta, index;
	uint64_t footer_at = file->size - FOOTER_SIZE; /* used when there is one */

	if (file->size < FOOTER_SIZE ||
		span_file_read(file, footer_at, footer, FOOTER_SIZE, "the footer", err) ||
		packed_little_endian(footer + 40, 8) != MAGIC) {
		error_set(err, ERROR_INPUT, file->path,
			"not a table of a checkpoint: its last 8 bytes are not the format's mark");
		return NULL;
	}
	*t = (struct sstable){.file = file, .unchecked = unchecked};
	if (!handle_read(&w, &meta) || !handle_read(&w, &index)) {
		span_file_damaged(file, footer_at, "the footer is damaged", err);
		return NULL;
	}
	return read_block(t, &index, footer_at, arena, &t->index, err) ? NULL : t;
}

/* The data block of an entry of the index. A block without entries is never written; refused here,
 * many references to one large block cannot cost much time. */
static int data_block(const struct sstable *t, const struct sstable_entry *reference,
	struct arena *arena, struct table_block *out, struct error *err)
{
	struct wire w = {reference->value, reference->value + reference->value_size};
	struct handle h;

	if (!handle_read(&w, &h))
		return span_file_damaged(t->file, t->index.at, "the index is damaged", err);
	if (read_block(t, &h, t->index.at, arena, out, err))
		return -1;
	return out->size > 0 ? 0 : span_file_damaged(t->file, h.offset, "block is empty", err);
}

/* A walk over the entries of data blocks. */
struct table_walk {
	const struct sstable *table;
	struct arena *arena; /* of the blocks */
	struct cursor data;  /* released by the caller */
	sstable_visit *visit;
	void *context;
};

static int walk_block(
	struct table_walk *walk, const struct sstable_entry *reference, struct error *err)
{
	struct sstable_entry entry;
	struct table_block block;
	int got, result = 0;

	if (data_block(walk->table, reference, walk->arena, &block, err))
		return -1;
	cursor_start(&walk->data, walk->table->file, &block);
	while (result == 0 && (got = cursor_next(&walk->data, &entry, err)) != 0)
		result = got < 0 ? -1 : walk->visit(walk->context, &entry, err);
	return result;
}

int sstable_each(const struct sstable *t, sstable_visit *visit, void *context, struct error *err)
{
	struct arena *scratch = arena_new();
	struct table_walk walk = {.table = t, .arena = scratch, .visit = visit, .context = context};
	struct cursor index = {0};
	struct sstable_entry reference;
	int got, result = 0;

	cursor_start(&index, t->file, &t->index);
	while (result == 0 && (got = cursor_next(&index, &reference, err)) != 0) {
		arena_reset(scratch);
		result = got < 0 ? -1 : walk_block(&walk, &reference, err);
	}
	cursor_release(&index);
	cursor_release(&walk.data);
	arena_free(scratch);
	return result < 0 ? -1 : 0;
}

struct table_search {
	const void *key;
	size_t key_size;
	struct sstable_entry *out;
	int order; /* of the last key beside ours */
};

static int search_visit(void *context, const struct sstable_entry *entry, struct error *err)
{
	struct table_search *s = context;

	(void)err;
	s->order = sstable_compare(entry->key, entry->key_size, s->key, s->key_size);
	if (s->order == 0)
		*s->out = *entry;
	return s->order >= 0;
}

/* A key of the index is not below the last key of its block, and below the first of the next
 * one. */
int sstable_find(const struct sstable *t, const void *key, size_t key_size, struct arena *arena,
	struct sstable_entry *out, struct error *err)
{
	struct table_search s = {.key = key, .key_size = key_size, .out = out, .order = -1};
	struct table_walk walk = {.table = t, .arena = arena, .visit = search_visit, .context = &s};
	struct cursor index = {0};
	struct sstable_entry reference;
	int got, result = 0;

	cursor_start(&index, t->file, &t->index);
	while ((got = cursor_next(&index, &reference, err)) > 0)
		if (sstable_compare(reference.key, reference.key_size, key, key_size) >= 0)
			break;
	if (got > 0)
		result = walk_block(&walk, &reference, err);
	cursor_release(&index);
	cursor_release(&walk.data);
	if (got < 0 || result < 0)
		return -1;
	out->key = NULL; /* the cursor's; the caller has it */
	out->key_size = 0;
	return s.order == 0;
}
