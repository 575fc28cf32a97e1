/* Means of sessions, the variance of a prediction by them, and levels among them. Expected values
 * by plain arithmetic, in Python. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "stats/sessions.h"

/* >>> from statistics import mean, variance
 * >>> s = [[1, 3], [4, 6, 8], [9]]; m = [mean(x) for x in s]             # 2, 6, 9
 * >>> mean(m), variance(m)                                  # 5.666666666666667, 12.333333333333334
 * >>> sum(sum((v - mean(x)) ** 2 for v in x) for x in s) / 3                 # 3.3333333333333335
 * >>> 3 / (1/2 + 1/3 + 1/1)                                                  # 1.6363636363636365
 */
static void means(void **state)
{
	static const double value[] = {1, 4, 3, 6, NAN, 8, 9};
	static const uint32_t session[] = {0, 1, 0, 1, 3, 1, 2};
	static const double of_new[] = {7, 8, 9};
	static const uint32_t one[] = {0, 0, 0}, two[] = {0, 1, 1};
	struct session_means base, new_side;
	double variance, df;

	(void)state;
	session_means_compute(value, session, 7, 4, &base);
	assert_int_equal(base.sessions, 3);
	assert_float_equal(base.mean, 5.666666666666667, 1e-12);
	assert_float_equal(base.ms_between, 12.333333333333334, 1e-12);
	assert_float_equal(base.ms_within, 3.3333333333333335, 1e-12);
	assert_float_equal(base.runs, 1.6363636363636365, 1e-12);

	/* Three runs of one session: more than a session of base has. */
	session_means_compute(of_new, one, 3, 1, &new_side);
	assert_float_equal(new_side.mean, 8, 1e-12);
	assert_true(session_variance(&base, &new_side, &variance, &df));
	assert_float_equal(variance, 12.333333333333334 * (1 + 1 / 3.0), 1e-12);
	assert_true(df == 2);

	/* One run: it varies more, by MSW (1 - 1/1.636...) */
	session_means_compute(of_new, one, 1, 1, &new_side);
	assert_true(session_variance(&base, &new_side, &variance, &df));
	assert_float_equal(variance,
		12.333333333333334 * (1 + 1 / 3.0) + 3.3333333333333335 * (1 - 11 / 18.0), 1e-12);

	/* Two sessions of new, of 1 and 2 runs: harmonic mean 4/3. */
	session_means_compute(of_new, two, 3, 2, &new_side);
	assert_float_equal(new_side.mean, 7.75, 1e-12);
	assert_true(session_variance(&base, &new_side, &variance, &df));
	assert_float_equal(variance,
		12.333333333333334 * (1 / 2.0 + 1 / 3.0) +
			3.3333333333333335 * (0.75 - 11 / 18.0) / 2,
		1e-12);
}

static void one_session_is_no_base(void **state)
{
	static const double value[] = {1, 2, 3};
	static const uint32_t one[] = {0, 0, 0};
	struct session_means means;
	double variance, df;

	(void)state;
	session_means_compute(value, one, 3, 1, &means);
	assert_false(session_variance(&means, &means, &variance, &df));
}

/* Ten sessions of spread 1, and as many 5 higher; in the second row nothing happens. */
static void levels(void **state)
{
	double value[40], p;
	size_t row = 9;

	(void)state;
	for (size_t s = 0; s < 20; s++) {
		value[s] = (double)(s * 7 % 5) / 2;
		value[20 + s] = (double)(s * 3 % 7) + (s >= 10 ? 8 : 0);
	}
	assert_int_equal(session_level(value, 1, 20, &row, &p), 0);
	assert_true(p > 0.05);
	assert_int_equal(session_level(value, 2, 20, &row, &p), 10);
	assert_int_equal(row, 1);
	assert_true(p <= SESSION_LEVEL_P);
	/* In six sessions no order is rare enough: 2 of 20 are as far. */
	for (size_t s = 0; s < 6; s++)
		value[s] = s < 3 ? (double)s / 100 : 5 + (double)s / 100;
	assert_int_equal(session_level(value, 1, 6, &row, &p), 0);
	assert_in_range(1000 * p, 60, 140);
	/* Levels of two sessions are none. */
	for (size_t s = 0; s < 20; s++)
		value[s] = (s < 18 ? 0 : 90) + (double)(s * 7 % 5) / 2;
	assert_int_not_equal(session_level(value, 1, 20, &row, &p), 18);
}

/* Nights 1 to 11 of one level and 12 to 20 of one 8 higher; night 3 has no value. The row is judged
 * by the other nights, and rows of six values do not hide it. */
static void levels_with_gaps(void **state)
{
	double value[20 * 20], p;
	size_t row = 9;

	(void)state;
	for (size_t s = 0; s < 20; s++)
		value[s] = (double)(s * 3 % 7) + (s >= 11 ? 8 : 0);
	value[2] = NAN;
	assert_int_equal(session_level(value, 1, 20, &row, &p), 11);
	assert_int_equal(row, 0);
	assert_true(p <= SESSION_LEVEL_P);
	for (size_t i = 20; i < 400; i++)
		value[i] = i % 20 % 3 == i / 20 % 3 ? (double)(i * 7919 % 101) : NAN;
	assert_int_equal(session_level(value, 20, 20, &row, &p), 11);
	assert_int_equal(row, 0);
	/* No value, and values in fewer sessions than two levels need. */
	for (size_t s = 0; s < 20; s++)
		value[s] = s % 4 ? NAN : (double)(s > 8);
	assert_int_equal(session_level(value, 1, 20, &row, &p), 0);
	assert_true(p == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means),
		cmocka_unit_test(one_session_is_no_base),
		cmocka_unit_test(levels),
		cmocka_unit_test(levels_with_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
