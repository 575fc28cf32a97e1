/*
 * The step of the grid that values lie on: a coarse clock, or numbers that were rounded. It knows
 * no units, and nothing of what the grid hides (stats/rounding.h).
 */
#ifndef STEPSTAT_STATS_GRID_H
#define STEPSTAT_STATS_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/*
 * The common divisor of the values. That of fewer than 8 different ones is often a multiple of the
 * grid (50 and 100 us are no sign of a clock of 50 us; of 8 random multiples one set in 250 has a
 * common divisor), so that it is the power of ten in it: values are written in decimals. 0: not
 * known, of fewer than 2.
 */
double grid_of_values(const struct grid *grid);
/* True: of fewer than 8 different values. */
bool grid_is_rough(const struct grid *grid);

/*
 * The grid of one series, whatever its values were rounded to afterwards: the smallest gap between
 * two values that both occur twice or more. 0: there are no two, or fewer than half of the values
 * occur twice, as chance makes them.
 */
double grid_of_series(const double *x, size_t n);

#endif
