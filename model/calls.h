/*
 * Single executions ("calls") of an op as numbers that add up: exact integers, so that
 * neither their order nor how they are grouped can change a result, in memory that does not grow
 * with the calls.
 */
#ifndef STEPSTAT_MODEL_CALLS_H
#define STEPSTAT_MODEL_CALLS_H

#include <stdint.h>

/* Which time a call has: the measures `cpu` and `accelerator`. */
enum call_kind { CALLS_CPU, CALLS_ACCELERATOR, CALL_KINDS };

#define CALL_SQUARES_UNKNOWN (~(unsigned __int128)0) /* they did not fit; and stay so */

/* All zero: no call. */
struct call_sums {
	int64_t count;
	int64_t min_ps, max_ps; /* 0 without a call */
	__int128 sum_ps;
	unsigned __int128 squares; /* of ps */
};

/* One call of 0 .. 2^62 ps. */
void call_sums_add(struct call_sums *sums, int64_t dur_ps);
void call_sums_join(struct call_sums *into, const struct call_sums *from);

#endif
