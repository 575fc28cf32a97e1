/* Ops of a noisy minority whose variance looks usual by chance: Bayes' rule. */
#include "stats/moderated/hidden_outliers.h"

#include <math.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"

/* True if the op is an outlier: its variance is above the prior's, and the robust fit left it
 * less than half of the prior's degrees of freedom (where these are infinite: any finite
 * number). */
static bool is_outlier(const struct moderated_op *op, double df_prior)
{
	const bool follows = isinf(df_prior) ? isinf(op->df_prior) : op->df_prior > df_prior / 2;

	return !follows && op->s2 > op->s2_prior;
}

/* The variance of the noisy kind over what the prior expects; *outliers: how many there are. */
static double ratio_of_outliers(
	const struct moderated_op *op, size_t n, double df_prior, size_t *outliers)
{
	double *ratio = memory_alloc(memory_product(n + 1, sizeof(*ratio))), result = NAN;
	size_t count = 0;

	for (size_t o = 0; o < n; o++)
		if (op[o].state == MODERATED_FAMILY && is_outlier(&op[o], df_prior))
			ratio[count++] = op[o].s2 / op[o].s2_prior * op[o].nu /
					 gsl_cdf_chisq_Pinv(0.5, op[o].nu);
	if (count)
		result = gsl_stats_median(ratio, 1, count);
	memory_free(ratio);
	*outliers = count;
	return result;
}

void hidden_outliers_find(struct moderated_op *op, size_t n, double df_prior)
{
	size_t outliers, family = 0;
	const double ratio = ratio_of_outliers(op, n, df_prior, &outliers);
	double part;

	for (size_t o = 0; o < n; o++)
		family += op[o].state == MODERATED_FAMILY;
	if (outliers < HIDDEN_OUTLIERS_LEAST)
		return;
	part = (double)outliers / (double)family;
	for (size_t o = 0; o < n; o++) {
		struct moderated_op *of = &op[o];
		double x, noisy, usual;

		if (of->state != MODERATED_FAMILY || is_outlier(of, df_prior))
			continue;
		x = of->s2 / of->s2_prior;
		noisy = part * (of->nu / ratio * gsl_ran_chisq_pdf(x * of->nu / ratio, of->nu));
		/* Density of s2 over its prior, for an op that follows the prior. */
		usual = (1 - part) *
			(isinf(df_prior) ? of->nu * gsl_ran_chisq_pdf(x * of->nu, of->nu)
					 : gsl_ran_fdist_pdf(x, of->nu, df_prior));
		of->hidden_outlier = noisy / (noisy + usual);
		of->hidden_outlier_se = of->se * sqrt((ratio * of->s2_prior + of->shared_s2) /
							 (of->s2_posterior + of->shared_s2));
	}
}
