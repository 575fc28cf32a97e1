/* Effect of a grid of recorded values on their mean: by how much a mean of values rounded to it may
 * be off, however many they are. It knows no runs and tests nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	/* Their standard deviation. Sheppard's correction, sqrt(max(0, sd^2 - q^2/12)), takes two
	 * neighbouring values for a wide spread, and so it does single wild values. So it is at
	 * most q/(2 z), z the normal quantile of the part f of the values outside of the two most
	 * frequent neighbouring multiples of q: that part is the largest, f, when the mean is in
	 * the middle of a cell. 0 when all values are in two neighbouring cells. */
	double spread;
	double rarer; /* part of the values of these two cells that is in the rarer one */
};

/* n >= 1, q > 0. */
void rounding_fit(const double *x, size_t n, double q, struct rounding_fit *out);
/* rounding_variance(q, spread), at most q^2 (1/2 - rarer)^2: of values without spread that are in
 * two cells the mean is at their border, and where both cells are as frequent it is recorded
 * right. */
double rounding_variance_of(const struct rounding_fit *fit, double q);

/* The step of the grid that values lie on: a coarse clock, or numbers that were rounded. It knows
 * no units, and nothing of what the grid hides (stats/rounding.h). */

enum { GRID_VALUES_LEAST = 8 };

/* Whole numbers of several series, as far as they show their grid. Start with zeros. */
struct grid {
	int64_t divisor; /* the greatest common one */
	int64_t value[GRID_VALUES_LEAST];
	size_t count; /* different values, as far as they are counted */
};

/* value: above 0. False: no coarser grid than 1 is left, whatever follows. */
bool grid_add(struct grid *grid, int64_t value);
/* All values of another. */
void grid_join(struct grid *grid, const struct grid *from);
/* The common divisor of the values. That of fewer than 8 different ones is often a multiple of the
 * grid (50 and 100 us are no sign of a clock of 50 us; of 8 random multiples one set in 250 has a
 * common divisor), so that it is the power of ten in it: values are written in decimals. 0: not
 * known, of fewer than 2. */
double grid_of_values(const struct grid *grid);
/* True: of fewer than 8 different values. */
bool grid_is_rough(const struct grid *grid);

/* The grid of one series, whatever its values were rounded to afterwards: the smallest gap between
 * two values that both occur twice or more. 0: there are no two, or fewer than half of the values
 * occur twice, as chance makes them. */
double grid_of_series(const double *x, size_t n);
