/* The always-valid interval: its factor against the mixture of noncentral t densities, integrated
 * by scipy; the fence by hand; by simulation how often sessions that are looked at after each pair
 * make a false claim, and how many pairs a claim takes. */
#include "tests/ref/values.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include "base/order.h"
#include "stats/sequential.h"
#include "tests/unit/test.h"

/* t at which the integral of nct(t; n-1, d sqrt(n)) N(d; 0, 1) over d is 1/alpha times t(t; n-1).
 */
TEST(as_integrated)
{
	static const struct {
		size_t n;
		double alpha, t;
	} want[] = {{5, 0.05, 8.453187188}, {6, 0.05, 5.449819717}, {8, 0.05, 4.250893489},
		{12, 0.05, 3.683993908}, {30, 0.05, 3.346589087}, {100, 0.05, 3.346778099},
		{8, 0.01, 6.416446726}, {20, 0.025, 3.758580682}};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		ref_near("factor", sequential_factor(want[i].n, want[i].alpha), want[i].t, 1e-8);
	/* No t reaches 20 with 4 values, 100 with 5. */
	assert_true(isinf(sequential_factor(1, 0.05)));
	assert_true(isinf(sequential_factor(4, 0.05)));
	assert_true(isinf(sequential_factor(5, 0.01)));
}

TEST(far_value)
{
	/* Median 0.0215, MAD 0.003: the fence is 8 x 1.4826 x 0.003 x 1.25 = 0.04448 from it. */
	const double x[] = {0.5, 0.021, 0.018, 0.025, 0.017, 0.022, 0.019, 0.024, 0.016, 0.023};
	struct sequential s;
	bool far[20];
	double y[20];

	sequential_describe(x, 10, 0.05, &s, far);
	assert_int_equal(s.n, 9);
	assert_int_equal(s.far_off, 1);
	assert_true(far[0] && !far[1]);
	ref_near("mean", s.mean, 0.185 / 9, 1e-14);
	ref_near("sd", s.sd, sqrt(8.2222222222e-5 / 8), 1e-9);
	for (size_t i = 0; i < 2; i++) {
		memcpy(y, x, sizeof(x));
		y[0] = 0.0215 + (i ? 0.0446 : 0.0444);
		sequential_describe(y, 10, 0.05, &s, NULL);
		assert_int_equal(s.far_off, i);
	}
	/* Not of nine values; two of twenty, but not three: all count then. */
	sequential_describe(x, 9, 0.05, &s, far);
	assert_int_equal(s.far_off, 0);
	assert_false(far[0]);
	for (size_t i = 0; i < 20; i++)
		y[i] = x[i % 10];
	sequential_describe(y, 20, 0.05, &s, NULL);
	assert_int_equal(s.far_off, 2);
	y[5] = -0.5;
	sequential_describe(y, 20, 0.05, &s, NULL);
	assert_int_equal(s.far_off, 0);
	assert_true(s.low < -0.1 && s.high > 0.1);
	sequential_describe(x, 0, 0.05, &s, NULL);
	assert_true(isnan(s.mean) && isinf(s.low));
}

/* Half of the values are one: the median deviation is 0, which tells nothing of the others. */
TEST(equal_values)
{
	const double x[] = {0, 0, 0, 0, 0, 0.01, -0.01, 0.02};
	const double same[] = {0.5, 0.5, 0.5, 0.5, 0.5};
	struct sequential s;

	sequential_describe(x, 8, 0.05, &s, NULL);
	assert_int_equal(s.far_off, 0);
	sequential_describe(same, 5, 0.05, &s, NULL);
	ref_near("low", s.low, 0.5, 0);
	ref_near("high", s.high, 0.5, 0);
	sequential_describe(same, 4, 0.05, &s, NULL);
	assert_true(isinf(s.high));
}

TEST(needed)
{
	size_t n = sequential_needed(0.01, 0.01, 0.05, 1000);

	/* The first n with factor/sqrt(n) < 1: 12 has 3.684/3.464, 13 3.612/3.606, 14 3.553/3.742.
	 */
	assert_int_equal(n, 14);
	assert_int_equal(sequential_needed(0.01, 0.0001, 0.05, 1000), 0);
	assert_int_equal(sequential_needed(0.01, 0, 0.05, 1000), 0);
	assert_int_equal(sequential_needed(0, 0.01, 0.05, 1000), 5);
}

enum { PAIRS = 40, RUNS = 2 * PAIRS, SESSIONS = 1000 };

#define SD 0.01

enum world {
	INDEPENDENT,
	DRIFT,
	MODES,
	STICKY_MODES,
	SHIFT,
	T3,
	T2,
	SKEWED,
	DISTURBED,
	AR_5,
	AR_9,
	WORLDS
};

/* Logarithms of the runs of a session in the order of time, without a difference. */
static void draw_runs(gsl_rng *rng, enum world world, double *run)
{
	const size_t shift = 4 + gsl_rng_uniform_int(rng, RUNS - 8);
	const double phi = world == AR_5 ? 0.5 : world == AR_9 ? 0.9 : 0;
	double ar = gsl_ran_gaussian(rng, 1);
	bool mode = gsl_rng_uniform_int(rng, 2);

	for (size_t i = 0; i < RUNS; i++) {
		double e = gsl_ran_gaussian(rng, 1);

		ar = i ? phi * ar + sqrt(1 - phi * phi) * e : ar;
		mode ^= gsl_rng_uniform(rng) < (world == MODES ? 0.5 : 0.1);
		if (world == T3 || world == T2)
			e = gsl_ran_tdist(rng, world == T3 ? 3 : 2);
		else if (world == SKEWED)
			e = gsl_ran_lognormal(rng, 0, 1);
		else if (world == AR_5 || world == AR_9)
			e = ar;
		run[i] = SD / sqrt(2) * e;
		run[i] += world == DRIFT ? 0.1 * (double)i / RUNS : 0;
		run[i] += (world == MODES || world == STICKY_MODES) && mode ? 0.05 : 0;
		run[i] += world == SHIFT && i >= shift ? 0.05 : 0;
		if (world == DISTURBED && gsl_rng_uniform(rng) < 0.025)
			run[i] += log(gsl_ran_flat(rng, 1.3, 2));
	}
}

TEST(no_false_claims)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (enum world world = 0; world < WORLDS; world++) {
		size_t claims = 0;

		for (size_t session = 0; session < SESSIONS; session++) {
			double run[RUNS], x[PAIRS];
			bool claimed = false;

			draw_runs(rng, world, run);
			for (size_t i = 0; i < PAIRS && !claimed; i++) {
				const bool first = gsl_rng_uniform_int(rng, 2);
				struct sequential s;

				x[i] = run[2 * i + first] - run[2 * i + !first];
				sequential_describe(x, i + 1, 0.05, &s, NULL);
				claimed = s.low > 0 || s.high < 0;
			}
			claims += claimed;
		}
		print_message("# world %d: %zu of %d sessions make a false claim\n", world, claims,
			SESSIONS);
		assert_true(claims <= SESSIONS / 20);
	}
	gsl_rng_free(rng);
}

/* The new command takes twice as long in a part of its runs: sessions that end as SAME within 2 %.
 */
TEST(slow_in_part)
{
	/* Seven pairs without a slow run are SAME: 0.8^7 = 0.21, 0.7^7 = 0.08, 0.6^7 = 0.03. */
	static const double most[] = {0.9, 0.5, 0.2, 0.08};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (size_t part = 1; part <= 4; part++) {
		size_t same = 0;

		for (size_t session = 0; session < SESSIONS; session++) {
			struct sequential s = {.high = INFINITY};
			double x[PAIRS];

			for (size_t i = 0; i < PAIRS && !(s.low > 0.02) && !(s.high < 0.02); i++) {
				x[i] = gsl_ran_gaussian(rng, SD);
				if (gsl_rng_uniform(rng) < 0.1 * (double)part)
					x[i] += log(2);
				sequential_describe(x, i + 1, 0.05, &s, NULL);
			}
			same += s.high < 0.02;
		}
		print_message("# slow in %zu0 %% of runs: %zu of %d sessions say the same\n", part,
			same, SESSIONS);
		assert_true((double)same <= most[part - 1] * SESSIONS);
	}
	gsl_rng_free(rng);
}

ORDERED(compare_counts, size_t, ORDER(*x, *y));

/* Median number of pairs until the interval is beyond (or, `within`, inside of) the margin. */
static size_t median_pairs(gsl_rng *rng, double change, double margin, bool within)
{
	size_t count[SESSIONS];

	for (size_t session = 0; session < SESSIONS; session++) {
		double x[PAIRS];
		bool decided = false;
		size_t n = 0;

		while (n < PAIRS && !decided) {
			struct sequential s;

			x[n++] = change + gsl_ran_gaussian(rng, SD);
			sequential_describe(x, n, 0.05, &s, NULL);
			decided = within ? s.low > -margin && s.high < margin : s.low > margin;
		}
		count[session] = decided ? n : SIZE_MAX;
	}
	qsort(count, SESSIONS, sizeof(*count), compare_counts);
	return count[SESSIONS / 2];
}

TEST(pairs_needed)
{
	static const struct {
		double change, margin;
		bool within;
		size_t most;
	} want[] = {{0.02, 0.005, false, 8}, {0.02, 0.01, false, 12}, {0.04, 0.02, false, 8},
		{0, 0.02, true, 12}};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const size_t pairs =
			median_pairs(rng, want[i].change, want[i].margin, want[i].within);

		print_message("# %g against a margin of %g: a median of %zu pairs\n",
			want[i].change, want[i].margin, pairs);
		assert_true(pairs <= want[i].most);
	}
	gsl_rng_free(rng);
}
