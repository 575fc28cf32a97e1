/*
 * Tests whether new needs more steps to warm up than base. Both sides leave out what base needs
 * (step_options.alike), so that the rest of a longer warm-up is part of the change.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_WARMUP_CHANGE_H
#define STEPSTAT_ANALYSIS_COMPARE_WARMUP_CHANGE_H

#include "analysis/steps.h"

struct warmup_change {
	size_t left_out;    /* steps of every run */
	size_t runs;	    /* of new that need more; 0: none, or the sides are not cleaned alike */
	size_t least, most; /* steps that these need */
	bool typical;	    /* they are more than half of the runs of new */
	/* P of the claim that runs of new need more than those of base, one-sided: the exact
	 * rank-sum test on the needed steps. NaN: not known. */
	double p;
	double time_ps;	 /* what the further steps add to a kept step of new, mean of its runs */
	double fraction; /* of the other steps */
};

void warmup_change_find(
	const struct step_set *base, const struct step_set *new_side, struct warmup_change *out);

#endif
