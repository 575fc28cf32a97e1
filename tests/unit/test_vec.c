/* The growing array: growth, zeroed items, the cap and its words. */
#include "base/memory.h"
#include "tests/unit/test.h"

struct item {
	char text[24];
	int number;
};

TEST(grows_and_keeps)
{
	struct vec v;
	struct error err = {.kind = ERROR_NONE};

	vec_init(&v, sizeof(struct item), 100000, "items");
	assert_int_equal(v.count, 0);
	for (int i = 0; i < 10000; i++) {
		struct item *item = vec_push(&v, &err);

		assert_non_null(item);
		assert_int_equal(item->number, 0);
		memset(item, 0xff, sizeof(*item));
		item->number = i;
	}
	assert_int_equal(v.count, 10000);
	for (size_t i = 0; i < v.count; i++)
		assert_int_equal(((struct item *)vec_at(&v, i))->number, i);
	assert_int_equal(((struct item *)v.data)[9999].number, 9999);
	assert_int_equal(err.kind, ERROR_NONE);
	vec_release(&v);
	assert_null(v.data);
	assert_int_equal(v.count, 0);
	vec_release(&v);
}

TEST(cap_is_an_error_with_the_option)
{
	struct vec v;
	struct error err = {.kind = ERROR_NONE};

	vec_init(&v, sizeof(int), 20, "ops (max-ops)");
	for (int i = 0; i < 20; i++)
		*(int *)vec_push(&v, &err) = i;
	assert_int_equal(err.kind, ERROR_NONE);
	assert_null(vec_push(&v, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(err.place, "");
	assert_string_equal(err.message, "more than 20 ops (max-ops)");
	assert_int_equal(v.count, 20);
	assert_int_equal(*(int *)vec_at(&v, 19), 19);
	vec_release(&v);
}

TEST(cap_of_zero_and_of_one)
{
	struct vec v;
	struct error err = {.kind = ERROR_NONE};

	vec_init(&v, 1, 0, "things");
	assert_null(vec_push(&v, &err));
	assert_string_equal(err.message, "more than 0 things");
	vec_init(&v, 1, 1, "things");
	assert_non_null(vec_push(&v, &err));
	assert_null(vec_push(&v, &err));
	vec_release(&v);
}

TEST(clear_keeps_room_and_new_items_are_zero)
{
	struct vec v;
	struct error err;

	vec_init(&v, sizeof(int), SIZE_MAX, "numbers");
	for (int i = 0; i < 100; i++)
		*(int *)vec_push(&v, &err) = -1;
	const void *data = v.data;

	vec_clear(&v);
	assert_int_equal(v.count, 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(*(int *)vec_push(&v, &err), 0);
	assert_ptr_equal(v.data, data);
	vec_release(&v);
}
