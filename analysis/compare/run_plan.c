/*
 * Power of the test of the median op with other numbers of runs.
 */
#include "analysis/compare/run_plan.h"

#include <math.h>
#include "stats/equivalence.h"
#include "stats/student.h"

#define POWER 0.8

/* The part of the variance of a difference that more runs make smaller. */
static double own_variance(const struct compared_measure *measure, size_t runs)
{
	return measure->sd_run * measure->sd_run * 2 / (double)runs;
}

static double own_df(
	const struct compared_measure *measure, enum compare_method method, size_t runs)
{
	if (method == METHOD_MODERATED || method == METHOD_LIMMA || method == METHOD_PAIRED)
		return moderated_planned_df(&measure->moderated, runs);
	return 2 * ((double)runs - 1);
}

/* The known rounding beside the estimated variance, as in the test. */
static double df_of(const struct compared_measure *measure, enum compare_method method, size_t runs)
{
	const double own = own_variance(measure, runs),
		     share = own / (own + measure->rounding_variance);

	return own_df(measure, method, runs) / (share * share);
}

static double se_of(const struct compared_measure *measure, size_t runs)
{
	return sqrt(own_variance(measure, runs) + measure->rounding_variance);
}

size_t run_plan_runs(
	const struct compared_measure *measure, enum compare_method method, double change)
{
	for (size_t runs = 2; runs <= RUN_PLAN_MOST; runs++)
		if (equivalence_power(log1p(change), se_of(measure, runs),
			    df_of(measure, method, runs), measure->limit_p, 2) >= POWER)
			return runs;
	return 0;
}

struct run_plan_range run_plan_open(
	const struct compared_measure *measure, enum compare_method method, double change)
{
	struct compared_measure open = *measure;
	const double df = fmax(measure->open_df, 1);
	size_t runs[3];

	for (int i = 0; i < 3; i++) {
		const double chi2 =
			i == 0 ? df : student_chi_squared_quantile(i == 1 ? 0.9 : 0.1, df);

		open.sd_run = measure->open_sd_run * sqrt(df / chi2);
		runs[i] = run_plan_runs(&open, method, change);
	}
	return (struct run_plan_range){runs[0], runs[1], runs[2]};
}

double run_plan_change(
	const struct compared_measure *measure, enum compare_method method, size_t runs)
{
	return expm1(equivalence_detectable(
		se_of(measure, runs), df_of(measure, method, runs), measure->limit_p, 2, POWER));
}
