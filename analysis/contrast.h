/*
 * Two sides next to each other: rows paired by name, difference and ratio of their means. No test
 * and no verdict.
 */
#ifndef STEPSTAT_ANALYSIS_CONTRAST_H
#define STEPSTAT_ANALYSIS_CONTRAST_H

#include "analysis/summary.h"

/* One measure of one row on both sides, in base units; NaN where a side does not have it. */
struct contrast_value {
	double base, next;
	double difference; /* next - base; a row that one side lacks counts as 0 there */
	double ratio;	   /* next / base; NaN when a side is missing or base is 0 */
};

struct contrast_row {
	const struct summary_row *base, *next; /* NULL: the side has no such row */
	const char *name, *type, *device;
	struct contrast_value *value; /* per measure */
};

struct contrast {
	struct contrast_row
		*row; /* largest absolute difference of the first measure first, then by name */
	size_t count;
	struct contrast_value *total; /* per measure */
	size_t only_base, only_next;
};

/* Both summaries must have the same measures. In the arena. */
void contrast_make(const struct summary *base, const struct summary *next, struct arena *arena,
	struct contrast *out);

#endif
