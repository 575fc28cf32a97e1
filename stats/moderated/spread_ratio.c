/* The ratio of two sides' variances over many ops: the root of a bounded score. */
#include "stats/moderated/spread_ratio.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include "base/memory.h"
#include "stats/student.h"

/* The ratio is looked for between exp(-LOG_MOST) and exp(LOG_MOST). */
#define LOG_MOST 60.0

struct score {
	size_t count;
	double sum, squares, slope; /* of the ops' scores; minus the derivative by log k */
};

static bool counts(const struct spread_pair *op)
{
	return op->base + op->new > 0 && op->base_df > 0 && op->new_df > 0;
}

static struct score score_at(const struct spread_pair *pair, size_t n, double log_ratio)
{
	const double ratio = exp(log_ratio);
	struct score out = {0};

	for (size_t i = 0; i < n; i++) {
		const double df = pair[i].base_df + pair[i].new_df;
		const double all = ratio * pair[i].base + pair[i].new;
		double u, score;

		if (!counts(&pair[i]))
			continue;
		u = pair[i].new / all;
		score = df * u - pair[i].new_df;
		out.count++;
		out.sum += score;
		out.squares += score * score;
		out.slope += df * u * (1 - u);
	}
	return out;
}

/* The score falls with the ratio: Newton's steps, halved intervals where they leave the bracket. */
static double solve(const struct spread_pair *pair, size_t n)
{
	double low = -LOG_MOST, high = LOG_MOST, x = 0;

	for (int i = 0; i < 200 && high - low > 1e-14; i++) {
		const struct score score = score_at(pair, n, x);
		double next = x + score.sum / score.slope;

		if (score.sum > 0)
			low = x;
		else
			high = x;
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - x) < 1e-13)
			return next;
		x = next;
	}
	return x;
}

/* A side without any spread is taken to have this part of the variance of the other. */
#define LEAST_PART 1e-8
/* An error of the ratio of all that is so many times that of one op's own, squared: the ops
 * contradict each other. Less happens by chance, and to go by it claims what is not there. */
#define CONTRADICTION 4
/* Quantile of the sampling distribution of the variance between ops: its median is too high as
 * often as too low. */
#define OWN_QUANTILE 0.5

void spread_ratio_floor(struct spread_pair *op)
{
	if (!(op->base_df > 0) || !(op->new_df > 0))
		return;
	op->base = fmax(op->base, LEAST_PART * op->new * op->base_df / op->new_df);
	op->new = fmax(op->new, LEAST_PART * op->base * op->new_df / op->base_df);
}

static double raw_log_ratio(const struct spread_pair *op)
{
	struct spread_pair pair = *op;

	spread_ratio_floor(&pair);
	return log(pair.new / op->new_df) - log(pair.base / op->base_df);
}

/* The logarithm of the ratio, made unbiased; what chance gives to its variance. */
static double log_ratio(const struct spread_pair *op, double *chance)
{
	*chance = gsl_sf_psi_1(op->base_df / 2) + gsl_sf_psi_1(op->new_df / 2);
	return raw_log_ratio(op) - (gsl_sf_psi(op->new_df / 2) - log(op->new_df / 2)) +
	       (gsl_sf_psi(op->base_df / 2) - log(op->base_df / 2));
}

/* The variance of the ops' own ratios: that of the logarithms beyond chance. */
static double own_variance(const struct spread_pair *pair, size_t n, size_t count)
{
	double *x = memory_alloc(memory_product(n, sizeof(*x))), chance = 0, variance;
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		double of_op;

		if (!counts(&pair[i]))
			continue;
		x[k++] = log_ratio(&pair[i], &of_op);
		chance += of_op / (double)count;
	}
	variance = gsl_stats_variance(x, 1, k) * (double)(k - 1) /
		   gsl_cdf_chisq_Pinv(OWN_QUANTILE, (double)(k - 1));
	memory_free(x);
	return fmax(0, variance - chance);
}

void spread_ratio(const struct spread_pair *pair, size_t n, struct spread_ratio *out)
{
	struct score score = score_at(pair, n, 0);
	double x;

	*out = (struct spread_ratio){.count = score.count, .ratio = NAN, .log_se = NAN};
	if (score.count == 0)
		return;
	x = solve(pair, n);
	score = score_at(pair, n, x);
	out->ratio = x > LOG_MOST - 1 ? INFINITY : x < 1 - LOG_MOST ? 0 : exp(x);
	if (score.count > 1 && score.slope > 0)
		out->log_se =
			sqrt(score.squares * (double)score.count / ((double)score.count - 1)) /
			score.slope;
	if (score.count >= SPREAD_RATIO_OWN_OPS)
		out->own_variance = own_variance(pair, n, score.count);
}

struct spread_ratio_of_op spread_ratio_of_op(
	const struct spread_ratio *all, const struct spread_pair *op, double clustering)
{
	const double tau2 = all->own_variance, known = 2 / op->base_df + 2 / op->new_df;
	const double least = log(LEAST_PART);
	const double common = fmin(fmax(log(all->ratio), least), -least);
	double chance, own, weight, error;

	if (all->count < 2)
		return (struct spread_ratio_of_op){exp(common), sqrt(known), 0, sqrt(known)};
	error = fmax(all->log_se * all->log_se, (tau2 + known) / (double)all->count) * clustering;
	if (!counts(op)) /* nothing of its own */
		return (struct spread_ratio_of_op){exp(common), sqrt(error), 0, sqrt(error)};
	if (error > CONTRADICTION * known)
		return (struct spread_ratio_of_op){
			exp(raw_log_ratio(op)), 0, sqrt(known), sqrt(error)};
	own = log_ratio(op, &chance);
	weight = tau2 / (tau2 + chance);
	return (struct spread_ratio_of_op){exp(common + weight * (own - common)),
		(1 - weight) * sqrt(error), sqrt(weight * chance), sqrt(error)};
}

/* Mean over the ratio of the sides' variances, on a grid of its logarithm. */

enum { GRID = 81 };
#define RATIO_MOST 1e4
/* Weights below this part of the largest are left out. */
#define WEIGHT_LEAST 1e-5
/* Two-sided probabilities at which the t distribution is the same. */
#define P_NEAR 0.05
#define P_FAR 0.005

/* t distributions of one df around 0, with the weights of their standard errors. */
struct mixture {
	double weight[GRID], se[GRID], df;
	size_t n;
};

static double log_ratio_at(size_t i)
{
	return log(RATIO_MOST) * (2.0 * (double)i / (GRID - 1) - 1);
}

static double variance_at(const struct spread_pair *row, double ratio)
{
	return (row->base + row->new / ratio) / (row->base_df + row->new_df);
}

/* Mean distance of the log variances of base of all rows from those at the ratio of all. */
static double moved_variance(const struct few_runs *all, double ratio)
{
	double sum = 0;

	for (size_t i = 0; i < all->rows; i++)
		sum += log(variance_at(&all->pair[i], ratio) /
			   variance_at(&all->pair[i], all->ratio->ratio));
	return sum / (double)all->rows;
}

static double log_weight(
	const struct few_runs *all, const struct few_runs_row *row, double part, double log_ratio)
{
	double own = 0, others = 0;

	for (size_t i = 0; i < all->rows; i++) {
		const double nu = all->pair[i].base_df + all->pair[i].new_df;

		*(i == row->place ? &own : &others) +=
			-log_ratio * all->pair[i].new_df / 2 -
			nu / 2 * log(all->pair[i].base + all->pair[i].new *exp(-log_ratio));
	}
	return own + part * others;
}

static void fill(const struct few_runs *all, const struct few_runs_row *row, struct mixture *out)
{
	const double chance =
		gsl_sf_psi_1(row->pair.base_df / 2) + gsl_sf_psi_1(row->pair.new_df / 2);
	/* The part of what the other rows say of the ratio that holds for this one. */
	const double part = chance / (chance + (double)all->rows * all->ratio->own_variance);
	double weight[GRID], most = -INFINITY, sum = 0;

	for (size_t i = 0; i < GRID; i++) {
		weight[i] = log_weight(all, row, part, log_ratio_at(i));
		most = fmax(most, weight[i]);
	}
	for (size_t i = 0; i < GRID; i++) {
		if (!(weight[i] - most > log(WEIGHT_LEAST)))
			continue;
		out->weight[out->n] =
			exp(weight[i] - most) / (i == 0 || i == GRID - 1 ? 2 : 1); /* trapezia */
		double ratio = exp(log_ratio_at(i));
		const double nu = row->pair.base_df + row->pair.new_df;
		const double prior =
			row->prior_df > 0 ? row->s2_prior * exp(moved_variance(all, ratio)) : 0;
		const double own = variance_at(&row->pair, ratio);
		const double variance = isinf(row->prior_df) ? prior
							     : (row->prior_df * prior + nu * own) /
								       (row->prior_df + nu);

		out->se[out->n] = sqrt(
			variance * (1 / (double)row->runs_base + ratio / (double)row->runs_new));
		sum += out->weight[out->n++];
	}
	for (size_t i = 0; i < out->n; i++)
		out->weight[i] /= sum;
}

static double two_sided(const struct mixture *m, double x)
{
	double sum = 0;

	for (size_t i = 0; i < m->n; i++)
		sum += m->weight[i] * student_two_sided(x / m->se[i], m->df);
	return sum;
}

/* The x with two_sided(x) = p: false position on log x and log p (Illinois), where the curve is
 * nearly straight. */
static double quantile(const struct mixture *m, double p)
{
	const double t = student_quantile(p / 2, m->df);
	double low = INFINITY, high = 0, at_low, at_high, x = NAN;

	for (size_t i = 0; i < m->n; i++) {
		low = fmin(low, log(m->se[i] * t));
		high = i > 0 ? fmax(high, log(m->se[i] * t)) : low;
	}
	at_low = log(two_sided(m, exp(low)) / p);
	at_high = log(two_sided(m, exp(high)) / p);
	for (int i = 0; i < 60 && high - low > 1e-6; i++) {
		double at;

		x = at_low > at_high ? (low * at_high - high * at_low) / (at_high - at_low) : low;
		at = log(two_sided(m, exp(x)) / p);
		if (fabs(at) < 1e-6)
			return exp(x);
		if (at > 0) {
			low = x;
			at_low = at;
			at_high /= 2;
		} else {
			high = x;
			at_high = at;
			at_low /= 2;
		}
	}
	return exp((low + high) / 2);
}

/* The degrees of freedom of the t whose quantiles have this ratio. */
static double df_of(double ratio, double most)
{
	double low = 0.1, high = most;

	for (int i = 0; i < 40 && high / low > 1 + 1e-4; i++) {
		const double df = sqrt(low * high);

		if (student_quantile(P_FAR / 2, df) / student_quantile(P_NEAR / 2, df) > ratio)
			low = df;
		else
			high = df;
	}
	return sqrt(low * high);
}

bool few_runs_applies(const struct few_runs *all)
{
	double df = 0, least = INFINITY, most = 0;

	for (size_t i = 0; i < all->rows; i++) {
		const struct spread_pair *row = &all->pair[i];
		const double of_row = fmin(row->base_df, row->new_df);

		df += of_row;
		least = fmin(least, of_row);
		most = fmax(most, fmax(row->base_df, row->new_df));
	}
	return least > 0 && (df < FEW_RUNS_DF || least < 2) && most > FEW_RUNS_UNEQUAL * least;
}

void few_runs_test(
	const struct few_runs *all, const struct few_runs_row *row, double *se, double *df)
{
	struct mixture m = {.df = row->df};
	double near;

	fill(all, row, &m);
	near = quantile(&m, P_NEAR);
	*df = df_of(quantile(&m, P_FAR) / near, row->df);
	*se = near / student_quantile(P_NEAR / 2, *df);
}
