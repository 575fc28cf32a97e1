/* Describes one series: location, spread, correlation and intervals, what single steps do to the
 * spread, the grid of the printed values, and the warm-up of a run. */
#include "stats/sample.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/number.h"
#include "stats/modes.h"
#include "stats/moments.h"

#define OUTLIER_SDS 10		 /* beyond the median, as the MAD has them */
#define ALONE_MOST 16		 /* values: more tell their own spread */
#define QUANTILE_BEYOND_LEAST 10 /* values beyond a quantile that is known */

/* Either way: a longer interval says nothing. */
#define INTERVAL_FACTOR_MOST 10

static void describe_nothing(struct sample *out)
{
	*out = (struct sample){
		.mean = NAN,
		.sd = NAN,
		.cv = NAN,
		.se = NAN,
		.min = NAN,
		.max = NAN,
		.median = NAN,
		.mad = NAN,
		.robust_cv = NAN,
		.lag1 = NAN,
		.lag1_corrected = NAN,
		.n_eff = NAN,
		.n_eff_low = NAN,
		.low = NAN,
		.high = NAN,
	};
}

double sample_middle(double *x, size_t n)
{
	return gsl_stats_median(x, 1, n);
}

double sample_median(const double *x, size_t n, double *mad)
{
	double *work = memory_alloc(memory_product(n, sizeof(*work)));
	double median;

	memcpy(work, x, n * sizeof(*work));
	median = gsl_stats_median(work, 1, n);
	for (size_t i = 0; i < n; i++)
		work[i] = fabs(x[i] - median);
	*mad = gsl_stats_median(work, 1, n);
	memory_free(work);
	return median;
}

static void describe_order(const double *x, size_t n, struct sample *out)
{
	gsl_stats_minmax(&out->min, &out->max, x, 1, n);
	if (n < 2 || out->constant) {
		out->median = x[0];
		out->mad = out->robust_cv = out->constant ? 0 : NAN;
		return;
	}
	out->median = sample_median(x, n, &out->mad);
	out->robust_cv = out->median > 0 ? SAMPLE_SD_OF_MAD * out->mad / out->median : NAN;
}

/* r_k = sum_{t < n-k} d_t d_{t+k} / sum_t d_t^2 (NIST StRD; R: acf). */
static double autocorrelation(const double *x, const struct moments *m, size_t lag)
{
	long double products = 0;

	if (m->n < 3 || m->constant || lag >= m->n)
		return NAN;
	for (size_t t = 0; t + lag < m->n; t++)
		products += moments_deviation(m, x[t]) * moments_deviation(m, x[t + lag]);
	return (double)(products / m->squares);
}

/* r1 taken about the mean is too low by (1 + 4 phi)/n on average (Kendall 1954; Marriott & Pope
 * 1954). */
static double bias_corrected(double lag1, double n)
{
	return lag1 + (1 + 4 * lag1) / n;
}

/* Negative correlation is not credited: an interval never gets narrower by it. */
static double correct_lag1(double lag1, double n, double more)
{
	return isnan(lag1) ? NAN : fmin(0.99, fmax(0, bias_corrected(lag1, n) + more));
}

static double effective_size(double r, double n)
{
	return isnan(r) ? n : fmin(n, fmax(2, n * (1 - r) / (1 + r)));
}

double sample_effective_size_of(const double *x, const struct moments *m)
{
	const double n = (double)m->n;

	return m->n == 0 ? NAN : effective_size(correct_lag1(autocorrelation(x, m, 1), n, 0), n);
}

double sample_effective_size(const double *x, size_t n)
{
	struct moments m;

	moments_compute(x, n, &m);
	return sample_effective_size_of(x, &m);
}

static void describe_moments(
	const struct moments *m, const struct sample_options *opt, struct sample *out)
{
	out->n = m->n;
	out->constant = m->constant;
	out->sum = (double)m->sum;
	out->mean = moments_mean(m);
	out->sd = moments_sd(m, opt->population);
	out->cv = moments_cv(m, opt->population);
}

/* From FEW_LEAST to FEW_MOST values the interval is Student's, widened; from FEW_NONE on that of
 * n_eff; between them it goes from one to the other. */
enum { FEW_LEAST = 6, FEW_MOST = 20, FEW_NONE = 50 };

/* Weight of the interval of n_eff: 0 to 1. */
static double part_of_many(size_t n)
{
	if (n < FEW_LEAST || n >= FEW_NONE)
		return 1;
	return n <= FEW_MOST ? 0 : (double)(n - FEW_MOST) / (FEW_NONE - FEW_MOST);
}

/* The length of the interval of few values over Student's. r1 of few values is too rough to be
 * believed: less is made of it than n_eff does, so that the interval holds the mean in 0.93 to
 * 0.97 of the series up to a correlation of 0.3 (simulated: doc/statistics.md). Negative
 * correlation takes back the 0.05, no more. */
static double few_widening(double lag1, double n)
{
	return fmin(2.5, fmax(1, 1.05 + (0.5 + 20 / n) * bias_corrected(lag1, n)));
}

static double half_width(const struct moments *m, double confidence, const struct sample *s)
{
	const double n = (double)m->n, sd = moments_sd(m, false), many = part_of_many(m->n);
	double half = 0;

	if (many < 1)
		half = (1 - many) * few_widening(s->lag1, n) *
		       moments_half_width(sd / sqrt(n), n - 1, confidence);
	if (many > 0)
		half += many *
			moments_half_width(sd / sqrt(s->n_eff_low), s->n_eff - 1, confidence);
	return half;
}

/* Levels that both last: from FEW_MOST values on, levels that change all the time are averaged. */
static bool is_of_two_levels(
	const double *x, const struct sample *s, const struct sample_options *opt)
{
	const bool last = s->n <= FEW_MOST || s->n_eff < 0.5 * (double)s->n;

	return part_of_many(s->n) < 1 && last && modes_apart(x, s->n, opt->resolution);
}

/* x: NULL where the values are too many to be looked at for levels. */
static void describe_lag1(const double *x, const struct moments *m, double lag1,
	const struct sample_options *opt, struct sample *out)
{
	const double n = (double)m->n;

	out->lag1 = lag1;
	out->lag1_corrected = correct_lag1(lag1, n, 0);
	out->n_eff = effective_size(out->lag1_corrected, n);
	/* n_eff < 5 refuses the series whose r1 is high, so that those that are left are the ones
	 * whose r1 is below the truth. Made for intervals from 10 values on (doc/statistics.md);
	 * 80/n^2 is below 0.04 where they are used alone. */
	out->n_eff_low = effective_size(correct_lag1(lag1, n, 80 / (n * n)), n);
	out->two_levels = x && !out->constant && is_of_two_levels(x, out, opt);

	double half;

	out->se = moments_sd(m, false) / sqrt(out->n_eff);
	if (out->n_eff < 5 * part_of_many(m->n) || out->two_levels)
		return;
	half = out->constant ? 0 : half_width(m, opt->confidence, out);
	out->low = out->mean - half;
	out->high = out->mean + half;
}

void sample_positive_interval(double mean, double *low, double *high)
{
	const double half = (*high - mean) / mean;

	if (!(*low < 0))
		return;
	*low = *high = NAN;
	if (!(mean > 0 && half <= log(INTERVAL_FACTOR_MOST)))
		return;
	*low = mean * exp(-half);
	*high = mean * exp(half);
}

void sample_describe(
	const double *x, size_t n, const struct sample_options *opt, struct sample *out)
{
	struct moments m;

	describe_nothing(out);
	if (n == 0)
		return;
	moments_compute(x, n, &m);
	describe_moments(&m, opt, out);
	describe_order(x, n, out);
	describe_lag1(x, &m, autocorrelation(x, &m, 1), opt, out);
}

/* ---- series that are 0 but for a few values ---- */

#define SPARSE_STEPS_LEAST 256 /* shorter series are described as they are */

bool sparse_enough(const struct sparse *s)
{
	return s->n >= SPARSE_STEPS_LEAST && s->k < s->n / 4;
}

/* The products of neighbours: those with a value in them, and all others, which are of two
 * zeros. */
static double sparse_lag1(const struct sparse *s, const struct moments *m)
{
	const long double zero = moments_deviation(m, 0);
	long double products = 0;
	size_t pairs = 0;

	if (m->n < 3 || m->constant)
		return NAN;
	for (size_t i = 0; i < s->k; i++) {
		const long double d = moments_deviation(m, s->x[i]);

		if (s->at[i] > 0 && !(i > 0 && s->at[i - 1] + 1 == s->at[i])) {
			products += zero * d;
			pairs++;
		}
		if (s->at[i] + 1 == s->n)
			continue;
		products += d * (i + 1 < s->k && s->at[i + 1] == s->at[i] + 1
						? moments_deviation(m, s->x[i + 1])
						: zero);
		pairs++;
	}
	products += (long double)(s->n - 1 - pairs) * zero * zero;
	return (double)(products / m->squares);
}

void sample_describe_sparse(
	const struct sparse *s, const struct sample_options *opt, struct sample *out)
{
	struct moments m;

	describe_nothing(out);
	moments_compute_sparse(s->x, s->k, s->n, &m);
	describe_moments(&m, opt, out);
	out->min = out->max = out->median = out->mad = 0;
	for (size_t i = 0; i < s->k; i++) {
		out->min = fmin(out->min, s->x[i]);
		out->max = fmax(out->max, s->x[i]);
	}
	out->robust_cv = m.constant ? 0 : NAN;
	describe_lag1(NULL, &m, sparse_lag1(s, &m), opt, out);
}

/* CV without value number `leave` of s->x; s->k: without one of the zeros. */
static double sparse_cv_without(const struct sparse *s, size_t leave, bool population)
{
	double *rest = memory_alloc(memory_product(s->k + 1, sizeof(*rest)));
	size_t kept = 0;
	struct moments m;

	for (size_t i = 0; i < s->k; i++)
		if (i != leave)
			rest[kept++] = s->x[i];
	moments_compute_sparse(rest, kept, s->n - 1, &m);
	memory_free(rest);
	return moments_cv(&m, population);
}

/* Bits of doubles are in the order of their values; of negative ones (IEEE 754) in the other. */
static int64_t order_of_double(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

static double double_of_order(int64_t order)
{
	const int64_t bits = order < 0 ? order ^ INT64_MAX : order;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Every integer up to here is a double. */
#define INTEGER_MOST 9007199254740992.0 /* 2^53 */

static bool are_integers(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(fabs(x[i]) <= INTEGER_MOST) || x[i] != (double)(int64_t)x[i])
			return false;
	return true;
}

/* Recorded values are integers, which differ in fewer bytes than the doubles do: fewer passes. */
static double *sorted_copy(const double *x, size_t n)
{
	double *copy = memory_alloc(memory_product(n, sizeof(*copy)));
	struct keyed *item = memory_alloc(memory_product(2 * n, sizeof(*item)));
	const bool integers = are_integers(x, n);

	for (size_t i = 0; i < n; i++)
		item[i].key = integers ? (int64_t)x[i] : order_of_double(x[i]);
	order_by_key(item, item + n, n);
	for (size_t i = 0; i < n; i++)
		copy[i] = integers ? (double)item[i].key : double_of_order(item[i].key);
	memory_free(item);
	return copy;
}

size_t sample_quantile_place(size_t n, double p, double *part)
{
	const double place = p * (double)(n - 1);
	const size_t below = (size_t)place;

	*part = below + 1 < n ? place - (double)below : 0;
	return below;
}

/* R: quantile(type = 7). Not gsl_stats_quantile_from_sorted_data: (1 - d) a + d b is not always a
 * when a = b, and a quantile between equal values must be that value. */
static double quantile_of_sorted(const double *sorted, size_t n, double p)
{
	double part, value;
	size_t below;

	if (n == 0 || !(p >= 0 && p <= 1))
		return NAN;
	below = sample_quantile_place(n, p, &part);
	value = sorted[below];
	if (below + 1 < n)
		value += part * (sorted[below + 1] - value);
	return value;
}

void sample_quantiles(const double *x, size_t n, const double *p, size_t count, double *out)
{
	double *sorted = sorted_copy(x, n);

	for (size_t i = 0; i < count; i++)
		out[i] = quantile_of_sorted(sorted, n, p[i]);
	memory_free(sorted);
}

double sample_quantile(const double *x, size_t n, double p)
{
	double value;

	sample_quantiles(x, n, &p, 1, &value);
	return value;
}

bool sample_quantile_is_known(size_t n, double p)
{
	return (double)n * fmin(p, 1 - p) >= QUANTILE_BEYOND_LEAST - 1e-6;
}

/* Smallest k with P(B <= k) >= tail, of B ~ Binomial(n, p), which is the number of values below the
 * quantile. R: qbinom(tail, n, p). P(B <= k) = I_1-p(n - k, k + 1): counts of GSL's binomial have
 * 32 bits only. */
static size_t binomial_quantile(double tail, size_t n, double p)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t k = low + (high - low) / 2;

		if (gsl_cdf_beta_P(1 - p, (double)(n - k), (double)k + 1) < tail)
			low = k + 1;
		else
			high = k;
	}
	return low;
}

/* David and Nagaraja, Order Statistics, 7.1: X(l) to X(u) with P(B < l) and P(B >= u) of at most
 * half of what the confidence leaves each. */
void sample_quantile_interval(
	const double *x, size_t n, double p, double confidence, double *low, double *high)
{
	const double tail = (1 - confidence) / 2;
	double *sorted;
	size_t l, u;

	*low = *high = NAN;
	if (n == 0 || !(p > 0 && p < 1))
		return;
	sorted = sorted_copy(x, n);
	l = binomial_quantile(tail, n, p);
	u = binomial_quantile(1 - tail, n, p);
	if (l > 0)
		*low = sorted[l - 1];
	if (u < n)
		*high = sorted[u];
	memory_free(sorted);
}

/* R: mean(x, trim = trim). GSL's trimmed mean adds up in double; its plain mean is wider. */
double sample_trimmed_mean(const double *x, size_t n, double trim)
{
	double *sorted, value;
	size_t cut;

	if (n == 0 || !(trim >= 0 && trim < 0.5))
		return NAN;
	sorted = sorted_copy(x, n);
	cut = (size_t)floor(trim * (double)n);
	value = gsl_stats_mean(sorted + cut, 1, n - 2 * cut);
	memory_free(sorted);
	return value;
}

double sample_geometric_mean(const double *x, size_t n)
{
	long double logs = 0;
	bool equal = true;

	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0))
			return NAN;
		logs += logl(x[i]);
		equal = equal && x[i] == x[0];
	}
	if (n == 0)
		return NAN;
	return equal ? x[0] : (double)expl(logs / n);
}

/* Ljung & Box 1978 (R: Box.test(type = "Ljung")): Q = n(n+2) sum_k r_k^2/(n-k). */
void sample_ljung_box(const double *x, size_t n, size_t h, double *q, double *p)
{
	struct moments m;
	double sum = 0;

	*q = *p = NAN;
	if (h == 0 || n <= h)
		return;
	moments_compute(x, n, &m);
	for (size_t k = 1; k <= h; k++) {
		const double r = autocorrelation(x, &m, k);

		sum += r * r / (double)(n - k);
	}
	if (isnan(sum))
		return;
	*q = (double)n * ((double)n + 2) * sum;
	*p = gsl_cdf_chisq_Q(*q, (double)h);
}

double sample_jitter_share(const double *x, const double *total, size_t n)
{
	struct moments part, whole;
	long double products = 0;

	if (n < 5)
		return NAN;
	moments_compute(total, n, &whole);
	if (whole.constant)
		return NAN;
	moments_compute(x, n, &part);
	for (size_t i = 0; i < n; i++)
		products += moments_deviation(&part, x[i]) * moments_deviation(&whole, total[i]);
	return (double)(products / whole.squares);
}

double sample_jitter_share_sparse(
	const struct sparse *s, const double *deviation, long double squares)
{
	long double products = 0;

	if (s->n < 5 || squares == 0)
		return NAN;
	for (size_t i = 0; i < s->k; i++)
		products += (long double)s->x[i] * deviation[s->at[i]];
	return (double)(products / squares);
}

void sample_slope(const double *y, const double *t, size_t n, size_t df, double *slope, double *se)
{
	double *residual = memory_alloc(memory_product(n, sizeof(*residual)));
	double squares = 0, products = 0, r[2] = {0, 0};
	struct moments m;

	for (size_t i = 0; i < n; i++) {
		squares += t[i] * t[i];
		products += t[i] * y[i];
	}
	*slope = products / squares;
	for (size_t i = 0; i < n; i++)
		residual[i] = y[i] - *slope * t[i];
	moments_compute(t, n, &m);
	r[0] = correct_lag1(autocorrelation(t, &m, 1), (double)n, 0);
	moments_compute(residual, n, &m);
	r[1] = correct_lag1(autocorrelation(residual, &m, 1), (double)n, 0);
	r[0] = isnan(r[0] * r[1]) ? 0 : r[0] * r[1];

	/* Squares of the slope's error: those of a straight line (R: lm), and, where larger, those
	 * of MacKinnon & White 1985 (HC3), which a few long steps do not make small. */
	const double mean_part = (double)(n - 1 - df) / (double)n;
	double plain = 0, robust = 0;

	for (size_t i = 0; i < n; i++) {
		const double rest = 1 - mean_part - t[i] * t[i] / squares;
		const double part = t[i] * residual[i] / fmax(rest, 1e-9);

		plain += residual[i] * residual[i];
		robust += part * part;
	}
	*se = sqrt(fmax(plain / (double)df / squares, robust / squares / squares) * (1 + r[0]) /
		   (1 - r[0]));
	memory_free(residual);
}

#define COMMON_PART 0.5	  /* mean correlation of two series from which they move together */
#define FALSE_COMMON 0.01 /* the chance of that where they do not */

bool sample_moves_together(double whole, double own, double sum, double df)
{
	return df > 0 && whole - own >= COMMON_PART * (sum * sum - own) &&
	       whole * df > own * gsl_cdf_chisq_Qinv(FALSE_COMMON, df);
}

/* One end of Vangel's interval; u: a chi-squared quantile with n - 1 degrees of freedom. */
static double vangel_bound(double k, double n, double u)
{
	const double square = ((u + 2) / n - 1) * k * k + u / (n - 1);

	return square > 0 ? k / sqrt(square) : INFINITY;
}

/* Vangel, The American Statistician 50 (1996): the modified McKay interval of a CV. */
void sample_cv_interval(double k, double n_eff, double confidence, double *low, double *high)
{
	const double tail = (1 - confidence) / 2;

	*low = *high = NAN;
	if (!(n_eff >= 2) || !(k >= 0) || !(tail > 0 && tail < 0.5))
		return;
	*low = vangel_bound(k, n_eff, gsl_cdf_chisq_Qinv(tail, n_eff - 1));
	*high = vangel_bound(k, n_eff, gsl_cdf_chisq_Pinv(tail, n_eff - 1));
}

/* CV of x without x[leave], counted from scratch. work: room for n values. */
static double cv_without(const double *x, size_t n, size_t leave, bool population, double *work)
{
	struct moments rest;

	memcpy(work, x, leave * sizeof(*work));
	memcpy(work + leave, x + leave + 1, (n - leave - 1) * sizeof(*work));
	moments_compute(work, n - 1, &rest);
	return moments_cv(&rest, population);
}

/* The same from the moments of all values, in constant time; NaN when so little of the sum or of
 * the squares would be left that the difference has no digits. Of values >= 0 one at most does
 * so. */
static double cv_without_fast(const struct moments *m, double value, bool population)
{
	const long double d = moments_deviation(m, value), mean = m->origin + m->offset;
	const long double others = m->n - 1;
	const long double squares = m->squares - d * d * m->n / others;
	const long double rest = mean - d / others;

	if (squares < m->squares * 1e-6L || rest < mean * 1e-6L)
		return NAN;
	return (double)(sqrtl(squares / (others - (population ? 0 : 1))) / rest);
}

bool sample_worst(
	const double *x, size_t n, const struct sample_options *opt, size_t *index, double *cv_left)
{
	struct moments m;
	double cv, *work, largest = -1;

	moments_compute(x, n, &m);
	cv = moments_cv(&m, opt->population);
	if (n < 3 || m.constant || isnan(cv))
		return false;
	*index = 0;
	work = memory_alloc(memory_product(n, sizeof(*work)));
	for (size_t i = 0; i < n; i++) {
		double left = cv_without_fast(&m, x[i], opt->population);

		if (isnan(left))
			left = cv_without(x, n, i, opt->population, work);
		if (fabs(left - cv) > largest) {
			largest = fabs(left - cv);
			*index = i;
		}
	}
	*cv_left = cv_without(x, n, *index, opt->population, work);
	memory_free(work);
	return true;
}

bool sample_worst_sparse(
	const struct sparse *s, const struct sample_options *opt, size_t *index, double *cv_left)
{
	size_t zero = 0;

	while (zero < s->k && s->at[zero] == zero)
		zero++;
	struct moments m;
	size_t worst = s->k;
	double cv, largest = -1;

	moments_compute_sparse(s->x, s->k, s->n, &m);
	cv = moments_cv(&m, opt->population);
	if (m.constant || isnan(cv))
		return false;
	*index = 0;
	for (size_t i = 0; i <= s->k; i++) { /* the last one is a zero: all have the same effect */
		double left = cv_without_fast(&m, i < s->k ? s->x[i] : 0, opt->population), far;
		size_t at = i < s->k ? s->at[i] : zero;

		if (isnan(left))
			left = sparse_cv_without(s, i, opt->population);
		far = fabs(left - cv);
		if (far > largest || (far == largest && at < *index)) {
			largest = far;
			worst = i;
			*index = at;
		}
	}
	*cv_left = sparse_cv_without(s, worst, opt->population);
	return true;
}

size_t sample_outside(const double *x, size_t n, double low, double high, size_t *out)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (x[i] < low || x[i] > high)
			out[count++] = i;
	return count;
}

size_t sample_alone(const double *x, size_t n, double ranges)
{
	double rest[ALONE_MOST];
	size_t count = 0;

	if (n < 5 || n > ALONE_MOST)
		return n;

	const size_t at = gsl_stats_max_index(x, 1, n);

	for (size_t i = 0; i < n; i++)
		if (i != at)
			rest[count++] = x[i];

	const double middle = sample_middle(rest, count);
	double low, high;

	gsl_stats_minmax(&low, &high, rest, 1, count);
	return x[at] > SAMPLE_ALONE_LEAST * middle && x[at] - high >= ranges * (high - low) ? at
											    : n;
}

size_t sample_described_outliers(const double *x, size_t n, const struct sample *s, size_t *out)
{
	const double far = OUTLIER_SDS * SAMPLE_SD_OF_MAD * s->mad;
	const double low = s->median - far, high = s->median + far;

	if (!(s->mad > 0) || (s->min >= low && s->max <= high))
		return 0;
	return sample_outside(x, n, low, high, out);
}

size_t sample_outliers(const double *x, size_t n, size_t *out)
{
	struct sample s = {.min = -INFINITY, .max = INFINITY};

	if (n == 0)
		return 0;
	s.median = sample_median(x, n, &s.mad);
	return sample_described_outliers(x, n, &s, out);
}

/* True if one value alone may change the CV by more than half. Without the value at distance d of
 * the mean, the squares of the others are less by d^2 n / (n - 1), and their mean moves by d / (n -
 * 1); so the largest distances bound the change on both sides. A little is left for rounding: false
 * is certain, and most series get it at the cost of a few operations. */
bool sample_may_be_spiky(const struct sample *sample, bool population)
{
	double n = (double)sample->n, lost = population ? 0 : 1;
	double above = sample->max - sample->mean, below = sample->mean - sample->min;
	double farthest = fmax(above, below);
	double squares = sample->sd * sample->sd * (n - lost);
	double left = 1 - farthest * farthest * n / (n - 1) / squares;
	double divisors = (n - lost) / (n - 1 - lost);
	double low_mean = sample->mean - above / (n - 1),
	       high_mean = sample->mean + below / (n - 1);

	return !(left > 0 && low_mean > 0 &&
		 sqrt(left * divisors) * sample->mean > 0.51 * high_mean &&
		 sqrt(divisors) * sample->mean < 1.49 * low_mean);
}

double sample_resolution(const double *x, size_t n)
{
	int64_t divisor = 0;

	for (size_t i = 0; i < n; i++) {
		const double size = fabs(x[i]);

		if (!(size < 0x1p63) || size != floor(size))
			return 0;
		divisor = number_common_divisor((int64_t)size, divisor);
	}
	return (double)divisor;
}

/* The sd of a rounding error spread evenly over one step of the grid is q/sqrt(12). */
double sample_cv_floor(double resolution, double mean)
{
	return mean > 0 ? resolution / (sqrt(12) * mean) : NAN;
}

/* How many scaled MADs above the median a first step must lie. 4 is for long runs; the MAD of few
 * values is rough, so short runs ask for more, such that a first step like the others is dropped in
 * less than 1 % of runs (independent normal steps; doc/statistics.md). */
static double warmup_limit(size_t in_half)
{
	static const double few[] = {68, 12.5, 11.4, 6.8, 6.5, 5.1, 5.1, 4.4};

	if (in_half < 3)
		return INFINITY;
	return in_half - 3 < sizeof(few) / sizeof(*few) ? few[in_half - 3] : 4;
}

void sample_warmup(const double *total, size_t n, double resolution, struct warmup *out)
{
	const size_t half = n / 2;
	size_t above = 0;
	double spread, limit;

	*out = (struct warmup){.state = WARMUP_NONE, .ratio = NAN, .median = NAN, .mad = NAN};
	if (n < 6)
		return;
	out->median = sample_median(total + half, n - half, &out->mad);
	spread = out->mad > 0 ? out->mad : resolution;
	limit = out->median +
		(out->mad > 0 ? warmup_limit(n - half) : 4) * SAMPLE_SD_OF_MAD * spread;
	while (above < n && total[above] > limit)
		above++;
	if (above > half) {
		out->state = WARMUP_UNSTEADY;
	} else if (above > 0) {
		out->state = WARMUP_FOUND;
		out->drop = above;
		if (out->median > 0)
			out->ratio = gsl_stats_max(total, 1, above) / out->median;
	}
}
