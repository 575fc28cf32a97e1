/* The name table: dense ids in order of first use, bytes with zeros, growth, and the hash. */
#include "base/intern.h"
#include "base/packed_number.h"
#include "tests/unit/test.h"

static uint32_t id_of(struct intern *table, const char *s)
{
	return intern_id(table, s, strlen(s));
}

TEST(ids_are_dense_in_order_of_first_use)
{
	struct arena *arena = arena_new();
	struct intern *table = intern_new(arena);
	char name[] = "MatMul";

	assert_int_equal(intern_count(table), 0);
	assert_int_equal(id_of(table, "Relu"), 0);
	assert_int_equal(id_of(table, name), 1);
	name[0] = 'x'; /* the table has its own copy */
	assert_int_equal(id_of(table, "Relu"), 0);
	assert_int_equal(id_of(table, "MatMul"), 1);
	assert_int_equal(id_of(table, "relu"), 2);
	assert_int_equal(intern_count(table), 3);
	assert_string_equal(intern_name(table, 0), "Relu");
	assert_string_equal(intern_name(table, 1), "MatMul");
	assert_string_equal(intern_name(table, 2), "relu");
	arena_free(arena);
}

static uint32_t pair_id(struct intern_pairs *pairs, const char *first, const char *second)
{
	const struct name_pair pair = {
		first, second, first ? strlen(first) : 0, second ? strlen(second) : 0};
	uint32_t id;

	return intern_pair(pairs, &pair, 100000, &id) ? id : UINT32_MAX;
}

TEST(pairs_have_ids_of_their_own)
{
	struct arena *arena = arena_new();
	struct intern_pairs *pairs = intern_pairs_new(arena);
	struct intern *plain = intern_new(arena); /* numbers what is asked for in the same order */

	assert_int_equal(pair_id(pairs, "ab", "c"), 0);
	assert_int_equal(pair_id(pairs, "a", "bc"), 1);
	assert_int_equal(pair_id(pairs, "abc", ""), 2);
	assert_int_equal(pair_id(pairs, "abc", NULL), 2);
	assert_int_equal(pair_id(pairs, NULL, "abc"), 3);
	assert_int_equal(pair_id(pairs, NULL, NULL), 4);
	assert_int_equal(pair_id(pairs, "ab", "c"), 0);
	assert_int_equal(intern_pair_count(pairs), 5);
	/* More than are remembered as recent; first parts that differ in one byte, anywhere. */
	for (int turn = 0; turn < 2; turn++)
		for (int i = 0; i < 20000; i++) {
			char first[60], second[8], key[80];

			memset(first, 'x', sizeof(first));
			first[i % 40] = (char)('a' + i / 40 % 20);
			first[40 + i % 3] = '\0';
			snprintf(second, sizeof(second), "%d", i / 800);
			snprintf(key, sizeof(key), "%s|%s", first, second);
			assert_int_equal(pair_id(pairs, first, second), 5 + id_of(plain, key));
		}
	arena_free(arena);
}

TEST(no_more_pairs_than_allowed)
{
	struct arena *arena = arena_new();
	struct intern_pairs *pairs = intern_pairs_new(arena);
	const struct name_pair one = {"MatMul", "cpu_op", 6, 6}, other = {"Relu", "cpu_op", 4, 6};
	uint32_t id;

	assert_false(intern_pair(pairs, &one, 0, &id));
	assert_true(intern_pair(pairs, &one, 1, &id));
	assert_int_equal(id, 0);
	assert_false(intern_pair(pairs, &other, 1, &id));
	assert_true(intern_pair(pairs, &one, 1, &id));
	assert_int_equal(id, 0);
	assert_int_equal(intern_pair_count(pairs), 1);
	arena_free(arena);
}

TEST(find_does_not_add)
{
	struct arena *arena = arena_new();
	struct intern *table = intern_new(arena);
	uint32_t id = 77;

	assert_false(intern_find(table, "a", 1, &id));
	assert_int_equal(id, 77);
	assert_int_equal(intern_count(table), 0);
	id_of(table, "b");
	id_of(table, "a");
	assert_true(intern_find(table, "a", 1, &id));
	assert_int_equal(id, 1);
	assert_true(intern_find(table, "abc", 1, &id));
	assert_int_equal(id, 1);
	arena_free(arena);
}

TEST(zeros_and_empty_names)
{
	struct arena *arena = arena_new();
	struct intern *table = intern_new(arena);

	assert_int_equal(intern_id(table, "a", 1), 0);
	assert_int_equal(intern_id(table, "a\0", 2), 1);
	assert_int_equal(intern_id(table, "a\0b", 3), 2);
	assert_int_equal(intern_id(table, "a\0c", 3), 3);
	assert_int_equal(intern_id(table, "", 0), 4);
	assert_int_equal(intern_id(table, NULL, 0), 4);
	assert_int_equal(intern_id(table, "\0", 1), 5);
	assert_int_equal(intern_id(table, "a\0b", 3), 2);
	assert_memory_equal(intern_name(table, 2), "a\0b", 4);
	assert_string_equal(intern_name(table, 4), "");
	arena_free(arena);
}

TEST(hundred_thousand_names)
{
	enum { COUNT = 100000 };
	struct arena *arena = arena_new();
	struct intern *table = intern_new(arena);
	char name[64];

	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < COUNT; i++) {
			int n = snprintf(
				name, sizeof(name), "gradients/unit_%u/conv%u/Conv2D", i % 7, i);

			if (intern_id(table, name, (size_t)n) != i)
				fail_msg("id of %s is not %u", name, i);
		}
	assert_int_equal(intern_count(table), COUNT);
	for (uint32_t i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "gradients/unit_%u/conv%u/Conv2D", i % 7, i);
		if (strcmp(intern_name(table, i), name) != 0)
			fail_msg("name %u is %s", i, intern_name(table, i));
	}
	uint32_t id;

	assert_false(intern_find(table, "gradients", 9, &id));
	arena_free(arena);
}

TEST(tables_in_one_arena_are_apart)
{
	struct arena *arena = arena_new();
	struct intern *a = intern_new(arena), *b = intern_new(arena);
	uint32_t id;

	id_of(a, "only in a");
	assert_false(intern_find(b, "only in a", 9, &id));
	assert_int_equal(intern_count(b), 0);
	arena_free(arena);
}

TEST(hash_depends_on_bytes_length_and_seed)
{
	const char *text = "a text of some forty bytes, more or less.";
	char bytes[64];
	uint64_t seen[64];

	memcpy(bytes + 3, text, strlen(text)); /* alignment does not count */
	for (size_t n = 0; n <= strlen(text); n++) {
		seen[n] = intern_hash(text, n, 1);
		assert_true(seen[n] == intern_hash(bytes + 3, n, 1));
		assert_true(seen[n] != intern_hash(text, n, 2));
		for (size_t i = 0; i < n; i++) {
			assert_true(seen[i] != seen[n]);
			bytes[3 + i] ^= 1;
			assert_true(seen[n] != intern_hash(bytes + 3, n, 1));
			bytes[3 + i] ^= 1;
		}
	}
	assert_true(intern_hash("\0\0", 2, 0) != intern_hash("\0\0\0", 3, 0));
	assert_true(intern_hash(NULL, 0, 5) == intern_hash("", 0, 5));
}

TEST(hash_of_three_numbers_is_that_of_their_bytes)
{
	const uint64_t number[] = {0, 1, 0xff, UINT64_MAX, UINT64_C(0x123456789abcdef0)};
	const size_t count = sizeof(number) / sizeof(*number);

	for (size_t i = 0; i < count * count * count; i++) {
		const uint64_t three[] = {little_64(number[i % count]),
			little_64(number[i / count % count]), little_64(number[i / count / count])};
		const uint64_t begun = intern_begin_three(number[i % count], 7);

		assert_true(
			intern_end_three(begun, number[i / count % count],
				number[i / count / count]) == intern_hash(three, sizeof(three), 7));
	}
}

/* 2^16 short names in 2^16 places: by chance 1/e of the places, 24109, stay empty. */
TEST(hash_spreads_over_low_and_high_bits)
{
	enum { COUNT = 1 << 16 };
	static unsigned char low[COUNT], high[COUNT];
	int low_empty = 0, high_empty = 0;
	char name[16];

	for (unsigned int i = 0; i < COUNT; i++) {
		int n = snprintf(name, sizeof(name), "op_%u", i);
		uint64_t hash = intern_hash(name, (size_t)n, 0);

		low[hash & (COUNT - 1)] = 1;
		high[hash >> 48] = 1;
	}
	for (unsigned int i = 0; i < COUNT; i++) {
		low_empty += !low[i];
		high_empty += !high[i];
	}
	assert_in_range(low_empty, 23500, 24700);
	assert_in_range(high_empty, 23500, 24700);
}
