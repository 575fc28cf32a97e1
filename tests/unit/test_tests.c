/* t tests, Fieller's ratio, the sign test's interval and one run a side: R's answers for textbook
 * data and for the planted set, and by hand where numbers are small. */
#include "tests/ref/values.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include "stats/sample.h"
#include "stats/tests.h"
#include "tests/unit/test.h"

#define REFERENCE "tests/data/stats/reference.csv"
#define NESTED "tests/data/stats/nested/"

/* Student 1908: hours of sleep gained, by patient. */
static const double drug1[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2};
static const double drug2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
static const double json_old[] = {1726, 1723, 1707, 1707, 1713, 1729, 1736, 1707, 1705, 1774};
static const double json_new[] = {1423, 1416, 1411, 1413, 1412, 1426, 1422, 1424, 1447, 1425};

static double reference(const char *set, const char *procedure, const char *quantity)
{
	char start[256];

	snprintf(start, sizeof(start), "\"%s\",\"%s\",\"%s\",\"", set, procedure, quantity);
	return ref_column(REFERENCE, start, 0);
}

static void check_sleep(const char *procedure, const struct t_test *t)
{
	ref_near(procedure, t->t, reference("sleep", procedure, "t"), 1e-13);
	ref_near(procedure, t->df, reference("sleep", procedure, "df"), 1e-13);
	ref_near(procedure, t->p, reference("sleep", procedure, "p"), 1e-12);
	ref_near(procedure, t->low, reference("sleep", procedure, "ci_lo"), 1e-12);
	ref_near(procedure, t->high, reference("sleep", procedure, "ci_hi"), 1e-12);
}

/* The reference has drug 1 minus drug 2. */
TEST(students_sleep)
{
	struct t_test t;

	test_welch(drug2, 10, drug1, 10, 0.95, &t);
	check_sleep("welch t (two-sided)", &t);
	test_paired(drug2, drug1, 10, 0.95, &t);
	check_sleep("paired t", &t);
}

static void check_t(const char *name, const struct t_test *t)
{
	double want[8];

	assert_int_equal(ref_row(REF_COMPARE, name, want, 8), 7);
	ref_near(name, t->diff, want[0], 1e-13);
	ref_near(name, t->se, want[1], 1e-13);
	ref_near(name, t->df, want[2], 1e-13);
	ref_near(name, t->t, want[3], 1e-13);
	ref_near(name, t->p, want[4], 1e-12);
	ref_near(name, t->low, want[5], 1e-12);
	ref_near(name, t->high, want[6], 1e-12);
}

TEST(sides_of_different_size)
{
	double a[8], b[8];
	const size_t n = ref_row(REF_COMPARE_SERIES, "t.a", a, 8);
	const size_t m = ref_row(REF_COMPARE_SERIES, "t.b", b, 8);
	struct t_test t;

	test_welch(a, n, b, m, 0.9, &t);
	check_t("t.welch.0.9", &t);
	test_welch(a, n, b, m, 0.99, &t);
	check_t("t.welch.0.99", &t);
}

static void check_planted(size_t runs, const char *expected)
{
	for (int op = 1; op <= 120; op++) {
		double all[10], want[16];
		struct t_test t;
		char name[16];

		snprintf(name, sizeof(name), "op%03d", op);
		assert_int_equal(ref_row(NESTED "run_logs.csv", name, all, 10), 10);
		assert_int_equal(ref_row(expected, name, want, 16), 14);
		test_welch(all, runs, all + 5, runs, 0.95, &t);
		ref_near(name, t.diff, want[1], 1e-10);
		ref_near(name, t.p, want[3], 1e-10);
	}
}

TEST(runs_of_the_planted_set)
{
	check_planted(3, NESTED "expected_ops_3runs.csv");
	check_planted(5, NESTED "expected_ops_5runs.csv");
}

TEST(undefined_tests)
{
	const double same[] = {2, 2}, more[] = {3, 3}, one[] = {7};
	struct t_test t;

	test_welch(same, 2, more, 2, 0.95, &t);
	assert_true(t.diff == 1 && t.se == 0 && isnan(t.t) && isnan(t.p));
	assert_true(t.low == 1 && t.high == 1);
	test_paired(same, more, 2, 0.95, &t);
	assert_true(t.diff == 1 && t.se == 0 && isnan(t.p) && t.low == 1);
	test_welch(same, 2, one, 1, 0.95, &t);
	assert_true(t.diff == 5 && isnan(t.se) && isnan(t.p) && isnan(t.low));
	test_welch(same, 2, one, 0, 0.95, &t);
	assert_true(isnan(t.diff));
	test_paired(one, same, 1, 0.95, &t);
	assert_true(t.diff == -5 && isnan(t.se));
	test_paired(one, same, 0, 0.95, &t);
	assert_true(isnan(t.diff));
}

TEST(ratio_of_means)
{
	const char *const set = "benchstat json (ties)";
	const char *const procedure = "Fieller ratio of means new/old 95%";
	const double wild[] = {-1, 2, 0.5};
	struct t_test t;
	struct ratio r;
	double base[10], new[10];

	test_fieller(json_old, 10, json_new, 10, 0.95, 1, &r);
	assert_false(r.unbounded);
	ref_near(procedure, r.value, reference(set, procedure, "ratio"), 1e-13);
	ref_near(procedure, r.low, reference(set, procedure, "ci_lo"), 1e-12);
	ref_near(procedure, r.high, reference(set, procedure, "ci_hi"), 1e-12);
	for (int i = 0; i < 10; i++) {
		base[i] = log(json_old[i]);
		new[i] = log(json_new[i]);
	}
	test_welch(base, 10, new, 10, 0.95, &t);
	ref_near("df", t.df, reference(set, "Welch on logs: ratio new/old", "df"), 1e-11);
	ref_near("p", t.p, reference(set, "Welch on logs: ratio new/old", "p"), 1e-10);
	ref_near("low", exp(t.low), reference(set, "Welch on logs: ratio new/old", "ci_lo"), 1e-12);
	ref_near("high", exp(t.high), reference(set, "Welch on logs: ratio new/old", "ci_hi"),
		1e-12);
	test_fieller(wild, 3, json_new, 10, 0.95, 1, &r);
	assert_true(r.unbounded && isinf(r.low) && isinf(r.high) && r.low < r.high);
	test_fieller(wild, 1, json_new, 10, 0.95, 1, &r);
	assert_true(isnan(r.value) && isnan(r.low) && !r.unbounded);
}

TEST(variance_of_the_steps_of_a_run)
{
	const double x[] = {2, 3, 2.5, 2.2, 2.9, 2.4, 2.6}, zero[] = {1, 0, 2};
	const struct sample_options opt = {.confidence = 0.95};
	double logs[7];
	struct sample s;

	for (int i = 0; i < 7; i++)
		logs[i] = log(x[i]);
	sample_describe(logs, 7, &opt, &s);
	ref_near("steps", test_step_variance(x, 7), s.sd * s.sd / s.n_eff, 1e-14);
	assert_true(isnan(test_step_variance(x, 1)) && isnan(test_step_variance(zero, 3)));
}

TESTS_BEGIN(gsl_set_error_handler_off());
