/*
 * The grid of whole numbers by their common divisor, that of a series by what occurs again.
 */
#include "stats/grid.h"

#include <math.h>
#include "base/number.h"

#define SERIES_LOOKED_AT 64 /* of its values, evenly taken: a grid that matters shows in them */

bool grid_add(struct grid *grid, int64_t value)
{
	size_t i = 0;

	while (i < grid->count && grid->value[i] != value)
		i++;
	if (i == grid->count && i < GRID_VALUES_LEAST)
		grid->value[grid->count++] = value;
	grid->divisor = number_common_divisor(value, grid->divisor);
	return grid->divisor > 1 || grid_is_rough(grid);
}

void grid_join(struct grid *grid, const struct grid *from)
{
	for (size_t i = 0; i < from->count; i++)
		grid_add(grid, from->value[i]);
	grid->divisor = number_common_divisor(from->divisor, grid->divisor);
}

bool grid_is_rough(const struct grid *grid)
{
	return grid->count < GRID_VALUES_LEAST;
}

double grid_of_values(const struct grid *grid)
{
	if (grid->count < 2)
		return 0;
	return (double)(grid_is_rough(grid) ? number_power_of_ten(grid->divisor) : grid->divisor);
}

double grid_of_series(const double *x, size_t n)
{
	const size_t stride = (n + SERIES_LOOKED_AT - 1) / SERIES_LOOKED_AT;
	double sorted[SERIES_LOOKED_AT], gap = INFINITY, last = NAN;
	size_t count = 0, again = 0;

	for (size_t i = 0; i < n; i += stride)
		sorted[count++] = x[i];
	number_sort(sorted, count);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && sorted[next] == sorted[i]; next++)
			;
		if (next - i < 2)
			continue;
		again += next - i;
		if (sorted[i] > last)
			gap = fmin(gap, sorted[i] - last);
		last = sorted[i];
	}
	return isfinite(gap) && 2 * again >= count ? gap : 0;
}
