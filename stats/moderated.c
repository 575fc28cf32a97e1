/*
 * The moderated t test: residual variances per op, a run effect shared by all ops split off, and
 * the rest shrunk towards a prior that is estimated from all ops.
 */
#include "stats/moderated.h"

#include <math.h>
#include <string.h>
#include <gsl/gsl_statistics_double.h>
#include "base/memory.h"
#include "stats/moments.h"
#include "stats/prior.h"
#include "stats/student.h"

/* One side of one op: the values that are there. */
struct moderated_side {
	struct moments m;
	double mean;
};

static void side_fill(const double *value, size_t runs, double *work, struct moderated_side *out)
{
	size_t n = 0;

	for (size_t r = 0; r < runs; r++)
		if (!isnan(value[r]))
			work[n++] = value[r];
	moments_compute(work, n, &out->m);
	out->mean = moments_mean(&out->m);
}

static const double *row(const struct moderated_data *data, size_t op)
{
	return data->value + op * (data->runs_base + data->runs_new);
}

/* Everything of an op that needs no other op. work: room for one side. */
static void describe_op(
	const struct moderated_data *data, size_t op, double *work, struct moderated_op *out)
{
	struct moderated_side base, new;
	size_t runs;

	side_fill(row(data, op), data->runs_base, work, &base);
	side_fill(row(data, op) + data->runs_base, data->runs_new, work, &new);
	runs = base.m.n + new.m.n;
	*out = (struct moderated_op){
		.state = MODERATED_FEW_RUNS,
		.runs_base = base.m.n,
		.runs_new = new.m.n,
		.diff = new.mean - base.mean,
		.nu = runs > 2 ? (double)(runs - 2) : 0,
		.s2 = NAN,
		.s2_prior = NAN,
		.s2_posterior = NAN,
		.se = NAN,
		.df = NAN,
		.t = NAN,
		.p = NAN,
		.low = NAN,
		.high = NAN,
	};
	if (base.m.n < 2 || new.m.n < 2)
		return;
	out->s2 = (double)((base.m.squares + new.m.squares) / out->nu);
	out->state = out->s2 > 0 ? MODERATED_FAMILY : MODERATED_CONSTANT;
}

static double side_mean(const double *value, size_t runs, size_t *count)
{
	double sum = 0;

	*count = 0;
	for (size_t r = 0; r < runs; r++) {
		if (isnan(value[r]))
			continue;
		sum += value[r];
		++*count;
	}
	return sum / (double)*count;
}

/* What an op's values in base and new runs are measured from. */
static void centres(const struct moderated_data *data, size_t op, bool sides, double centre[2])
{
	const double *value = row(data, op);
	size_t count;

	if (sides) {
		centre[0] = side_mean(value, data->runs_base, &count);
		centre[1] = side_mean(value + data->runs_base, data->runs_new, &count);
	} else {
		centre[0] = side_mean(value, data->runs_base + data->runs_new, &count);
		centre[1] = centre[0];
	}
}

static void run_effects(const struct moderated_data *data, const struct moderated_op *op,
	bool sides, double *effect)
{
	const size_t runs = data->runs_base + data->runs_new;
	double *centre = memory_alloc(memory_product(data->ops, 2 * sizeof(*centre)));
	double *deviation = memory_alloc(memory_product(data->ops, sizeof(*deviation)));

	for (size_t o = 0; o < data->ops; o++)
		centres(data, o, sides, centre + 2 * o);
	for (size_t r = 0; r < runs; r++) {
		size_t n = 0;

		for (size_t o = 0; o < data->ops; o++) {
			const double value = row(data, o)[r];

			if (op[o].state == MODERATED_FAMILY && !isnan(value))
				deviation[n++] = value - centre[2 * o + (r >= data->runs_base)];
		}
		effect[r] = n > 0 ? gsl_stats_median(deviation, 1, n) : NAN;
	}
	memory_free(centre);
	memory_free(deviation);
}

static size_t describe_ops(const struct moderated_data *data, struct moderated_op *out)
{
	const size_t room = data->runs_base + data->runs_new;
	double *work = memory_alloc(memory_product(room, sizeof(*work)));
	size_t family = 0;

	for (size_t o = 0; o < data->ops; o++) {
		describe_op(data, o, work, &out[o]);
		family += out[o].state == MODERATED_FAMILY;
	}
	memory_free(work);
	return family;
}

void moderated_run_effects(const struct moderated_data *data, bool sides, double *effect)
{
	struct moderated_op *op = memory_alloc(memory_product(data->ops, sizeof(*op)));

	describe_ops(data, op);
	run_effects(data, op, sides, effect);
	memory_free(op);
}

/*
 * Takes the median op's deviation off every run: its variance is the shared part, with the degrees
 * of freedom of the runs, and s2 becomes what is left to the op itself. The effects need not add up
 * to 0 on a side, so differences are not touched and stay as described before.
 */
static void split(
	const struct moderated_data *data, struct moderated_op *op, struct moderated *summary)
{
	const size_t runs = data->runs_base + data->runs_new;
	const size_t size = memory_product(memory_product(data->ops, runs), sizeof(double));
	double *effect = memory_alloc(memory_product(runs, sizeof(*effect)));
	double *rest = memory_alloc(size),
	       *work = memory_alloc(memory_product(runs, sizeof(*work)));
	const struct moderated_data own = {rest, data->ops, data->runs_base, data->runs_new};
	const struct moderated_data all = {effect, 1, data->runs_base, data->runs_new};
	struct moderated_op shared, left;

	run_effects(data, op, true, effect);
	for (size_t o = 0; o < data->ops; o++)
		for (size_t r = 0; r < runs; r++)
			rest[o * runs + r] = row(data, o)[r] - effect[r];
	describe_op(&all, 0, work, &shared);
	for (size_t o = 0; o < data->ops; o++) {
		if (op[o].state != MODERATED_FAMILY)
			continue;
		describe_op(&own, o, work, &left);
		op[o].s2 = left.s2;
	}
	summary->split = true;
	summary->shared_s2 = shared.s2;
	summary->shared_df = shared.nu;
	memory_free(effect);
	memory_free(rest);
	memory_free(work);
}

/* The prior of the family, from the ops of it that have a variance of their own. */
static void fit_prior(const struct moderated_options *opt, size_t ops, struct moderated_op *op,
	struct moderated *summary, double *df_sum)
{
	struct prior prior;
	double *s2 = memory_alloc(memory_product(ops, sizeof(*s2)));
	double *nu = memory_alloc(memory_product(ops, sizeof(*nu)));
	double *expected = memory_alloc(memory_product(ops, sizeof(*expected)));
	double sum = 0;

	*df_sum = 0;
	for (size_t o = 0; o < ops; o++) {
		const bool member = op[o].state == MODERATED_FAMILY;

		s2[o] = member ? op[o].s2 : 0;
		nu[o] = op[o].nu;
		sum += s2[o];
		*df_sum += member ? nu[o] : 0;
	}
	prior_fit(s2, nu, ops, opt->covariate, opt->covariates, &prior, expected);
	for (size_t o = 0; o < ops; o++)
		op[o].s2_prior = op[o].state == MODERATED_FAMILY ? expected[o] : NAN;
	summary->prior_ops = prior.count;
	summary->s2_prior = prior.s2;
	summary->df_prior = prior.df;
	summary->shared_share =
		summary->shared_s2 / (summary->shared_s2 + sum / (double)summary->family);
	memory_free(s2);
	memory_free(nu);
	memory_free(expected);
}

/* The degrees of freedom of own and shared part together (doc of moderated.h); `expected` is what
 * is expected of the own part. */
static double joint_df(const struct moderated *summary, double expected, double own_df)
{
	const double known = fmax(own_df, 4);
	const double own = expected * (isinf(known) ? 1 : known / (known - 2));
	const double share = own / (own + summary->shared_s2);
	const double f = own_df > 4 ? 4 + (own_df - 4) / (share * share) : own_df;

	return 1 / (1 / f + (1 - share) * (1 - share) / summary->shared_df);
}

double moderated_planned_df(const struct moderated *summary, size_t runs)
{
	const double nu = 2 * ((double)runs - 1), share = summary->shared_share;
	const double own_df = fmin(summary->df_prior + nu, (double)summary->family * nu);
	struct moderated planned = *summary;

	if (!summary->split || !(share > 0) || !(share < 1))
		return own_df;
	planned.shared_df = nu;
	return joint_df(&planned, summary->shared_s2 * (1 - share) / share, own_df);
}

static void test_op(const struct moderated *summary, double confidence, double own, double own_df,
	struct moderated_op *op)
{
	const double runs = 1 / (double)op->runs_base + 1 / (double)op->runs_new;
	double half;

	op->se = sqrt((own + summary->shared_s2) * runs);
	op->df = own_df;
	if (summary->split)
		op->df = joint_df(
			summary, op->state == MODERATED_FAMILY ? op->s2_prior : own, own_df);
	op->t = op->diff / op->se;
	op->p = student_two_sided(op->t, op->df);
	half = student_quantile((1 - confidence) / 2, op->df) * op->se;
	op->low = op->diff - half;
	op->high = op->diff + half;
}

static void test_member(
	const struct moderated *summary, double confidence, double df_sum, struct moderated_op *op)
{
	const double d0 = summary->df_prior, df = fmin(d0 + op->nu, df_sum);

	op->s2_posterior =
		isinf(d0) ? op->s2_prior : (d0 * op->s2_prior + op->nu * op->s2) / (d0 + op->nu);
	test_op(summary, confidence, op->s2_posterior, df, op);
}

/* The resolution's variance is known, not estimated; the op's own degrees of freedom are kept. */
static void test_constant(
	const struct moderated *summary, double confidence, double floor, struct moderated_op *op)
{
	if (!(floor > 0))
		return;
	op->state = MODERATED_FLOOR;
	op->s2_posterior = floor;
	test_op(summary, confidence, floor, op->nu, op);
}

/* Each op's mean over all runs; an op without any value has none, and no use for it. */
static double *op_means(const struct moderated_data *data)
{
	double *mean = memory_alloc(memory_product(data->ops, sizeof(*mean)));

	for (size_t o = 0; o < data->ops; o++) {
		double centre[2];

		centres(data, o, false, centre);
		mean[o] = isnan(centre[0]) ? 0 : centre[0];
	}
	return mean;
}

static void fit_prior_by_mean(const struct moderated_data *data, struct moderated_op *op,
	struct moderated *summary, double *df_sum)
{
	double *mean = op_means(data);
	const struct moderated_options by_mean = {.covariate = mean, .covariates = 1};

	fit_prior(&by_mean, data->ops, op, summary, df_sum);
	summary->by_mean = isnan(summary->s2_prior); /* not left aside for want of variances */
	memory_free(mean);
}

void moderated_test(const struct moderated_data *data, const struct moderated_options *opt,
	struct moderated_op *out, struct moderated *summary)
{
	double df_sum = 0;

	*summary = (struct moderated){
		.s2_prior = NAN, .df_prior = NAN, .shared_df = NAN, .shared_share = NAN};
	summary->family = describe_ops(data, out);
	if (!opt->plain && summary->family >= MODERATED_SPLIT_OPS)
		split(data, out, summary);
	if (opt->by_mean && !opt->covariate && summary->family >= MODERATED_MEAN_OPS)
		fit_prior_by_mean(data, out, summary, &df_sum);
	else if (summary->family > 0)
		fit_prior(opt, data->ops, out, summary, &df_sum);
	for (size_t o = 0; o < data->ops; o++) {
		if (out[o].state == MODERATED_FAMILY)
			test_member(summary, opt->confidence, df_sum, &out[o]);
		else if (out[o].state == MODERATED_CONSTANT && opt->floor)
			test_constant(summary, opt->confidence, opt->floor[o], &out[o]);
	}
}
