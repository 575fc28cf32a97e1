/* The arena: alignment, zeroes, big and small objects, reset, and the order of deferred calls. */
#include <stdbool.h>
#include "base/arena.h"
#include "tests/unit/test.h"

static bool all_zero(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

TEST(objects_are_aligned_zeroed_and_apart)
{
	/* Around the limits of chunks: 8 KB first, a quarter of it is a big object. */
	static const size_t sizes[] = {0, 1, 15, 16, 17, 100, 2047, 2048, 2049, 8191, 8192, 8193,
		100000, 3000000, 1, 16, 5000};
	enum { COUNT = sizeof(sizes) / sizeof(sizes[0]) };
	unsigned char *objects[COUNT];
	struct arena *arena = arena_new();

	for (size_t i = 0; i < COUNT; i++) {
		objects[i] = arena_alloc(arena, sizes[i]);
		assert_non_null(objects[i]);
		assert_int_equal((uintptr_t)objects[i] % 16, 0);
		assert_true(all_zero(objects[i], sizes[i]));
		memset(objects[i], (int)i + 1, sizes[i]);
	}
	for (size_t i = 0; i < COUNT; i++)
		for (size_t j = 0; j < sizes[i]; j++)
			if (objects[i][j] != i + 1)
				fail_msg("object %zu was overwritten at %zu", i, j);
	arena_free(arena);
}

TEST(many_small_objects)
{
	enum { COUNT = 100000 };
	struct arena *arena = arena_new();
	size_t **objects = arena_array(arena, COUNT, sizeof(*objects));

	for (size_t i = 0; i < COUNT; i++) {
		objects[i] = arena_alloc(arena, sizeof(size_t));
		assert_int_equal(*objects[i], 0);
		*objects[i] = i;
	}
	for (size_t i = 0; i < COUNT; i++)
		if (*objects[i] != i)
			fail_msg("object %zu was overwritten", i);
	arena_free(arena);
}

TEST(strings)
{
	struct arena *arena = arena_new();

	assert_string_equal(arena_strdup(arena, ""), "");
	assert_string_equal(arena_strdup(arena, "Conv2D"), "Conv2D");
	assert_string_equal(arena_strndup(arena, "Conv2D", 4), "Conv");
	assert_memory_equal(arena_strndup(arena, "a\0b", 3), "a\0b", 4);
	assert_string_equal(arena_strndup(arena, NULL, 0), "");
	assert_string_equal(arena_printf(arena, "%s:%d", "file", 17), "file:17");
	assert_string_equal(arena_printf(arena, "%s", ""), "");
	char *wide = arena_printf(arena, "%5000d|", 1);

	assert_int_equal(strlen(wide), 5001);
	assert_int_equal(wide[4999], '1');
	arena_free(arena);
}

struct trail {
	char letters[8];
	size_t count;
};

struct note {
	struct trail *trail;
	char letter;
};

static void leave_letter(void *object)
{
	const struct note *note = object;

	note->trail->letters[note->trail->count++] = note->letter;
}

TEST(deferred_calls_run_last_first)
{
	struct trail trail = {"", 0};
	struct arena *arena = arena_new();

	for (char c = 'a'; c <= 'c'; c++) {
		struct note *note = arena_alloc(arena, sizeof(*note)); /* still there when called */

		note->trail = &trail;
		note->letter = c;
		arena_defer(arena, leave_letter, note);
	}
	assert_int_equal(trail.count, 0);
	arena_free(arena);
	assert_string_equal(trail.letters, "cba");
}

TEST(reset_runs_deferred_once_and_gives_zeroes)
{
	struct trail trail = {"", 0};
	struct note note = {&trail, 'x'};
	struct arena *arena = arena_new();

	arena_defer(arena, leave_letter, &note);
	memset(arena_alloc(arena, 1000), 0xff, 1000);
	memset(arena_alloc(arena, 500000), 0xff, 500000);
	arena_reset(arena);
	assert_string_equal(trail.letters, "x");
	assert_true(all_zero(arena_alloc(arena, 1000), 1000));
	assert_true(all_zero(arena_alloc(arena, 5000000), 5000000));
	arena_reset(arena);
	arena_reset(arena);
	arena_free(arena);
	assert_string_equal(trail.letters, "x");
}

TEST(size_counts_what_is_taken)
{
	struct arena *arena = arena_new();
	size_t before = arena_size_bytes(arena);

	arena_alloc(arena, 1000000);
	assert_true(arena_size_bytes(arena) >= before + 1000000);
	assert_true(arena_size_bytes(arena) <= before + 1010000);
	for (int i = 0; i < 1000; i++)
		arena_alloc(arena, 1 << 14);
	arena_reset(arena);
	/* What is kept is one chunk, at most 1 MB and its header. */
	assert_true(arena_size_bytes(arena) <= before + (1 << 20) + 64);
	arena_free(arena);
}

TEST(freeing_nothing)
{
	arena_free(NULL);
	arena_free(arena_new());
	struct arena *arena = arena_new();

	arena_reset(arena);
	arena_free(arena);
}

TEST(make_room_doubles)
{
	struct arena *arena = arena_new();
	size_t room = 0;
	int *item = NULL;

	for (int i = 0; i < 100; i++) {
		item = arena_make_room(arena, item, (size_t)i, &room, sizeof(*item));
		item[i] = i;
	}
	assert_int_equal(room, 128);
	for (int i = 0; i < 100; i++)
		assert_int_equal(item[i], i);

	/* An array of somebody else is copied, not written to. */
	int given[2] = {7, 8}, *own;

	room = 0;
	own = arena_make_room(arena, given, 2, &room, sizeof(*own));
	assert_ptr_not_equal(own, given);
	assert_true(room == 4 && own[0] == 7 && own[1] == 8);
	arena_free(arena);
}
