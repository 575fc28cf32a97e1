/*
 * t tests of two samples and of pairs, Fieller's ratio, the sign test's interval, and what one run
 * a side can say.
 */
#include "stats/tests.h"

#include <math.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"
#include "stats/moments.h"
#include "stats/sample.h"
#include "stats/student.h"

static const struct t_test no_test = {
	.diff = NAN, .se = NAN, .df = NAN, .t = NAN, .p = NAN, .low = NAN, .high = NAN};

/* diff, se and df are set; the rest follows. */
static void conclude(double confidence, struct t_test *test)
{
	double half = 0;

	if (test->se > 0) {
		test->t = test->diff / test->se;
		test->p = student_two_sided(test->t, test->df);
		half = student_quantile((1 - confidence) / 2, test->df) * test->se;
	}
	test->low = test->diff - half;
	test->high = test->diff + half;
}

void test_estimate(double diff, double se, double df, double confidence, struct t_test *out)
{
	*out = no_test;
	out->diff = diff;
	out->se = se;
	out->df = df;
	conclude(confidence, out);
}

static double difference(const struct moments *base, const struct moments *new)
{
	return (double)(((long double)new->origin - base->origin) + (new->offset - base->offset));
}

/* Both sides' moments and the difference of their means; false: no more can be said. */
static bool take_sides(const double *base, size_t base_n, const double *new, size_t new_n,
	struct moments side[2], struct t_test *out)
{
	*out = no_test;
	if (base_n == 0 || new_n == 0)
		return false;
	moments_take(base, base_n, &side[0]);
	moments_take(new, new_n, &side[1]);
	out->diff = difference(&side[0], &side[1]);
	return base_n >= 2 && new_n >= 2;
}

/* Welch 1947 (R: t.test). */
void test_welch(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct t_test *out)
{
	struct moments side[2];
	double a, b;

	if (!take_sides(base, base_n, new, new_n, side, out))
		return;
	a = moments_variance(&side[0], false) / (double)base_n;
	b = moments_variance(&side[1], false) / (double)new_n;
	out->se = sqrt(a + b);
	if (out->se > 0)
		out->df = (a + b) * (a + b) /
			  (a * a / (double)(base_n - 1) + b * b / (double)(new_n - 1));
	conclude(confidence, out);
}

/* R: t.test(var.equal = TRUE). */
void test_student(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct t_test *out)
{
	struct moments side[2];
	double pooled;

	if (!take_sides(base, base_n, new, new_n, side, out))
		return;
	out->df = (double)(base_n + new_n - 2);
	pooled = (double)((side[0].squares + side[1].squares) / out->df);
	out->se = sqrt(pooled * (1 / (double)base_n + 1 / (double)new_n));
	conclude(confidence, out);
}

void test_paired(
	const double *base, const double *new, size_t n, double confidence, struct t_test *out)
{
	double *diff;
	struct moments m;

	*out = no_test;
	if (n == 0)
		return;
	diff = memory_alloc(memory_product(n, sizeof(*diff)));
	for (size_t i = 0; i < n; i++)
		diff[i] = new[i] - base[i];
	moments_take(diff, n, &m);
	memory_free(diff);
	out->diff = moments_mean(&m);
	if (n < 2)
		return;
	out->se = moments_sd(&m, false) / sqrt((double)n);
	out->df = (double)(n - 1);
	conclude(confidence, out);
}

void test_one_run(double diff, double run_cv, double step_variance_base, double step_variance_new,
	double confidence, struct t_test *out)
{
	*out = no_test;
	out->diff = diff;
	if (!(run_cv >= 0) || !(step_variance_base >= 0) || !(step_variance_new >= 0))
		return;
	out->se = sqrt(2 * run_cv * run_cv + step_variance_base + step_variance_new);
	out->df = INFINITY;
	conclude(confidence, out);
}

double test_step_variance(const double *x, size_t n)
{
	const struct sample_options opt = {.confidence = 0.95};
	double *logs;
	struct sample s;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		if (!(x[i] > 0))
			return NAN;
	logs = memory_alloc(memory_product(n, sizeof(*logs)));
	for (size_t i = 0; i < n; i++)
		logs[i] = log(x[i]);
	sample_describe(logs, n, &opt, &s);
	memory_free(logs);
	return s.se * s.se;
}

/*
 * The bounds are the r with (new - r base)^2 = t^2 (var_new + r^2 var_base), variances of the
 * means; Fieller, JRSS B 16 (1954).
 */
void test_fieller(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct ratio *out)
{
	const size_t least = base_n < new_n ? base_n : new_n;
	struct moments side[2];
	struct t_test test;
	double x, y, t, x_part, y_part, root;

	*out = (struct ratio){.value = NAN, .low = NAN, .high = NAN};
	if (!take_sides(base, base_n, new, new_n, side, &test))
		return;
	x = moments_mean(&side[0]);
	y = moments_mean(&side[1]);
	out->value = x == 0 ? NAN : y / x;
	t = student_quantile((1 - confidence) / 2, (double)(least - 1));
	x_part = x * x - t * t * moments_variance(&side[0], false) / (double)base_n;
	y_part = y * y - t * t * moments_variance(&side[1], false) / (double)new_n;
	if (!(x_part > 0)) {
		out->unbounded = true;
		out->low = -INFINITY;
		out->high = INFINITY;
		return;
	}
	root = sqrt(fmax(0, x * y * x * y - x_part * y_part));
	out->low = (x * y - root) / x_part;
	out->high = (x * y + root) / x_part;
}

/* The largest k with P(B <= k - 1) <= tail, B binomial(n, 1/2); *outside is that probability. */
static size_t sign_rank(size_t n, double tail, double *outside)
{
	size_t k = 0;

	*outside = 0;
	while (k < (n + 1) / 2) {
		const double next = gsl_cdf_binomial_P((unsigned)k, 0.5, (unsigned)n);

		if (next > tail)
			break;
		*outside = next;
		k++;
	}
	return k;
}

void test_sign_interval(const double *x, size_t n, double confidence, struct median_interval *out)
{
	double *sorted, outside;

	*out = (struct median_interval){.median = NAN, .coverage = NAN, .low = NAN, .high = NAN};
	if (n == 0)
		return;
	sorted = memory_alloc(memory_product(n, sizeof(*sorted)));
	memcpy(sorted, x, n * sizeof(*sorted));
	gsl_sort(sorted, 1, n);
	out->median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	out->rank = sign_rank(n, (1 - confidence) / 2, &outside);
	if (out->rank > 0) {
		out->coverage = 1 - 2 * outside;
		out->low = sorted[out->rank - 1];
		out->high = sorted[n - out->rank];
	}
	memory_free(sorted);
}
