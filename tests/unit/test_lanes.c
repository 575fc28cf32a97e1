/* Lanes against the walk through all of them, and many at once. */
#include "timeline/lanes.h"
#include "tests/unit/test.h"

#define MOST 2000

/* The rule, word by word: the first lane that ended before the start, or a new one. */
static size_t walk(int64_t *end, size_t *count, int64_t start, int64_t until)
{
	size_t lane = 0;

	while (lane < *count && start <= end[lane])
		lane++;
	if (lane == *count)
		++*count;
	end[lane] = until;
	return lane;
}

TEST(as_the_walk)
{
	static int64_t end[MOST];
	uint64_t seed = 1;

	for (int64_t spread = 1; spread <= 4096; spread *= 4) {
		struct lanes lanes;
		size_t count = 1;

		end[0] = 0;
		lanes_init(&lanes);
		for (int64_t i = 0; i < MOST; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			int64_t start = i / 2 - 20 + (int64_t)(seed >> 60);
			int64_t until = start + (int64_t)(seed >> 32) % spread;

			assert_int_equal(
				lanes_place(&lanes, start, until), walk(end, &count, start, until));
		}
		assert_int_equal(lanes.count, count);
		lanes_release(&lanes);
	}
}

TEST(a_lane_is_free_after_its_end_not_at_it)
{
	struct lanes lanes;

	lanes_init(&lanes);
	assert_int_equal(lanes_place(&lanes, 0, 5), 1);
	assert_int_equal(lanes_place(&lanes, 5, 9), 0);
	assert_int_equal(lanes_place(&lanes, 6, 7), 1);
	assert_int_equal(lanes_place(&lanes, -3, -1), 2);
	assert_int_equal(lanes_place(&lanes, 0, 100), 2);
	lanes_release(&lanes);
}

/* All at one moment: a walk would take hours. */
TEST(a_million_at_once)
{
	struct lanes lanes;

	lanes_init(&lanes);
	for (size_t i = 0; i < 1000000; i++)
		assert_int_equal(lanes_place(&lanes, 10, 20), i);
	assert_int_equal(lanes_place(&lanes, 21, 22), 0);
	lanes_release(&lanes);
}
