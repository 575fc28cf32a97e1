/* Mean and sum of squares in two passes of long double. GSL's variance rounds the mean to a double
 * before it takes deviations, which costs digits where the spread is below 1e-8 of the mean. */
#include "stats/moments.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "stats/sample.h"

static bool all_equal(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i] != x[0])
			return false;
	return n >= 2;
}

/* The corrected two-pass algorithm (Chan, Golub & LeVeque 1983): what the rounding of the origin
 * leaves is measured by the sum of the deviations and taken off again. */
void moments_compute(const double *x, size_t n, struct moments *out)
{
	long double sum = 0, deviations = 0, squares = 0;

	*out = (struct moments){.n = n, .constant = all_equal(x, n)};
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	out->sum = sum;
	out->origin = out->constant ? x[0] : (double)(sum / n);
	if (out->constant)
		return;
	for (size_t i = 0; i < n; i++) {
		const long double d = (long double)x[i] - out->origin;

		deviations += d;
		squares += d * d;
	}
	out->offset = deviations / n;
	squares -= deviations * out->offset;
	out->squares = n == 1 || squares < 0 ? 0 : squares;
}

void moments_compute_sparse(const double *x, size_t k, size_t n, struct moments *out)
{
	const long double zeros = (long double)(n - k);
	long double sum = 0, deviations = 0, squares = 0;

	*out = (struct moments){.n = n, .constant = n >= 2};
	for (size_t i = 0; i < k; i++) {
		sum += x[i];
		out->constant = out->constant && x[i] == 0;
	}
	out->sum = sum;
	if (out->constant)
		return;
	out->origin = (double)(sum / n);
	for (size_t i = 0; i < k; i++) {
		const long double d = (long double)x[i] - out->origin;

		deviations += d;
		squares += d * d;
	}
	deviations -= zeros * out->origin;
	squares += zeros * out->origin * out->origin;
	out->offset = deviations / n;
	squares -= deviations * out->offset;
	out->squares = n == 1 || squares < 0 ? 0 : squares;
}

/* With sum = n q + r, 0 <= r < n, the squares of the deviations are squares - n q^2 - 2 q r - r^2 /
 * n. All but the last is whole and, by Cauchy and Schwarz, between 0 and the squares: nothing is
 * rounded where large numbers are taken from each other. */
void moments_of_sums(int64_t n, __int128 sum, unsigned __int128 squares, struct moments *out)
{
	unsigned __int128 rest, left;
	__int128 q, r;
	long double mean;

	*out = (struct moments){.n = (size_t)n};
	if (n <= 0)
		return;
	q = sum / n;
	r = sum % n;
	if (r < 0) {
		r += n;
		q--;
	}
	mean = (long double)q + (long double)r / (long double)n;
	out->sum = (long double)sum;
	out->origin = (double)mean;
	out->offset = mean - out->origin;
	left = squares - (unsigned __int128)n * (unsigned __int128)(q * q) -
	       (unsigned __int128)(2 * q * r);
	rest = (unsigned __int128)r * (unsigned __int128)r;
	out->squares = (long double)(left - rest / (unsigned __int128)n) -
		       (long double)(rest % (unsigned __int128)n) / (long double)n;
	out->constant = n >= 2 && out->squares == 0;
}

long double moments_deviation(const struct moments *m, double x)
{
	return ((long double)x - m->origin) - m->offset;
}

double moments_mean(const struct moments *m)
{
	return m->n == 0 ? NAN : (double)(m->origin + m->offset);
}

static long double variance(const struct moments *m, bool population)
{
	const size_t lost = population ? 0 : 1;

	return m->n <= lost ? (long double)NAN : m->squares / (m->n - lost);
}

double moments_variance(const struct moments *m, bool population)
{
	return (double)variance(m, population);
}

double moments_sd(const struct moments *m, bool population)
{
	return (double)sqrtl(variance(m, population));
}

double moments_cv(const struct moments *m, bool population)
{
	const long double mean = m->origin + m->offset;

	if (m->constant || (population && m->n == 1))
		return 0;
	if (m->n == 0 || !(mean > 0))
		return NAN;
	return (double)(sqrtl(variance(m, population)) / mean);
}

double moments_half_width(double se, double df, double confidence)
{
	return gsl_cdf_tdist_Qinv((1 - confidence) / 2, df) * se;
}

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
