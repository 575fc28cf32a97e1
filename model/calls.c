/*
 * Sums over calls.
 */
#include "model/calls.h"

void call_sums_add(struct call_sums *sums, enum call_kind kind, int64_t ps)
{
	const unsigned __int128 size = ps < 0 ? -(__int128)ps : ps;
	const struct call_sums one = {
		.count = 1,
		.below = ps < (kind == CALLS_DELAY ? 0 : CALL_SHORT_PS),
		.min_ps = ps,
		.max_ps = ps,
		.sum_ps = ps,
		.squares = size * size,
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
	into->below += from->below;
	into->sum_ps += from->sum_ps;
	/* An unknown one is the largest there is: whatever is added to it does not fit either. */
	if (__builtin_add_overflow(into->squares, from->squares, &into->squares))
		into->squares = CALL_SQUARES_UNKNOWN;
}
