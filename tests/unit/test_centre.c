/* What most of many differences agree in: by hand. */
#include "tests/ref/values.h"

#include "stats/moments.h"
#include "tests/unit/test.h"

TEST(agreeing_ones_decide)
{
	/* The middle of the shortest half of 3 is 0; 10 and 11 are farther off than 4.685. */
	static const double diff[] = {10, -1, 0, 1, 11}, se[] = {1, 1, 1, 1, 1};
	/* Weights of 0 and of 1 from the centre. */
	const double w = pow(1 - 1 / (4.685 * 4.685), 2);
	struct centre found;

	centre_find(diff, se, 5, &found);
	ref_near("centre", found.centre, 0, 1e-12);
	/* They differ by 2/3, less than their errors say. */
	ref_near("variance", found.variance, (1 + 2 * w * w) / pow(1 + 2 * w, 2), 1e-12);
	assert_int_equal(found.above, 2);
	assert_int_equal(found.below, 0);
}

/* Beyond 4.685 they have no weight; apart are those beyond 4 sqrt(1 + 0.334) = 4.62. */
TEST(four_errors_are_apart)
{
	static const double diff[] = {4.7, -1, 0, 1, -4.7}, se[] = {1, 1, 1, 1, 1};
	struct centre found;

	centre_find(diff, se, 5, &found);
	ref_near("variance", found.variance, 0.334, 1e-3);
	assert_int_equal(found.above, 1);
	assert_int_equal(found.below, 1);
}

/* Differences beyond 3 errors say nothing of how far the others differ: each error of 1 counts as
 * it is. */
TEST(near_ones_show_the_spread)
{
	static const double diff[] = {0, 0, 0, 3.5}, se[] = {1, 1, 1, 1};
	struct centre found;
	double squares = 0, weights = 0;

	centre_find(diff, se, 4, &found);
	for (size_t i = 0; i < 4; i++) {
		const double w = pow(1 - pow((diff[i] - found.centre) / 4.685, 2), 2);

		squares += w * w;
		weights += w;
	}
	assert_true(3.5 - found.centre > 3);
	ref_near("variance", found.variance, squares / (weights * weights), 1e-12);
}

/* Where more lie there, they are the centre: nothing tells which changed. */
TEST(the_larger_group_is_the_centre)
{
	static const double diff[] = {10, 10, 0, 10, 0}, se[] = {1, 1, 1, 1, 1};
	struct centre found;

	centre_find(diff, se, 5, &found);
	ref_near("centre", found.centre, 10, 1e-12);
	ref_near("variance", found.variance, 1 / 3.0, 1e-12);
	assert_int_equal(found.below, 2);
}

TEST(exact_ones_weigh_more)
{
	static const double diff[] = {0, 0.1, 0.1}, se[] = {10, 0.1, 0.1};
	struct centre found;

	centre_find(diff, se, 3, &found);
	ref_near("centre", found.centre, 0.1, 1e-4);
	assert_true(found.variance < 0.006 && found.variance >= 0.005 - 1e-6);
}

/* Two that do not agree: the middle, and an error as large as the distance from it. */
TEST(none_agree)
{
	static const double diff[] = {0, 100}, se[] = {1, 1};
	struct centre found;

	centre_find(diff, se, 2, &found);
	ref_near("centre", found.centre, 50, 1e-12);
	ref_near("variance", found.variance, 2500, 1e-9);
	assert_int_equal(found.above + found.below, 0);
	centre_find(diff + 1, se, 1, &found);
	ref_near("alone", found.centre, 100, 1e-12);
	ref_near("its variance", found.variance, 1, 1e-12);
}
