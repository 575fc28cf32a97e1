/* The name table: open addressing over slots of 8 bytes that hold the upper half of the hash, so
 * that a lookup touches a name only when it is almost certainly the right one.
 *
 * Pairs of names are one name with a newline between. Most are asked for again and again, so before
 * the table there is a short one of those asked for lately, found by a few of their bytes. */
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
	size_t bytes; /* of all names */
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

/* Up to eight bytes; where n is in the hash, too, nothing is ambiguous. */
static uint64_t read_tail(const unsigned char *p, size_t n)
{
	if (n >= 4) /* the two reads overlap */
		return read_little_endian(p, 4) | read_little_endian(p + n - 4, 4) << 32;
	return n > 0 ? p[0] | (uint64_t)p[n / 2] << 8 | (uint64_t)p[n - 1] << 16 : 0;
}

static uint64_t begin_hash(size_t n, uint64_t seed)
{
	return intern_fold(seed ^ INTERN_GOLDEN, INTERN_ROOT2 ^ n);
}

uint64_t intern_hash(const void *bytes, size_t n, uint64_t seed)
{
	const unsigned char *p = bytes;
	uint64_t hash = begin_hash(n, seed);
	size_t left = n;

	for (; left > 8; left -= 8, p += 8)
		hash = intern_fold(hash ^ read_little_endian(p, 8), INTERN_GOLDEN);
	return intern_end_hash(hash, read_tail(p, left), n);
}

uint64_t intern_begin_three(uint64_t first, uint64_t seed)
{
	return intern_fold(begin_hash(24, seed) ^ first, INTERN_GOLDEN);
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
	table->bytes += n;
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

size_t intern_bytes(const struct intern *table)
{
	return table->bytes;
}

const char *intern_copy(struct intern *table, const char *s)
{
	return s ? intern_name(table, intern_id(table, s, strlen(s))) : NULL;
}

/* ---- pairs ---- */

#define RECENT_PAIRS 8192 /* a power of 2 */

struct intern_pairs {
	struct intern *table;
	char *joined;
	size_t room;
	struct intern_slot *recent; /* with the upper half of the hash of its few bytes */
};

static void pairs_release(void *object)
{
	struct intern_pairs *pairs = object;

	memory_free(pairs->joined);
}

struct intern_pairs *intern_pairs_new(struct arena *arena)
{
	struct intern_pairs *pairs = arena_alloc(arena, sizeof(*pairs));

	pairs->table = intern_new(arena);
	pairs->recent = arena_array(arena, RECENT_PAIRS, sizeof(*pairs->recent));
	arena_defer(arena, pairs_release, pairs);
	return pairs;
}

/* Hash of a few bytes of the name: enough to tell most from each other, and cheap for long ones. */
static uint64_t sample(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;

	if (n >= 8)
		return intern_fold(read_little_endian(p, 8) ^ read_little_endian(p + (n - 8) / 3, 8)
								      << 1,
			       INTERN_GOLDEN) ^
		       intern_fold(read_little_endian(p + (n - 8) / 3 * 2, 8) + n,
			       read_little_endian(p + n - 8, 8) | 1);
	return n ? intern_fold(read_tail(p, n) + n, INTERN_GOLDEN) : 0;
}

static uint64_t sample_pair(const struct name_pair *pair)
{
	const size_t n = pair->second_size;
	const uint64_t hash = sample(pair->first, pair->first_size);

	return n ? hash + INTERN_GOLDEN *
				       ((uint64_t)(unsigned char)pair->second[n - 1] << 16 |
					       (uint64_t)(unsigned char)pair->second[n / 2] << 8 |
					       n)
		 : hash;
}

static bool is_pair(const struct name *name, const struct name_pair *pair)
{
	const char *second = name->bytes + pair->first_size + 1;

	return name->size_bytes == pair->first_size + 1 + pair->second_size && second[-1] == '\n' &&
	       (pair->first_size == 0 || memcmp(name->bytes, pair->first, pair->first_size) == 0) &&
	       (pair->second_size == 0 || memcmp(second, pair->second, pair->second_size) == 0);
}

bool intern_pair(
	struct intern_pairs *pairs, const struct name_pair *pair, size_t most, uint32_t *id)
{
	const uint64_t hash = sample_pair(pair);
	struct intern_slot *recent = &pairs->recent[hash % (RECENT_PAIRS / 2) * 2];
	size_t size;

	for (size_t i = 0; i < 2; i++)
		if (recent[i].id_plus_1 && recent[i].hash_high == hash >> 32 &&
			is_pair(&pairs->table->names[recent[i].id_plus_1 - 1], pair)) {
			*id = recent[i].id_plus_1 - 1;
			return true;
		}

	/* Join both names and the byte between them; the sum of two sizes in memory fits. */
	size = pair->first_size + 1 + pair->second_size;

	pairs->joined = memory_make_room(pairs->joined, &pairs->room, size, 1);
	if (pair->first_size)
		memcpy(pairs->joined, pair->first, pair->first_size);
	pairs->joined[pair->first_size] = '\n';
	if (pair->second_size)
		memcpy(pairs->joined + pair->first_size + 1, pair->second, pair->second_size);
	if (pairs->table->count >= most && !intern_find(pairs->table, pairs->joined, size, id))
		return false;
	*id = intern_id(pairs->table, pairs->joined, size);
	recent[1] = recent[0];
	recent[0] = (struct intern_slot){(uint32_t)(hash >> 32), *id + 1};
	return true;
}

size_t intern_pair_count(const struct intern_pairs *pairs)
{
	return pairs->table->count;
}
