/* Two-valued series: against all splits tried by numpy (tests/ref/make_warnings.py), by hand for
 * values on a grid, and by simulation for how often one group is called two. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "stats/modes.h"
#include "tests/unit/test.h"

#define EXPECTED "tests/ref/warnings.csv"
#define SERIES "tests/ref/warnings_series.csv"

enum { ROOM = 200 };

static void check(const char *name, bool two)
{
	double x[ROOM], want[8];
	struct modes m;

	assert_int_equal(ref_row(EXPECTED, name, want, 8), 5);
	modes_find(x, ref_row(SERIES, name, x, ROOM), want[0], &m);
	ref_near(name, m.low, want[1], 1e-13);
	ref_near(name, m.high, want[2], 1e-13);
	ref_near(name, m.share_high, want[3], 1e-15);
	ref_near(name, m.separation, want[4], 1e-10);
	assert_int_equal(m.two, two);
}

TEST(as_all_splits)
{
	check("modes.normal", false);
	check("modes.exponential", false);
	check("modes.half", true);
	check("modes.tenth", true);
	check("modes.few", true);
	check("modes.grid", true);
}

/* count values of low, the others of high. */
static struct modes two_values(size_t n, size_t count, double low, double high, double resolution)
{
	double x[ROOM];
	struct modes m;

	for (size_t i = 0; i < n; i++)
		x[i] = i < count ? low : high;
	modes_find(x, n, resolution, &m);
	return m;
}

TEST(neighbours_on_a_grid_are_one)
{
	struct modes m = two_values(40, 30, 1, 2, 1);

	assert_false(m.two);
	assert_true(m.low == 1 && m.high == 2 && m.share_high == 0.25);
	ref_near("D", m.separation, sqrt(12), 1e-15);
	assert_false(two_values(40, 30, 1, 3, 1).two);
	m = two_values(40, 30, 1, 4, 1);
	assert_true(m.two);
	ref_near("D", m.separation, 3 * sqrt(12), 1e-15);
	assert_true(two_values(40, 30, 1, 2, 0).two);
	assert_true(isinf(two_values(40, 30, 1, 2, 0).separation));
}

/* 18 values of -1 and 1 and 18 as far apart: D = d / sqrt(18 / 17), and two from 4 + 9 / sqrt(36)
 * = 5.5 on. */
TEST(two_from_the_threshold_on)
{
	static const double apart[] = {5.6, 5.7}; /* D = 5.442, 5.539 */

	for (int i = 0; i < 2; i++) {
		double x[36];
		struct modes m;

		for (size_t t = 0; t < 36; t++)
			x[t] = (t % 2 ? 1 : -1) + (t < 18 ? 0 : apart[i]);
		modes_find(x, 36, 0, &m);
		ref_near("D", m.separation, apart[i] / sqrt(18 / 17.0), 1e-12);
		assert_int_equal(m.two, i);
	}
}

TEST(small_groups_are_outliers)
{
	assert_false(two_values(30, 26, 1, 100, 0).two);
	assert_true(isnan(two_values(30, 26, 1, 100, 0).low));
	assert_true(two_values(30, 25, 1, 100, 0).two);
	assert_true(two_values(30, 5, 1, 100, 0).two);
	assert_false(two_values(30, 4, 1, 100, 0).two);
	assert_false(two_values(101, 91, 1, 100, 0).two);
	assert_true(two_values(101, 90, 1, 100, 0).two);
}

TEST(nothing_to_say)
{
	struct modes m = two_values(9, 4, 1, 100, 0);

	assert_true(!m.two && isnan(m.low) && isnan(m.high) && isnan(m.share_high));
	m = two_values(20, 20, 5, 0, 0);
	assert_true(!m.two && isnan(m.low) && isnan(m.separation));
	m = two_values(0, 0, 0, 0, 0);
	assert_true(!m.two && isnan(m.separation));
	assert_true(two_values(10, 5, 1, 100, 0).two);
}

static double draw(gsl_rng *rng, int kind)
{
	switch (kind) {
	case 0:
		return gsl_ran_ugaussian(rng);
	case 1:
		return gsl_rng_uniform(rng);
	case 2:
		return gsl_ran_exponential(rng, 1);
	default:
		return gsl_ran_lognormal(rng, 0, 0.5);
	}
}

/* Of 2 000 samples 1 % is 20; 0.7 % and fewer are expected, and 31 would be four sds above that. */
TEST(one_group_is_one)
{
	static const size_t sizes[] = {10, 20, 50, 200};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (int i = 0; i < 16; i++) {
		const size_t n = sizes[i / 4];
		int called = 0;

		for (int k = 0; k < 2000; k++) {
			double x[ROOM];
			struct modes m;

			for (size_t t = 0; t < n; t++)
				x[t] = draw(rng, i % 4);
			modes_find(x, n, 0, &m);
			called += m.two;
		}
		assert_in_range(called, 0, 30);
	}
	gsl_rng_free(rng);
}

TEST(few_values_on_both_sides_of_a_gap)
{
	const double six[] = {100, 102, 101, 108.9, 110.9, 109.9},
		     near[] = {100, 102, 101, 108, 110, 109};
	const double once[] = {100, 102, 101, 101, 101, 150},
		     ran[] = {0, 0, 0, 0, 100, 101, 102, 101};
	const double grid[] = {2, 2, 2, 3, 3, 3, 2, 3}, exact[] = {2, 2, 2, 5, 5, 5, 2, 5};

	/* Squares 2 and 2 over 4 degrees of freedom: sd 1; gaps of 6.9 and 7.1 beside 7. */
	assert_false(modes_apart(six, 6, 0));
	assert_false(modes_apart(near, 6, 0));
	assert_true(modes_apart((const double[]){100, 102, 101, 109.1, 111.1, 110.1}, 6, 0));
	assert_false(modes_apart(once, 6, 0));
	assert_false(modes_apart(ran, 8, 0));
	assert_false(modes_apart(grid, 8, 1));
	assert_true(modes_apart(grid, 8, 0));
	assert_true(modes_apart(exact, 8, 1));
	assert_false(modes_apart((const double[]){1, 1, 100, 100, 100}, 5, 0));
}

TESTS_BEGIN(gsl_set_error_handler_off());
