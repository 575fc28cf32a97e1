/* The prior of many variances: limma's robust fit (tests/ref/make_prior.R), covariates that say
 * nothing, and the ratio of two sides' variances. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "stats/moderated/prior.h"
#include "stats/moderated/spread_ratio.h"
#include "tests/unit/test.h"

#define REF_PRIOR "tests/ref/prior.csv"
#define REF_PRIOR_SERIES "tests/ref/prior_series.csv"

enum { ROOM = 200 };

/* The answer of limma's fitFDistRobustly() to a set of variances. */
static void check_case(const char *name, double tolerance)
{
	double s2[ROOM], nu[ROOM], want[ROOM], head[3], expected[ROOM], df[ROOM];
	struct prior_data data = {.s2 = s2, .nu = nu, .tails = {0.05, 0.1}};
	struct prior prior;
	char row[64];

	snprintf(row, sizeof(row), "prior.%s.s2", name);
	data.n = ref_row(REF_PRIOR_SERIES, row, s2, ROOM);
	snprintf(row, sizeof(row), "prior.%s.nu", name);
	assert_int_equal(ref_row(REF_PRIOR_SERIES, row, nu, ROOM), data.n);
	snprintf(row, sizeof(row), "prior.%s", name);
	assert_int_equal(ref_row(REF_PRIOR, row, head, 3), 3);
	snprintf(row, sizeof(row), "prior.%s.df", name);
	assert_int_equal(ref_row(REF_PRIOR, row, want, ROOM), data.n);
	prior_fit(&data, &prior, expected, df);
	assert_int_equal(prior.count, head[0]);
	ref_near(name, prior.s2, head[1], tolerance);
	ref_near(name, prior.df, head[2], tolerance);
	for (size_t i = 0; i < data.n; i++) {
		ref_near(row, expected[i], head[1], tolerance);
		ref_near(row, df[i], want[i], tolerance);
	}
}

TEST(limma_when_robust)
{
	check_case("nested3", 1e-8);
	check_case("nested5", 1e-8);
	check_case("tenth", 1e-8);
	check_case("extreme", 1e-8);
	check_case("clean", 1e-8);
	check_case("missing", 1e-8);
	check_case("nine", 1e-8);
	check_case("ten", 1e-8);
	/* Close to an infinite prior, where the moments hardly depend on it. */
	check_case("infinite", 1e-6);
}

/* The likelihood of F has its top where R's optimize() finds it; limma's arrayWeights(), which
 * is drawn towards equal weights, says about the same. */
TEST(ratios_of_two_sides)
{
	static const char *const name[] = {"10v3", "3v3", "same"};

	for (size_t c = 0; c < 3; c++) {
		double base[ROOM], new[ROOM], want[4];
		struct spread_pair pair[ROOM];
		struct spread_ratio found;
		char row[64];
		size_t n;

		snprintf(row, sizeof(row), "ratio.%s", name[c]);
		assert_int_equal(ref_row(REF_PRIOR, row, want, 4), 4);
		snprintf(row, sizeof(row), "ratio.%s.base", name[c]);
		n = ref_row(REF_PRIOR_SERIES, row, base, ROOM);
		snprintf(row, sizeof(row), "ratio.%s.new", name[c]);
		assert_int_equal(ref_row(REF_PRIOR_SERIES, row, new, ROOM), n);
		for (size_t i = 0; i < n; i++)
			pair[i] = (struct spread_pair){base[i], new[i], want[0] - 1, want[1] - 1};
		spread_ratio(pair, n, &found);
		assert_int_equal(found.count, n);
		/* optimize() knows the place of a flat top to the root of a double's digits. */
		ref_near(name[c], found.ratio, want[2], 1e-6);
		assert_true(fabs(log(found.ratio / want[3])) < 0.5);
	}
}

/* The standard error is the spread of the estimates; a side without spread has no ratio. */
TEST(the_ratio_knows_its_error)
{
	enum { PAIRS = 80, REPEATS = 1000 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct spread_pair pair[PAIRS];
	struct spread_ratio found;
	double sum = 0, squares = 0, error = 0;

	for (int i = 0; i < REPEATS; i++) {
		for (size_t p = 0; p < PAIRS; p++)
			pair[p] = (struct spread_pair){
				gsl_ran_chisq(rng, 4), 3 * gsl_ran_chisq(rng, 2), 4, 2};
		spread_ratio(pair, PAIRS, &found);
		sum += log(found.ratio) / REPEATS;
		squares += log(found.ratio) * log(found.ratio) / REPEATS;
		error += found.log_se / REPEATS;
	}
	assert_true(fabs(sum - log(3)) < 0.02);
	assert_true(fabs(error / sqrt(squares - sum * sum) - 1) < 0.1);
	for (size_t p = 0; p < PAIRS; p++)
		pair[p].new = 0;
	spread_ratio(pair, PAIRS, &found);
	assert_true(found.ratio == 0);
	spread_ratio(pair, 0, &found);
	assert_true(isnan(found.ratio) && isnan(found.log_se));
	gsl_rng_free(rng);
}

static void draw(gsl_rng *rng, size_t n, double *s2, double *nu)
{
	for (size_t i = 0; i < n; i++) {
		nu[i] = 4;
		s2[i] = gsl_ran_chisq(rng, 4) / gsl_ran_chisq(rng, 6);
	}
}

TEST(useless_covariates_are_left_out)
{
	double s2[60], nu[60], x[60], three[180], expected[60], same[60], df[60];
	struct prior_data one = {.s2 = s2, .nu = nu, .n = 60, .covariate = x, .covariates = 1};
	struct prior_data many = {.s2 = s2, .nu = nu, .n = 60, .covariate = three, .covariates = 3};
	struct prior prior, other;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	draw(rng, 60, s2, nu);
	for (size_t i = 0; i < 60; i++) {
		x[i] = gsl_ran_gaussian(rng, 1);
		three[3 * i] = 1.1; /* constant; once more; twice the second less one */
		three[3 * i + 1] = x[i];
		three[3 * i + 2] = 2 * x[i] - 1;
	}
	for (int robust = 0; robust < 2; robust++) {
		one.tails.upper = many.tails.upper = robust * 0.1;
		prior_fit(&one, &prior, expected, df);
		prior_fit(&many, &other, same, df);
		ref_near("df", other.df, prior.df, 1e-9);
		for (size_t i = 0; i < 60; i++)
			ref_near("expected", same[i], expected[i], 1e-9);
	}
	/* Nothing but constants: one prior for all. */
	many.covariates = 1;
	for (size_t i = 0; i < 60; i++)
		three[i] = 7;
	prior_fit(&many, &prior, expected, df);
	many.covariate = NULL;
	prior_fit(&many, &other, same, df);
	ref_near("s2", prior.s2, other.s2, 0);
	ref_near("df", prior.df, other.df, 0);
	gsl_rng_free(rng);
}

/* A trend of the log variances is found with outliers on one end of it. */
TEST(outliers_do_not_bend_the_trend)
{
	static double s2[ROOM], nu[ROOM], x[ROOM], expected[ROOM], df[ROOM];
	struct prior_data data = {.s2 = s2,
		.nu = nu,
		.n = ROOM,
		.covariate = x,
		.covariates = 1,
		.tails = {0.05, 0.1}};
	struct prior prior;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double clean, robust, plain;

	draw(rng, ROOM, s2, nu);
	for (size_t i = 0; i < ROOM; i++) {
		x[i] = (double)i / ROOM;
		s2[i] *= exp(4 * x[i]);
	}
	prior_fit(&data, &prior, expected, df);
	clean = log(expected[ROOM - 1] / expected[0]);
	for (size_t i = ROOM - 10; i < ROOM; i++)
		s2[i] *= 100;
	prior_fit(&data, &prior, expected, df);
	robust = log(expected[ROOM - 1] / expected[0]);
	assert_true(prior.robust);
	data.tails = (struct prior_tails){0, 0};
	prior_fit(&data, &prior, expected, df);
	plain = log(expected[ROOM - 1] / expected[0]);
	assert_true(!prior.robust);
	assert_true(fabs(robust - clean) < fabs(plain - clean) / 2);
	gsl_rng_free(rng);
}

/* Caution lowers the degrees of freedom; the location follows them unless it is kept. */
TEST(cautious_priors_keep_their_location)
{
	static double s2[ROOM], nu[ROOM], expected[ROOM], same[ROOM], lower[ROOM], df[ROOM];
	struct prior_data data = {.s2 = s2, .nu = nu, .n = ROOM};
	struct prior plain, careful;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	draw(rng, ROOM, s2, nu);
	prior_fit(&data, &plain, expected, df);
	assert_true(isfinite(plain.df));
	data.caution = 2;
	prior_fit(&data, &careful, lower, df);
	assert_true(careful.df < plain.df && lower[0] < expected[0]);
	data.keep_location = true;
	prior_fit(&data, &careful, same, df);
	assert_true(careful.df < plain.df);
	ref_near("location", same[0], expected[0], 1e-12);
	gsl_rng_free(rng);
}

TESTS_BEGIN(gsl_set_error_handler_off());
