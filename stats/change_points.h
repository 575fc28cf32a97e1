/* Changes of level of a series: where, how large, how sure; and drift that is no such change. It
 * knows no dates, no commits and no rows. Method: doc/statistics.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CHANGE_POINT_SIDE 2	 /* values on each side: a single one is an outlier */
#define CHANGE_POINTS_LEAST 6	 /* values; fewer have no answer */
#define CHANGE_POINT_ORDERS 1999 /* of a search, unless many rows ask for more */

struct change_point {
	size_t at; /* index of the first value after it */
	double p;  /* (b + 1)/(B + 1) of the search that found it */
	/* Shift of Hodges and Lehmann from the level before to the one after, and its interval at
	 * 95 %; NaN: too few values. Values are taken as independent. */
	double change, low, high;
};

struct change_points {
	double p;	  /* of the first search, over the whole series; NaN: too few values */
	double direction; /* what that search found, also where it is not significant: as change */
	/* A straight line fits no worse than levels: there are no points, but a drift. */
	bool drifts;
	double drift; /* from the first value to the last, along that line */
	size_t count;
	struct change_point *point; /* in order; memory_free(), NULL is fine */
	double correlation;	    /* of neighbours, as allowed for: 0 or more */
};

/* Orders tried at most of each search; the seed is fixed. */
struct change_point_options {
	double alpha;
	size_t orders;
};

/* x[n], all finite, of one value for each session in order. */
void change_points_find(const double *x, size_t n, const struct change_point_options *opt,
	struct change_points *out);
