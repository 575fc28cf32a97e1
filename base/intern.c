/*
 * The name table: open addressing over slots of 8 bytes that hold the upper half of the hash, so
 * that a lookup touches a name only when it is almost certainly the right one.
 */
#include "base/intern.h"

#include <assert.h>
#include <string.h>
#include "base/memory.h"

struct intern_slot {
	uint32_t hash_high;
	uint32_t id_plus_1; /* 0: empty */
};

struct name {
	const char *bytes;
	size_t size_bytes;
};

struct intern {
	struct arena *arena;
	struct intern_slot *slots; /* on the heap: an arena would keep every outgrown table */
	struct name *names;
	size_t mask; /* slots - 1, slots are a power of 2 */
	size_t count, room;
};

static void intern_release(void *object)
{
	struct intern *table = object;

	memory_free(table->slots);
	memory_free(table->names);
}

struct intern *intern_new(struct arena *arena)
{
	struct intern *table = arena_alloc(arena, sizeof(*table));

	table->arena = arena;
	table->mask = 63;
	table->slots = memory_alloc(memory_product(table->mask + 1, sizeof(*table->slots)));
	table->room = 32;
	table->names = memory_alloc(memory_product(table->room, sizeof(*table->names)));
	arena_defer(arena, intern_release, table);
	return table;
}

static uint64_t read_little_endian(const unsigned char *p, size_t bytes)
{
	uint64_t word = 0;

	memcpy(&word, p, bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* Both halves of the product, so that every bit of a and b reaches every bit of the result. */
static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t intern_hash(const void *bytes, size_t n, uint64_t seed)
{
	/* Odd constants: fractions of the golden ratio, sqrt(2), sqrt(3). */
	const uint64_t golden = 0x9e3779b97f4a7c15u, root2 = 0x6a09e667f3bcc909u,
		       root3 = 0xbb67ae8584caa73bu;
	const unsigned char *p = bytes;
	uint64_t hash = fold(seed ^ golden, root2 ^ n);
	size_t left = n;

	for (; left > 8; left -= 8, p += 8)
		hash = fold(hash ^ read_little_endian(p, 8), golden);

	uint64_t tail = 0;

	if (left >= 4) /* the two reads overlap; with n in the hash nothing is ambiguous */
		tail = read_little_endian(p, 4) | read_little_endian(p + left - 4, 4) << 32;
	else if (left > 0)
		tail = p[0] | (uint64_t)p[left / 2] << 8 | (uint64_t)p[left - 1] << 16;
	return fold(fold(hash ^ tail, root3), root2 ^ (uint64_t)n << 1);
}

/* The slot of the name, or the empty slot where it belongs. */
static struct intern_slot *intern_slot(
	const struct intern *table, const char *s, size_t n, uint64_t hash)
{
	uint32_t high = (uint32_t)(hash >> 32);

	for (size_t i = (size_t)hash & table->mask;; i = (i + 1) & table->mask) {
		struct intern_slot *slot = &table->slots[i];

		if (!slot->id_plus_1)
			return slot;
		if (slot->hash_high != high)
			continue;
		const struct name *name = &table->names[slot->id_plus_1 - 1];

		if (name->size_bytes == n && (n == 0 || memcmp(name->bytes, s, n) == 0))
			return slot;
	}
}

static void intern_grow(struct intern *table)
{
	size_t slots = memory_product(table->mask + 1, 2);

	memory_free(table->slots);
	table->slots = memory_alloc(memory_product(slots, sizeof(*table->slots)));
	table->mask = slots - 1;
	for (size_t id = 0; id < table->count; id++) {
		const struct name *name = &table->names[id];
		uint64_t hash = intern_hash(name->bytes, name->size_bytes, 0);
		size_t i = (size_t)hash & table->mask;

		while (table->slots[i].id_plus_1)
			i = (i + 1) & table->mask;
		table->slots[i].hash_high = (uint32_t)(hash >> 32);
		table->slots[i].id_plus_1 = (uint32_t)id + 1;
	}
	table->names = memory_make_room(
		table->names, &table->room, table->room + 1, sizeof(*table->names));
}

uint32_t intern_id(struct intern *table, const char *s, size_t n)
{
	uint64_t hash = intern_hash(s, n, 0);
	struct intern_slot *slot = intern_slot(table, s, n, hash);

	if (slot->id_plus_1)
		return slot->id_plus_1 - 1;
	assert(table->count < UINT32_MAX - 1);
	if (table->count == table->room) { /* half of the slots are in use */
		intern_grow(table);
		slot = intern_slot(table, s, n, hash);
	}
	uint32_t id = (uint32_t)table->count++;

	table->names[id].bytes = arena_strndup(table->arena, s, n);
	table->names[id].size_bytes = n;
	slot->hash_high = (uint32_t)(hash >> 32);
	slot->id_plus_1 = id + 1;
	return id;
}

bool intern_find(const struct intern *table, const char *s, size_t n, uint32_t *id)
{
	const struct intern_slot *slot = intern_slot(table, s, n, intern_hash(s, n, 0));

	if (!slot->id_plus_1)
		return false;
	*id = slot->id_plus_1 - 1;
	return true;
}

const char *intern_name(const struct intern *table, uint32_t id)
{
	assert(id < table->count);
	return table->names[id].bytes;
}

size_t intern_count(const struct intern *table)
{
	return table->count;
}
