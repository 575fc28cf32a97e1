/* Tests of two samples: t tests, of pairs, Fieller's ratio, Fisher's exact test, equivalence and
 * minimum effects with their power. */
#include "stats/tests.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
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

/* The bounds are the r with (new - r base)^2 = t^2 (var_new + r^2 var_base), variances of the
 * means; Fieller, JRSS B 16 (1954). */
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

/* Fisher's exact test, by the hypergeometric distribution.
 * Fisher, Statistical Methods for Research Workers, 5th edition (1934), section 21.02. */

/* Tables that are as probable as the observed one may differ from it by rounding (R's value). */
#define EQUAL 1e-7

double fisher_test(size_t a, size_t n_a, size_t b, size_t n_b)
{
	const unsigned int in = (unsigned int)n_a, out = (unsigned int)n_b;
	const unsigned int drawn = (unsigned int)(a + b);
	const unsigned int least = drawn > out ? drawn - out : 0, most = drawn < in ? drawn : in;
	double observed, sum = 0;

	if (!n_a || !n_b)
		return NAN;
	observed = gsl_ran_hypergeometric_pdf((unsigned int)a, in, out, drawn) * (1 + EQUAL);
	for (unsigned int k = least; k <= most; k++) {
		const double p = gsl_ran_hypergeometric_pdf(k, in, out, drawn);

		if (p <= observed)
			sum += p;
	}
	return fmin(1, sum);
}

/* Equivalence and minimum-effect tests, and the power of the t test turned round for the
 * difference. */

double equivalence_above(double diff, double se, double df, double margin)
{
	return se > 0 ? student_upper((diff - margin) / se, df) : NAN;
}

double equivalence_below(double diff, double se, double df, double margin)
{
	return se > 0 ? student_upper((margin - diff) / se, df) : NAN;
}

void equivalence_test(
	double diff, double se, double df, double low, double high, struct equivalence *out)
{
	out->t_low = se > 0 ? (diff - low) / se : NAN;
	out->t_high = se > 0 ? (diff - high) / se : NAN;
	out->p_low = equivalence_above(diff, se, df, low);
	out->p_high = equivalence_below(diff, se, df, high);
	out->p = out->p_low > out->p_high ? out->p_low : out->p_high;
}

static bool sensible(double alpha, int sides)
{
	return alpha > 0 && alpha < 1 && (sides == 1 || sides == 2);
}

double equivalence_power(double diff, double se, double df, double alpha, int sides)
{
	if (!sensible(alpha, sides) || !(se > 0))
		return NAN;
	return student_shifted_upper(student_quantile(alpha / sides, df), df, diff / se);
}

struct curve_point {
	double x, y;
};

/* The power at a shift. */
static struct curve_point point_at(struct student_shifted *s, double x)
{
	return (struct curve_point){x, student_shifted_at(s, x)};
}

/* Regula falsi with the Illinois rule: an end that stays twice in a row counts half. The curve
 * rises from below the target at `low` to above it at `high`. */
static double solve(
	struct student_shifted *s, double target, struct curve_point low, struct curve_point high)
{
	double x = low.x;
	int stayed = 0; /* -1: the lower end moved last, 1: the upper one */

	low.y -= target;
	high.y -= target;
	for (int i = 0; i < 200 && high.x - low.x > 1e-13 * high.x; i++) {
		const double before = x;
		double value;

		x = low.x - low.y * (high.x - low.x) / (high.y - low.y);
		value = student_shifted_at(s, x) - target;
		if (value == 0 || fabs(x - before) <= 1e-13 * x)
			break;
		if (value < 0) {
			low = (struct curve_point){x, value};
			high.y /= stayed < 0 ? 2 : 1;
			stayed = -1;
		} else {
			high = (struct curve_point){x, value};
			low.y /= stayed > 0 ? 2 : 1;
			stayed = 1;
		}
	}
	return x;
}

double equivalence_detectable(double se, double df, double alpha, int sides, double power)
{
	struct student_shifted student;
	struct curve_point low, high;
	double t;

	if (!sensible(alpha, sides) || !(se > 0) || !(df > 0) || !(power > alpha && power < 1))
		return NAN;
	t = student_quantile(alpha / sides, df);
	student_shifted_init(t, df, &student);
	/* Near t + the central quantile of the power, which is too much for few df and powers >
	 * 1/2. */
	low = high = point_at(&student, fmax(t, t + student_quantile(1 - power, df)));
	while (low.x > 0 && low.y >= power)
		low = point_at(&student, low.x > 1e-3 ? low.x * 0.8 : 0);
	for (; high.y < power; high = point_at(&student, high.x * 1.25))
		if (!(high.x < 1e12))
			return NAN;
	return se * solve(&student, power, low, high);
}

/* One-way random effects by analysis of variance, also for runs of different lengths.
 * Searle, Casella & McCulloch, Variance Components (1992), chapter 3. */

/* Sums over the runs; distances of run means are from `origin`, so that nothing cancels. */
struct oneway_sums {
	double origin;
	long double within, distances, squares; /* the last two weighted by the steps */
	long double plain, plain_squares;	/* not weighted */
	long double lengths_squared;
};

static void estimate(const struct oneway_sums *s, struct oneway *out)
{
	const double between = (double)(out->runs - 1), n = (double)out->n;
	const double within = (double)(out->n - out->runs);

	out->typical = (double)((n - s->lengths_squared / n) / between);
	out->ms_between = (double)((s->squares - s->distances * s->distances / n) / between);
	out->ms_within = (double)(s->within / within);
	out->variance_between = (out->ms_between - out->ms_within) / out->typical;
	out->truncated = out->variance_between < 0;
	out->variance_run = fmax(0, out->variance_between);
	out->se = (double)sqrtl(
		(s->plain_squares - s->plain * s->plain / out->runs) / between / out->runs);
	if (out->ms_within > 0) {
		out->f = out->ms_between / out->ms_within;
		out->p = gsl_cdf_fdist_Q(out->f, between, within);
	}
	if (out->ms_between > 0 || out->ms_within > 0) {
		out->icc = (out->ms_between - out->ms_within) /
			   (out->ms_between + (out->typical - 1) * out->ms_within);
		out->design_effect = 1 + (out->typical - 1) * fmax(0, out->icc);
	}
}

/* The mean of all values as the origin leaves the weighted sum of distances next to 0. */
void oneway_describe(const double *x, const size_t *first, size_t runs, struct oneway *out)
{
	struct oneway_sums s = {0};
	struct moments m;

	*out = (struct oneway){
		.typical = NAN,
		.ms_between = NAN,
		.ms_within = NAN,
		.f = NAN,
		.p = NAN,
		.variance_between = NAN,
		.variance_run = NAN,
		.icc = NAN,
		.design_effect = NAN,
		.mean = NAN,
		.se = NAN,
	};
	if (runs == 0 || first[runs] == first[0])
		return;
	moments_compute(x + first[0], first[runs] - first[0], &m);
	s.origin = m.origin;
	for (size_t r = 0; r < runs; r++) {
		if (first[r + 1] == first[r])
			continue;
		moments_compute(x + first[r], first[r + 1] - first[r], &m);

		const long double d = ((long double)m.origin - s.origin) + m.offset;

		s.within += m.squares;
		s.distances += d * m.n;
		s.squares += d * d * m.n;
		s.plain += d;
		s.plain_squares += d * d;
		s.lengths_squared += (long double)m.n * m.n;
		out->runs++;
		out->n += m.n;
	}
	out->mean = (double)(s.origin + s.plain / out->runs);
	if (out->runs >= 2 && out->n > out->runs)
		estimate(&s, out);
}

#define SEED 20240229 /* any; the same data give the same answer */

struct splitter {
	size_t base, runs, most;
	size_t *member; /* runs of the side that is called base, ascending */
	size_t count;
	bool *of_new;
};

/* One more row, unless it is the split that was observed. */
static void add(struct splitter *s)
{
	bool *row = s->of_new + s->count * s->runs;
	bool is_other = false;

	for (size_t r = 0; r < s->runs; r++)
		row[r] = true;
	for (size_t i = 0; i < s->base; i++) {
		row[s->member[i]] = false;
		is_other |= s->member[i] >= s->base;
	}
	s->count += is_other;
}

/* The next larger set of members; false after the last. */
static bool advance(struct splitter *s, size_t fixed)
{
	size_t i = s->base;

	while (i > fixed && s->member[i - 1] == s->runs - s->base + i - 1)
		i--;
	if (i == fixed)
		return false;
	s->member[i - 1]++;
	for (; i < s->base; i++)
		s->member[i] = s->member[i - 1] + 1;
	return true;
}

static void draw(struct splitter *s, size_t fixed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t *all = memory_alloc(memory_product(s->runs, sizeof(*all)));

	for (size_t r = 0; r < s->runs; r++)
		all[r] = r;
	gsl_rng_set(rng, SEED);
	while (s->count < s->most) {
		s->member[0] = 0;
		gsl_ran_choose(rng, s->member + fixed, s->base - fixed, all + fixed,
			s->runs - fixed, sizeof(*all));
		add(s);
	}
	memory_free(all);
	gsl_rng_free(rng);
}

size_t splits_fill(size_t base, size_t new, size_t most, bool *of_new)
{
	struct splitter s = {base, base + new, most, NULL, 0, of_new};
	/* Sides of equal size: base keeps run 0, or the same split comes twice. */
	const size_t fixed = 2 * s.base == s.runs;
	double others;

	if (!base || !new || !most || base + new < 3)
		return 0;
	/* The logarithm does not overflow. */
	others =
		exp(gsl_sf_lnchoose((unsigned int)(s.runs - fixed), (unsigned int)(base - fixed))) -
		1;
	s.member = memory_alloc(memory_product(base, sizeof(*s.member)));
	for (size_t i = 0; i < base; i++)
		s.member[i] = i;
	if (others > (double)most + 0.5)
		draw(&s, fixed);
	else
		while (advance(&s, fixed))
			add(&s);
	memory_free(s.member);
	return s.count;
}

size_t splits_fill_rounds(size_t rounds, size_t most, bool *exchanged)
{
	/* Bits for the rounds after the first, at most as many as `most` needs. */
	const size_t bits = rounds < 2 ? 0 : rounds - 1 < 32 ? rounds - 1 : 32;
	const size_t others = ((size_t)1 << bits) - 1;

	if (others <= most) {
		for (size_t i = 0; i < others; i++)
			for (size_t r = 0; r < rounds; r++)
				exchanged[i * rounds + r] = r > 0 && (i + 1) >> (r - 1) & 1;
	} else {
		gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

		gsl_rng_set(rng, SEED);
		for (size_t i = 0; i < most;) {
			bool is_other = false;

			for (size_t r = 0; r < rounds; r++) {
				exchanged[i * rounds + r] = r > 0 && gsl_rng_uniform_int(rng, 2);
				is_other |= exchanged[i * rounds + r];
			}
			i += is_other;
		}
		gsl_rng_free(rng);
	}
	return others <= most ? others : most;
}
