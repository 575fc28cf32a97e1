/*
 * Least difference of two clocks, from work that both saw at one time: a collective, in which all
 * ranks are for a moment together. It knows no ranks and no events.
 */
#ifndef STEPSTAT_MODEL_CLOCK_BOUNDS_H
#define STEPSTAT_MODEL_CLOCK_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The same work by both clocks. Times are below 2^62 ps. */
struct clock_pair {
	int64_t a_start_ps, a_end_ps, b_start_ps, b_end_ps;
};

/* Bounds of the shift that, added to times of clock b, makes them times of clock a. */
struct clock_bounds {
	int64_t low_ps, high_ps; /* INT64_MIN, INT64_MAX: no pair says */
	bool contradicts;	 /* low is above high: the clocks drift, or what was paired is not
				    the same work */
};

/* The intervals of a pair have a moment in common, so that the shift is more than a_start - b_end
 * and less than a_end - b_start; of all pairs the narrowest bounds hold. */
struct clock_bounds clock_bounds_find(const struct clock_pair *pair, size_t count);
/* Time that the clocks are apart at least; 0: they may agree. */
int64_t clock_bounds_apart_ps(const struct clock_bounds *bounds);

#endif
