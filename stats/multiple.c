/* Adjusted p values: from the largest p down (BH, BY) or from the smallest up (Holm), each at least
 * as extreme as its neighbour's. */
#include "stats/multiple.h"

#include <math.h>
#include <gsl/gsl_sort_double.h>
#include "base/memory.h"

const char *const multiple_method_words[] = {"bh", "by", "holm", NULL};

/* BY pays for unknown dependence with the harmonic number of the tests. */
static double penalty(enum multiple_method method, size_t tests)
{
	double sum = 0;

	if (method != MULTIPLE_BY)
		return 1;
	for (size_t i = 1; i <= tests; i++)
		sum += 1 / (double)i;
	return sum;
}

void multiple_adjust(enum multiple_method method, const double *p, size_t n, double *q)
{
	double *known = memory_alloc(memory_product(n, sizeof(*known)));
	size_t *order = memory_alloc(memory_product(n, sizeof(*order)));
	size_t *place = memory_alloc(memory_product(n, sizeof(*place)));
	size_t tests = 0;

	for (size_t i = 0; i < n; i++) {
		q[i] = p[i];
		if (isnan(p[i]))
			continue;
		known[tests] = p[i];
		place[tests++] = i;
	}
	gsl_sort_index(order, known, 1, tests);
	for (size_t i = 0; i < tests; i++)
		order[i] = place[order[i]];
	if (method == MULTIPLE_HOLM) {
		double most = 0;

		for (size_t i = 0; i < tests; i++) {
			double *const value = &q[order[i]];

			most = fmax(most, (double)(tests - i) * *value);
			*value = fmin(1, most);
		}
	} else {
		double factor = penalty(method, tests);
		double least = 1;

		for (size_t i = tests; i-- > 0;) {
			double *const value = &q[order[i]];

			least = fmin(least, factor * (double)tests / (double)(i + 1) * *value);
			*value = least;
		}
	}
	memory_free(known);
	memory_free(order);
	memory_free(place);
}

static double least_of(const double *q, size_t n)
{
	double least = 1;

	for (size_t i = 0; i < n; i++)
		least = fmin(least, q[i]); /* leaves NaN aside */
	return least;
}

void multiple_adjust_directions(const double *p, const double *diff, size_t n, double *q)
{
	double *up = memory_alloc(memory_product(n, sizeof(*up)));
	double *down = memory_alloc(memory_product(n, sizeof(*down)));
	double least_up, least_down;

	for (size_t i = 0; i < n; i++) {
		up[i] = diff[i] > 0 ? p[i] / 2 : 1 - p[i] / 2;
		down[i] = diff[i] > 0 ? 1 - p[i] / 2 : p[i] / 2;
	}
	multiple_adjust(MULTIPLE_BH, up, n, up);
	multiple_adjust(MULTIPLE_BH, down, n, down);
	least_up = least_of(up, n);
	least_down = least_of(down, n);
	for (size_t i = 0; i < n; i++) {
		double own =
			diff[i] > 0 ? fmax(up[i], 2 * least_up) : fmax(down[i], 2 * least_down);

		q[i] = isnan(p[i]) ? NAN : fmin(1, fmax(own, p[i]));
	}
	memory_free(up);
	memory_free(down);
}

double multiple_interval_level(double q, size_t flagged, size_t family)
{
	if (flagged == 0 || flagged > family || !(q > 0 && q < 1))
		return NAN;
	return 1 - q * (double)flagged / (double)family;
}
