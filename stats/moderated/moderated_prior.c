/* The prior of the moderated test: one for all, by the ops' means, or none. */
#include <math.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"
#include "stats/moderated/moderated_work.h"
#include "stats/moderated/prior.h"

/* The prior of the family, from the ops of it that have a variance of their own. */
static void fit_prior(struct moderated_work *w, const double *covariate, size_t covariates)
{
	const size_t ops = w->data->ops;
	struct moderated *summary = w->summary;
	double *s2 = memory_alloc(memory_product(ops, 4 * sizeof(*s2)));
	double *nu = s2 + ops, *expected = nu + ops, *df = expected + ops, sum = 0;
	const struct prior_tails none = {0, 0},
				 tails = {MODERATED_LOWER_TAIL, MODERATED_UPPER_TAIL};
	const struct prior_data data = {.s2 = s2,
		.nu = nu,
		.n = ops,
		.covariate = covariate,
		.covariates = covariates,
		.optional = w->opt->covariate ? covariates : 1,
		.gain = MODERATED_STEPS_GAIN,
		.caution = w->opt->cautious
				   ? MODERATED_CAUTION * sqrt(w->clustering) +
					     MODERATED_CAUTION_FEW / (double)summary->family
				   : 0,
		.keep_location = w->opt->cautious && summary->family < MODERATED_MEAN_OPS,
		.tails = w->opt->robust && summary->family >= MODERATED_ROBUST_OPS ? tails : none,
		.evidence = MODERATED_OUTLIER_SE};
	struct prior prior;

	for (size_t o = 0; o < ops; o++) {
		const bool member = w->op[o].state == MODERATED_FAMILY;

		s2[o] = member ? w->op[o].s2 : 0;
		nu[o] = w->op[o].nu;
		sum += s2[o];
		w->df_sum += member ? nu[o] : 0;
	}
	prior_fit(&data, &prior, expected, df);
	for (size_t o = 0; o < ops; o++) {
		if (w->op[o].state != MODERATED_FAMILY)
			continue;
		w->op[o].s2_prior = expected[o];
		w->op[o].df_prior = df[o];
		summary->outliers += df[o] < prior.df;
	}
	summary->robust = prior.robust;
	summary->by_steps = prior.columns > 2 && !w->opt->covariate;
	summary->prior_ops = prior.count;
	summary->s2_prior = prior.s2;
	summary->df_prior = prior.df;
	summary->shared_share =
		summary->shared_s2 / (summary->shared_s2 + sum / (double)summary->family);
	memory_free(s2);
}

/* Each op's level; an op without any value has none, and no use for it. */
static double mean_of(const struct moderated_work *w, size_t op)
{
	const size_t runs = w->data->runs_base + w->data->runs_new;
	size_t count;
	double mean;

	if (w->opt->level)
		return w->opt->level[op];
	mean = moderated_mean(w->data->value + op * runs, runs, &count);
	return count > 0 ? mean : 0;
}

/* The typical variance of a run that its steps do not explain: where the covariate of the step
 * variance levels off. At least a part of what they explain. */
static double typical_rest(const struct moderated_work *w)
{
	double *sorted = w->deviation, typical;
	size_t n = 0;

	for (size_t o = 0; o < w->data->ops; o++)
		if (w->op[o].state == MODERATED_FAMILY && !isnan(w->opt->step_variance[o]))
			sorted[n++] = w->op[o].s2;
	typical = n > 0 ? gsl_stats_median(sorted, 1, n) : 0;
	n = 0;
	for (size_t o = 0; o < w->data->ops; o++)
		if (w->op[o].state == MODERATED_FAMILY && !isnan(w->opt->step_variance[o]))
			sorted[n++] = w->opt->step_variance[o];
	return n > 0 ? fmax(typical - gsl_stats_median(sorted, 1, n), typical / 10) : 0;
}

/* Where the steps leave nothing known, the mean of the others says nothing. */
static void step_covariate(const struct moderated_work *w, double *covariate)
{
	const double rest = typical_rest(w);
	double sum = 0, mean;
	size_t n = 0;

	for (size_t o = 0; o < w->data->ops; o++) {
		const double known = w->opt->step_variance[o];

		covariate[2 * o + 1] = known + rest > 0 ? log(known + rest) : NAN;
		if (!isfinite(covariate[2 * o + 1]) || w->op[o].state != MODERATED_FAMILY)
			continue;
		sum += covariate[2 * o + 1];
		n++;
	}
	mean = n > 0 ? sum / (double)n : 0;
	for (size_t o = 0; o < w->data->ops; o++)
		if (!isfinite(covariate[2 * o + 1]))
			covariate[2 * o + 1] = mean;
}

void moderated_fit_prior(struct moderated_work *w)
{
	const struct moderated_options *opt = w->opt;
	const size_t family = w->summary->family;

	if (family < opt->prior_least) {
		/* Each op has only itself. */
		for (size_t o = 0; o < w->data->ops; o++) {
			if (w->op[o].state != MODERATED_FAMILY)
				continue;
			w->op[o].s2_prior = w->op[o].s2;
			w->op[o].df_prior = 0;
			w->df_sum += w->op[o].nu;
		}
	} else if (opt->by_mean && !opt->covariate && family >= MODERATED_MEAN_OPS) {
		const bool steps = w->opt->step_variance != NULL;
		double *covariate =
			memory_alloc(memory_product(w->data->ops, 2 * sizeof(*covariate)));

		if (steps)
			step_covariate(w, covariate);
		for (size_t o = 0; o < w->data->ops; o++)
			covariate[steps ? 2 * o : o] = mean_of(w, o);
		fit_prior(w, covariate, steps ? 2 : 1);
		w->summary->by_mean =
			isnan(w->summary->s2_prior); /* not left aside for want of variances */
		memory_free(covariate);
	} else if (family > 0)
		fit_prior(w, opt->covariate, opt->covariates);
}
