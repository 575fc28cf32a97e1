/* Means of sessions, the variance of a prediction by them, and levels among them. Expected values
 * by plain arithmetic, in Python. */
#include <math.h>
#include "stats/levels.h"
#include "stats/sessions.h"
#include "tests/unit/test.h"

/* >>> from statistics import mean, variance
 * >>> s = [[1, 3], [4, 6, 8], [9]]; m = [mean(x) for x in s]             # 2, 6, 9
 * >>> mean(m), variance(m)                                  # 5.666666666666667, 12.333333333333334
 * >>> sum(sum((v - mean(x)) ** 2 for v in x) for x in s) / 3                 # 3.3333333333333335
 * >>> (1/2 + 1/3 + 1/1) / 3                                                  # 0.6111111111111112
 * >>> a, b = variance(m) * 4 / 3, 10 / 3 * 7 / 18; (a + b) ** 2 / (a * a / 2 + b * b / 3)  # 2.3181
 */
TEST(means)
{
	static const double value[] = {1, 4, 3, 6, NAN, 8, 9}, of_new[] = {7, 8, 9};
	static const size_t session[] = {0, 1, 0, 1, 3, 1, 2}, two[] = {0, 1, 1};
	const double ms = 12.333333333333334, msw = 3.3333333333333335, held = 11 / 18.0;
	const struct levels_data data = {7, value, NULL, NULL, session, NULL};
	struct levels base, new_side;
	struct levels_error error;

	levels_estimate(&data, NAN, &base);
	assert_int_equal(base.units[LEVEL_SESSION], 3);
	assert_float_equal(base.mean, 5.666666666666667, 1e-12);
	assert_float_equal(base.part[LEVEL_SESSION].square, ms, 1e-12);
	assert_float_equal(base.part[LEVEL_RUN].square, msw, 1e-12);
	assert_float_equal(base.holds[LEVEL_SESSION], 1 / 3.0, 1e-12);
	assert_float_equal(base.holds[LEVEL_RUN], held / 3, 1e-12);

	/* Three runs of one session: more than a session of base has. */
	levels_error(&base, &(struct levels_gate){1, 3, 1}, &error);
	assert_float_equal(error.variance, ms * (1 + 1 / 3.0), 1e-12);
	assert_float_equal(error.df, 2, 1e-12);

	/* One run: it varies more, by MSW (1 - 1/1.636...) */
	levels_error(&base, &(struct levels_gate){1, 1, 1}, &error);
	assert_float_equal(error.variance, ms * (1 + 1 / 3.0) + msw * (1 - held), 1e-12);
	assert_float_equal(error.df, 2.3181400267404, 1e-12);

	/* Two sessions of new, of 1 and 2 runs: harmonic mean 4/3. */
	levels_estimate(&(struct levels_data){3, of_new, NULL, NULL, two, NULL}, NAN, &new_side);
	assert_float_equal(new_side.mean, 7.75, 1e-12);
	assert_float_equal(
		new_side.holds[LEVEL_SESSION] / new_side.holds[LEVEL_RUN], 4 / 3.0, 1e-12);
	levels_error(&base, &(struct levels_gate){2, 4 / 3.0, 1}, &error);
	assert_float_equal(
		error.variance, ms * (1 / 2.0 + 1 / 3.0) + msw * (0.75 - held) / 2, 1e-12);
}

TEST(one_session_is_no_base)
{
	static const double value[] = {1, 2, 3};
	static const size_t one[] = {0, 0, 0};
	struct levels levels;
	struct levels_error error;

	levels_estimate(&(struct levels_data){3, value, NULL, NULL, one, NULL}, NAN, &levels);
	levels_error(&levels, &(struct levels_gate){1, 3, 1}, &error);
	assert_true(isnan(error.variance) && error.df == 0);
}

/* >>> from statistics import mean, stdev; y = [3, 1, 4, 1, 5, 9, 2, 6]; x = y + [20]
 * >>> (20 - mean(y)) / (stdev(y) * (1 + 1/8) ** .5)                          # 5.531555726
 * The tail of t with 7 degrees of freedom beyond it, integrated in 400 000 steps: p = 0.007891150.
 * >>> stdev(x) / stdev(y)                                                    # 2.167893815
 */
TEST(one_session_apart)
{
	double value[] = {3, 1, NAN, 4, 1, 5, 9, 2, 6, 20}, widens;
	size_t at = 0;

	assert_float_equal(session_apart(value, 10, &at, &widens), 0.007891150, 1e-6);
	assert_int_equal(at, 9);
	assert_float_equal(widens, 2.167893815, 1e-8);
	value[9] = 3;
	assert_true(session_apart(value, 10, &at, &widens) > 0.05);
	/* Others without a spread have no measure of what is far. */
	for (size_t i = 0; i < 10; i++)
		value[i] = i == 9;
	assert_true(session_apart(value, 10, &at, &widens) == 1);
	/* Three sessions are too few, whatever they are; of four one may be apart. */
	value[0] = 0, value[1] = 1, value[2] = 100, value[3] = 2;
	assert_true(session_apart(value, 3, &at, &widens) == 1);
	assert_true(session_apart(value, 4, &at, &widens) < 1e-3);
}

/* Row 1 has the session apart of one_session_apart(), whose gap is 20 - 3.875 and whose p is
 * doubled: 0.0158 is not sure among two rows, and with 24 in place of 20 it is, at p 0.0028 (by the
 * same integral 0.0014). Row 2 has five sessions about 10 above the seven others. */
TEST(findings_of_rows)
{
	double value[3 * 12] = {[24] = 1, 11, 2, 3, 12, 13, 1.5, 2.5, 11.5, 2, 12.5, 3};
	static const double apart[] = {3, 1, NAN, 4, 1, 5, 9, 2, 6, 20, NAN, NAN};
	struct session_findings found;

	for (size_t s = 0; s < 12; s++) {
		value[s] = NAN;
		value[12 + s] = apart[s];
	}
	session_findings_make(value, 2, 12, &found);
	assert_false(found.is_apart || found.has_groups);
	value[12 + 9] = 24;
	session_findings_make(value, 3, 12, &found);
	assert_true(found.is_apart);
	assert_int_equal(found.apart_row, 1);
	assert_int_equal(found.apart, 9);
	assert_float_equal(found.apart_by, 20.125, 1e-12);
	assert_true(found.has_groups);
	assert_int_equal(found.groups_row, 2);
	assert_int_equal(found.upper, 5);
	assert_int_equal(found.valued, 12);
	assert_float_equal(found.groups_by, 12 - 15.0 / 7, 1e-12);
	/* Of two rows with groups the one where they lie farther apart. */
	for (size_t s = 0; s < 12; s++)
		value[s] = value[24 + s] + (value[24 + s] > 5 ? 10 : 0);
	session_findings_make(value, 3, 12, &found);
	assert_int_equal(found.groups_row, 0);
	for (size_t s = 0; s < 12; s++)
		value[s] = value[24 + s] + (value[24 + s] > 5 ? -1 : 0);
	session_findings_make(value, 3, 12, &found);
	assert_int_equal(found.groups_row, 2);
}

/* Ten sessions of spread 1, and as many 5 higher; in the second row nothing happens. */
TEST(levels)
{
	double value[40], p;
	size_t row = 9;

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
TEST(levels_with_gaps)
{
	double value[20 * 20], p;
	size_t row = 9;

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
