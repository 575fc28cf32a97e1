/* Splits of runs: all of them, or as many as asked for, never the observed one or its exchange. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "stats/tests.h"
#include "tests/unit/test.h"

enum { MOST = 400, RUNS = 20 };

/* Binomial coefficients less the observed one, by hand; equal sides: half of them. */
TEST(all_of_few)
{
	static const struct {
		size_t base, new, others;
	} cases[] = {{3, 3, 9}, {4, 4, 34}, {5, 5, 125}, {2, 3, 9}, {3, 2, 9}, {10, 3, 285},
		{3, 10, 285}, {1, 2, 2}, {2, 2, 2}, {1, 1, 0}};
	static bool row[MOST * RUNS];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(
			splits_fill(cases[i].base, cases[i].new, MOST, row), cases[i].others);
}

TEST(each_is_another)
{
	static bool row[MOST * RUNS];
	size_t n = splits_fill(5, 5, MOST, row);

	for (size_t i = 0; i < n; i++) {
		size_t moved = 0, of_new = 0;

		for (size_t r = 0; r < 10; r++) {
			of_new += row[10 * i + r];
			moved += row[10 * i + r] != (r >= 5);
		}
		assert_int_equal(of_new, 5);
		assert_true(moved > 0 && moved < 10);
		for (size_t k = 0; k < i; k++)
			assert_true(memcmp(&row[10 * i], &row[10 * k], 10) != 0);
	}
}

TEST(drawn_of_many)
{
	static bool row[200 * RUNS], again[200 * RUNS];

	assert_int_equal(splits_fill(10, 10, 200, row), 200);
	assert_int_equal(splits_fill(10, 10, 200, again), 200);
	assert_memory_equal(row, again, sizeof(row));
	for (size_t i = 0; i < 200; i++) {
		size_t of_new = 0, moved = 0;

		for (size_t r = 0; r < RUNS; r++) {
			of_new += row[RUNS * i + r];
			moved += row[RUNS * i + r] != (r >= 10);
		}
		assert_int_equal(of_new, 10);
		assert_true(moved > 0 && moved < RUNS);
	}
	assert_int_equal(splits_fill(2000, 1000, 3, (bool[3 * 3000]){false}), 3);
}

/* 2^(rounds - 1) - 1: every other choice of signs, without those of all signs turned. */
TEST(rounds_are_exchanged)
{
	static bool row[MOST * RUNS], again[MOST * RUNS];

	assert_int_equal(splits_fill_rounds(0, MOST, row), 0);
	assert_int_equal(splits_fill_rounds(1, MOST, row), 0);
	assert_int_equal(splits_fill_rounds(2, MOST, row), 1);
	assert_int_equal(splits_fill_rounds(3, MOST, row), 3);
	assert_int_equal(splits_fill_rounds(8, MOST, row), 127);
	for (size_t i = 0; i < 127; i++) {
		size_t exchanged = 0;

		for (size_t r = 0; r < 8; r++)
			exchanged += row[8 * i + r];
		assert_true(exchanged > 0 && !row[8 * i]);
		for (size_t k = 0; k < i; k++)
			assert_true(memcmp(&row[8 * i], &row[8 * k], 8) != 0);
	}
	assert_int_equal(splits_fill_rounds(RUNS, 200, row), 200);
	assert_int_equal(splits_fill_rounds(RUNS, 200, again), 200);
	assert_memory_equal(row, again, sizeof(row));
	for (size_t i = 0; i < 200; i++) {
		size_t exchanged = 0;

		for (size_t r = 0; r < RUNS; r++)
			exchanged += row[RUNS * i + r];
		assert_true(exchanged > 0 && !row[RUNS * i]);
	}
}

TESTS_BEGIN(gsl_set_error_handler_off());
