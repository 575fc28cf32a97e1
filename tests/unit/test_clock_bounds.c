/* How far two clocks are apart. */
#include "model/rank_clocks.h"
#include "tests/unit/test.h"

TEST(no_pair_says_nothing)
{
	const struct clock_bounds bounds = clock_bounds_find(NULL, 0);

	assert_true(bounds.low_ps == INT64_MIN && bounds.high_ps == INT64_MAX);
	assert_false(bounds.contradicts);
	assert_int_equal(clock_bounds_apart_ps(&bounds), 0);
}

TEST(what_overlaps_may_agree)
{
	const struct clock_pair pair[] = {{100, 200, 150, 200}, {300, 400, 250, 390}};
	const struct clock_bounds bounds = clock_bounds_find(pair, 2);

	assert_int_equal(bounds.low_ps, -90); /* 300 - 390 */
	assert_int_equal(bounds.high_ps, 50); /* 200 - 150 */
	assert_int_equal(clock_bounds_apart_ps(&bounds), 0);
}

/* The true shift of made pairs is always within; what is told apart is never more than it. */
TEST(the_true_shift_is_within)
{
	const int64_t shifts[] = {-5000, -1, 0, 1, 777, 1000000};
	uint64_t random = 88172645463325252u;

	for (size_t s = 0; s < sizeof(shifts) / sizeof(shifts[0]); s++) {
		struct clock_pair pair[50];
		struct clock_bounds bounds;

		for (size_t i = 0; i < 50; i++) {
			int64_t at = (int64_t)i * 10000; /* all are in it from here on */
			int64_t early[2], late[2];

			for (size_t k = 0; k < 2; k++) {
				random ^= random << 13, random ^= random >> 7,
					random ^= random << 17;
				early[k] = (int64_t)(random % 900);
				late[k] = 1 + (int64_t)(random / 1000 % 100);
			}
			pair[i] = (struct clock_pair){at - early[0], at + late[0],
				at - early[1] - shifts[s], at + late[1] - shifts[s]};
		}
		bounds = clock_bounds_find(pair, 50);
		assert_false(bounds.contradicts);
		assert_true(bounds.low_ps < shifts[s] && shifts[s] < bounds.high_ps);
		assert_true(
			clock_bounds_apart_ps(&bounds) <= (shifts[s] < 0 ? -shifts[s] : shifts[s]));
	}
}

TEST(clocks_that_drift_contradict)
{
	const struct clock_pair pair[] = {{100, 110, 200, 210}, {1000, 1010, 900, 910}};
	const struct clock_bounds bounds = clock_bounds_find(pair, 2);

	assert_true(bounds.contradicts);
}
