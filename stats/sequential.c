/* Always-valid intervals: the mixture of t statistics over effect sizes. */
#include "stats/sequential.h"

#include <math.h>
#include "stats/sample.h"
#include "stats/student.h"

#define FENCE_SDS 8
/* One of so many values may lie beyond it. */
#define FENCE_ONE_OF 10
#define SLOW_OF_LEAST 5
/* Less than so many medians is never far longer. */
#define SLOW_TIMES_LEAST 1.2
#define NORMAL_MAD 1.482602218505602

double sequential_factor(size_t n, double alpha)
{
	const double count = (double)n;
	double a, rest;

	if (n < 2)
		return INFINITY;
	a = pow(1 + count, 1 / count) * pow(alpha, -2 / count);
	rest = 1 - a / (1 + count);
	return rest > 0 ? sqrt((count - 1) * (a - 1) / rest) : INFINITY;
}

double sequential_factor_once(size_t n, double alpha)
{
	return student_quantile(alpha / 2, (double)n - 1);
}

double sequential_level(size_t n, double alpha)
{
	const double factor = sequential_factor(n, alpha);

	return isinf(factor) ? 0 : student_two_sided(factor, (double)n - 1);
}

/* Half width of the fence about *middle; INFINITY: none. */
static double fence(const double *x, size_t n, double *middle)
{
	double mad;

	if (n < FENCE_ONE_OF)
		return INFINITY;
	*middle = sample_median(x, n, &mad);
	return mad > 0 ? FENCE_SDS * NORMAL_MAD * mad * (1 + 2.5 / (double)n) : INFINITY;
}

void sequential_describe(const double *x, size_t n, double alpha, struct sequential *out, bool *far)
{
	double middle = 0, half = fence(x, n, &middle), sum = 0, squares = 0, width;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		kept += fabs(x[i] - middle) <= half;
	*out = (struct sequential){.mean = NAN, .sd = NAN, .low = -INFINITY, .high = INFINITY};
	if ((n - kept) * FENCE_ONE_OF > n) {
		half = INFINITY;
		out->beyond = n - kept;
	}
	for (size_t i = 0; i < n; i++) {
		const bool counts = fabs(x[i] - middle) <= half;

		if (far)
			far[i] = !counts;
		out->n += counts;
		sum += counts ? x[i] : 0;
	}
	out->far_off = n - out->n;
	if (!out->n)
		return;
	out->mean = sum / (double)out->n;
	if (out->n < 2)
		return;
	for (size_t i = 0; i < n; i++)
		if (fabs(x[i] - middle) <= half)
			squares += (x[i] - out->mean) * (x[i] - out->mean);
	out->sd = sqrt(squares / (double)(out->n - 1));
	width = sequential_factor(out->n, alpha);
	if (isinf(width))
		return;
	width *= out->sd / sqrt((double)out->n);
	out->low = out->mean - width;
	out->high = out->mean + width;
}

static size_t count_slow(const double *x, size_t n, double middle, double half, double *times)
{
	size_t slow = 0;

	*times = NAN;
	for (size_t i = 0; i < n; i++) {
		if (!(x[i] - middle > half))
			continue;
		slow++;
		*times = slow == 1 ? exp(x[i] - middle) : fmin(*times, exp(x[i] - middle));
	}
	return slow;
}

void sequential_slow(const double *x, const double *y, size_t n, size_t *slow_x, double *times_x,
	size_t *slow_y, double *times_y)
{
	double mad_x = 0, mad_y = 0, half = INFINITY;
	const double middle_x = n ? sample_median(x, n, &mad_x) : NAN;
	const double middle_y = n ? sample_median(y, n, &mad_y) : NAN;

	if (n >= SLOW_OF_LEAST && fmax(mad_x, mad_y) > 0)
		half = fmax(log(SLOW_TIMES_LEAST),
			FENCE_SDS * NORMAL_MAD * fmax(mad_x, mad_y) * (1 + 2.5 / (double)n));
	*slow_x = count_slow(x, n, middle_x, half, times_x);
	*slow_y = count_slow(y, n, middle_y, half, times_y);
}

size_t sequential_needed(double sd, double distance, double alpha, size_t most)
{
	size_t low = 1, high = most;

	if (!(distance > 0) || sequential_factor(most, alpha) * sd / sqrt((double)most) >= distance)
		return 0;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (sequential_factor(middle, alpha) * sd / sqrt((double)middle) < distance)
			high = middle;
		else
			low = middle;
	}
	return high;
}
