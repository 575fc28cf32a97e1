/* The error of the mean of rounded values: the series against mpmath, fits by hand, and against
 * values that are rounded. */
#include "tests/ref/values.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include "stats/rounding.h"
#include "tests/unit/test.h"

/* mpmath, 30 digits, 3000 terms. */
TEST(variances_are_the_sums_of_the_series)
{
	static const struct {
		double q, s, variance;
	} at[] = {
		{1, 0, 1.0 / 12},
		{1, 0.05, 0.0576238541559455},
		{1, 0.079, 0.0450033562330606},
		{1, 0.08, 0.0445981666495128},
		{1, 0.2, 0.0104667117950972392},
		{1, 0.35, 0.000402138909203424842},
		{3, 0.9, 0.0130569582481257823},
		{1, 1, 3.62586256972775333e-19},
	};

	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++)
		ref_near("variance", rounding_variance(at[i].q, at[i].s), at[i].variance, 1e-12);
	assert_true(rounding_variance(0, 1) == 0);
}

/* Of 7 and 8, a quarter is 8: at most 1/4 of q off; at the border of the cells nothing. */
TEST(two_cells_say_where_the_mean_is)
{
	const double one[] = {7, 7, 7, 7}, quarter[] = {7, 8, 7, 7}, half[] = {8, 7, 8, 7};
	struct rounding_fit fit;

	rounding_fit(one, 4, 1, &fit);
	assert_true(fit.spread == 0 && fit.rarer == 0);
	ref_near("one", rounding_variance_of(&fit, 1), 1.0 / 12, 1e-15);
	rounding_fit(quarter, 4, 1, &fit);
	assert_true(fit.spread == 0 && fit.rarer == 0.25);
	ref_near("quarter", rounding_variance_of(&fit, 1), 1.0 / 16, 1e-15);
	rounding_fit(half, 4, 1, &fit);
	assert_true(rounding_variance_of(&fit, 1) == 0);
}

/* A wild value in 20 is no spread of the others: at most 1/(2 z(0.05)) = 0.304 of q. */
TEST(wild_values_are_no_spread)
{
	double x[20];
	struct rounding_fit fit;

	for (size_t i = 0; i < 20; i++)
		x[i] = 4;
	x[11] = 400;
	rounding_fit(x, 20, 1, &fit);
	ref_near("spread", fit.spread, 1 / (2 * 1.6448536269514722), 1e-12);
}

/* Means of values rounded to 1 at random places: their errors have that variance. */
TEST(errors_of_means_have_this_variance)
{
	static const double spread[] = {0.1, 0.2, 0.3};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	for (size_t i = 0; i < 3; i++) {
		double squares = 0;

		for (int k = 0; k < 1000; k++) {
			double mean = 10 + gsl_rng_uniform(rng), error = 0;

			for (int n = 0; n < 2000; n++) {
				double x = mean + spread[i] * gsl_ran_ugaussian(rng);

				error += round(x) - x;
			}
			squares += error / 2000 * error / 2000;
		}
		/* 1000 errors; what is left of 2000 values has 1/(12 2000) at most. */
		assert_true(fabs(squares / 1000 - rounding_variance(1, spread[i])) <
			    0.1 * rounding_variance(1, spread[i]) + 1.0 / 24000);
	}
	gsl_rng_free(rng);
}

static double grid_of(const int64_t *value, size_t n)
{
	struct grid grid = {.count = 0};

	for (size_t i = 0; i < n; i++)
		grid_add(&grid, value[i]);
	return grid_of_values(&grid);
}

TEST(few_values_show_a_power_of_ten)
{
	const int64_t few[] = {50, 100, 50}, many[] = {5, 10, 15, 20, 25, 30, 35, 40};
	struct grid grid = {.count = 0}, other = {.count = 0};

	assert_true(grid_of(few, 3) == 10);
	assert_true(grid_of(few, 1) == 0); /* of a single one nothing is known */
	assert_true(grid_of(many, 8) == 5);
	assert_true(grid_of(many, 7) == 1);
	grid_add(&grid, 50);
	grid_add(&other, 60);
	grid_join(&grid, &other);
	assert_true(grid_of_values(&grid) == 10);
}

/* Ticks of 1.05 that were rounded to 0.01, as a throughput makes them; the far value came once. */
TEST(series_show_the_gap_of_what_occurs_again)
{
	const double ticks[] = {1118.97, 1117.92, 1118.97, 1117.92, 1118.97, 1082.95};
	const double single[] = {7, 7, 7, 8}, two[] = {7, 7, 8, 9, 8},
		     mostly[] = {1, 1, 2, 2, 3, 4, 5, 6, 7};

	ref_near("ticks", grid_of_series(ticks, 6), 1.05, 1e-9);
	assert_true(grid_of_series(single, 4) == 0);
	assert_true(grid_of_series(two, 5) == 1);
	assert_true(grid_of_series(mostly, 9) == 0); /* chance makes so many */
	assert_true(grid_of_series(two, 0) == 0);
}
