/*
 * Whole numbers from 0 to 2^256 - 1: sums of squares that stay exact whatever the order of adding.
 * It checks no overflow; the callers' values and counts keep sums far below 2^256.
 */
#ifndef STEPSTAT_BASE_WIDE_H
#define STEPSTAT_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#define WIDE_LIMBS 4

/* 128 bits: sums of products of two 64-bit numbers are wider, sums of 64-bit numbers are not. */
__extension__ typedef unsigned __int128 wide_half;

struct wide {
	uint64_t limb[WIDE_LIMBS]; /* least first */
};

/* a + b, and a - b, which is not below 0. */
struct wide wide_plus(struct wide a, struct wide b);
struct wide wide_minus(struct wide a, struct wide b);
struct wide wide_product(wide_half a, wide_half b);
/* Product; `a` is below 2^192. */
struct wide wide_times(struct wide a, uint64_t b);
bool wide_less(struct wide a, struct wide b);
/* |a - b| as a double; *negative: a < b. */
double wide_distance(struct wide a, struct wide b, bool *negative);
/* The nearest double, but for the last bit. */
double wide_double(struct wide a);
double wide_half_double(wide_half a);

#endif
