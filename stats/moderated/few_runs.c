/*
 * Mean over the ratio of the sides' variances, on a grid of its logarithm.
 */
#include "stats/moderated/few_runs.h"

#include <math.h>
#include <gsl/gsl_sf_psi.h>
#include "stats/student.h"

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
