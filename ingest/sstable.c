/*
 * File: data blocks, an index block, a footer of 48 bytes. A block is entries, offsets of restarts,
 * their number; behind it stand the kind of compression and a checksum. The offsets of restarts are
 * for binary search: we walk, and do not use them.
 */
#include "ingest/sstable.h"

#include <string.h>
#include "base/memory.h"
#include "ingest/crc32c.h"
#include "ingest/wire.h"

#define FOOTER_SIZE 48
#define TRAILER_SIZE 5
#define MAGIC UINT64_C(0xdb4775248b80fb57)
#define KEY_MOST 65536 /* names of variables are shorter */
#define BLOCK_MOST (UINT64_C(1) << 30)

struct sstable {
	const struct span_file *file;
	bool unchecked;
	unsigned char *index; /* its entries */
	size_t index_size;
	uint64_t index_at; /* in the file, for messages */
};

/* Walks the entries of a block. */
struct cursor {
	const struct span_file *file;
	struct wire rest;
	const unsigned char *start;
	uint64_t block_at;
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

static uint64_t little_endian(const unsigned char *bytes, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

static bool handle_read(struct wire *w, struct handle *out)
{
	return wire_varint(w, &out->offset) && wire_varint(w, &out->size);
}

static int check_block(const struct sstable *t, const struct handle *h, const unsigned char *bytes,
	size_t *entries_size, struct error *err)
{
	size_t size = (size_t)h->size;
	uint32_t restarts, crc;

	if (bytes[size] == 1)
		return span_file_damaged(t->file, h->offset,
			"block is compressed with snappy, which is not supported", err);
	if (bytes[size] != 0)
		return span_file_damaged(t->file, h->offset, "unknown compression of a block", err);
	crc = crc32c_mask(crc32c(0, bytes, size + 1));
	if (!t->unchecked && crc != little_endian(bytes + size + 1, 4))
		return span_file_damaged(
			t->file, h->offset, "checksum of a block does not match", err);
	restarts = size < 4 ? 0 : (uint32_t)little_endian(bytes + size - 4, 4);
	if (size < 4 || restarts > (size - 4) / 4)
		return span_file_damaged(t->file, h->offset, "block is damaged", err);
	*entries_size = size - 4 - 4 * (size_t)restarts;
	return 0;
}

/* The entries of the block, in the arena; NULL on error. */
static unsigned char *read_block(const struct sstable *t, const struct handle *h,
	struct arena *arena, size_t *entries_size, struct error *err)
{
	unsigned char *bytes;

	if (h->size > t->file->size || h->offset > t->file->size - h->size ||
		t->file->size - h->size - h->offset < TRAILER_SIZE) {
		span_file_damaged(t->file, t->index_at, "a block lies outside of the file", err);
		return NULL;
	}
	if (h->size > BLOCK_MOST) {
		error_set(err, ERROR_LIMIT, t->file->path,
			"a block of the table is larger than 1 GiB");
		return NULL;
	}
	bytes = arena_alloc(arena, (size_t)h->size + TRAILER_SIZE);
	if (span_file_read(
		    t->file, h->offset, bytes, (size_t)h->size + TRAILER_SIZE, "a block", err) ||
		check_block(t, h, bytes, entries_size, err))
		return NULL;
	return bytes;
}

static void cursor_start(struct cursor *c, const struct span_file *file,
	const unsigned char *entries, size_t size, uint64_t block_at)
{
	c->file = file;
	c->rest = (struct wire){entries, entries + size};
	c->start = entries;
	c->block_at = block_at;
}

static void cursor_release(struct cursor *c)
{
	memory_free(c->key);
	c->key = NULL;
}

static int cursor_damaged(const struct cursor *c, const char *message, struct error *err)
{
	return span_file_damaged(
		c->file, c->block_at + (uint64_t)(c->rest.at - c->start), message, err);
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
	if (!c->key || size > c->key_room) {
		c->key_room = 2 * size + 16;
		c->key = memory_resize(c->key, c->key_room);
	}
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
	size_t before = w->at > c->start ? c->key_size : 0; /* a block begins with a whole key */

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

	if (file->size < FOOTER_SIZE ||
		span_file_read(
			file, file->size - FOOTER_SIZE, footer, FOOTER_SIZE, "the footer", err) ||
		little_endian(footer + 40, 8) != MAGIC) {
		error_set(err, ERROR_INPUT, file->path,
			"not a table of a checkpoint: its last 8 bytes are not the format's mark");
		return NULL;
	}
	*t = (struct sstable){
		.file = file, .unchecked = unchecked, .index_at = file->size - FOOTER_SIZE};
	if (!handle_read(&w, &meta) || !handle_read(&w, &index)) {
		span_file_damaged(file, t->index_at, "the footer is damaged", err);
		return NULL;
	}
	t->index = read_block(t, &index, arena, &t->index_size, err);
	t->index_at = index.offset;
	return t->index ? t : NULL;
}

/* The data block of an entry of the index. A block without entries is never written; refused here,
 * many references to one large block cannot cost much time. */
static unsigned char *data_block(const struct sstable *t, const struct sstable_entry *reference,
	struct arena *arena, struct handle *h, size_t *size, struct error *err)
{
	struct wire w = {reference->value, reference->value + reference->value_size};
	unsigned char *bytes;

	if (!handle_read(&w, h)) {
		span_file_damaged(t->file, t->index_at, "the index is damaged", err);
		return NULL;
	}
	bytes = read_block(t, h, arena, size, err);
	if (bytes && *size == 0) {
		span_file_damaged(t->file, h->offset, "block is empty", err);
		return NULL;
	}
	return bytes;
}

static int visit_block(const struct sstable *t, const struct sstable_entry *reference,
	struct cursor *data, struct arena *scratch, sstable_visit *visit, void *context,
	struct error *err)
{
	struct sstable_entry entry;
	struct handle h;
	size_t size;
	unsigned char *bytes = data_block(t, reference, scratch, &h, &size, err);
	int got, result = 0;

	if (!bytes)
		return -1;
	cursor_start(data, t->file, bytes, size, h.offset);
	while (result == 0 && (got = cursor_next(data, &entry, err)) != 0)
		result = got < 0 ? -1 : visit(context, &entry, err);
	return result;
}

int sstable_each(const struct sstable *t, sstable_visit *visit, void *context, struct error *err)
{
	struct arena *scratch = arena_new();
	struct cursor index = {0}, data = {0};
	struct sstable_entry reference;
	int got, result = 0;

	cursor_start(&index, t->file, t->index, t->index_size, t->index_at);
	while (result == 0 && (got = cursor_next(&index, &reference, err)) != 0) {
		arena_reset(scratch);
		result = got < 0 ? -1
				 : visit_block(t, &reference, &data, scratch, visit, context, err);
	}
	cursor_release(&index);
	cursor_release(&data);
	arena_free(scratch);
	return result < 0 ? -1 : 0;
}

struct search {
	const void *key;
	size_t key_size;
	struct sstable_entry *out;
	int order; /* of the last key beside ours */
};

static int search_visit(void *context, const struct sstable_entry *entry, struct error *err)
{
	struct search *s = context;

	(void)err;
	s->order = sstable_compare(entry->key, entry->key_size, s->key, s->key_size);
	if (s->order == 0)
		*s->out = *entry;
	return s->order >= 0;
}

/* A key of the index is not below the last key of its block, and below the first of the next one.
 */
int sstable_find(const struct sstable *t, const void *key, size_t key_size, struct arena *arena,
	struct sstable_entry *out, struct error *err)
{
	struct cursor index = {0}, data = {0};
	struct sstable_entry reference;
	struct search s = {.key = key, .key_size = key_size, .out = out, .order = -1};
	int got, result = 0;

	cursor_start(&index, t->file, t->index, t->index_size, t->index_at);
	while ((got = cursor_next(&index, &reference, err)) > 0)
		if (sstable_compare(reference.key, reference.key_size, key, key_size) >= 0)
			break;
	if (got > 0)
		result = visit_block(t, &reference, &data, arena, search_visit, &s, err);
	cursor_release(&index);
	cursor_release(&data);
	if (got < 0 || result < 0)
		return -1;
	out->key = NULL; /* the cursor's; the caller has it */
	out->key_size = 0;
	return s.order == 0;
}
