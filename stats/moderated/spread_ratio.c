/*
 * The ratio of two sides' variances over many ops: the root of a bounded score.
 */
#include "stats/moderated/spread_ratio.h"

#include <math.h>
#include <stdbool.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"

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
