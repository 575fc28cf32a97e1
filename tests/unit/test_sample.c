/* One series: against exact values (tests/ref/make_stats.py), by hand where numbers are small, and
 * by simulation for what intervals and the warm-up rule promise. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "stats/moments.h"
#include "stats/runs.h"
#include "stats/sample.h"
#include "tests/unit/test.h"

enum { ROOM = 128, LONG = 20001 };

static const struct sample_options usual = {.confidence = 0.95};
static const struct sample_options wider = {.confidence = 0.99};
static const struct sample_options population = {.confidence = 0.95, .population = true};

static const char *const series[] = {
	"three",
	"five",
	"step_ps",
	"wander_ps",
	"near_1e15",
	"one_differs_1e15",
	"wide",
	"first_is_huge",
	"mostly_zero",
	"one_alone",
	"spike",
	"alternating",
	"fractions",
	"seven_odd",
	"six_levels",
	"eight_level_once",
	"ten_rising",
	"twenty",
	"twenty_one",
	"levels_last",
};

#define EACH(array) (size_t i = 0; i < sizeof(array) / sizeof((array)[0]); i++)

/* make_stats.py wrote no interval where there is none, and no CV where the mean is not above 0. */
static void check_described(const char *name, const double *x, size_t n)
{
	struct sample s, wide, all;

	sample_describe(x, n, &usual, &s);
	sample_describe(x, n, &wider, &wide);
	sample_describe(x, n, &population, &all);
	assert_int_equal(s.n, n);
	assert_false(s.constant);
	ref_near(name, s.sum, ref_expected(name, "sum"), 1.2e-16);
	ref_near(name, s.mean, ref_expected(name, "mean"), 1.2e-16);
	ref_near(name, s.sd, ref_expected(name, "sd"), 1e-15);
	ref_near(name, all.sd, ref_expected(name, "sd_population"), 1e-15);
	ref_near(name, s.cv, ref_expected(name, "cv"), 1e-15);
	ref_near(name, all.cv, ref_expected(name, "cv_population"), 1e-15);
	ref_near(name, s.median, ref_expected(name, "median"), 1.2e-16);
	ref_near(name, s.mad, ref_expected(name, "mad"), 1e-15);
	ref_near(name, s.lag1, ref_expected(name, "lag1"), 1e-14);
	ref_near(name, s.lag1_corrected, ref_expected(name, "lag1_corrected"), 1e-14);
	ref_near(name, s.n_eff, ref_expected(name, "n_eff"), 1e-14);
	ref_near(name, s.n_eff_low, ref_expected(name, "n_eff_low"), 1e-14);
	ref_near(name, s.se, ref_expected(name, "se"), 1e-14);
	ref_near(name, all.se, s.se, 0);
	assert_int_equal(s.two_levels, n >= 6 ? ref_expected(name, "two_levels") : 0);
	if (s.two_levels || s.n_eff < (n < 6 || n >= 50 ? 5 : n <= 20 ? 0 : (n - 20) / 6.0)) {
		assert_true(isnan(s.low) && isnan(s.high));
		return;
	}
	ref_near(name, s.low, ref_expected(name, "low0.95"), 1e-12);
	ref_near(name, s.high, ref_expected(name, "high0.95"), 1e-12);
	ref_near(name, wide.low, ref_expected(name, "low0.99"), 1e-12);
	ref_near(name, wide.high, ref_expected(name, "high0.99"), 1e-12);
	ref_near(name, all.low, s.low, 0);
	ref_near(name, all.high, s.high, 0);
}

static void check_named(const char *name, const double *x, size_t n)
{
	double q, p;

	ref_near(name, sample_quantile(x, n, 0.1), ref_expected(name, "q0.1"), 1e-14);
	ref_near(name, sample_quantile(x, n, 0.25), ref_expected(name, "q0.25"), 1e-14);
	ref_near(name, sample_quantile(x, n, 0.9), ref_expected(name, "q0.9"), 1e-14);
	ref_near(name, sample_trimmed_mean(x, n, 0.1), ref_expected(name, "trim0.1"), 1e-14);
	if (sample_quantile(x, n, 0) > 0)
		ref_near(name, sample_geometric_mean(x, n), ref_expected(name, "geomean"), 1e-14);
	else
		assert_true(isnan(sample_geometric_mean(x, n)));
	sample_ljung_box(x, n, 10, &q, &p);
	if (n <= 10) {
		assert_true(isnan(q) && isnan(p));
		return;
	}
	ref_near(name, q, ref_expected(name, "ljung_box_q"), 1e-13);
	ref_near(name, p, ref_expected(name, "ljung_box_p"), 1e-12);
}

TEST(series_give_exact_values)
{
	double x[ROOM];

	for
		EACH(series)
		{
			const size_t n = ref_series(series[i], x, ROOM);

			check_described(series[i], x, n);
			check_named(series[i], x, n);
		}
}

/* Sum beyond 2^64, values near 10^15. The rule is that of make_long() in make_stats.py. */
TEST(a_long_series_of_large_values)
{
	double *x = calloc(LONG, sizeof(*x));

	for (uint64_t i = 0; i < LONG; i++)
		x[i] = (double)(1000000000000000u - i * i * 7919 % 1000003);
	check_described("long", x, LONG);
	check_named("long", x, LONG);
	free(x);
}

static bool all_nan(const struct sample *s)
{
	return isnan(s->mean) && isnan(s->sd) && isnan(s->cv) && isnan(s->se) && isnan(s->min) &&
	       isnan(s->max) && isnan(s->median) && isnan(s->mad) && isnan(s->robust_cv) &&
	       isnan(s->lag1) && isnan(s->lag1_corrected) && isnan(s->n_eff) && isnan(s->low) &&
	       isnan(s->high);
}

TEST(no_value_is_not_defined)
{
	struct sample s;
	struct warmup w;
	double q = 0, p = 0;
	size_t index;

	sample_describe(NULL, 0, &usual, &s);
	assert_true(s.n == 0 && s.sum == 0 && !s.constant && all_nan(&s));
	assert_true(isnan(sample_quantile(NULL, 0, 0.5)));
	assert_true(isnan(sample_trimmed_mean(NULL, 0, 0.1)));
	assert_true(isnan(sample_geometric_mean(NULL, 0)));
	assert_true(isnan(sample_jitter_share(NULL, NULL, 0)));
	sample_ljung_box(NULL, 0, 10, &q, &p);
	assert_true(isnan(q) && isnan(p));
	assert_false(sample_worst(NULL, 0, &usual, &index, &q));
	assert_int_equal(sample_outliers(NULL, 0, &index), 0);
	assert_true(sample_resolution(NULL, 0) == 0);
	sample_warmup(NULL, 0, 1, &w);
	assert_true(w.state == WARMUP_NONE && w.drop == 0 && isnan(w.ratio));
}

TEST(one_value_has_no_spread)
{
	const double x = 42, zero = 0;
	struct sample s;

	sample_describe(&x, 1, &usual, &s);
	assert_true(s.mean == 42 && s.sum == 42 && s.min == 42 && s.max == 42 && s.median == 42);
	assert_true(!s.constant && isnan(s.sd) && isnan(s.cv) && isnan(s.se) && isnan(s.mad));
	assert_true(isnan(s.robust_cv) && isnan(s.lag1) && s.n_eff == 1 && isnan(s.low));
	sample_describe(&x, 1, &population, &s);
	assert_true(s.sd == 0 && s.cv == 0 && isnan(s.se));
	sample_describe(&zero, 1, &population, &s);
	assert_true(s.mean == 0 && s.cv == 0);
	assert_true(sample_quantile(&x, 1, 0.3) == 42 && sample_trimmed_mean(&x, 1, 0.4) == 42);
}

TEST(two_values)
{
	const double x[] = {1, 3};
	struct sample s;

	sample_describe(x, 2, &usual, &s);
	ref_near("sd", s.sd, sqrt(2), 1e-15);
	ref_near("se", s.se, 1, 1e-15);
	assert_true(s.median == 2 && s.mad == 1 && isnan(s.lag1) && s.n_eff == 2 && isnan(s.low));
}

/* 1/3 cannot be stored, 10^15 + 1 times 7 passes 2^52: sd must be 0 and not nearly 0. */
TEST(equal_values_have_no_spread_exactly)
{
	const double values[] = {0, 1, 0.1, 1.0 / 3, 1e15 + 1, 123456789, -5};
	double x[100], q, p, left;
	struct sample s;
	size_t index;

	for
		EACH(values)
		{
			for (size_t k = 0; k < 100; k++)
				x[k] = values[i];
			sample_describe(x, 7 + i, &usual, &s);
			assert_true(
				s.constant && s.sd == 0 && s.cv == 0 && s.se == 0 && s.mad == 0);
			assert_true(
				s.mean == values[i] && s.robust_cv == 0 && s.median == values[i]);
			assert_true(
				s.low == s.mean && s.high == s.mean && s.n_eff == (double)(7 + i));
			assert_true(isnan(s.lag1) && isnan(s.lag1_corrected));
			assert_true(sample_quantile(x, 100, 0.37) == values[i]);
			if (values[i] > 0)
				assert_true(sample_geometric_mean(x, 100) == values[i]);
			sample_ljung_box(x, 100, 10, &q, &p);
			assert_true(isnan(q) && isnan(p));
			assert_false(sample_worst(x, 100, &usual, &index, &left));
			assert_true(isnan(sample_jitter_share(x, x, 100)));
		}
	sample_describe(x, 4, &usual, &s);
	assert_true(isnan(s.low) && isnan(s.high));
}

TEST(a_mean_not_above_zero_has_no_cv)
{
	const double cancel[] = {-1, 1, -2, 2}, below[] = {-3, -4, -9};
	struct sample s;
	size_t index;
	double left;

	sample_describe(cancel, 4, &usual, &s);
	assert_true(s.mean == 0 && s.sd > 0 && isnan(s.cv) && isnan(s.robust_cv));
	sample_describe(below, 3, &usual, &s);
	assert_true(isnan(s.cv) && isnan(s.robust_cv) && s.mad == 1);
	assert_false(sample_worst(below, 3, &usual, &index, &left));
}

/* Negative values and zeros of both signs are in order, too. */
/* Ranks by exact sums of binomial coefficients (Python's fractions); 0: there is none. */
TEST(intervals_of_quantiles)
{
	static const struct {
		size_t n;
		double p;
		double low, high;
	} ranks[] = {{25, 0.5, 8, 18}, {10, 0.5, 2, 9}, {6, 0.5, 1, 6}, {5, 0.5, 0, 0},
		{80, 0.9, 66, 78}, {100, 0.9, 84, 96}, {80, 0.99, 77, 0}, {1000, 0.99, 983, 997},
		{1000, 0.5, 469, 532}};
	double x[1000], low, high;

	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
		for (size_t k = 0; k < ranks[i].n; k++)
			x[k] = (double)(ranks[i].n - k);
		sample_quantile_interval(x, ranks[i].n, ranks[i].p, 0.95, &low, &high);
		assert_true(ranks[i].low > 0 ? low == ranks[i].low : isnan(low));
		assert_true(ranks[i].high > 0 ? high == ranks[i].high : isnan(high));
	}
	sample_quantile_interval(x, 0, 0.5, 0.95, &low, &high);
	assert_true(isnan(low) && isnan(high));
	sample_quantile_interval(x, 1000, 1, 0.95, &low, &high);
	assert_true(isnan(low) && isnan(high));
}

TEST(quantiles_are_known_from_ten_values_beyond_them)
{
	assert_true(sample_quantile_is_known(20, 0.5) && !sample_quantile_is_known(19, 0.5));
	assert_true(sample_quantile_is_known(100, 0.9) && !sample_quantile_is_known(99, 0.9));
	assert_true(sample_quantile_is_known(100, 0.1) && !sample_quantile_is_known(99, 0.1));
	assert_true(sample_quantile_is_known(1000, 0.99) && !sample_quantile_is_known(999, 0.99));
	assert_true(
		sample_quantile_is_known(10000, 0.999) && !sample_quantile_is_known(9999, 0.999));
	assert_false(sample_quantile_is_known(10000, 1));
}

/* Two series of variance 1 move together from a correlation of 0.5 on, 1 of 2 x 0.5, and where the
 * variance of their sum is more than chance makes: 2 x 23.209 / 10 (qchisq(0.99, 10)). */
TEST(series_that_move_together)
{
	assert_true(sample_moves_together(3.001, 2, 2, 1000));
	assert_false(sample_moves_together(2.999, 2, 2, 1000));
	assert_true(sample_moves_together(4.642, 2, 2, 10));
	assert_false(sample_moves_together(4.641, 2, 2, 10));
	assert_false(sample_moves_together(100, 2, 2, 0));
}

TEST(quantiles_with_one_sort)
{
	static const double x[] = {3, -2, 0, -0.5, 1e300, -1e-300, 7, -40}, p[] = {0, 0.5, 1, 2};
	double out[4];

	sample_quantiles(x, 8, p, 4, out);
	assert_true(out[0] == -40 && out[2] == 1e300 && isnan(out[3]));
	assert_true(out[1] == -1e-300 / 2); /* between -1e-300 and 0 */
}

/* Integers are sorted as integers, others as doubles: with 0.5 in the place of 0 nothing else
 * moves. */
TEST(integers_have_the_order_of_doubles)
{
	const double wide[] = {3, -9007199254740992.0, 0, 9007199254740992.0, -7, -0.0, 1e300};
	double with_half[] = {3, -9007199254740992.0, 0.5, 9007199254740992.0, -7, -0.0, 1e300};

	assert_true(sample_quantile(wide, 6, 0) == -9007199254740992.0);
	assert_true(sample_quantile(wide, 6, 0.2) == -7);
	assert_true(sample_quantile(wide, 6, 0.4) == 0 && sample_quantile(wide, 6, 0.6) == 0);
	assert_true(sample_quantile(wide, 6, 0.8) == 3);
	assert_true(sample_quantile(wide, 6, 1) == 9007199254740992.0);
	assert_true(sample_quantile(wide, 7, 1) == 1e300);
	assert_true(sample_quantile(with_half, 6, 0.2) == -7);
	assert_true(sample_quantile(with_half, 6, 0.6) == 0.5);
	with_half[0] = INFINITY;
	assert_true(isinf(sample_quantile(with_half, 7, 1)));
}

TEST(quantiles_outside_are_not_defined)
{
	const double x[] = {4, 1, 3, 2};

	assert_true(sample_quantile(x, 4, 0) == 1 && sample_quantile(x, 4, 1) == 4);
	assert_true(sample_quantile(x, 4, 0.5) == 2.5);
	assert_true(isnan(sample_quantile(x, 4, -0.01)) && isnan(sample_quantile(x, 4, 1.01)));
	assert_true(isnan(sample_quantile(x, 4, NAN)));
	assert_true(sample_trimmed_mean(x, 4, 0) == 2.5 && sample_trimmed_mean(x, 4, 0.26) == 2.5);
	assert_true(isnan(sample_trimmed_mean(x, 4, 0.5)) && isnan(sample_trimmed_mean(x, 4, -1)));
}

TEST(the_worst_step)
{
	double x[ROOM], left;
	size_t index;

	for
		EACH(series)
		{
			const char *name = series[i];
			const size_t n = ref_series(name, x, ROOM);

			assert_true(sample_worst(x, n, &usual, &index, &left));
			assert_int_equal(index, ref_expected(name, "worst"));
			ref_near(name, left, ref_expected(name, "cv_without"), 1e-14);
			assert_true(sample_worst(x, n, &population, &index, &left));
			assert_int_equal(index, ref_expected(name, "worst_population"));
			ref_near(name, left, ref_expected(name, "cv_without_population"), 1e-14);
		}
	assert_false(sample_worst(x, 2, &usual, &index, &left));
}

TEST(jitter_shares_add_up)
{
	static const char *const parts[] = {"part_a", "part_b", "part_c"};
	double x[3][ROOM], total[ROOM] = {0}, sum = 0;
	size_t n = 0;

	for
		EACH(parts)
		{
			n = ref_series(parts[i], x[i], ROOM);
			for (size_t k = 0; k < n; k++)
				total[k] += x[i][k];
		}
	for
		EACH(parts)
		{
			const double share = sample_jitter_share(x[i], total, n);

			ref_near(parts[i], share, ref_expected(parts[i], "jitter_share"), 1e-13);
			sum += share;
		}
	ref_near("sum of shares", sum, 1, 1e-15);
	assert_true(sample_jitter_share(x[1], total, n) < 0);
	assert_true(isnan(sample_jitter_share(x[0], total, 4)));
}

/* SciPy: linregress(t, x), and HC3 by its formula in NumPy. */
static void check_slope(const double *x, const double *t, double slope, double se)
{
	double y[7], d[7], found[2];
	struct moments mx, mt;

	moments_compute(x, 7, &mx);
	moments_compute(t, 7, &mt);
	for (size_t i = 0; i < 7; i++) {
		y[i] = (double)moments_deviation(&mx, x[i]);
		d[i] = (double)moments_deviation(&mt, t[i]);
	}
	sample_slope(y, d, 7, 5, &found[0], &found[1]);
	ref_near("slope", found[0], slope, 1e-14);
	ref_near("se", found[1], se, 1e-13);
}

TEST(slopes_and_their_errors)
{
	/* A straight line alone: 0.0977. */
	check_slope((const double[]){3, 5, 4, 8, 2, 6, 7},
		(const double[]){13, 19, 13, 23, 14, 17, 23}, 0.44074074074074077,
		0.098715230168020834);
	/* One long step: 0.0442 alone; HC3 0.443, and lag-1 of 0.273 and 0.178. */
	check_slope((const double[]){2, 1, 2, 3, 2, 4, 25}, (const double[]){1, 2, 3, 4, 5, 6, 30},
		0.84248154981549817, 0.46517695529682185);
	/* Correlated steps: 0.137 without their lag-1 of 0.99 and 0.777. */
	check_slope((const double[]){1, 1.5, 2.5, 4, 4, 3.5, 3},
		(const double[]){1, 2, 3, 5, 6, 8, 8}, 0.32831325301204828, 0.37906287152942864);
}

static const struct {
	const char *name;
	double k, n, confidence;
} vangel[] = {
	{"vangel:0.031:100:0.95", 0.031, 100, 0.95},
	{"vangel:0.05:28.1:0.95", 0.05, 28.1, 0.95},
	{"vangel:0.3:5:0.95", 0.3, 5, 0.95},
	{"vangel:0.9:4:0.95", 0.9, 4, 0.95},
	{"vangel:1.2:6:0.95", 1.2, 6, 0.95},
	{"vangel:1.5:30:0.95", 1.5, 30, 0.95},
	{"vangel:3.0:30:0.95", 3, 30, 0.95},
	{"vangel:0.2:2:0.95", 0.2, 2, 0.95},
	{"vangel:0.1:10:0.99", 0.1, 10, 0.99},
	{"vangel:0.1:10:0.5", 0.1, 10, 0.5},
};

/* The rows with a large CV are unbounded above: infinity, never a number. */
TEST(cv_intervals_as_vangel)
{
	double low, high;

	for
		EACH(vangel)
		{
			const char *name = vangel[i].name;

			sample_cv_interval(
				vangel[i].k, vangel[i].n, vangel[i].confidence, &low, &high);
			ref_near(name, low, ref_expected(name, "low"), 1e-12);
			ref_near(name, high, ref_expected(name, "high"), 1e-12);
		}
	sample_cv_interval(0, 10, 0.95, &low, &high);
	assert_true(low == 0 && high == 0);
	sample_cv_interval(0.1, 1.9, 0.95, &low, &high);
	assert_true(isnan(low) && isnan(high));
	sample_cv_interval(NAN, 10, 0.95, &low, &high);
	assert_true(isnan(low) && isnan(high));
}

TEST(outliers_are_beyond_ten_scaled_mads)
{
	/* median 100, MAD 1: the fence is at 100 -+ 14.826 */
	const double x[] = {99, 100, 101, 114.9, 100, 99, 85.1, 101, 100, 114.8, 85.2};
	const double flat[] = {7, 7, 7, 7, 900};
	size_t out[11];

	assert_int_equal(sample_outliers(x, 11, out), 2);
	assert_true(out[0] == 3 && out[1] == 6);
	assert_int_equal(sample_outliers(flat, 5, out), 0);
}

TEST(resolution_is_the_common_divisor)
{
	const double us[] = {3000000, 0, 12000000, 1000000000}, one[] = {12, 18, 35};
	const double zero[] = {0, 0}, part[] = {4, 2.5}, large[] = {3e15, -2e15, 0x1p62};
	const double beyond[] = {1, 1e300}, none[] = {2, NAN};

	assert_true(sample_resolution(us, 4) == 1000000);
	assert_true(sample_resolution(one, 3) == 1);
	assert_true(sample_resolution(zero, 2) == 0);
	assert_true(sample_resolution(part, 2) == 0);
	assert_true(sample_resolution(large, 2) == 1e15 && sample_resolution(large, 3) == 0x1p15);
	assert_true(sample_resolution(beyond, 2) == 0 && sample_resolution(none, 2) == 0);
}

/* 1/sqrt(12) of the mean where one step of the grid is as large as the mean. */
TEST(floor_of_the_print_resolution)
{
	ref_near("1 us", sample_cv_floor(1e6, 1e6), 0.28867513459481288225, 1e-15);
	ref_near("10 us", sample_cv_floor(1e6, 1e7), 0.028867513459481288225, 1e-15);
	assert_true(isnan(sample_cv_floor(1, 0)) && sample_cv_floor(0, 5) == 0);
}

/* The second half: median 100, MAD 1, so that the limit is 105.93. */
#define STEADY 100, 101, 99, 100, 101, 99, 100, 102, 98, 100

TEST(warmup_cases)
{
	const struct {
		double x[20];
		enum warmup_state state;
		size_t drop;
		double ratio;
	} cases[] = {
		{{99, 101, 100, 103, 97, 100, 99, 105, 101, 100, STEADY}, WARMUP_NONE, 0, NAN},
		{{180, 125, 105, 100, 99, 100, 99, 105, 101, 100, STEADY}, WARMUP_FOUND, 2, 1.8},
		{{120, 121, 119, 120, 120, 122, 118, 120, 121, 120, STEADY}, WARMUP_FOUND, 10,
			1.22},
		{{3000, 100, 99, 101, 100, 100, 99, 105, 101, 100, STEADY}, WARMUP_FOUND, 1, 30},
		{{100, 3000, 99, 101, 100, 100, 99, 105, 101, 100, STEADY}, WARMUP_NONE, 0, NAN},
		{{150, 151, 149, 150, 150, 152, 148, 150, 151, 150, 150, 101, 99, 100, 101, 99, 100,
			 102, 98, 100},
			WARMUP_UNSTEADY, 0, NAN},
	};
	struct warmup w;

	for
		EACH(cases)
		{
			sample_warmup(cases[i].x, 20, 1, &w);
			assert_int_equal(w.state, cases[i].state);
			assert_int_equal(w.drop, cases[i].drop);
			assert_true(w.median == 100 && w.mad == 1);
			assert_true(w.ratio == cases[i].ratio || (isnan(w.ratio) && w.drop == 0));
		}
}

TEST(warmup_at_the_edges)
{
	const double five[] = {900, 1, 1, 1, 1}, six[] = {15, 10, 10, 10, 10, 10};
	const double odd[] = {90, 90, 90, 10, 10, 10, 10}, more[] = {90, 90, 90, 90, 10, 10, 10};
	struct warmup w;

	sample_warmup(five, 5, 1, &w);
	assert_true(w.state == WARMUP_NONE && isnan(w.median) && isnan(w.mad));
	/* MAD 0: the resolution 1 puts the limit at 15.93, the resolution 0.8 at 14.74 */
	sample_warmup(six, 6, 1, &w);
	assert_true(w.state == WARMUP_NONE && w.median == 10 && w.mad == 0);
	sample_warmup(six, 6, 0.8, &w);
	assert_true(w.state == WARMUP_FOUND && w.drop == 1 && w.ratio == 1.5);
	sample_warmup(odd, 7, 1, &w);
	assert_true(w.state == WARMUP_FOUND && w.drop == 3 && w.ratio == 9);
	sample_warmup(more, 7, 1, &w);
	assert_true(w.state == WARMUP_UNSTEADY && w.drop == 0 && isnan(w.ratio));
}

/* At most 1 % of flat series of 50 steps with an sd of 3 % lose a step. */
TEST(flat_series_keep_their_first_steps)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int dropped = 0;
	double x[50];
	struct warmup w;

	for (int r = 0; r < 4000; r++) {
		for
			EACH(x)
		x[i] = rint(1e9 * exp(0.03 * gsl_ran_ugaussian(rng)));
		sample_warmup(x, 50, 1, &w);
		dropped += w.state != WARMUP_NONE;
	}
	gsl_rng_free(rng);
	assert_true(dropped < 40);
}

/* The shares of intervals of AR(1) series with a standard deviation of 1 that are shown, and of
 * these that hold the mean. */
static void simulate_intervals(double correlation, size_t n, double *shown, double *covered)
{
	const int count = 4000;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int with = 0, held = 0;
	double x[50];
	struct sample s;

	for (int r = 0; r < count; r++) {
		double place = gsl_ran_ugaussian(rng);

		for (size_t i = 0; i < n; i++) {
			place = correlation * place +
				sqrt(1 - correlation * correlation) * gsl_ran_ugaussian(rng);
			x[i] = 100 + place;
		}
		sample_describe(x, n, &usual, &s);
		with += !isnan(s.low);
		held += s.low <= 100 && 100 <= s.high;
	}
	gsl_rng_free(rng);
	*shown = (double)with / count;
	*covered = (double)held / with;
}

/* From 6 to 20 values 0.93 to 0.97 of the intervals are to hold the mean up to a correlation of
 * 0.3, at 0.6 0.88 from 10 values and 0.85 from 6; an independent simulation (NumPy, 20 000 series
 * each) has 0.928 to 0.970, and 0.855 at least. Bounds: these, and three standard errors of these
 * 4000. */
TEST(intervals_cover_correlated_steps)
{
	static const struct {
		double correlation;
		size_t n;
		double shown, covered, most;
	} at[] = {
		{0, 6, 0.98, 0.955, 0.978},
		{0, 10, 0.99, 0.958, 0.978},
		{0, 20, 0.999, 0.955, 0.975},
		{0, 21, 0.999, 0.955, 0.975},
		{0.3, 6, 0.98, 0.915, 0.945},
		{0.3, 10, 0.98, 0.92, 0.95},
		{0.3, 20, 0.999, 0.925, 0.955},
		{0.3, 30, 0.99, 0.93, 0.96},
		{0.6, 6, 0.98, 0.838, 0.88},
		{0.6, 10, 0.98, 0.865, 0.91},
		{0.6, 20, 0.99, 0.875, 0.92},
		{0.6, 21, 0.99, 0.88, 0.93},
		{0.6, 35, 0.965, 0.905, 0.945},
		{0.6, 50, 0.965, 0.93, 0.96},
	};
	double shown, covered;

	for
		EACH(at)
		{
			simulate_intervals(at[i].correlation, at[i].n, &shown, &covered);
			assert_true(shown > at[i].shown && covered > at[i].covered &&
				    covered < at[i].most);
		}
}

/* Mean 565, half width 582: 565 exp(-+582/565), mpmath. */
TEST(intervals_of_positive_quantities_stay_above_zero)
{
	double low = -17, high = 1147;

	sample_positive_interval(565, &low, &high);
	ref_near("low", low, 201.69108316335492, 1e-13);
	ref_near("high", high, 1582.7422560939457, 1e-12);
	low = 0;
	high = 20;
	sample_positive_interval(10, &low, &high);
	assert_true(low == 0 && high == 20);
	low = -13; /* exp(2.3) is 9.97 */
	high = 33;
	sample_positive_interval(10, &low, &high);
	ref_near("high", high, 99.74182454814721, 1e-13);
	low = -13.1; /* exp(2.31) is 10.07 */
	high = 33.1;
	sample_positive_interval(10, &low, &high);
	assert_true(isnan(low) && isnan(high));
	low = -1;
	high = 1;
	sample_positive_interval(0, &low, &high);
	assert_true(isnan(low) && isnan(high));
}

/* Coverage 0.93 to 0.97 of a true CV of 10 %. */
TEST(cv_intervals_cover)
{
	static const size_t sizes[] = {5, 30, 100};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double x[100], low, high;
	struct sample s;

	for
		EACH(sizes)
		{
			int covered = 0;

			for (int r = 0; r < 3000; r++) {
				for (size_t k = 0; k < sizes[i]; k++)
					x[k] = 1 + 0.1 * gsl_ran_ugaussian(rng);
				sample_describe(x, sizes[i], &usual, &s);
				sample_cv_interval(s.cv, (double)sizes[i], 0.95, &low, &high);
				covered += low <= 0.1 && 0.1 <= high;
			}
			assert_in_range(covered, 2790, 2910);
		}
	gsl_rng_free(rng);
}

/* Described from its few values a series is what it is as a whole: a simulation, since both ways
 * are held to the exact values above. */
TEST(sparse_is_whole)
{
	enum { STEPS = 900 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double whole[STEPS], few[STEPS], total[STEPS], deviation[STEPS];
	size_t at[STEPS];

	for (int round = 0; round < 300; round++) {
		struct sparse s = {few, at, 0, STEPS - (size_t)(round % 7)};
		struct sample a, b;
		struct runs ra, rb;
		struct moments m;
		const size_t first[] = {0, 100, 100, s.n / 2, s.n};
		double rate = gsl_rng_uniform(rng) * 0.15, left_a = NAN, left_b = NAN;
		size_t worst_a = 0, worst_b = 0;

		for (size_t i = 0; i < s.n; i++) {
			whole[i] = 0;
			if (gsl_rng_uniform(rng) < rate || (round % 3 == 0 && i > 20 && i < 60))
				whole[i] =
					floor(gsl_rng_uniform(rng) * (round % 5 ? 1e6 : 3) - 0.5);
			total[i] = floor(whole[i] + 1e6 * gsl_rng_uniform(rng));
			if (whole[i] == 0 && i % 97) /* some values are 0 and are there */
				continue;
			few[s.k] = whole[i];
			at[s.k++] = i;
		}
		assert_true(sparse_enough(&s));
		sample_describe(whole, s.n, &usual, &a);
		sample_describe_sparse(&s, &usual, &b);
		assert_int_equal(a.n, b.n);
		assert_int_equal(a.constant, b.constant);
		for (size_t i = 0; i < 14; i++)
			ref_near("sparse", (&b.sum)[i], (&a.sum)[i], 1e-12);
		assert_int_equal(sample_worst(whole, s.n, &usual, &worst_a, &left_a),
			sample_worst_sparse(&s, &usual, &worst_b, &left_b));
		assert_int_equal(worst_a, worst_b);
		ref_near("sparse", left_b, left_a, 1e-12);
		moments_compute(total, s.n, &m);
		for (size_t i = 0; i < s.n; i++)
			deviation[i] = (double)moments_deviation(&m, total[i]);
		ref_near("sparse", sample_jitter_share_sparse(&s, deviation, m.squares),
			sample_jitter_share(whole, total, s.n), 1e-9);
		runs_describe(whole, first, 4, &usual, &ra);
		runs_describe_sparse(&s, first, 4, &usual, &rb);
		assert_int_equal(ra.runs, rb.runs);
		assert_int_equal(ra.steps_min, rb.steps_min);
		for (size_t i = 0; i < 5; i++)
			ref_near("sparse", (&rb.mean)[i], (&ra.mean)[i], 1e-12);
	}
	gsl_rng_free(rng);
}

TESTS_BEGIN(gsl_set_error_handler_off());
