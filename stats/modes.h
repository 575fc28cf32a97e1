/* Test whether a series is two-valued: its values gather around two centres with little between
 * them. It knows no order (a shift and a switching to and fro look alike). Formulas:
 * doc/statistics.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define MODES_GROUP_MIN 5 /* values in each group, and a tenth of all */

struct modes {
	bool two;	   /* clearly; all below is of the best split also where it is not clear */
	double low, high;  /* means of the groups; NaN, as all below, where no split is allowed */
	double share_high; /* of the values, in the upper group */
	double separation; /* Ashman's D; INFINITY without any spread, on no grid */
};

/* resolution: step of the grid on which the values were recorded, 0 if none. Groups whose centres
 * are closer than three of it are never two. */
void modes_find(const double *x, size_t n, double resolution, struct modes *out);

/* True if few values, not 0, lie on two levels that were both seen twice: a gap between neighbours
 * in order is above 7 (6 or 7 values), 5 (8 to 11) or 4 times (12 and more) the sd within the two
 * groups beside it, and 0.1 % of the upper one. Values of 0 are no level: the op did not run. One
 * group is called two in at most 1.5 % of series (doc/statistics.md). */
bool modes_apart(const double *x, size_t n, double resolution);
