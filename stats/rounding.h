/*
 * Effect of a grid of recorded values on their mean: by how much a mean of values rounded to it may
 * be off, however many they are. It knows no runs and tests nothing.
 */
#ifndef STEPSTAT_STATS_ROUNDING_H
#define STEPSTAT_STATS_ROUNDING_H

#include <stddef.h>

/*
 * The variance of the error of the mean of many normal values with standard deviation s that are
 * rounded to multiples of q, where their mean may be anywhere on the grid (Widrow & Kollar 2008):
 *
 *	sum over k >= 1 of q^2/(2 pi^2 k^2) exp(-4 pi^2 k^2 s^2/q^2)
 *
 * It is q^2/12 for s = 0, and at most 1e-18 q^2 for s above q. 0 when q is not above 0.
 */
double rounding_variance(double q, double s);

/* Estimates, from recorded values, about the values before they were rounded. */
struct rounding_fit {
	/*
	 * Their standard deviation. Sheppard's correction, sqrt(max(0, sd^2 - q^2/12)), takes two
	 * neighbouring values for a wide spread, and so it does single wild values. So it is at
	 * most q/(2 z), z the normal quantile of the part f of the values outside of the two most
	 * frequent neighbouring multiples of q: that part is the largest, f, when the mean is in
	 * the middle of a cell. 0 when all values are in two neighbouring cells.
	 */
	double spread;
	double rarer; /* part of the values of these two cells that is in the rarer one */
};

/* n >= 1, q > 0. */
void rounding_fit(const double *x, size_t n, double q, struct rounding_fit *out);
/*
 * rounding_variance(q, spread), at most q^2 (1/2 - rarer)^2: of values without spread that are in
 * two cells the mean is at their border, and where both cells are as frequent it is recorded right.
 */
double rounding_variance_of(const struct rounding_fit *fit, double q);

#endif
