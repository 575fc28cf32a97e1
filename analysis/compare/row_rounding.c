/*
 * What the resolution of the times may hide in the difference of a row: both sides are off by their
 * own rounding, alike in all runs, so that no number of runs shows it.
 */
#include <math.h>
#include "analysis/compare/decider.h"

/* Of the variance: less changes no digit that anybody reads, and tests stay those of the textbook.
 */
#define PART_LEAST 1e-9

/* Evenly spread over a width of w an error has the variance w^2/12, and is at most w/2. */
static double largest_error(double variance)
{
	return sqrt(3 * variance);
}

void decider_add_known(double variance, double *se, double *df)
{
	const double own = *se * *se, sum = own + variance;

	*se = sqrt(sum);
	*df *= (sum / own) * (sum / own);
}

/* Runs without spread are tested with the rounding of each run already. */
static void add_variance(struct compared *v, double variance)
{
	double se = v->se, df = v->df;

	v->rounding_variance = variance;
	if (v->evidence == EVIDENCE_FLOOR)
		se = sqrt(fmax(se * se, variance));
	else
		decider_add_known(variance, &se, &df);
	if (v->evidence == EVIDENCE_ONE_RUN) {
		v->se = se;
		v->df = df;
	} else {
		row_test_conclude(v, v->diff, se, df, false);
	}
}

void decider_add_rounding(struct decider *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		double variance;

		if (isnan(v->diff) || v->evidence == EVIDENCE_NONE ||
			v->evidence == EVIDENCE_LINEAR || v->evidence == EVIDENCE_EXACT)
			continue;
		variance = v->base->rounding + v->new->rounding;
		if (isnan(v->se) && variance > 0)
			v->rounding_shift =
				largest_error(v->base->rounding) + largest_error(v->new->rounding);
		else if (variance > PART_LEAST * v->se * v->se)
			add_variance(v, variance);
	}
}

/* Ranks have no variance to add to: what the rounding alone could make is not claimed. */
static enum verdict verdict_of_ranks(const struct compared *v)
{
	const double margin = row_test_log_margin(v), size = fabs(v->diff);

	if (v->verdict == VERDICT_SAME)
		return size + v->rounding_shift < margin ? v->verdict : VERDICT_INCONCLUSIVE;
	if (v->verdict == VERDICT_NONE || size - v->rounding_shift > margin)
		return v->verdict;
	if (size <= v->rounding_shift)
		return VERDICT_INCONCLUSIVE;
	return v->verdict == VERDICT_REGRESSED	? VERDICT_SLOWER
	       : v->verdict == VERDICT_IMPROVED ? VERDICT_FASTER
						: v->verdict;
}

void decider_limit_verdict(struct compared *v)
{
	const bool ranks = v->rounding_shift > 0;

	if (ranks)
		v->verdict = verdict_of_ranks(v);
	if (v->verdict != VERDICT_INCONCLUSIVE && v->verdict != VERDICT_SLOWER &&
		v->verdict != VERDICT_FASTER)
		return;
	v->limited = ranks ? fabs(v->diff) <= v->rounding_shift + row_test_log_margin(v)
			   : v->rounding_variance > v->se * v->se / 2;
}
