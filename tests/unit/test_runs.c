/* Several runs: against exact values (tests/ref/make_stats.py), and the cases where a spread is not
 * defined or exactly 0. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "stats/runs.h"
#include "tests/unit/test.h"

enum { ROOM = 256, MOST_RUNS = 8 };

static const struct sample_options usual = {.confidence = 0.95};
static const struct sample_options population = {.confidence = 0.95, .population = true};

/* Series NAME.0, NAME.1 ... one after the other. */
static void read_runs(const char *name, size_t runs, double *x, size_t *first)
{
	size_t n = 0;

	for (size_t r = 0; r < runs; r++) {
		char series[64];

		snprintf(series, sizeof(series), "%s.%zu", name, r);
		first[r] = n;
		n += ref_series(series, x + n, ROOM - n);
	}
	first[runs] = n;
}

static void check_runs(const char *name, size_t runs, size_t filled, size_t least, size_t most)
{
	double x[ROOM];
	size_t first[MOST_RUNS + 1];
	struct runs s, all;

	read_runs(name, runs, x, first);
	runs_describe(x, first, runs, &usual, &s);
	runs_describe(x, first, runs, &population, &all);
	assert_int_equal(s.runs, filled);
	assert_true(s.steps_min == least && s.steps_max == most);
	ref_near(name, s.mean, ref_expected(name, "mean"), 1.2e-16);
	ref_near(name, s.cv_step, ref_expected(name, "cv_step"), 1e-15);
	ref_near(name, s.cv_run, ref_expected(name, "cv_run"), 1e-15);
	ref_near(name, all.cv_step, ref_expected(name, "cv_step_population"), 1e-15);
	ref_near(name, all.cv_run, ref_expected(name, "cv_run_population"), 1e-15);
	ref_near(name, s.low, ref_expected(name, "low"), 1e-12);
	ref_near(name, s.high, ref_expected(name, "high"), 1e-12);
	assert_true(all.low == s.low && all.high == s.high && all.mean == s.mean);
	ref_near(name, s.pooled.sum, ref_expected(name, "sum"), 1.2e-16);
	ref_near(name, s.pooled.median, ref_expected(name, "median"), 0);
	assert_int_equal(s.pooled.n, ref_expected(name, "n"));
}

TEST(runs_give_exact_values)
{
	check_runs("runs_even", 5, 5, 25, 25);
	check_runs("runs_uneven", 4, 3, 1, 9); /* the second run is empty */
	check_runs("runs_far", 3, 3, 10, 10);
	check_runs("runs_two", 2, 2, 3, 3);
}

static void same(double a, double b)
{
	assert_true(a == b || (isnan(a) && isnan(b)));
}

TEST(one_run_is_the_sample)
{
	double x[ROOM];
	const size_t n = ref_series("wander_ps", x, ROOM), lengths[] = {n, 4, 1};

	for (size_t i = 0; i < 3; i++) {
		const size_t first[] = {0, 0, lengths[i], lengths[i]};
		struct runs r;
		struct sample s;

		sample_describe(x, lengths[i], &usual, &s);
		runs_describe(x, first, 3, &usual, &r); /* an empty run before and after */
		assert_true(r.runs == 1 && r.steps_min == lengths[i] && r.steps_max == lengths[i]);
		assert_true(r.mean == s.mean && r.pooled.sum == s.sum && r.pooled.min == s.min &&
			    r.pooled.max == s.max);
		same(r.cv_step, s.cv);
		same(r.low, s.low);
		same(r.high, s.high);
		assert_true(isnan(r.cv_run));
	}
}

TEST(no_runs_and_empty_runs)
{
	const size_t first[] = {0, 0, 0};
	const double x = 0;
	struct runs r;

	runs_describe(NULL, NULL, 0, &usual, &r);
	assert_true(r.runs == 0 && r.pooled.sum == 0 && isnan(r.mean) && isnan(r.low) &&
		    isnan(r.cv_run));
	runs_describe(&x, first, 2, &usual, &r);
	assert_true(r.runs == 0 && r.steps_min == 0 && r.steps_max == 0 && isnan(r.mean));
	assert_true(isnan(r.cv_step) && isnan(r.cv_run) && isnan(r.pooled.min) && r.pooled.n == 0);
}

/* 0.1 and a mean of 12/7 cannot be stored; equal runs must still differ by exactly 0. */
TEST(equal_run_means_have_no_spread)
{
	const double flat[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, zero[7] = {0};
	const double turned[] = {3, 1, 1, 2, 1, 3, 1, 2, 1, 1, 1, 3, 3, 1};
	const size_t first[] = {0, 3, 7}, halves[] = {0, 7, 14};
	struct runs r;

	runs_describe(flat, first, 2, &usual, &r);
	assert_true(
		r.mean == 0.1 && r.cv_step == 0 && r.cv_run == 0 && r.low == 0.1 && r.high == 0.1);
	runs_describe(zero, first, 2, &usual, &r);
	assert_true(r.mean == 0 && r.cv_step == 0 && r.cv_run == 0 && r.low == 0 && r.high == 0);
	runs_describe(turned, halves, 2, &usual, &r);
	assert_true(r.cv_step > 0 && r.cv_run == 0 && r.low == r.mean && r.high == r.mean);
}

TEST(single_values_have_no_step_cv)
{
	const double x[] = {10, 12, 14};
	const size_t first[] = {0, 1, 2, 3};
	struct runs r;

	runs_describe(x, first, 3, &usual, &r);
	assert_true(r.mean == 12 && isnan(r.cv_step) && r.steps_max == 1);
	ref_near("cv_run", r.cv_run, 2.0 / 12, 1e-15);
	ref_near("low", r.low, 12 - 4.3026527297494639 * 2 / sqrt(3), 1e-12); /* R: qt(.975, 2) */
}

/* Pooling steps would make the long run count four times. */
TEST(runs_weigh_alike)
{
	const double x[] = {10, 20, 20, 20, 20};
	const size_t first[] = {0, 1, 5};
	struct runs r;

	runs_describe(x, first, 2, &usual, &r);
	assert_true(r.mean == 15 && r.pooled.mean == 18 && r.cv_step == 0);
	ref_near("cv_run", r.cv_run, sqrt(50) / 15, 1e-15);
}

/* Values before first[0] belong to somebody else. */
TEST(runs_may_begin_later)
{
	const double x[] = {999, 1, 2, 5, 6};
	const size_t first[] = {1, 3, 5};
	struct runs r;

	runs_describe(x, first, 2, &usual, &r);
	assert_true(r.mean == 3.5 && r.pooled.max == 6 && r.pooled.sum == 14 && r.pooled.n == 4);
}

TESTS_BEGIN(gsl_set_error_handler_off());
