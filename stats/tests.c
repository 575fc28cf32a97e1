/*
 * t tests of two samples and of pairs, and Fieller's ratio.
 */
#include "stats/tests.h"

#include <math.h>
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

/* Computes both sides' moments and the difference of their means; false: a side has fewer than two
 * values. */
static bool compare_means(const double *base, size_t base_n, const double *new, size_t new_n,
	struct moments side[2], struct t_test *out)
{
	*out = no_test;
	if (base_n == 0 || new_n == 0)
		return false;
	moments_compute(base, base_n, &side[0]);
	moments_compute(new, new_n, &side[1]);
	out->diff = (double)(((long double)side[1].origin - side[0].origin) +
			     (side[1].offset - side[0].offset));
	return base_n >= 2 && new_n >= 2;
}

/* Welch 1947 (R: t.test). */
void test_welch(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, struct t_test *out)
{
	struct moments side[2];
	double a, b;

	if (!compare_means(base, base_n, new, new_n, side, out))
		return;
	a = moments_variance(&side[0], false) / (double)base_n;
	b = moments_variance(&side[1], false) / (double)new_n;
	out->se = sqrt(a + b);
	if (out->se > 0)
		out->df = (a + b) * (a + b) /
			  (a * a / (double)(base_n - 1) + b * b / (double)(new_n - 1));
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
	moments_compute(diff, n, &m);
	memory_free(diff);
	out->diff = moments_mean(&m);
	if (n < 2)
		return;
	out->se = moments_sd(&m, false) / sqrt((double)n);
	out->df = (double)(n - 1);
	conclude(confidence, out);
}

/* False when there are too few values, or one has no logarithm. */
static bool describe_logs(const double *x, size_t n, struct sample *out)
{
	const struct sample_options opt = {.confidence = 0.95};
	double *logs;

	if (n < 2)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!(x[i] > 0))
			return false;
	logs = memory_alloc(memory_product(n, sizeof(*logs)));
	for (size_t i = 0; i < n; i++)
		logs[i] = log(x[i]);
	sample_describe(logs, n, &opt, out);
	memory_free(logs);
	return true;
}

double test_step_variance(const double *x, size_t n)
{
	struct sample s;

	return describe_logs(x, n, &s) ? s.se * s.se : NAN;
}

void test_step_mean(const double *x, size_t n, struct step_mean *out)
{
	struct sample s;

	*out = (struct step_mean){NAN, NAN};
	if (!describe_logs(x, n, &s))
		return;
	out->variance = s.sd * s.sd / s.n_eff_low;
	out->df = s.n_eff >= 5 ? s.n_eff - 1 : NAN;
}

/*
 * The bounds are the r with (new - r base)^2 = t^2 (var_new + r^2 var_base), variances of the
 * means; Fieller, JRSS B 16 (1954).
 */
void test_fieller(const double *base, size_t base_n, const double *new, size_t new_n,
	double confidence, double factor, struct ratio *out)
{
	const size_t least = base_n < new_n ? base_n : new_n;
	struct moments side[2];
	struct t_test test;
	double x, y, t, x_part, y_part, root;

	*out = (struct ratio){.value = NAN, .low = NAN, .high = NAN};
	if (!compare_means(base, base_n, new, new_n, side, &test))
		return;
	x = moments_mean(&side[0]);
	y = moments_mean(&side[1]);
	out->value = x == 0 ? NAN : y / x;
	t = factor * student_quantile((1 - confidence) / 2, (double)(least - 1));
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
