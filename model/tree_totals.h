/*
 * The one accumulator over a tree: values are vectors over slots (a slot is a step, or tfprof's
 * average over steps). total = self + totals of the children. It knows no names, options or units.
 */
#ifndef STEPSTAT_MODEL_TREE_TOTALS_H
#define STEPSTAT_MODEL_TREE_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACCOUNT_ROOT UINT32_MAX /* parent of a top-level node */

/* parent[i] > i never holds: parents come before their children (parent[i] < i or ACCOUNT_ROOT).
 * value is node-major, value[i * slots + s]: self on entry, total on return. keep (may be NULL):
 * nodes with keep[i] false add nothing to their parent. Sums wrap in two's complement; returns true
 * when one did. */
bool account_totals(
	const uint32_t *parent, size_t nodes, size_t slots, const bool *keep, int64_t *value);

#endif
