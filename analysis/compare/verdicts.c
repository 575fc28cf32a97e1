/* Takes the rows of a measure through the stages of row_test.h and gives each its verdict. */
#include "analysis/compare/verdicts.h"

#include <math.h>
#include <string.h>
#include "analysis/compare/row_test.h"
#include "base/memory.h"
#include "stats/odd_runs.h"
#include "stats/ranks.h"
#include "stats/sample.h"
#include "stats/tests.h"

/* Leaves out the run, and the step, that carries most of a difference, and looks whether the claim
 * would still be made. */

#define STEPS_LEAST 3 /* of a run, to do without one */

/* p of the same claim with another difference and standard error. */
static double claim_p(const struct compared *v, double diff, double se)
{
	struct t_test test;
	double low, high;

	row_test_margins(v, v->evidence == EVIDENCE_LINEAR, &low, &high);
	if (v->verdict == VERDICT_REGRESSED)
		return equivalence_above(diff, se, v->df, high);
	if (v->verdict == VERDICT_IMPROVED)
		return equivalence_below(diff, se, v->df, low);
	test_estimate(diff, se, v->df, 0.95, &test);
	return test.p;
}

static double mean_without(const double *x, size_t n, size_t without)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		if (i != without)
			sum += x[i];
	return (double)(sum / (n - 1));
}

static double mean(const double *x, size_t n)
{
	return mean_without(x, n + 1, n);
}

static double p_without_run(const struct compared *v, const struct row_test_sample *x, bool of_base,
	size_t run, struct rank_tables *tables)
{
	double nb = (double)x->base_n, nn = (double)x->new_n, all = 1 / nb + 1 / nn, diff;

	if (tables) {
		struct row_test_sample less = *x;
		size_t n = of_base ? x->base_n : x->new_n;
		double *rest = memory_alloc(memory_product(n, sizeof(*rest)));
		const double *from = of_base ? x->base : x->new;
		struct compared trial = *v;

		for (size_t i = 0, k = 0; i < n; i++)
			if (i != run)
				rest[k++] = from[i];
		if (of_base) {
			less.base = rest;
			less.base_n--;
		} else {
			less.new = rest;
			less.new_n--;
		}
		row_test_ranks(&trial, tables, &less);
		memory_free(rest);
		/* The p that decided. */
		switch (v->verdict) {
		case VERDICT_REGRESSED:
			return trial.p_above;
		case VERDICT_IMPROVED:
			return trial.p_below;
		default:
			return trial.p;
		}
	}
	if (of_base) {
		diff = mean(x->new, x->new_n) - mean_without(x->base, x->base_n, run);
		nb--;
	} else {
		diff = mean_without(x->new, x->new_n, run) - mean(x->base, x->base_n);
		nn--;
	}
	return claim_p(v, diff, v->se * sqrt((1 / nb + 1 / nn) / all));
}

static void find_run(struct compared *v, const struct row_test_sample *x,
	struct rank_tables *tables, double limit)
{
	double p;

	/* Runs without any spread are all alike. */
	if (v->evidence == EVIDENCE_FLOOR)
		return;
	if (!x->new_n) {
		const double n = (double)x->base_n;
		size_t round;

		if (x->base_n >= 3) {
			round = odd_run_extreme(x->base, x->base_n, v->diff > 0);
			v->fragile_run_of_base = true;
			v->fragile_run_index = x->base_run[round];
			v->fragile_run = claim_p(v, mean_without(x->base, x->base_n, round),
						 v->se * sqrt(n / (n - 1))) > limit;
		}
		return;
	}
	for (int side = 0; side < 2 && !v->fragile_run; side++) {
		bool of_base = side == 1;
		size_t n = of_base ? x->base_n : x->new_n, run;

		if (n < 3)
			continue;
		run = odd_run_extreme(of_base ? x->base : x->new, n, of_base == (v->diff < 0));
		p = p_without_run(v, x, of_base, run, tables);
		if (!(p > limit))
			continue;
		v->fragile_run = true;
		v->fragile_run_index = of_base ? x->base_run[run] : x->new_run[run];
		v->fragile_run_of_base = of_base;
	}
}

/* The run value without its largest or smallest step, as a change of the difference. */
static double step_effect(
	const struct run_value *run, size_t runs, bool largest, bool linear, uint32_t *step)
{
	double n = (double)run->steps, rest;

	*step = largest ? run->most_step : run->least_step;
	if (run->steps < STEPS_LEAST)
		return 0;
	rest = (run->mean * n - (largest ? run->most : run->least)) / (n - 1);
	if (linear)
		return (rest - run->mean) / (double)runs;
	return rest > 0 && run->mean > 0 ? log(rest / run->mean) / (double)runs : 0;
}

static void find_step(struct compared *v, double limit)
{
	bool linear = v->evidence == EVIDENCE_LINEAR, up = v->diff > 0;
	double most = 0;

	for (int side = 0; side < 2; side++) {
		const struct run_row *row = side ? v->base : v->new;

		for (size_t r = 0; r < row->runs; r++) {
			uint32_t step;
			double effect = step_effect(
				&row->run[r], row->valued, side ? !up : up, linear, &step);

			if (isnan(row->run[r].value) || compared_is_far_off(v, !side, r) ||
				fabs(effect) <= fabs(most))
				continue;
			most = side ? -effect : effect;
			v->fragile_step_index = step;
			v->fragile_step_of_base = side;
		}
	}
	v->fragile_step = most != 0 && claim_p(v, v->diff + most, v->se) > limit;
}

/* Sets fragile_run and fragile_step with their places; limit: the largest p that is still enough
 * for the claim. The spread is taken as it was found with all
 * runs, the standard error grows by the missing one. x: the samples of the test; without new,
 * base has differences by round; tables: of a rank test, else NULL. */
static void fragile_find(struct compared *value, const struct row_test_sample *x,
	struct rank_tables *tables, enum run_value_kind kind, double limit)
{
	if (value->verdict == VERDICT_SAME || value->verdict == VERDICT_INCONCLUSIVE)
		return;
	find_run(value, x, tables, limit);
	if (kind == RUN_VALUE_MEAN && !tables)
		find_step(value, limit);
}

static void make_intervals(struct rows_tester *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		bool ranks = d->opt->method == METHOD_RANKSUM && v->evidence == EVIDENCE_TEST;

		if (isnan(v->diff) || v->evidence == EVIDENCE_NONE)
			continue;
		if (v->evidence == EVIDENCE_LINEAR)
			row_test_read(v, true, &d->sample);
		else
			tester_read_sample(d, i);
		row_test_interval(v, ranks ? &d->tables : NULL, &d->sample);
		if (v->evidence == EVIDENCE_TEST &&
			(ranks || d->opt->normalize || d->opt->value.kind != RUN_VALUE_MEAN))
			v->change = expm1(v->diff);
		v->of_centres = v->evidence != EVIDENCE_LINEAR &&
				(v->change < v->low || v->change > v->high);
		if (v->of_centres)
			v->change = expm1(v->diff);
	}
}

/* True by the two one-sided tests, and by the whole interval beside the verdict, which is longer: a
 * reader must not see a SAME whose interval passes the margin. */
static bool is_same(const struct compared *v)
{
	if (!(v->p_same < v->alpha))
		return false;
	/* A base of 0 has no interval in fractions. */
	if (v->base_mean == 0)
		return true;
	return v->low >= 1 / (1 + v->margin) - 1 && v->high <= v->margin;
}

static enum verdict verdict_of(const struct compared *v, bool unsteady)
{
	if (v->verdict != VERDICT_NONE || isnan(v->p))
		return v->verdict;
	if (unsteady)
		return VERDICT_INCONCLUSIVE;
	/* The one-sided tests alone could claim what the interval beside them does not show. */
	if (v->flagged && v->q_above < v->alpha)
		return VERDICT_REGRESSED;
	if (v->flagged && v->q_below < v->alpha)
		return VERDICT_IMPROVED;
	if (is_same(v))
		return VERDICT_SAME;
	if (v->q < v->alpha)
		return v->diff > 0 ? VERDICT_SLOWER : VERDICT_FASTER;
	return VERDICT_INCONCLUSIVE;
}

/* The sd of a run value of a tested row, without what the resolution hides in all runs alike.
 * A plan has as many runs on both sides. */
static double sd_of_run(const struct rows_tester *d, const struct compared *v)
{
	const double ratio = v->detail.ratio > 0 ? v->detail.ratio : 1;
	const bool paired = d->opt->method == METHOD_PAIRED;
	const double runs = paired ? 2 / (double)v->detail.runs_new
				   : 1 / (double)(v->base->valued - v->far_off.base) +
					     ratio / (double)(v->new->valued - v->far_off.new);

	return sqrt((v->se * v->se - v->rounding_variance) / runs * (1 + ratio) / 2);
}

static void describe_spread(struct rows_tester *d)
{
	struct compared_measure *m = d->measure;
	double *sd = arena_array(d->scratch, d->count, sizeof(*sd));
	double *rounding = arena_array(d->scratch, d->count, sizeof(*rounding));
	size_t known = 0, tested = 0, limited = 0;

	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;

		/* A sum of small ops is not an op. */
		if (v == &m->small ||
			(v->evidence != EVIDENCE_TEST && v->evidence != EVIDENCE_FLOOR))
			continue;
		tested++;
		limited += v->limited;
		if (v->evidence != EVIDENCE_TEST || !(v->se > 0))
			continue;
		rounding[known] = v->rounding_variance;
		sd[known++] = sd_of_run(d, v);
	}
	m->sd_run = known ? sample_quantile(sd, known, 0.5) : NAN;
	m->rounding_variance = known ? sample_quantile(rounding, known, 0.5) : 0;
	m->limited = limited > tested / 2;
}

/* How much the runs of what is undecided vary: more of them are recorded for these rows. */
static void describe_open(struct rows_tester *d)
{
	struct compared_measure *m = d->measure;
	double *sd = arena_array(d->scratch, d->count, sizeof(*sd));
	size_t n = 0;

	m->open_df = 0;
	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;

		if (v == &m->small || v->evidence != EVIDENCE_TEST ||
			v->verdict != VERDICT_INCONCLUSIVE || !(v->se > 0))
			continue;
		if (!n)
			m->open_first = v;
		m->open_df += v->detail.nu > 0 ? v->detail.nu : v->df;
		sd[n++] = sd_of_run(d, v);
	}
	m->open_count = n;
	m->open_sd_run = n ? sample_quantile(sd, n, 0.5) : NAN;
}

/* Counts and spreads of the tested rows together. */
static void describe_family(struct rows_tester *d)
{
	struct compared_measure *m = d->measure;
	double *diff = arena_array(d->scratch, d->count, sizeof(*diff));
	size_t n = 0;

	m->above = m->below = 0;
	m->limit_p = NAN;
	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;

		if (v->evidence != EVIDENCE_TEST)
			continue;
		diff[n++] = v->diff;
		m->above += v->diff > 0;
		m->below += v->diff < 0;
		if (d->family[i] == FAMILY_COMMON && (isnan(m->limit_p) || !v->flagged))
			m->limit_p = tester_limit(d, i, VERDICT_SLOWER);
	}
	m->median_diff = n ? sample_quantile(diff, n, 0.5) : NAN;
	m->sign_p = sign_test(m->above, m->below);
}

/* Moves the values to the front. */
static size_t drop_unknown(double *x, size_t n)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			x[known++] = x[i];
	return known;
}

/* NaN: the run is left out of one of the rows. */
static void test_geomean(const struct rows_tester *d, double *run, struct t_test *out)
{
	double *new = run + d->runs_base, *partner;
	size_t base_n = d->runs_base, new_n = d->runs - d->runs_base;

	if (d->opt->method != METHOD_PAIRED) {
		base_n = drop_unknown(run, base_n);
		new_n = drop_unknown(new, new_n);
		test_welch(run, base_n, new, new_n, d->opt->confidence, out);
		return;
	}
	partner = arena_array(d->scratch, d->runs_base, sizeof(*partner));
	for (size_t r = 0; r < d->runs_base; r++)
		partner[r] = new[d->opt->round[r]];
	base_n = drop_unknown(run, base_n);
	drop_unknown(partner, d->runs_base);
	test_paired(run, partner, base_n, d->opt->confidence, out);
}

/* The ratio of the typical op: per run the mean logarithm over the rows that have a value in every
 * run. */
static void geomean(struct rows_tester *d)
{
	struct compared_measure *m = d->measure;
	double *sum = arena_array(d->scratch, d->runs, sizeof(*sum));
	struct t_test test;

	m->geomean_count = 0;
	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;

		if (v->evidence != EVIDENCE_TEST || v->base->valued < v->base->runs ||
			v->new->valued < v->new->runs)
			continue;
		for (size_t r = 0; r < d->runs; r++)
			sum[r] += r < d->runs_base ? v->base->run[r].scaled
						   : v->new->run[r - d->runs_base].scaled;
		m->geomean_count++;
	}
	m->geomean = m->geomean_low = m->geomean_high = m->geomean_p = NAN;
	if (!m->geomean_count)
		return;
	for (size_t r = 0; r < d->runs; r++)
		sum[r] = m->whole && m->whole[r] ? NAN : sum[r] / (double)m->geomean_count;
	test_geomean(d, sum, &test);
	m->geomean = exp(test.diff);
	m->geomean_low = exp(test.low);
	m->geomean_high = exp(test.high);
	m->geomean_p = test.p;
}

void verdict_raise_detectable(struct compared *v)
{
	if (v->verdict != VERDICT_INCONCLUSIVE)
		return;
	if (v->detectable < fabs(v->change))
		v->detectable = fabs(v->change);
	if (v->detectable_slower < fabs(v->change))
		v->detectable_slower = fabs(v->change);
}

/* The tests speak of more and less; where more is better, less is worse. */
static enum verdict turned(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_REGRESSED:
		return VERDICT_IMPROVED;
	case VERDICT_IMPROVED:
		return VERDICT_REGRESSED;
	case VERDICT_SLOWER:
		return VERDICT_FASTER;
	case VERDICT_FASTER:
		return VERDICT_SLOWER;
	default:
		return verdict;
	}
}

static int decide_all(struct rows_tester *d, struct error *err)
{
	tester_decide_presence(d);
	tester_fill_logs(d);
	if (tester_fence(d, err) < 0)
		return -1;
	geomean(d);
	tester_test(d);
	tester_adjust(d);
	make_intervals(d);

	/* The geometric mean of one row is its own change and interval: they are one test. */
	struct compared_measure *m = d->measure;

	for (size_t i = 0; m->geomean_count == 1 && i < d->count; i++) {
		const struct compared *v = d->row[i].value;

		if (v->evidence != EVIDENCE_TEST || v->base->valued < v->base->runs ||
			v->new->valued < v->new->runs)
			continue;
		m->geomean = 1 + v->change;
		m->geomean_low = 1 + v->low;
		m->geomean_high = 1 + v->high;
		m->geomean_p = v->p;
	}
	if (!m->verdicts_alone)
		tester_detect(d);
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;

		v->verdict = verdict_of(v, d->opt->unsteady);
		v->unsteady = d->opt->unsteady && v->verdict == VERDICT_INCONCLUSIVE;
		tester_limit_verdict(v);
	}
	tester_withhold_groups(d);
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		bool ranks = d->opt->method == METHOD_RANKSUM && v->evidence == EVIDENCE_TEST;

		if (!v->flagged || d->family[i] == FAMILY_NONE)
			continue;
		if (v->evidence == EVIDENCE_LINEAR)
			row_test_read(v, true, &d->sample);
		else
			tester_read_sample(d, i);
		fragile_find(v, &d->sample, ranks ? &d->tables : NULL, d->opt->value.kind,
			tester_limit(d, i, v->verdict));
	}
	describe_family(d);
	describe_spread(d);
	if (!d->opt->unsteady)
		tester_relabel(d);
	describe_open(d);
	for (size_t i = 0; i < d->count; i++)
		verdict_raise_detectable(d->row[i].value);
	for (size_t i = 0; measure_at(d->measure->id)->better == DIRECTION_HIGHER && i < d->count;
		i++)
		d->row[i].value->verdict = turned(d->row[i].value->verdict);
	return 0;
}

int decide_rows(const struct decide_row *row, size_t count, const struct compare_options *opt,
	struct compared_measure *measure, struct error *err)
{
	int status = 0;
	struct rows_tester d = {.scratch = arena_new(),
		.row = row,
		.count = count,
		.opt = opt,
		.measure = measure,
		.runs_base = measure->base.runs,
		.runs = measure->base.runs + measure->new.runs};

	d.matrix = arena_array(d.scratch, memory_product(count, d.runs), sizeof(*d.matrix));
	d.sample.base = arena_array(d.scratch, measure->base.runs, sizeof(double));
	d.sample.new = arena_array(d.scratch, measure->new.runs, sizeof(double));
	d.limit_room = count;
	d.limit = arena_array(d.scratch, count, sizeof(*d.limit));
	d.sample.base_run = arena_array(d.scratch, measure->base.runs, sizeof(size_t));
	d.sample.new_run = arena_array(d.scratch, measure->new.runs, sizeof(size_t));
	rank_tables_init(&d.tables);

	measure->family = measure->flagged = 0;
	measure->flag_level_least = measure->flag_level_most = NAN;
	measure->smallest_p = opt->method == METHOD_RANKSUM
				      ? rank_sum_smallest_p(measure->base.runs, measure->new.runs)
				      : NAN;
	for (size_t i = 0; i < count && !status; i++)
		status = tester_prepare_row(&d, &row[i], err);
	if (!status)
		status = decide_all(&d, err);
	rank_tables_release(&d.tables);
	arena_free(d.scratch);
	return status;
}

void decide_single(struct compared *value, const struct compare_options *opt, enum measure_id id,
	double resolution, struct arena *arena)
{
	struct compare_options alone = *opt;
	struct compared_measure measure = {.id = id, .resolution = resolution, .arena = arena};
	struct decide_row row = {value, NULL, 0};

	if (opt->method == METHOD_LIMMA)
		alone.method = METHOD_WELCH;
	alone.rule_of = NULL;
	alone.normalize = false;
	measure.base.runs = value->base->runs;
	measure.new.runs = value->new->runs;
	measure.total.base_mean = value->base->mean;
	decide_rows(&row, 1, &alone, &measure, NULL);
}
