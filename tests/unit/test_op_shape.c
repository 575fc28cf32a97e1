/* Shapes of outputs as text: order, gaps, what is not known, and two sources together. */
#include "model/op_shape.h"
#include "tests/unit/test.h"

static const int64_t dims[] = {32, -1, 128, 0, INT64_MAX};

static struct op_output at(int64_t index, size_t first, size_t count)
{
	return (struct op_output){index, true, dims + first, count};
}

static void check(struct op_output *output, size_t count, const char *expected)
{
	struct text text;

	text_init(&text);
	text_add(&text, "left from before");
	assert_string_equal(op_shape_text(output, count, &text), expected);
	text_release(&text);
}

TEST(dimensions)
{
	struct op_output one[] = {at(0, 0, 3)};
	struct op_output two[] = {at(0, 2, 1), at(1, 3, 2)};
	struct op_output scalar[] = {at(0, 0, 0)};

	check(one, 1, "[32,?,128]");
	check(two, 2, "[128][0,9223372036854775807]");
	check(scalar, 1, "[1]");
	check(one, 0, "");
}

TEST(order_and_gaps)
{
	struct op_output turned[] = {at(3, 0, 1), at(-1, 0, 1), at(1, 2, 1)};
	struct op_output twice[] = {at(0, 0, 1), at(0, 2, 1), {.index = 1}};
	struct op_output unknown[] = {{.index = 0}, {.index = 1}};

	check(turned, 3, "?[128]?[32]");
	check(twice, 3, "[128]?");
	check(unknown, 2, "");
}

TEST(what_is_too_long_is_not_known)
{
	struct op_output far[] = {at(0, 0, 1), at(INT64_MAX, 0, 1)};
	struct op_output many[OP_SHAPE_MOST + 1];
	int64_t ones[OP_SHAPE_MOST];

	check(far, 2, "");
	for (size_t i = 0; i <= OP_SHAPE_MOST; i++)
		many[i] = at((int64_t)i, 0, 0);
	check(many, OP_SHAPE_MOST + 1, "");
	check(many, OP_SHAPE_MOST / 2, ""); /* three characters each */
	for (size_t i = 0; i < OP_SHAPE_MOST; i++)
		ones[i] = 1;
	/* brackets and 511 of "1," less a comma are 1023; one more is 1025 */
	many[0] = (struct op_output){0, true, ones, 511};
	struct text text;

	text_init(&text);
	assert_int_equal(strlen(op_shape_text(many, 1, &text)), 1023);
	text_release(&text);
	many[0].dim_count = 512;
	check(many, 1, "");
	many[0].dim_count = OP_SHAPE_MOST;
	check(many, 1, "");
}

TEST(two_sources)
{
	const char *a = "[1]";
	char same[] = "[1]";

	assert_ptr_equal(op_shape_join(a, ""), a);
	assert_ptr_equal(op_shape_join(a, NULL), a);
	assert_ptr_equal(op_shape_join("", a), a);
	assert_ptr_equal(op_shape_join(NULL, a), a);
	assert_ptr_equal(op_shape_join(a, same), a);
	assert_string_equal(op_shape_join(NULL, NULL), "");
	assert_ptr_equal(op_shape_join(a, "[2]"), op_shape_differs);
	assert_ptr_equal(op_shape_join(op_shape_differs, a), op_shape_differs);
	assert_ptr_equal(op_shape_join(a, op_shape_differs), op_shape_differs);
	assert_string_equal(op_shape_differs, "");
}
