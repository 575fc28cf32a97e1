/* Drift of a series while it is recorded: a straight line through it, one jump of its level, one
 * stretch with another level. It knows no steps and no runs, and removes nothing. Formulas and
 * sources: doc/statistics.md. */
#pragma once

#include <stddef.h>

#define DRIFT_VALUES_MIN 10 /* fewer values say nothing */
#define DRIFT_SIDE_MIN 3    /* values before and after a shift: fewer are spikes */

struct drift {
	size_t n;
	double slope_total; /* fitted change from the first to the last value / the mean */
	double trend_p;	    /* two-sided; allows for correlated values */
	size_t shift_at;    /* index of the first value after the best split; 0: none */
	double shift;	    /* level after the split / level before - 1 */
	double shift_p; /* two-sided; allows for correlated values and the choice of the split */
};

/* x in the order of recording. Below DRIFT_VALUES_MIN values everything is NaN and shift_at 0.
 * Where all values are equal slope_total is 0 and trend_p NaN; where they are so but for the two
 * highest and the two lowest, shift_at and shift are 0 and shift_p NaN. slope_total is NaN where
 * the mean is not above 0, shift where the level before is not. */
void drift_find(const double *x, size_t n, struct drift *out);

/* A stretch x[from .. to - 1] with a level of its own, and DRIFT_SIDE_MIN values or more before it,
 * in it and after it; p as shift_p. from is 0 and p NaN where there is none to be tested. */
struct level_stretch {
	size_t from, to;
	double p;
};

void stretch_find(const double *x, size_t n, struct level_stretch *out);
