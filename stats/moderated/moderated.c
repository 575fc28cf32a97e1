/* The moderated t test: residual variances per op, a run effect shared by all ops split off, and
 * the rest shrunk towards a prior that is estimated from all ops. */
#include "stats/moderated/moderated.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "stats/moderated/moderated_work.h"
#include "stats/moderated/spread_ratio.h"
#include "stats/moderated/hidden_outliers.h"
#include "stats/moments.h"
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
static void describe_op(const struct moderated_data *data, size_t op, double *work,
	struct moderated_op *out, struct spread_pair *pair)
{
	struct moderated_side base, new;
	size_t runs, sides;

	side_fill(row(data, op), data->runs_base, work, &base);
	side_fill(row(data, op) + data->runs_base, data->runs_new, work, &new);
	runs = base.m.n + new.m.n;
	sides = data->runs_base ? 2 : 1;
	*out = (struct moderated_op){
		.state = MODERATED_FEW_RUNS,
		.runs_base = base.m.n,
		.runs_new = new.m.n,
		.diff = sides == 2 ? new.mean - base.mean : new.mean,
		.nu = runs > sides ? (double)(runs - sides) : 0,
		.s2 = NAN,
		.s2_prior = NAN,
		.df_prior = NAN,
		.s2_posterior = NAN,
		.se = NAN,
		.df = NAN,
		.t = NAN,
		.p = NAN,
		.low = NAN,
		.high = NAN,
	};
	*pair = (struct spread_pair){(double)base.m.squares, (double)new.m.squares,
		sides == 2 ? (double)base.m.n - 1 : 0, (double)new.m.n - 1};
	if ((sides == 2 && base.m.n < 2) || new.m.n < 2)
		return;
	out->s2 = (double)((base.m.squares + new.m.squares) / out->nu);
	out->state = out->s2 > 0 ? MODERATED_FAMILY : MODERATED_CONSTANT;
}

double moderated_mean(const double *value, size_t runs, size_t *count)
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

/* Centres of an op's values in base and new runs, from which the values are measured. */
static void centres(const struct moderated_data *data, size_t op, double centre[2])
{
	const double *value = row(data, op);
	size_t count;

	centre[0] = moderated_mean(value, data->runs_base, &count);
	centre[1] = moderated_mean(value + data->runs_base, data->runs_new, &count);
}

static size_t runs_of(const struct moderated_data *data)
{
	return data->runs_base + data->runs_new;
}

static struct moderated_work work_new(const struct moderated_data *data,
	const struct moderated_options *opt, struct moderated_op *op, struct moderated *summary)
{
	struct moderated_work w = {.data = data,
		.opt = opt,
		.op = op,
		.summary = summary,
		.parts = 1,
		.clustering = 1};

	w.pair = memory_alloc(memory_product(data->ops, sizeof(*w.pair)));
	w.cross = memory_alloc(memory_product(data->ops, sizeof(*w.cross)));
	w.part = memory_alloc(memory_product(data->ops, sizeof(*w.part)));
	w.member = memory_alloc(memory_product(data->ops, sizeof(*w.member)));
	w.deviation = memory_alloc(memory_product(data->ops, sizeof(*w.deviation)));
	w.effect = memory_alloc(memory_product(runs_of(data), sizeof(*w.effect)));
	w.side = memory_alloc(memory_product(runs_of(data), sizeof(*w.side)));
	return w;
}

static void work_release(struct moderated_work *w)
{
	memory_free(w->pair);
	memory_free(w->tested);
	memory_free(w->place);
	memory_free(w->cross);
	memory_free(w->part);
	memory_free(w->member);
	memory_free(w->first);
	memory_free(w->deviation);
	memory_free(w->side);
	memory_free(w->effect);
}

static size_t describe_ops(struct moderated_work *w)
{
	size_t family = 0;

	for (size_t o = 0; o < w->data->ops; o++) {
		describe_op(w->data, o, w->side, &w->op[o], &w->pair[o]);
		family += w->op[o].state == MODERATED_FAMILY;
	}
	return family;
}

/* Sorts the ops of the family by their parts, in one pass for each of count and place. */
static void sort_members(struct moderated_work *w)
{
	const size_t ops = w->data->ops;

	memory_free(w->first);
	w->first = memory_alloc(memory_product(w->parts + 2, sizeof(*w->first)));
	/* Counted two places on: after the ops are placed, each entry is where its part starts. */
	for (size_t o = 0; o < ops; o++)
		if (w->op[o].state == MODERATED_FAMILY)
			w->first[w->part[o] + 2]++;
	for (size_t p = 2; p < w->parts + 2; p++)
		w->first[p] += w->first[p - 1];
	for (size_t o = 0; o < ops; o++)
		if (w->op[o].state == MODERATED_FAMILY)
			w->member[w->first[w->part[o] + 1]++] = o;
}

/* The median deviation per run over the ops of `part`. */
static void median_deviations(
	struct moderated_work *w, const double *centre, size_t part, double *effect)
{
	const size_t runs = runs_of(w->data);

	for (size_t r = 0; r < runs; r++) {
		size_t n = 0;

		for (size_t i = w->first[part]; i < w->first[part + 1]; i++) {
			const size_t o = w->member[i];
			const double x = row(w->data, o)[r];

			if (!isnan(x))
				w->deviation[n++] = x - centre[2 * o + (r >= w->data->runs_base)];
		}
		effect[r] = n > 0 ? gsl_stats_median(w->deviation, 1, n) : NAN;
	}
}

static void run_effects(struct moderated_work *w, double *effect)
{
	double *centre = memory_alloc(memory_product(w->data->ops, 2 * sizeof(*centre)));

	for (size_t o = 0; o < w->data->ops; o++)
		centres(w->data, o, centre + 2 * o);
	sort_members(w);
	median_deviations(w, centre, 0, effect);
	memory_free(centre);
}

void moderated_run_effects(const struct moderated_data *data, double *effect)
{
	const struct moderated_options opt = {0};
	struct moderated_op *op = memory_alloc(memory_product(data->ops, sizeof(*op)));
	struct moderated summary;
	struct moderated_work w = work_new(data, &opt, op, &summary);

	describe_ops(&w);
	run_effects(&w, effect);
	work_release(&w);
	memory_free(op);
}

/* Sum over the runs of a side of rest times (effect - its mean). */
static double cross_product(const double *rest, const double *effect, size_t runs)
{
	double sum = 0, mean = 0;
	size_t n = 0;

	for (size_t r = 0; r < runs; r++)
		if (!isnan(rest[r])) {
			mean += effect[r];
			n++;
		}
	mean /= (double)n;
	for (size_t r = 0; r < runs; r++)
		if (!isnan(rest[r]))
			sum += rest[r] * (effect[r] - mean);
	return n > 0 ? sum : 0;
}

/* Own squares of every op of the family, with the run effects of its part taken away. They need not
 * add up to 0 on a side, so differences are not touched and stay as described before. */
static void take_away(struct moderated_work *w, double *rest)
{
	const size_t runs = runs_of(w->data);
	struct moderated_data own = *w->data;

	own.value = rest;
	own.ops = 1;
	for (size_t o = 0; o < w->data->ops; o++) {
		const double *effect = w->effect + w->part[o] * runs;
		struct moderated_op left;

		if (w->op[o].state != MODERATED_FAMILY)
			continue;
		for (size_t r = 0; r < runs; r++)
			rest[r] = row(w->data, o)[r] - effect[r];
		describe_op(&own, 0, w->side, &left, &w->pair[o]);
		w->cross[o].base = cross_product(rest, effect, own.runs_base);
		w->cross[o].new =
			cross_product(rest + own.runs_base, effect + own.runs_base, own.runs_new);
	}
}

/* Gives each group that is large enough run effects of its own. */
static void fill_groups(struct moderated_work *w, const size_t *members)
{
	const size_t ops = w->data->ops, runs = runs_of(w->data);
	size_t *part = memory_alloc(memory_product(ops, sizeof(*part)));
	double *centre = memory_alloc(memory_product(ops, 2 * sizeof(*centre)));

	for (size_t g = 0; g < ops; g++)
		if (members[g] >= MODERATED_SPLIT_OPS)
			part[g] = w->parts++;
	w->effect = memory_resize(
		w->effect, memory_product(memory_product(w->parts, runs), sizeof(*w->effect)));
	for (size_t o = 0; o < ops; o++) {
		w->part[o] = part[w->opt->group[o]];
		centres(w->data, o, centre + 2 * o);
	}
	sort_members(w);
	for (size_t p = 1; p < w->parts; p++)
		median_deviations(w, centre, p, w->effect + p * runs);
	memory_free(part);
	memory_free(centre);
}

/* P of run effects of a part as far from those of all ops, if it had none of its own: a median of n
 * values varies by pi/2 of their mean's variance. */
static double part_p(struct moderated_work *w, size_t part)
{
	const size_t runs = runs_of(w->data);
	const struct moderated_data data = {
		w->effect + part * runs, 1, w->data->runs_base, w->data->runs_new};
	struct moderated_op between;
	struct spread_pair pair;
	double *own = w->deviation, chance;
	size_t n = 0;

	for (size_t r = 0; r < runs; r++)
		w->effect[part * runs + r] -= w->effect[r];
	describe_op(&data, 0, w->side, &between, &pair);
	for (size_t r = 0; r < runs; r++)
		w->effect[part * runs + r] += w->effect[r];
	for (size_t i = w->first[part]; i < w->first[part + 1]; i++) {
		const size_t o = w->member[i];

		own[n++] = (w->pair[o].base + w->pair[o].new) / w->op[o].nu;
	}
	chance = M_PI / 2 * gsl_stats_median(own, 1, n) / (double)n;
	return chance > 0 ? gsl_cdf_chisq_Q(between.nu * between.s2 / chance, between.nu) : 1;
}

/* Groups keep their run effects when one of them differs from that of all ops by more than chance;
 * w->pair has the squares without the effects of all. */
static void split_groups(struct moderated_work *w)
{
	/* Members of the family in each group, counted by group. */
	size_t *members = memory_alloc(memory_product(w->data->ops, sizeof(*members)));

	for (size_t o = 0; o < w->data->ops; o++)
		if (w->op[o].state == MODERATED_FAMILY)
			members[w->opt->group[o]]++;
	double least = 1;

	fill_groups(w, members);
	for (size_t p = 1; p < w->parts; p++)
		least = fmin(least, part_p(w, p));
	if (least * (double)(w->parts - 1) < MODERATED_GROUP_P)
		w->summary->groups = w->parts - 1;
	else
		memset(w->part, 0, w->data->ops * sizeof(*w->part));
	memory_free(members);
}

/* The own part of an op without the means of its sides, those of new divided by sqrt(ratio), into
 * out[runs]. Returns its squares; NaN: a run has no value. */
static double own_residuals(const struct moderated_work *w, size_t op, double ratio, double *out)
{
	const size_t base = w->data->runs_base, runs = runs_of(w->data);
	const double *effect = w->effect + w->part[op] * runs;
	double mean[2] = {0, 0}, squares = 0;

	for (size_t r = 0; r < runs; r++) {
		out[r] = row(w->data, op)[r] - (w->summary->split ? effect[r] : 0);
		mean[r >= base] += out[r] / (double)(r >= base ? runs - base : base);
	}
	for (size_t r = 0; r < runs; r++) {
		out[r] = (out[r] - mean[r >= base]) / (r >= base ? sqrt(ratio) : 1);
		squares += out[r] * out[r];
	}
	return squares;
}

/* Ops of a group that nobody names still move together. With r the correlation of the residuals of
 * two ops, whose squares are 1/nu on average by chance, squares of residuals correlate by r^2, and
 * the variance of a sum over n ops is 1 + (n - 1) times the mean r^2 beyond chance as large. All
 * pairs at once: the sum of r^2 is that of the squares of sum z z', z the residuals at length 1. */
static double clustering_of(const struct moderated_work *w, double ratio)
{
	const size_t runs = runs_of(w->data);
	double *sums = memory_alloc(memory_product(memory_product(runs, runs), sizeof(*sums)));
	double *z = memory_alloc(memory_product(runs, sizeof(*z)));
	const double chance = 1 / ((double)runs - 2);
	double n = 0, together = 0, pairs;

	for (size_t o = 0; o < w->data->ops; o++) {
		const double squares =
			w->op[o].state == MODERATED_FAMILY ? own_residuals(w, o, ratio, z) : 0;

		if (!(squares > 0))
			continue;
		n++;
		for (size_t r = 0; r < runs; r++)
			for (size_t c = 0; c < runs; c++)
				sums[r * runs + c] += z[r] * z[c] / squares;
	}
	for (size_t r = 0; r < runs * runs; r++)
		together += sums[r] * sums[r];
	memory_free(sums);
	memory_free(z);
	if (n < 2)
		return 1;
	pairs = n * (n - 1) / 2;
	together = (together - n) / (2 * pairs) - chance;
	/* r^2 is a beta variable, that of one of nu coordinates of a random direction. */
	if (!(together > MODERATED_CLUSTERING_SE * sqrt(2 * (1 - chance) * chance * chance /
							   (1 + 2 * chance) / pairs)))
		return 1;
	return 1 + (n - 1) * together / (1 - chance);
}

/* Ops with spread on both sides, into out[family]: those without say nothing of the ratio. Only
 * where there are none all count, with next to no spread on that side. */
static size_t fill_ratios(struct moderated_work *w, struct spread_pair *out)
{
	size_t n = 0;

	for (int all = 0; all < 2 && n == 0; all++)
		for (size_t o = 0; o < w->data->ops; o++) {
			if (w->op[o].state != MODERATED_FAMILY)
				continue;

			const double floor =
				w->opt->floor && w->opt->floor[o] > 0 ? w->opt->floor[o] : 0;

			/* A side varies by the resolution at least. */
			w->pair[o].base = fmax(w->pair[o].base, floor * w->pair[o].base_df);
			w->pair[o].new = fmax(w->pair[o].new, floor * w->pair[o].new_df);
			if (all)
				spread_ratio_floor(&w->pair[o]);
			w->place[o] = w->pair[o].base > 0 && w->pair[o].new > 0 ? n : SIZE_MAX;
			if (w->place[o] == n)
				out[n++] = w->pair[o];
		}
	return n;
}

/* Finds how much more the runs of new vary, from the own parts of the ops. */
static void find_ratio(struct moderated_work *w)
{
	struct moderated *summary = w->summary;
	size_t n;

	w->tested = memory_alloc(memory_product(w->data->ops, sizeof(*w->tested)));
	w->place = memory_alloc(memory_product(w->data->ops, sizeof(*w->place)));
	n = fill_ratios(w, w->tested);
	spread_ratio(w->tested, n, &w->ratio);
	summary->ratio_found = w->ratio.ratio;
	if (w->ratio.count == 0) /* nothing is left to the ops themselves */
		return;
	summary->ratio = w->ratio.ratio;
	if (summary->family >= MODERATED_HIDDEN_OPS)
		w->clustering = clustering_of(w, summary->ratio);
	summary->ratio_log_se = w->ratio.log_se * sqrt(w->clustering);
	summary->ratio_own_sd = sqrt(w->ratio.own_variance);
	w->few = (struct few_runs){w->tested, n, &w->ratio};
	summary->few_runs = summary->family < MODERATED_SPLIT_OPS && few_runs_applies(&w->few);
}

static double pooled(const struct spread_pair *pair, double ratio)
{
	return (pair->base + pair->new / ratio) / (pair->base_df + pair->new_df);
}

/* The variance of the run effects of a part, on the scale of the base runs. */
static double shared_variance(struct moderated_work *w, size_t part)
{
	const struct moderated_data effects = {
		w->effect + part * runs_of(w->data), 1, w->data->runs_base, w->data->runs_new};
	struct moderated_op shared;
	struct spread_pair pair;

	describe_op(&effects, 0, w->side, &shared, &pair);
	w->summary->shared_df = shared.nu;
	return pooled(&pair, w->summary->ratio);
}

/* Covariance of the own part of an op with what was taken away, on the scale of the base runs. */
static double cross_covariance(const struct moderated_work *w, size_t op)
{
	return (w->cross[op].base + w->cross[op].new / w->summary->ratio) / w->op[op].nu;
}

/* A large group that nobody names moves the median op, too, so that the run effects hold a part of
 * what the group shares, and its ops' own parts go along with them: their variances add up to less
 * than that of the value, by twice the covariance c. By chance c^2 is s2 shared_s2/nu. Where it is
 * larger over the ops, 1 - chance/found of each c is taken for real (empirical Bayes). */
static void add_covariances(struct moderated_work *w)
{
	double *excess = w->deviation, mean;
	size_t n = 0;

	for (size_t o = 0; o < w->data->ops; o++) {
		const struct moderated_op *op = &w->op[o];
		const double c = cross_covariance(w, o), chance = op->s2 * op->shared_s2 / op->nu;

		if (op->state == MODERATED_FAMILY && chance > 0)
			excess[n++] = c * c / chance - 1;
	}
	mean = n > 1 ? gsl_stats_mean(excess, 1, n) : 0;
	if (!(mean > MODERATED_CROSS_SE * gsl_stats_sd(excess, 1, n) / sqrt((double)n)))
		return;
	for (size_t o = 0; o < w->data->ops; o++)
		if (w->op[o].state == MODERATED_FAMILY)
			w->op[o].shared_s2 =
				fmax(0, w->op[o].shared_s2 +
						2 * mean / (1 + mean) * cross_covariance(w, o));
}

/* The own and the shared variance, on the scale of the base runs; for all ops together the mean of
 * the shared ones. */
static void pool_sides(struct moderated_work *w)
{
	struct moderated *summary = w->summary;
	double *shared = memory_alloc(memory_product(w->parts, sizeof(*shared)));
	struct spread_ratio_of_op ratio = {summary->ratio, 0, 0, 0};

	for (size_t p = 0; p < w->parts && summary->split; p++)
		shared[p] = shared_variance(w, p);
	for (size_t o = 0; o < w->data->ops; o++) {
		w->op[o].shared_s2 = shared[w->part[o]];
		if (w->op[o].state != MODERATED_FAMILY)
			continue;
		if (w->ratio.count > 0)
			ratio = spread_ratio_of_op(&w->ratio, &w->pair[o], w->clustering);
		w->op[o].ratio = ratio.ratio;
		w->ratio_error = ratio.all_log_se;
		w->op[o].ratio_log_se = ratio.common_log_se;
		w->op[o].ratio_own_log_se = ratio.own_log_se;
		w->op[o].s2 = pooled(&w->pair[o], w->op[o].ratio);
		summary->shared_s2 += shared[w->part[o]] / (double)summary->family;
	}
	memory_free(shared);
	if (summary->split && summary->family >= MODERATED_HIDDEN_OPS)
		add_covariances(w);
}

/* The degrees of freedom of own and shared part together (doc of moderated.h); `expected` is what
 * is expected of the own part. */
static double joint_df(
	const struct moderated *summary, double shared_s2, double expected, double own_df)
{
	const double known = fmax(own_df, 4);
	const double own = expected * (isinf(known) ? 1 : known / (known - 2));
	const double share = own / (own + shared_s2);
	const double f = own_df > 4 ? 4 + (own_df - 4) / (share * share) : own_df;

	return 1 / (1 / f + (1 - share) * (1 - share) / summary->shared_df);
}

double moderated_allow_hidden_outlier(double p, double hidden_outlier, double other_p)
{
	return other_p > p ? p + hidden_outlier * (other_p - p) : p;
}

double moderated_planned_df(const struct moderated *summary, size_t runs)
{
	const double nu = (summary->rounds ? 1 : 2) * ((double)runs - 1);
	const double share = summary->shared_share;
	const double own_df = fmin(summary->df_prior + nu, (double)summary->family * nu);
	struct moderated planned = *summary;

	if (!summary->split || !(share > 0) || !(share < 1))
		return own_df;
	planned.shared_df = nu;
	return joint_df(
		&planned, summary->shared_s2, summary->shared_s2 * (1 - share) / share, own_df);
}

/* Variance of the mean of a side; a side without runs is not part of the test. */
static double mean_variance(double own, double shared, size_t runs)
{
	return runs > 0 ? (own + shared) / (double)runs : 0;
}

/* The ratio is an estimate, too: by how much an error of its logarithm moves that of se^2, directly
 * and through the squares of new that s2 has on the scale of base, counts as Satterthwaite (1946)
 * does. The prior moves with the error of all ops, not with that of this one. */
static double ratio_df(const struct moderated_work *w, const double own[2], size_t o,
	const struct moderated_op *op)
{
	const double new_own = own[1] / (double)op->runs_new;
	const double new_all =
		mean_variance(own[1], w->summary->ratio * op->shared_s2, op->runs_new);
	const double both = new_own + own[0] / (double)op->runs_base, se2 = op->se * op->se;
	const double squares = op->df_prior * op->s2_prior + op->nu * op->s2;
	const double part =
		squares > 0 && isfinite(squares) ? w->pair[o].new / op->ratio / squares : 0;
	const double nu2 = ((double)op->runs_new - 1) / op->nu;
	const double new_shared = new_all - new_own, shared = se2 - both;
	/* The part that all ops share has the ratio of all ops, with its error alone. */
	const double of_all = ((new_own - nu2 * both) * op->ratio_log_se +
				      (new_shared - nu2 * shared) * w->ratio_error) /
			      se2;
	const double of_op = (new_own - part * both) / se2 * op->ratio_own_log_se;

	return 1 / (1 / op->df + of_all * of_all / 2 + of_op * of_op / 2);
}

/* Standard error and degrees of freedom with the error of the ratio, where that is estimated. */
static void allow_for_ratio(
	const struct moderated_work *w, const double own[2], double own_df, struct moderated_op *op)
{
	const size_t o = (size_t)(op - w->op);

	if (w->ratio.count == 0 || op->state != MODERATED_FAMILY)
		return;
	if (!w->summary->few_runs) {
		op->df = ratio_df(w, own, o, op);
		return;
	}
	few_runs_test(&w->few,
		&(struct few_runs_row){w->place[o], w->pair[o], op->s2_prior, op->df_prior, own_df,
			op->runs_base, op->runs_new},
		&op->se, &op->df);
}

/* The prior of few ops is an estimate, too: the factor of se that raises a P of 0.05 as much as it
 * takes (doc/statistics-simulation.md); with many own degrees of freedom it matters less. */
static double prior_allowance(const struct moderated_work *w, const struct moderated_op *op)
{
	const double more = 1 + MODERATED_FEW_OPS_P * fmin(1, 8 / op->nu);

	if (!w->opt->ratio || w->summary->family < 2 || w->summary->family >= MODERATED_SPLIT_OPS)
		return 1;
	return student_quantile(0.025 / more, op->df) / student_quantile(0.025, op->df);
}

/* own[2]: variance of the op's own part of a run of base and of new. */
static void test_op(
	const struct moderated_work *w, const double own[2], double own_df, struct moderated_op *op)
{
	const struct moderated *summary = w->summary;
	const bool member = op->state == MODERATED_FAMILY;
	double half;

	op->se = sqrt(mean_variance(own[0], op->shared_s2, op->runs_base) +
		      mean_variance(own[1], summary->ratio * op->shared_s2, op->runs_new));
	op->df = own_df;
	if (summary->split)
		op->df = joint_df(summary, op->shared_s2, member ? op->s2_prior : own[0], own_df);
	allow_for_ratio(w, own, own_df, op);
	op->se *= member ? prior_allowance(w, op) : 1;
	op->t = op->diff / op->se;
	op->p = student_two_sided(op->t, op->df);
	half = student_quantile((1 - w->opt->confidence) / 2, op->df) * op->se;
	op->low = op->diff - half;
	op->high = op->diff + half;
}

void moderated_test(const struct moderated_data *data, const struct moderated_options *opt,
	struct moderated_op *out, struct moderated *summary)
{
	struct moderated_work w = work_new(data, opt, out, summary);

	*summary = (struct moderated){.rounds = data->runs_base == 0,
		.s2_prior = NAN,
		.df_prior = NAN,
		.shared_df = NAN,
		.shared_share = NAN,
		.ratio_found = NAN,
		.ratio_log_se = NAN,
		.ratio = 1};
	summary->family = describe_ops(&w);
	if (!opt->plain && summary->family >= MODERATED_SPLIT_OPS) {
		/* The median op's deviation is what all ops of a run share, or those of a group. */
		double *rest = memory_alloc(memory_product(runs_of(w.data), sizeof(*rest)));

		run_effects(&w, w.effect);
		take_away(&w, rest);
		if (w.opt->group) {
			split_groups(&w);
			if (w.summary->groups > 0)
				take_away(&w, rest);
		}
		w.summary->split = true;
		memory_free(rest);
	}
	if (opt->ratio && summary->family > 0)
		find_ratio(&w);
	pool_sides(&w);
	moderated_fit_prior(&w);
	for (size_t o = 0; o < data->ops; o++) {
		if (out[o].state == MODERATED_FAMILY) {
			const double d0 = out[o].df_prior, df = fmin(d0 + out[o].nu, w.df_sum);
			double own[2];

			out[o].s2_posterior =
				isinf(d0) ? out[o].s2_prior
					  : (d0 * out[o].s2_prior + out[o].nu * out[o].s2) /
						    (d0 + out[o].nu);
			own[0] = out[o].s2_posterior;
			own[1] = out[o].s2_posterior * out[o].ratio;
			test_op(&w, own, df, &out[o]);
		} else if (out[o].state == MODERATED_CONSTANT && opt->floor) {
			/* The resolution's variance is known, not estimated, and the same on both
			 * sides; the op's own degrees of freedom are kept. */
			const double own[2] = {opt->floor[o], opt->floor[o]};

			if (!(opt->floor[o] > 0))
				continue;
			out[o].state = MODERATED_FLOOR;
			out[o].s2_posterior = opt->floor[o];
			test_op(&w, own, out[o].nu, &out[o]);
		}
	}
	if (opt->hidden_outliers && summary->robust)
		hidden_outliers_find(out, data->ops, summary->df_prior);
	work_release(&w);
}
