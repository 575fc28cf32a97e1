/* When equal values say that two runs are one: bounds by hand. */
#include "analysis/steps.h"
#include "tests/unit/test.h"

TEST(three_moves_or_ten_ops)
{
	assert_true(run_print_tells(3, 0) && run_print_tells(0, 10));
	assert_false(run_print_tells(2, 9));
}

/* A first value of 100 ticks of the clock tells something, a move any value that changed. */
TEST(values_that_tell)
{
	const int64_t before = 500, absent = CELL_ABSENT;
	struct run_print print = run_print_new(4, 10);

	run_print_add(&print, 0, 0, 999, NULL);
	assert_int_equal(print.telling, 0);
	run_print_add(&print, 1, 0, 1000, NULL);
	assert_int_equal(print.telling, 1);
	run_print_add(&print, 1, 1, 500, &before);
	run_print_add(&print, 1, 1, 500, &absent);
	run_print_add(&print, 1, 1, CELL_ABSENT, &before);
	assert_int_equal(print.moves, 0);
	run_print_add(&print, 1, 2, 501, &before);
	assert_int_equal(print.moves, 1);
	print = run_print_new(4, 0);
	run_print_add(&print, 0, 0, 1000000, NULL);
	assert_int_equal(print.telling, 0);
}

/* A sum over ops, steps and values in any order. */
TEST(prints_are_equal_in_any_order)
{
	struct run_print a = run_print_new(2, 1), b = a, c = a;

	run_print_add(&a, 0, 0, 10, NULL);
	run_print_add(&a, 1, 1, 20, NULL);
	run_print_add(&b, 1, 1, 20, NULL);
	run_print_add(&b, 0, 0, 10, NULL);
	run_print_add(&c, 0, 1, 10, NULL);
	run_print_add(&c, 1, 0, 20, NULL);
	assert_true(run_print_equal(&a, &b));
	assert_false(run_print_equal(&a, &c));
	b.steps++;
	assert_false(run_print_equal(&a, &b));
}
