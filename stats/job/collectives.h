/* Parts of the time of collectives: transfer, and waiting for the last rank to arrive. Which calls
 * of the ranks are the same collective is known before; who is slow is stats/job/rank_culprits.h's
 * question. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A collective ends in all ranks when its data have arrived, and begins in each when that rank is
 * ready. So the rank that is last has the shortest call, and what that takes is the transfer; the
 * rest of each other's call is waiting. Only durations are used, since the clocks of ranks may be
 * apart. The transfer is an upper bound: the last rank may wait, too, for others than ranks. */
struct collectives {
	size_t ranks, steps;
	int64_t *transfer_ps, *waiting_ps; /* sums, [rank * steps + step]; each below 2^63 */
	size_t *last_in; /* of each rank: in how many matches it alone has the shortest call */
	size_t matches;
};

/* Sums of 0; collectives_release frees them. */
void collectives_init(struct collectives *collectives, size_t ranks, size_t steps);
void collectives_release(struct collectives *collectives);

/* Adds the calls of one collective that belongs to `step`, below `steps`: duration_ps[ranks], below
 * 0 for a rank that does not take part. False, and nothing is added, when less than two do: one
 * alone does not show how long it waited. */
bool collectives_add(struct collectives *collectives, size_t step, const int64_t *duration_ps);
