/* Transfer and waiting in collectives, by hand. */
#include "stats/job/collectives.h"
#include "tests/unit/test.h"

enum { RANKS = 3, STEPS = 2 };

TEST(shortest_is_transfer)
{
	const int64_t first[] = {70, 20, 50}, second[] = {9, 30, 10}, other_step[] = {5, 5, 1005};
	struct collectives c;

	collectives_init(&c, RANKS, STEPS);
	assert_true(collectives_add(&c, 0, first));
	assert_true(collectives_add(&c, 0, second));
	assert_true(collectives_add(&c, 1, other_step));
	for (size_t r = 0; r < RANKS; r++) {
		assert_int_equal(c.transfer_ps[r * STEPS], 20 + 9);
		assert_int_equal(c.transfer_ps[r * STEPS + 1], 5);
	}
	assert_int_equal(c.waiting_ps[0], 50 + 0);
	assert_int_equal(c.waiting_ps[STEPS], 0 + 21);
	assert_int_equal(c.waiting_ps[2 * STEPS], 30 + 1);
	assert_int_equal(c.waiting_ps[1], 0);
	assert_int_equal(c.waiting_ps[STEPS + 1], 0);
	assert_int_equal(c.waiting_ps[2 * STEPS + 1], 1000);
	assert_int_equal(c.matches, 3);
	assert_int_equal(c.last_in[0], 1);
	assert_int_equal(c.last_in[1], 1);
	assert_int_equal(c.last_in[2], 0); /* and of two that are as short neither is the last */
	collectives_release(&c);
}

/* A process group of ranks 0 and 2; then rank 1 alone, whose share nobody knows. */
TEST(who_does_not_take_part)
{
	const int64_t group[] = {40, -1, 100}, alone[] = {-1, 60, -1}, nobody[] = {-1, -1, -1};
	struct collectives c;

	collectives_init(&c, RANKS, STEPS);
	assert_true(collectives_add(&c, 1, group));
	assert_false(collectives_add(&c, 1, alone));
	assert_false(collectives_add(&c, 1, nobody));
	assert_int_equal(c.transfer_ps[1], 40);
	assert_int_equal(c.transfer_ps[STEPS + 1], 0);
	assert_int_equal(c.waiting_ps[STEPS + 1], 0);
	assert_int_equal(c.transfer_ps[2 * STEPS + 1], 40);
	assert_int_equal(c.waiting_ps[2 * STEPS + 1], 60);
	assert_int_equal(c.matches, 1);
	assert_int_equal(c.last_in[0], 1);
	collectives_release(&c);
}

/* A call that took no time is one: the last rank found everything done. */
TEST(no_time_is_a_duration)
{
	const int64_t duration[] = {0, 8, 0};
	struct collectives c;

	collectives_init(&c, RANKS, 1);
	assert_true(collectives_add(&c, 0, duration));
	assert_int_equal(c.transfer_ps[1], 0);
	assert_int_equal(c.waiting_ps[1], 8);
	collectives_release(&c);
}
