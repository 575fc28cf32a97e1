/* Values that the parts of the moderated test pass on to each other. Internal to stats/: of
 * moderated.c and moderated_prior.c. */
#pragma once

#include "stats/moderated/moderated.h"
#include "stats/moderated/spread_ratio.h"

/* Intermediate results, from the values to the prior. */
struct moderated_work {
	const struct moderated_data *data;
	const struct moderated_options *opt;
	struct moderated_op *op;
	struct moderated *summary;
	struct spread_pair *pair; /* [ops]: squares of the own part, by side */
	/* [ops]: products of the own part with the run effects that were taken away, by side */
	struct spread_pair *cross;
	double *effect; /* [parts][runs]: run effects; the first of all ops, then of groups */
	size_t parts;
	size_t *part;	   /* [ops]: which of them it has */
	size_t *member;	   /* [family]: ops of the family, those of a part one after another */
	size_t *first;	   /* [parts + 1]: where those of a part start */
	double *deviation; /* [ops] */
	double *side;	   /* [runs] */
	double df_sum;	   /* nu of all ops of the family */
	struct spread_ratio ratio;  /* of the sides' variances; as 1 with count = 0 */
	struct spread_pair *tested; /* of what the ratio is made */
	size_t *place;		    /* [ops]: in it; SIZE_MAX: not there */
	struct few_runs few;
	double ratio_error; /* of the logarithm of the ratio of all */
	/* Factor by which correlation of ops raises the variance of a sum over them; 1: none */
	double clustering;
};

/* Mean of the values that are there (not NaN), and their number. */
double moderated_mean(const double *value, size_t runs, size_t *count);

/* Fills s2_prior and df_prior of the ops of the family, df_sum, and what the summary says of the
 * prior. The variances of the ops, s2, must be there. */
void moderated_fit_prior(struct moderated_work *w);
