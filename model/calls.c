/*
 * Sums over calls.
 */
#include "model/calls.h"

void call_sums_add(struct call_sums *sums, int64_t dur_ps)
{
	const struct call_sums one = {
		.count = 1,
		.min_ps = dur_ps,
		.max_ps = dur_ps,
		.sum_ps = dur_ps,
		.squares = (unsigned __int128)dur_ps * (unsigned __int128)dur_ps,
	};

	call_sums_join(sums, &one);
}

void call_sums_join(struct call_sums *into, const struct call_sums *from)
{
	if (!from->count)
		return;
	if (!into->count || from->min_ps < into->min_ps)
		into->min_ps = from->min_ps;
	if (!into->count || from->max_ps > into->max_ps)
		into->max_ps = from->max_ps;
	into->count += from->count;
	into->sum_ps += from->sum_ps;
	/* An unknown one is the largest there is: whatever is added to it does not fit either. */
	if (__builtin_add_overflow(into->squares, from->squares, &into->squares))
		into->squares = CALL_SQUARES_UNKNOWN;
}
