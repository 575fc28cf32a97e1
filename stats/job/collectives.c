/* The shortest call of each match is subtracted from all. */
#include "stats/job/collectives.h"

#include "base/memory.h"

void collectives_init(struct collectives *c, size_t ranks, size_t steps)
{
	const size_t cells = memory_product(ranks, steps);

	*c = (struct collectives){.ranks = ranks, .steps = steps};
	c->transfer_ps = memory_alloc(memory_product(cells, sizeof(*c->transfer_ps)));
	c->waiting_ps = memory_alloc(memory_product(cells, sizeof(*c->waiting_ps)));
	c->last_in = memory_alloc(memory_product(ranks, sizeof(*c->last_in)));
}

void collectives_release(struct collectives *c)
{
	memory_free(c->transfer_ps);
	memory_free(c->waiting_ps);
	memory_free(c->last_in);
	*c = (struct collectives){0};
}

bool collectives_add(struct collectives *c, size_t step, const int64_t *duration_ps)
{
	int64_t shortest_ps = INT64_MAX;
	size_t present = 0, at_shortest = 0, last = 0;

	for (size_t r = 0; r < c->ranks; r++) {
		if (duration_ps[r] < 0)
			continue;
		present++;
		if (duration_ps[r] > shortest_ps)
			continue;
		at_shortest = duration_ps[r] == shortest_ps ? at_shortest + 1 : 1;
		shortest_ps = duration_ps[r];
		last = r;
	}
	if (present < 2)
		return false;
	for (size_t r = 0; r < c->ranks; r++) {
		if (duration_ps[r] < 0)
			continue;
		c->transfer_ps[r * c->steps + step] += shortest_ps;
		c->waiting_ps[r * c->steps + step] += duration_ps[r] - shortest_ps;
	}
	if (at_shortest == 1)
		c->last_in[last]++;
	c->matches++;
	return true;
}
