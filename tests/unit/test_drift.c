/* Trend and shift: against scipy (tests/ref/make_warnings.py), by hand where there is no noise, and
 * by simulation for how often noise alone is called a drift. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "stats/drift.h"
#include "tests/unit/test.h"

#define EXPECTED "tests/ref/warnings.csv"
#define SERIES "tests/ref/warnings_series.csv"

enum { ROOM = 400 };

TEST(as_scipy)
{
	static const char *const names[] = {"white", "short", "wander", "slope", "falls", "up",
		"down", "spikes", "grid", "ps", "walk", "few", "lasts", "lasting", "under", "over",
		"long walk"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		double x[ROOM], want[8];
		struct drift d;
		char name[32];

		snprintf(name, sizeof(name), "drift.%s", names[i]);
		assert_int_equal(ref_row(EXPECTED, name, want, 8), 5);
		drift_find(x, ref_row(SERIES, name, x, ROOM), &d);
		ref_near(name, d.slope_total, want[0], 1e-9);
		ref_near(name, d.trend_p, want[1], 1e-8);
		assert_int_equal(d.shift_at, (size_t)want[2]);
		ref_near(name, d.shift, want[3], 1e-10);
		ref_near(name, d.shift_p, want[4], 1e-8);
	}
}

/* Also of a series that is longer than the edges that are tried first. */
TEST(stretch_as_scipy)
{
	static const char *const names[] = {"back", "down", "none", "long"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		double x[ROOM], want[8];
		struct level_stretch s;
		char name[32];

		snprintf(name, sizeof(name), "stretch.%s", names[i]);
		assert_int_equal(ref_row(EXPECTED, name, want, 8), 3);
		stretch_find(x, ref_row(SERIES, name, x, ROOM), &s);
		assert_int_equal(s.from, (size_t)want[0]);
		assert_int_equal(s.to, (size_t)want[1]);
		ref_near(name, s.p, want[2], 1e-8);
	}
}

/* Three of ten: 2 x 10 of C(10, 3) choices look like it. Nine values have no answer, nor equal
 * ones. */
TEST(clean_stretch)
{
	const double x[] = {10, 10, 10, 10, 15, 15, 15, 10, 10, 10};
	const double equal[10] = {0};
	struct level_stretch s;

	stretch_find(x, 10, &s);
	assert_int_equal(s.from, 4);
	assert_int_equal(s.to, 7);
	ref_near("p", s.p, 20 / 120.0, 1e-12);
	stretch_find(x, 9, &s);
	assert_int_equal(s.from, 0);
	assert_true(isnan(s.p));
	stretch_find(equal, 10, &s);
	assert_int_equal(s.from, 0);
	assert_true(isnan(s.p));
}

/* Ten and five: the split explains everything, and 2 of C(10, 5) orders look like it. */
TEST(clean_step)
{
	const double x[] = {10, 10, 10, 10, 10, 15, 15, 15, 15, 15};
	const double late[] = {10, 10, 10, 10, 10, 10, 10, 15, 15, 15};
	struct drift d;

	drift_find(x, 10, &d);
	assert_int_equal(d.shift_at, 5);
	ref_near("shift", d.shift, 0.5, 1e-15);
	ref_near("p", d.shift_p, 2 / 252.0, 1e-12);
	drift_find(late, 10, &d);
	assert_int_equal(d.shift_at, 7);
	ref_near("p", d.shift_p, 2 / 120.0, 1e-12);
}

TEST(straight_line)
{
	double x[ROOM];
	struct drift d;

	for (size_t i = 0; i < 50; i++)
		x[i] = 100 + (double)i;
	drift_find(x, 50, &d);
	ref_near("slope", d.slope_total, 49 / 124.5, 1e-14);
	assert_true(d.trend_p < 1e-10);
	for (size_t i = 0; i < 50; i++)
		x[i] = 24.5 - (double)i;
	drift_find(x, 50, &d);
	assert_true(isnan(d.slope_total) && d.trend_p < 1e-10);
}

/* One or two wild values, wherever they are, are neither a shift nor a trend. */
TEST(spikes_are_no_shift)
{
	double x[ROOM];
	struct drift d;

	for (size_t n = 10; n <= ROOM; n += 19)
		for (size_t at = 0; at + 1 < n; at++)
			for (size_t i = 0; i < 4; i++) {
				for (size_t k = 0; k < n; k++)
					x[k] = 1000 + (i < 2 ? 0 : (double)(k * k * 7919 % 101));
				drift_find(x, n, &d);
				assert_true(!(d.shift_p < 0.05) && !(d.trend_p < 0.05));
				x[at] = 50000;
				x[at + 1] = i % 2 == 0 ? x[at + 1] : 50000;
				drift_find(x, n, &d);
				assert_true(!(d.shift_p < 0.01) && !(d.trend_p < 0.01));
			}
}

TEST(three_values_are_a_shift)
{
	double x[ROOM];
	struct drift d;

	for (size_t i = 0; i < ROOM; i++)
		x[i] = 1000 + (double)(i * i * 7919 % 101) + (i < 3 ? 900 : 0);
	drift_find(x, ROOM, &d);
	assert_int_equal(d.shift_at, 3);
	assert_true(d.shift_p < 0.01 && d.shift < -0.4 && d.shift > -0.5);
}

TEST(nothing_to_say)
{
	double x[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, zero[10] = {0};
	struct drift d;

	drift_find(x, 9, &d);
	assert_true(isnan(d.slope_total) && isnan(d.trend_p) && isnan(d.shift) && isnan(d.shift_p));
	assert_int_equal(d.shift_at, 0);
	drift_find(x, 0, &d);
	assert_true(isnan(d.slope_total) && isnan(d.shift_p));
	drift_find(x, 10, &d);
	assert_true(d.slope_total == 0 && isnan(d.trend_p) && d.shift == 0 && isnan(d.shift_p));
	drift_find(zero, 10, &d);
	assert_true(d.slope_total == 0 && isnan(d.trend_p) && d.shift_at == 0);
	zero[4] = zero[9] = 4;
	drift_find(zero, 10, &d);
	assert_true(d.shift_at == 0 && d.shift == 0 && isnan(d.shift_p) && d.trend_p > 0.05);
	zero[4] = 0;
	zero[7] = zero[8] = 4;
	drift_find(zero, 10, &d);
	assert_true(d.shift_at == 7 && isnan(d.shift));
}

/* Of 2 000 series 1 % is 20, with a standard deviation of 4.5; 1.5 % may be called. */
TEST(noise_is_no_drift)
{
	static const size_t sizes[] = {20, 50, 100};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (size_t i = 0; i < 6; i++) {
		const double phi = i < 3 ? 0 : 0.5;
		const size_t n = sizes[i % 3];
		int trends = 0, shifts = 0;

		for (int k = 0; k < 2000; k++) {
			double x[ROOM], e = gsl_ran_ugaussian(rng);
			struct drift d;

			for (size_t t = 0; t < n; t++) {
				x[t] = 100 + e;
				e = phi * e + sqrt(1 - phi * phi) * gsl_ran_ugaussian(rng);
			}
			drift_find(x, n, &d);
			trends += d.trend_p < 0.01;
			shifts += d.shift_p < 0.01;
		}
		assert_in_range(trends, 1, 39);
		assert_in_range(shifts, 0, 39);
	}
	gsl_rng_free(rng);
}

TESTS_BEGIN(gsl_set_error_handler_off());
