/* The error that the grid of the recorded values leaves in their mean. */
#include "stats/rounding.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "stats/moments.h"

#define VALUES_LOOKED_AT 256 /* for the part outside of two cells: 0.4 % is fine enough */

/* With a = 4 pi^2 s^2/q^2 the sum of exp(-a k^2)/k^2 is pi^2/6 - sqrt(pi a) + a/2 but for
 * exp(-pi^2/a) (theta functions), which is 1e-17 at 1/4; above that its terms fall fast. */
double rounding_variance(double q, double s)
{
	const double a = 4 * M_PI * M_PI * s * s / (q * q);
	double sum = 0;

	if (!(q > 0))
		return 0;
	if (a < 0.25)
		sum = M_PI * M_PI / 6 - sqrt(M_PI * a) + a / 2;
	else
		for (int k = 1; k <= 13; k++)
			sum += exp(-a * k * k) / (k * k);
	return q * q / (2 * M_PI * M_PI) * sum;
}

/* Part of the values outside of the best two neighbouring cells; *rarer: part, of those inside, in
 * the rarer cell. */
static double part_outside(const double *x, size_t n, double q, double *rarer)
{
	const size_t stride = (n + VALUES_LOOKED_AT - 1) / VALUES_LOOKED_AT;
	double *sorted = memory_alloc(memory_product(n / stride + 1, sizeof(*sorted)));
	size_t count = 0, most = 0;

	for (size_t i = 0; i < n; i += stride)
		sorted[count++] = x[i];
	gsl_sort(sorted, 1, count);
	for (size_t low = 0, cell = 0, high = 0; low < count; low++) {
		while (cell < count && sorted[cell] < sorted[low] + 0.5 * q)
			cell++;
		while (high < count && sorted[high] < sorted[low] + 1.5 * q)
			high++;
		if (high - low <= most)
			continue;
		most = high - low;
		*rarer = fmin((double)(cell - low), (double)(high - cell)) / (double)most;
	}
	memory_free(sorted);
	return 1 - (double)most / (double)count;
}

void rounding_fit(const double *x, size_t n, double q, struct rounding_fit *out)
{
	const double outside = part_outside(x, n, q, &out->rarer);
	struct moments m;
	double variance;

	moments_compute(x, n, &m);
	variance = n < 2 ? 0 : fmax(0, moments_variance(&m, false) - q * q / 12);
	out->spread = sqrt(variance);
	if (outside < 0.5)
		out->spread = outside > 0
				      ? fmin(out->spread, q / (2 * gsl_cdf_ugaussian_Qinv(outside)))
				      : 0;
}

double rounding_variance_of(const struct rounding_fit *fit, double q)
{
	const double off = q * (0.5 - fit->rarer);

	return fmin(rounding_variance(q, fit->spread), off * off);
}

/* The grid of whole numbers by their common divisor, that of a series by what occurs again. */

#define SERIES_LOOKED_AT 64 /* of its values, evenly taken: a grid that matters shows in them */

bool grid_add(struct grid *grid, int64_t value)
{
	size_t i = 0;

	while (grid_is_rough(grid) && i < grid->count && grid->value[i] != value)
		i++;
	if (grid_is_rough(grid) && i == grid->count)
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
