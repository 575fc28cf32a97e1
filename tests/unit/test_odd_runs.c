/* Runs that lie apart and runs that are exchanged: against NumPy and SciPy, which leave each run
 * out and try each exchange (tests/ref/make_odd_runs.py); what the grid of the times hides, by
 * hand. */
#include "tests/ref/values.h"

#include "stats/odd_runs.h"
#include "tests/unit/test.h"

#define EXPECTED "tests/ref/odd_runs.csv"

enum { ROOM = 200, ROWS = 12 };

static const double no_floor[ROWS];

static const char *line_name(char *out, const char *name, const char *of)
{
	snprintf(out, 64, "%s.%s", name, of);
	return out;
}

static void check(const char *name, bool apart, bool exchanged)
{
	double x[ROOM], run[8], pair[3];
	char line[64];
	struct odd_runs_data data;
	struct odd_run one;
	struct odd_pair two;

	ref_row(EXPECTED, line_name(line, name, "x"), x, ROOM);
	assert_int_equal(ref_row(EXPECTED, line_name(line, name, "run"), run, 8), 8);
	assert_int_equal(ref_row(EXPECTED, line_name(line, name, "pair"), pair, 3), 3);
	data = (struct odd_runs_data){x, no_floor, (size_t)run[0], (size_t)run[1], (size_t)run[2]};

	odd_run_find(&data, &one);
	assert_int_equal(one.run, run[3]);
	ref_near(name, one.shift, run[4], 1e-10);
	ref_near(name, one.t, run[5], 1e-10);
	assert_int_equal(one.df, run[6]);
	ref_near(name, one.p, run[7], 1e-9);
	assert_int_equal(one.is_apart, apart);

	odd_pair_find(&data, &two);
	assert_int_equal(two.is_exchanged, exchanged);
	if (data.runs_base < 3)
		return;
	ref_near(name, two.p, pair[2], 1e-9);
	if (two.p == 1)
		return;
	assert_int_equal(two.base, pair[0]);
	assert_int_equal(two.new, pair[1]);
}

TEST(as_by_leaving_out)
{
	check("none", false, false);
	check("one_row", false, false);
	check("apart", true, false);
	check("of_new", true, false);
	check("exchanged", false, true);
}

/* base: {., +0.3 of two runs}: two runs have no other to be compared with. */
TEST(sides_of_two_have_none)
{
	check("two_of_base", false, false);
}

/* ln of 10, 10, 10, 10, 11: one step of a clock of 1. Of 2 and 3 such steps only the latter are
 * far: t = ln(1.3) / sqrt(0.1^2/12 * 5/4) = 8.1 with 7 degrees of freedom. */
TEST(one_step_of_the_clock_is_no_run_apart)
{
	const double floor = 0.01 / 12;
	double x[10] = {0};
	struct odd_run one;
	struct odd_pair two;

	for (int steps = 1; steps <= 3; steps += 2) {
		const struct odd_runs_data data = {x, &floor, 1, 5, 5};

		x[3] = log1p(0.1 * steps);
		odd_run_find(&data, &one);
		assert_int_equal(one.run, 3);
		ref_near("t", one.t, x[3] / sqrt(floor * 1.25), 1e-10);
		assert_int_equal(one.is_apart, steps == 3);
		odd_pair_find(&data, &two);
		assert_false(two.is_exchanged);
	}
}

/* Eight times the p of the fourth run, the deletion residual of SciPy: 0.021 and 0.019. */
TEST(apart_below_a_fiftieth)
{
	static const double far[] = {6.349479903337618, 6.491438348924384};

	for (int i = 0; i < 2; i++) {
		const double x[] = {-1, 0.5, 1, far[i], -1, 0.5, 1, -0.5};
		const struct odd_runs_data data = {x, no_floor, 1, 4, 4};
		struct odd_run one;

		odd_run_find(&data, &one);
		assert_int_equal(one.run, 3);
		ref_near("p", one.p, i ? 0.019 : 0.021, 1e-9);
		assert_int_equal(one.is_apart, i);
	}
}

/* All alike: nothing to find, and nothing divided by 0. */
TEST(equal_values_say_nothing)
{
	const double x[20] = {0};
	const struct odd_runs_data data = {x, no_floor, 2, 5, 5};
	struct odd_run one;
	struct odd_pair two;

	odd_run_find(&data, &one);
	odd_pair_find(&data, &two);
	assert_true(one.p == 1 && !one.is_apart);
	assert_true(two.p == 1 && !two.is_exchanged);
}
