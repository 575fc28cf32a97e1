/*
 * The mode of differences by a redescending mean.
 */
#include "stats/centre.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "stats/sample.h"

#define TUKEY_REACH 4.685 /* standard errors; 95 % efficiency where all agree (Huber 1981) */
#define TUKEY_STEPS 20
#define NEAR_SE 3 /* those that say what the ones that agree differ by */

/* The middle of the shortest half; *half: half its width. */
static double shortest_half(const double *diff, size_t n, double *half)
{
	const size_t width = n / 2 + 1;
	double *sorted = memory_alloc(memory_product(n, sizeof(*sorted))), middle;
	size_t best = 0;

	memcpy(sorted, diff, n * sizeof(*sorted));
	number_sort(sorted, n);
	for (size_t i = 1; i + width <= n; i++)
		if (sorted[i + width - 1] - sorted[i] < sorted[best + width - 1] - sorted[best])
			best = i;
	*half = (sorted[best + width - 1] - sorted[best]) / 2;
	middle = sample_quantile(sorted + best, width, 0.5);
	memory_free(sorted);
	return middle;
}

static double weight_of(double distance, double se)
{
	const double u = distance / (TUKEY_REACH * se);

	return fabs(u) < 1 ? (1 - u * u) * (1 - u * u) / (se * se) : 0;
}

static double variance_of(const double *diff, const double *se, size_t n, double centre)
{
	double squares = 0, near = 0, sum = 0, weights = 0;

	for (size_t i = 0; i < n; i++)
		if (fabs(diff[i] - centre) < NEAR_SE * se[i]) {
			squares += (diff[i] - centre) * (diff[i] - centre);
			near++;
		}
	for (size_t i = 0; i < n; i++) {
		const double w = weight_of(diff[i] - centre, se[i]);

		sum += w * w * fmax(se[i] * se[i], near > 0 ? squares / near : 0);
		weights += w;
	}
	return sum / (weights * weights);
}

void centre_find(const double *diff, const double *se, size_t n, struct centre *out)
{
	bool agree = true;
	double half;

	*out = (struct centre){.centre = shortest_half(diff, n, &half)};
	for (int i = 0; i < TUKEY_STEPS && agree; i++) {
		/* False: none is near enough, the centre stays. */
		double *centre = &out->centre;
		double sum = 0, weights = 0;

		for (size_t j = 0; j < n; j++) {
			const double w = weight_of(diff[j] - *centre, se[j]);

			sum += w * (diff[j] - *centre);
			weights += w;
		}
		if (weights > 0)
			*centre += sum / weights;
		agree = weights > 0;
	}
	out->variance = agree ? variance_of(diff, se, n, out->centre) : half * half;
	for (size_t i = 0; i < n; i++) {
		const double far = CENTRE_APART_SE * sqrt(se[i] * se[i] + out->variance);

		out->above += diff[i] - out->centre > far;
		out->below += diff[i] - out->centre < -far;
	}
}
