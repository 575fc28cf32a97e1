/* The heap: zeroed blocks, checked products, and the handler when there is no memory left. */
#include "base/memory.h"
#include "tests/unit/test.h"

/* ASan would end the program where malloc returns NULL. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

struct escape {
	jmp_buf back;
	size_t size_bytes;
	int calls;
};

static struct escape escape; /* the handler has no argument for it */

static void escape_handler(size_t size_bytes)
{
	escape.size_bytes = size_bytes;
	escape.calls++;
	longjmp(escape.back, 1);
}

static int set_up(void **state)
{
	(void)state;
	memset(&escape, 0, sizeof(escape));
	memory_set_handler(escape_handler);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	memory_set_handler(NULL);
	return 0;
}

TEST(alloc_is_zeroed)
{
	for (int round = 0; round < 3; round++) {
		unsigned char *p = memory_alloc(1000);

		for (size_t i = 0; i < 1000; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, 1000);
		memory_free(p);
	}
}

TEST(size_zero_is_a_block)
{
	char *p = memory_alloc(0);

	assert_non_null(p);
	assert_int_equal(p[0], 0);
	p = memory_resize(p, 0);
	assert_non_null(p);
	p[0] = 'x';
	memory_free(p);
	memory_free(NULL);
}

TEST(resize_keeps_content)
{
	char *p = memory_resize(NULL, 4);

	memcpy(p, "abcd", 4);
	p = memory_resize(p, 100000);
	assert_memory_equal(p, "abcd", 4);
	p = memory_resize(p, 2);
	assert_memory_equal(p, "ab", 2);
	memory_free(p);
}

TEST(product)
{
	assert_int_equal(memory_product(0, 100), 0);
	assert_int_equal(memory_product(7, 6), 42);
	assert_true(memory_product(SIZE_MAX, 1) == SIZE_MAX);
}

TEST_WITH(product_overflow_calls_handler, set_up, tear_down)
{
	volatile size_t half = SIZE_MAX / 2 + 1;

	if (setjmp(escape.back) == 0)
		memory_product(half, 2);
	assert_int_equal(escape.calls, 1);
}

TEST(rooms_double)
{
	assert_int_equal(memory_next_room(0, 1), 16);
	assert_int_equal(memory_next_room(0, 100), 100);
	assert_int_equal(memory_next_room(16, 17), 32);
	assert_int_equal(memory_next_room(16, 33), 33);
}

TEST(make_room_keeps_items)
{
	size_t room = 0;
	int *item = NULL;

	for (int i = 0; i < 1000; i++) {
		item = memory_make_room(item, &room, (size_t)i + 1, sizeof(*item));
		assert_true(room > (size_t)i);
		item[i] = i;
	}
	assert_int_equal(room, 1024);
	assert_ptr_equal(memory_make_room(item, &room, 1024, sizeof(*item)), item);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(item[i], i);
	memory_free(item);
}

TEST(make_room_zeroes_what_is_new)
{
	size_t room = 0;
	unsigned char *item = memory_make_room_zeroed(NULL, &room, 3, 1);

	memset(item, 0xff, room);
	item = memory_make_room_zeroed(item, &room, 1000, 1);
	assert_int_equal(room, 1000);
	for (size_t i = 0; i < room; i++)
		assert_int_equal(item[i], i < 16 ? 0xff : 0);
	memory_free(item);
}

TEST(push_appends_zeroed_items)
{
	struct pair {
		int64_t a, b;
	} *item = NULL;
	size_t count = 0, room = 0;

	for (int64_t i = 0; i < 100; i++) {
		struct pair *p = memory_push(&item, &count, &room, sizeof(*p));

		assert_ptr_equal(p, &item[i]);
		assert_true(p->a == 0 && p->b == 0);
		*p = (struct pair){i, -i};
	}
	assert_int_equal(count, 100);
	count = 0; /* an item that is used again is zeroed again */
	assert_int_equal(((struct pair *)memory_push(&item, &count, &room, sizeof(*item)))->b, 0);
	assert_true(item[99].a == 99 && item[99].b == -99);
	memory_free(item);
}

TEST_WITH(room_overflow_calls_handler, set_up, tear_down)
{
	size_t room = SIZE_MAX / 2 + 1;
	volatile int calls = 0;

	if (setjmp(escape.back) == 0)
		memory_next_room(room, room + 1);
	calls = escape.calls;
	assert_int_equal(calls, 1);
	room = 0;
	if (setjmp(escape.back) == 0)
		memory_make_room(NULL, &room, SIZE_MAX / 8, 16);
	assert_int_equal(escape.calls, 2);
}

TEST_WITH(alloc_failure_calls_handler, set_up, tear_down)
{
	volatile size_t huge = SIZE_MAX / 2 - 100;

	if (setjmp(escape.back) == 0)
		memory_alloc(huge);
	assert_int_equal(escape.calls, 1);
	assert_true(escape.size_bytes == SIZE_MAX / 2 - 100);
}

TEST_WITH(resize_failure_keeps_old_block, set_up, tear_down)
{
	volatile size_t huge = SIZE_MAX / 2 - 100;
	char *p = memory_alloc(4);

	memcpy(p, "abc", 4);
	if (setjmp(escape.back) == 0)
		memory_resize(p, huge);
	assert_int_equal(escape.calls, 1);
	assert_string_equal(p, "abc");
	memory_free(p);
}
