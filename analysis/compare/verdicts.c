/*
 * Takes the rows of a measure through the stages of decider.h and gives each its verdict.
 */
#include "analysis/compare/verdicts.h"

#include <math.h>
#include "analysis/compare/decider.h"
#include "analysis/compare/leave_one_out.h"
#include "base/memory.h"
#include "stats/ranks.h"
#include "stats/sample.h"
#include "stats/tests.h"

static void make_intervals(struct decider *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		bool ranks = d->opt->method == METHOD_RANKSUM && v->evidence == EVIDENCE_TEST;

		if (isnan(v->diff) || v->evidence == EVIDENCE_NONE)
			continue;
		if (v->evidence == EVIDENCE_LINEAR)
			row_test_read(v, true, &d->sample);
		else
			decider_read_sample(d, i);
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
static double sd_of_run(const struct decider *d, const struct compared *v)
{
	const double ratio = v->detail.ratio > 0 ? v->detail.ratio : 1;
	const bool paired = d->opt->method == METHOD_PAIRED;
	const double runs = paired ? 2 / (double)v->detail.runs_new
				   : 1 / (double)(v->base->valued - v->far_off.base) +
					     ratio / (double)(v->new->valued - v->far_off.new);

	return sqrt((v->se * v->se - v->rounding_variance) / runs * (1 + ratio) / 2);
}

static void describe_spread(struct decider *d)
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
static void describe_open(struct decider *d)
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
static void describe_family(struct decider *d)
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
			m->limit_p = decider_limit(d, i, VERDICT_SLOWER);
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

/* NaN: the run is left out of one of the rows. Returns 1/n over the sides. */
static double test_geomean(const struct decider *d, double *run, struct t_test *out)
{
	double *new = run + d->runs_base, *partner;
	size_t base_n = d->runs_base, new_n = d->runs - d->runs_base;

	if (d->opt->method != METHOD_PAIRED) {
		base_n = drop_unknown(run, base_n);
		new_n = drop_unknown(new, new_n);
		test_welch(run, base_n, new, new_n, d->opt->confidence, out);
		return 1 / (double)base_n + 1 / (double)new_n;
	}
	partner = arena_array(d->scratch, d->runs_base, sizeof(*partner));
	for (size_t r = 0; r < d->runs_base; r++)
		partner[r] = new[d->opt->round[r]];
	base_n = drop_unknown(run, base_n);
	drop_unknown(partner, d->runs_base);
	test_paired(run, partner, base_n, d->opt->confidence, out);
	return 2 / (double)base_n;
}

/* The ratio of the typical op: per run the mean logarithm over the rows that have a value in every
 * run. */
static void geomean(struct decider *d)
{
	struct compared_measure *m = d->measure;
	double *sum = arena_array(d->scratch, d->runs, sizeof(*sum));
	struct t_test test;
	double per_run;

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
	m->geomean = m->geomean_low = m->geomean_high = m->geomean_sds = m->geomean_p = NAN;
	if (!m->geomean_count)
		return;
	for (size_t r = 0; r < d->runs; r++)
		sum[r] = m->whole && m->whole[r] ? NAN : sum[r] / (double)m->geomean_count;
	per_run = test_geomean(d, sum, &test);
	m->geomean = exp(test.diff);
	m->geomean_low = exp(test.low);
	m->geomean_high = exp(test.high);
	m->geomean_p = test.p;
	m->geomean_sds = fabs(test.diff) / test.se * sqrt(per_run);
}

static struct decider decider_new(const struct decide_row *row, size_t count,
	const struct compare_options *opt, struct compared_measure *measure)
{
	struct decider d = {.scratch = arena_new(),
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
	return d;
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

static int decide_all(struct decider *d, struct error *err)
{
	decider_decide_presence(d);
	decider_fill_logs(d);
	if (decider_fence(d, err) < 0)
		return -1;
	geomean(d);
	decider_test(d);
	decider_adjust(d);
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
	decider_detect(d);
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;

		v->verdict = verdict_of(v, d->opt->unsteady);
		v->unsteady = d->opt->unsteady && v->verdict == VERDICT_INCONCLUSIVE;
		decider_limit_verdict(v);
	}
	decider_withhold_groups(d);
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		bool ranks = d->opt->method == METHOD_RANKSUM && v->evidence == EVIDENCE_TEST;

		if (!v->flagged || d->family[i] == FAMILY_NONE)
			continue;
		if (v->evidence == EVIDENCE_LINEAR)
			row_test_read(v, true, &d->sample);
		else
			decider_read_sample(d, i);
		fragile_find(v, &d->sample, ranks ? &d->tables : NULL, d->opt->value.kind,
			decider_limit(d, i, v->verdict));
	}
	describe_family(d);
	describe_spread(d);
	if (!d->opt->unsteady)
		decider_relabel(d);
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
	struct decider d = decider_new(row, count, opt, measure);
	int status = 0;

	measure->family = measure->flagged = 0;
	measure->flag_level_least = measure->flag_level_most = NAN;
	measure->smallest_p = opt->method == METHOD_RANKSUM
				      ? rank_sum_smallest_p(measure->base.runs, measure->new.runs)
				      : NAN;
	for (size_t i = 0; i < count && !status; i++)
		status = decider_prepare_row(&d, &row[i], err);
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
