/*
 * Power of the test of the median op with other numbers of runs.
 */
#include "analysis/run_plan.h"

#include <math.h>
#include "stats/equivalence.h"

#define POWER 0.8

static double df_of(const struct compared_measure *measure, enum compare_method method, size_t runs)
{
	if (method == METHOD_MODERATED || method == METHOD_LIMMA || method == METHOD_PAIRED)
		return moderated_planned_df(&measure->moderated, runs);
	return 2 * ((double)runs - 1);
}

static double se_of(const struct compared_measure *measure, size_t runs)
{
	return measure->sd_run * sqrt(2 / (double)runs);
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

double run_plan_change(
	const struct compared_measure *measure, enum compare_method method, size_t runs)
{
	return expm1(equivalence_detectable(
		se_of(measure, runs), df_of(measure, method, runs), measure->limit_p, 2, POWER));
}
