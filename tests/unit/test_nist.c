/* Mean, standard deviation and lag-1 autocorrelation of the nine NIST StRD univariate sets, and R's
 * answers (tests/data/stats/reference.csv) for the four observed ones. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "stats/sample.h"
#include "tests/unit/test.h"

#define CERTIFIED "tests/data/stats/nist-strd/certified.csv"
#define REFERENCE "tests/data/stats/reference.csv"

enum { ROOM = 6000 };

static const char *const sets[] = {
	"Lew",
	"Lottery",
	"Mavro",
	"Michelso",
	"NumAcc1",
	"NumAcc2",
	"NumAcc3",
	"NumAcc4",
	"PiDigits",
};
static const char *const observed[] = {"Lew", "Lottery", "Mavro", "Michelso"};
static const struct sample_options options = {.confidence = 0.95};

enum { CERTIFIED_N, CERTIFIED_MEAN, CERTIFIED_SD, CERTIFIED_LAG1, CAP_MEAN, CAP_SD, CAP_LAG1 };

static double certified(const char *set, int column)
{
	char start[64];

	snprintf(start, sizeof(start), "%s,", set);
	return ref_column(CERTIFIED, start, column);
}

static double expected(const char *set, const char *numbers, const char *quantity)
{
	char series[64];

	snprintf(series, sizeof(series), "%s.%s", set, numbers);
	return ref_expected(series, quantity);
}

/* Log relative error against the certified value. certified.csv has 15 digits, so the last unit of
 * its own is allowed for; tests/ref/make_stats.py has 20 digits of the same decimal data. */
static void check_digits(const char *set, const char *what, double got, double want, double digits)
{
	ref_near(set, got, expected(set, "decimal", what), 1.2 * pow(10, -digits));
	ref_near(set, got, want, 1.2 * pow(10, -digits) + 5e-15);
}

TEST(certified_values_to_the_digits_doubles_allow)
{
	double *x = calloc(ROOM, sizeof(*x));

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		const char *set = sets[i];
		const size_t n = ref_nist(set, x, ROOM);
		struct sample s;

		assert_int_equal(n, certified(set, CERTIFIED_N));
		sample_describe(x, n, &options, &s);
		check_digits(set, "mean", s.mean, certified(set, CERTIFIED_MEAN),
			certified(set, CAP_MEAN));
		check_digits(set, "sd", s.sd, certified(set, CERTIFIED_SD), certified(set, CAP_SD));
		check_digits(set, "lag1", s.lag1, certified(set, CERTIFIED_LAG1),
			certified(set, CAP_LAG1) - 0.3);
	}
	free(x);
}

/* What the cap hides: from the doubles as they are stored, nothing may be lost (make_stats.py). */
TEST(stored_doubles_lose_nothing)
{
	double *x = calloc(ROOM, sizeof(*x));

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		const char *set = sets[i];
		struct sample s;

		sample_describe(x, ref_nist(set, x, ROOM), &options, &s);
		ref_near(set, s.mean, expected(set, "double", "mean"), 2.3e-16);
		ref_near(set, s.sd, expected(set, "double", "sd"), 2.3e-16);
		ref_near(set, s.lag1, expected(set, "double", "lag1"), 5e-15);
	}
	free(x);
}

static double r_value(const char *set, const char *procedure, const char *quantity)
{
	char start[128];

	snprintf(start, sizeof(start), "\"%s\",\"%s\",\"%s\",", set, procedure, quantity);
	return ref_column(REFERENCE, start, 0);
}

TEST(correlation_as_in_r)
{
	double *x = calloc(ROOM, sizeof(*x)), q, p;

	for (size_t i = 0; i < sizeof(observed) / sizeof(observed[0]); i++) {
		const char *set = observed[i], *acf = "acf / Ljung-Box(10)";
		const size_t n = ref_nist(set, x, ROOM);
		struct sample s;
		double plain, corrected;

		sample_describe(x, n, &options, &s);
		sample_ljung_box(x, n, 10, &q, &p);
		ref_near(set, s.lag1, r_value(set, acf, "r1"), 1e-12);
		ref_near(set, q, r_value(set, acf, "Q"), 1e-12);
		/* R printed 15 decimals: 0 stands for everything below them. */
		if (r_value(set, acf, "p") == 0)
			assert_true(p < 1e-15);
		else
			ref_near(set, p, r_value(set, acf, "p"), 1e-12);
		plain = (double)n * (1 - s.lag1) / (1 + s.lag1);
		ref_near(set, plain,
			r_value(set, "AR(1) effective sample size n(1-r)/(1+r)", "n_eff"), 1e-12);
		corrected = fmax(0, s.lag1 + (1 + 4 * s.lag1) / (double)n);
		ref_near(set, s.lag1_corrected, fmin(0.99, corrected), 1e-14);
	}
	free(x);
}

/* From the certified r1 of Michelso, 0.535199668621283: r' = r1 + (1 + 4 r1)/100 = 0.566607655 and
 * 100 (1 - r')/(1 + r') = 27.664383. Negative correlation (Lew) is not credited. */
TEST(effective_size_uses_the_corrected_correlation)
{
	double *x = calloc(ROOM, sizeof(*x));
	struct sample s;

	sample_describe(x, ref_nist("Michelso", x, ROOM), &options, &s);
	ref_near("Michelso", s.n_eff, 27.664383, 1e-7);
	sample_describe(x, ref_nist("Lew", x, ROOM), &options, &s);
	assert_true(s.n_eff == 200 && s.lag1_corrected == 0);
	sample_describe(x, ref_nist("Mavro", x, ROOM), &options, &s);
	assert_true(s.n_eff == 2 && isnan(s.low) && isnan(s.high));
	free(x);
}

TEST(order_statistics_as_in_r)
{
	double *x = calloc(ROOM, sizeof(*x));
	const char *order = "order statistics (type 7)";

	for (size_t i = 0; i < sizeof(observed) / sizeof(observed[0]); i++) {
		const char *set = observed[i];
		const size_t n = ref_nist(set, x, ROOM);
		const double q1 = sample_quantile(x, n, 0.25), q3 = sample_quantile(x, n, 0.75);
		struct sample s;

		sample_describe(x, n, &options, &s);
		ref_near(set, s.median, r_value(set, order, "median"), 1e-12);
		ref_near(set, q1, r_value(set, order, "q1"), 1e-12);
		ref_near(set, q3, r_value(set, order, "q3"), 1e-12);
		ref_near(set, q3 - q1, r_value(set, order, "iqr"), 1e-12);
		ref_near(set, s.mad, r_value(set, order, "mad_raw"), 1e-12);
		ref_near(set, sample_trimmed_mean(x, n, 0.1), r_value(set, order, "trim10"), 1e-12);
		if (s.mean > 0)
			ref_near(set, s.cv, r_value(set, order, "cv"), 1e-12);
		else
			assert_true(isnan(s.cv));
	}
	free(x);
}

TESTS_BEGIN(gsl_set_error_handler_off());
