/*
 * Totals over a tree, bottom up. Because parents come before their children, one pass from the last
 * node to the first is enough.
 */
#include "model/tree_totals.h"

bool account_totals(
	const uint32_t *parent, size_t nodes, size_t slots, const bool *keep, int64_t *value)
{
	bool wrapped = false;

	for (size_t i = nodes; i-- > 0;) {
		if (parent[i] == ACCOUNT_ROOT || (keep && !keep[i]))
			continue;
		const int64_t *own = value + i * slots;
		int64_t *up = value + (size_t)parent[i] * slots;

		for (size_t s = 0; s < slots; s++)
			wrapped |= __builtin_add_overflow(up[s], own[s], &up[s]);
	}
	return wrapped;
}
