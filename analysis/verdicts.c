/*
 * Which test each row gets, the adjustment of the p values for their number, and the verdicts.
 */
#include "analysis/verdicts.h"

#include <math.h>
#include <string.h>
#include "analysis/leave_one_out.h"
#include "analysis/noise.h"
#include "analysis/row_test.h"
#include "base/memory.h"
#include "stats/sample.h"
#include "stats/sign.h"
#include "stats/tests.h"

#define ROUNDING 1e-12 /* relative; of a product of two doubles */

/* Which p values are adjusted together; watch-lists follow. */
enum family { FAMILY_NONE, FAMILY_COMMON, FAMILY_LINEAR, FAMILY_FLOOR, FAMILY_GIVEN, FAMILY_WATCH };

/* The largest p with which a claim is still made; the same for all claims of a kind in a family. */
struct limit {
	size_t family;
	double alpha;
	enum verdict verdict;
	double p;
};

struct decider {
	struct arena *scratch;
	const struct decide_row *row;
	size_t count;
	const struct compare_options *opt;
	struct compared_measure *measure;
	size_t runs_base, runs; /* of both sides */
	double *matrix;		/* [count][runs]: logarithms of the run values */
	size_t *family;		/* of each row: enum family, or FAMILY_WATCH + index of the list */
	const void **watch;	/* the lists */
	size_t watches;
	struct limit *limit; /* those that were found */
	size_t limits;
	struct rank_tables tables;
	struct row_test_sample sample;
};

static bool is_moderated(enum compare_method method)
{
	return method == METHOD_MODERATED || method == METHOD_LIMMA;
}

/* A row that is on both sides and known in every run there. */
static bool is_whole(const struct compared *v)
{
	return v->base && v->next && !v->base->lost && !v->next->lost;
}

static void nothing_tested(struct compared *v)
{
	v->low = v->high = v->level = NAN;
	v->diff = v->se = v->df = v->t = v->p = v->q = NAN;
	v->p_above = v->q_above = v->p_below = v->q_below = v->p_same = NAN;
	v->detectable = NAN;
	v->flagged = v->in_family = v->fragile_run = v->fragile_step = false;
	v->reason = NULL;
	v->evidence = EVIDENCE_NONE;
	v->verdict = VERDICT_NONE;
}

void decide_means(struct compared *v)
{
	nothing_tested(v);
	v->base_mean = v->base ? v->base->mean : NAN;
	v->next_mean = v->next ? v->next->mean : NAN;
	v->change = NAN;
	/* A side that is missing is 0; one that is not known leaves the difference unknown. */
	v->difference = (v->next ? v->next_mean : 0) - (v->base ? v->base_mean : 0);
	if (v->base_mean > 0 && !isnan(v->next_mean))
		v->change = v->next_mean / v->base_mean - 1;
}

/* All margins that are given; a change must be beyond the largest. */
static void set_margin(
	const struct compare_rule *rule, struct compared *v, const struct compared_measure *measure)
{
	double base = v->base_mean, units = 0;

	if (!isnan(rule->margin_relative))
		units = rule->margin_relative * base;
	if (!isnan(rule->margin_absolute))
		units = fmax(units, rule->margin_absolute);
	if (!isnan(rule->margin_share))
		units = fmax(units, rule->margin_share * measure->total.base_mean);
	v->margin_units = units;
	v->margin = base > 0 ? units / base : units > 0 ? INFINITY : 0;
}

static int apply_rule(
	struct decider *d, const struct decide_row *row, size_t *min_runs, struct error *err)
{
	const struct compare_options *opt = d->opt;
	const struct compare_rule *rule = &opt->rule;

	if (opt->rule_of)
		rule = opt->rule_of(opt->rule_context, row->name, d->measure->id, err);
	if (!rule)
		return -1;
	set_margin(rule, row->value, d->measure);
	row->value->alpha = rule->alpha;
	row->value->watch = rule->watch;
	row->value->level = opt->confidence;
	*min_runs = rule->min_runs;
	return 0;
}

/* Several runs, all of the same value: what is counted is the program's, and no chance is in it. */
static bool same_in_all_runs(const struct run_row *row)
{
	for (size_t r = 1; r < row->runs; r++)
		if (row->run[r].value != row->run[0].value)
			return false;
	return row->runs > 1 && !isnan(row->run[0].value);
}

static bool is_exact(const struct compared *v, enum measure_id id)
{
	if (v->base->constant && v->next->constant)
		return measure_at(id)->dimension != DIMENSION_TIME ||
		       (v->base->mean == 0 && v->next->mean == 0);
	return measure_at(id)->dimension != DIMENSION_TIME && same_in_all_runs(v->base) &&
	       same_in_all_runs(v->next);
}

static double exact_value(const struct compared *v, const struct run_row *row)
{
	return v->base->constant && v->next->constant ? row->constant_value : row->run[0].value;
}

/* Without a test: beyond the margin or not. At the margin is within it, however it was rounded. */
static void decide_exact(struct compared *v)
{
	double base = exact_value(v, v->base), next = exact_value(v, v->next);

	v->evidence = EVIDENCE_EXACT;
	v->change = base > 0 ? next / base - 1 : next == base ? 0 : NAN;
	if (next - base > v->margin_units * (1 + ROUNDING))
		v->verdict = VERDICT_REGRESSED;
	else if (base > 0 && next < base / (1 + v->margin) * (1 - ROUNDING))
		v->verdict = VERDICT_IMPROVED;
	else
		v->verdict = VERDICT_SAME;
}

/* With --absent=skip a run in which the op did not run has no step that counts. */
static bool has_empty_run(const struct run_row *row)
{
	for (size_t r = 0; r < row->runs; r++)
		if (!row->run[r].steps && isnan(row->run[r].value))
			return true;
	return false;
}

static bool has_logarithms(const struct run_row *row)
{
	for (size_t r = 0; r < row->runs; r++)
		if (isnan(row->run[r].scaled))
			return false;
	return true;
}

/* Which test, if any. */
static void classify(struct compared *v, enum measure_id id, size_t min_runs, bool is_spread_given)
{
	size_t fewest = v->base->runs < v->next->runs ? v->base->runs : v->next->runs;

	if (is_exact(v, id)) {
		decide_exact(v);
	} else if (fewest < min_runs) {
		v->reason = "fewer runs than the policy asks for";
	} else if (fewest < 2) {
		v->evidence = is_spread_given ? EVIDENCE_GIVEN : EVIDENCE_ONE_RUN;
	} else if (has_empty_run(v->base) || has_empty_run(v->next)) {
		v->reason = "it did not run in some run, and steps without it are skipped";
	} else if (v->base->zero || v->next->zero) {
		v->evidence = EVIDENCE_LINEAR;
	} else if (!has_logarithms(v->base) || !has_logarithms(v->next)) {
		v->reason = "a step is 0: no geometric mean";
	} else {
		v->evidence = EVIDENCE_TEST;
	}
}

static bool is_spread_given(const struct compare_options *opt)
{
	return !isnan(opt->run_cv) || opt->noise;
}

/* Before any test: means, margins, and what needs none. */
static int prepare_row(struct decider *d, const struct decide_row *row, struct error *err)
{
	struct compared *v = row->value;
	size_t min_runs;

	decide_means(v);
	if (apply_rule(d, row, &min_runs, err) < 0)
		return -1;
	if (!v->base || !v->next)
		v->verdict = v->base ? VERDICT_GONE : VERDICT_NEW;
	else if (!is_whole(v))
		v->reason = "no value is known in some run";
	else if (v->small)
		v->reason = "small: tested with the others of its kind";
	else
		classify(v, d->measure->id, min_runs, is_spread_given(d->opt));
	return 0;
}

static double *matrix_row(const struct decider *d, size_t i)
{
	return d->matrix + i * d->runs;
}

static void fill_matrix(struct decider *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;
		double *out = matrix_row(d, i);

		for (size_t r = 0; r < d->runs; r++)
			out[r] = NAN;
		if (v->evidence != EVIDENCE_TEST)
			continue;
		for (size_t r = 0; r < d->runs_base; r++)
			out[r] = v->base->run[r].scaled;
		for (size_t r = d->runs_base; r < d->runs; r++)
			out[r] = v->next->run[r - d->runs_base].scaled;
	}
}

static struct moderated_data data_of(const struct decider *d)
{
	return (struct moderated_data){d->matrix, d->count, d->runs_base, d->runs - d->runs_base};
}

/* --normalize: the median deviation of each run is taken away. */
static void normalize(struct decider *d)
{
	struct moderated_data data = data_of(d);
	double *effect = arena_array(d->scratch, d->runs, sizeof(*effect));

	if (!d->opt->normalize || !d->count)
		return;
	moderated_run_effects(&data, false, effect);
	for (size_t i = 0; i < d->count; i++)
		for (size_t r = 0; r < d->runs; r++)
			if (!isnan(effect[r]))
				matrix_row(d, i)[r] -= effect[r];
}

/* What the print resolution alone makes of one run value: q^2/12 over the squared mean. */
static double floor_of(const struct decider *d, const struct compared *v)
{
	double q = d->measure->resolution, mean = (v->base_mean + v->next_mean) / 2;

	return q > 0 && mean > 0 ? q * q / 12 / (mean * mean) : 0;
}

static void test_moderated(struct decider *d)
{
	struct moderated_data data = data_of(d);
	struct moderated_op *op = arena_array(d->scratch, d->count, sizeof(*op));
	double *floor = arena_array(d->scratch, d->count, sizeof(*floor));
	struct moderated_options opt = {.confidence = d->opt->confidence,
		.plain = d->opt->method == METHOD_LIMMA,
		.by_mean = d->opt->method == METHOD_MODERATED,
		.floor = floor};

	for (size_t i = 0; i < d->count; i++)
		floor[i] = floor_of(d, d->row[i].value);
	moderated_test(&data, &opt, op, &d->measure->moderated);
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;

		if (v->evidence != EVIDENCE_TEST)
			continue;
		v->detail = op[i];
		if (op[i].state == MODERATED_FLOOR)
			v->evidence = EVIDENCE_FLOOR;
		if (op[i].state == MODERATED_FAMILY || op[i].state == MODERATED_FLOOR) {
			row_test_conclude(v, op[i].diff, op[i].se, op[i].df, NAN);
			continue;
		}
		v->evidence = EVIDENCE_NONE;
		v->diff = op[i].diff;
		v->reason = "no spread between runs, and the resolution of the times is not known";
	}
}

/* The logarithms of a row as two samples. */
static void sample_of(struct decider *d, size_t i)
{
	const double *x = matrix_row(d, i);

	d->sample.base_n = d->sample.next_n = 0;
	for (size_t r = 0; r < d->runs; r++) {
		if (isnan(x[r]))
			continue;
		if (r < d->runs_base)
			d->sample.base[d->sample.base_n++] = x[r];
		else
			d->sample.next[d->sample.next_n++] = x[r];
	}
}

/* No spread at all: only the resolution is left to test with. */
static void test_floor(struct decider *d, struct compared *v)
{
	double floor = floor_of(d, v);

	if (!(floor > 0)) {
		v->evidence = EVIDENCE_NONE;
		v->reason = "no spread between runs, and the resolution of the times is not known";
		return;
	}
	v->evidence = EVIDENCE_FLOOR;
	row_test_conclude(v, v->diff,
		sqrt(floor * (1 / (double)d->sample.base_n + 1 / (double)d->sample.next_n)),
		(double)(d->sample.base_n + d->sample.next_n - 2), NAN);
}

static bool varies(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i] != x[0])
			return true;
	return false;
}

/* Is there any spread within the sides? Ranks have no standard error that would say so. */
static bool has_spread(const struct decider *d, const struct compared *v)
{
	if (d->opt->method != METHOD_RANKSUM)
		return v->se > 0;
	return varies(d->sample.base, d->sample.base_n) || varies(d->sample.next, d->sample.next_n);
}

static void test_one_by_one(struct decider *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;

		if (v->evidence != EVIDENCE_TEST)
			continue;
		sample_of(d, i);
		if (d->opt->method == METHOD_RANKSUM)
			row_test_ranks(v, &d->tables, &d->sample);
		else if (d->opt->method == METHOD_PAIRED)
			row_test_paired(v, &d->sample, d->opt->round);
		else
			row_test_welch(v, &d->sample);
		if (!has_spread(d, v))
			test_floor(d, v);
	}
}

/* Of the difference of the logarithms, and its degrees of freedom. Runs of the noise file have
 * their steps in their spread already. */
static double known_variance(const struct decider *d, const struct decide_row *row, double *df)
{
	const struct compared *v = row->value;
	double runs = 1 / (double)v->base->runs + 1 / (double)v->next->runs;
	double base = v->base->run->step_variance, next = v->next->run->step_variance;
	double steps = (isnan(base) ? 0 : base) + (isnan(next) ? 0 : next);
	double cv = d->opt->run_cv;

	*df = INFINITY;
	if (v->evidence == EVIDENCE_ONE_RUN)
		return steps;
	if (!isnan(cv))
		return cv * cv * runs + steps;
	return runs * (row->name ? noise_variance(d->opt->noise, row->name, d->measure->id, df)
				 : noise_total_variance(d->opt->noise, d->measure->id, df));
}

static double mean_log(const struct run_row *row)
{
	double sum = 0;

	for (size_t r = 0; r < row->runs; r++)
		sum += row->run[r].scaled;
	return sum / (double)row->runs;
}

/* One run on a side. */
static void test_few(struct decider *d, const struct decide_row *row)
{
	struct compared *v = row->value;
	double diff = mean_log(v->next) - mean_log(v->base), df;
	double variance = known_variance(d, row, &df);

	if (isnan(diff) || !(variance > 0)) {
		v->evidence = EVIDENCE_ONE_RUN;
		v->reason = "one run on a side";
		return;
	}
	row_test_conclude(v, diff, sqrt(variance), df, NAN);
	if (v->evidence == EVIDENCE_GIVEN)
		return;
	v->p = v->p_above = v->p_below = v->p_same = v->t = v->detectable = NAN;
	v->reason = "one run on a side";
}

static void test_rest(struct decider *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;

		if (v->evidence == EVIDENCE_GIVEN || v->evidence == EVIDENCE_ONE_RUN)
			test_few(d, &d->row[i]);
		if (v->evidence != EVIDENCE_LINEAR)
			continue;
		row_test_read(v, true, &d->sample);
		row_test_linear(v, &d->sample);
		if (!(v->se > 0)) {
			v->evidence = EVIDENCE_NONE;
			v->reason = "0 in some run, and no spread";
		}
	}
}

static size_t watch_family(struct decider *d, const void *watch)
{
	for (size_t i = 0; i < d->watches; i++)
		if (d->watch[i] == watch)
			return FAMILY_WATCH + i;
	d->watch[d->watches] = watch;
	return FAMILY_WATCH + d->watches++;
}

static size_t family_of(struct decider *d, const struct compared *v)
{
	if (isnan(v->p))
		return FAMILY_NONE;
	if (v->watch)
		return watch_family(d, v->watch);
	switch (v->evidence) {
	case EVIDENCE_TEST:
		return FAMILY_COMMON;
	case EVIDENCE_LINEAR:
		return FAMILY_LINEAR;
	case EVIDENCE_FLOOR:
		return FAMILY_FLOOR;
	case EVIDENCE_GIVEN:
		return FAMILY_GIVEN;
	default:
		return FAMILY_NONE;
	}
}

/* Members of a family: indexes of rows. */
static size_t members_of(const struct decider *d, size_t family, size_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->family[i] == family)
			out[n++] = i;
	return n;
}

static void adjust_one(enum multiple_method method, const struct decider *d, const size_t *member,
	size_t n, size_t p_at, size_t q_at)
{
	double *p = arena_array(d->scratch, n, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		memcpy(&p[i], (const char *)d->row[member[i]].value + p_at, sizeof(*p));
	multiple_adjust(method, p, n, p);
	for (size_t i = 0; i < n; i++)
		memcpy((char *)d->row[member[i]].value + q_at, &p[i], sizeof(*p));
}

/* FCR: the flagged get wider intervals (Benjamini & Yekutieli 2005); a watch-list Bonferroni's. */
static void set_levels(struct decider *d, const size_t *member, size_t n, bool watched)
{
	size_t flagged = 0;

	for (size_t i = 0; i < n; i++)
		flagged += d->row[member[i]].value->flagged;
	for (size_t i = 0; i < n; i++) {
		struct compared *v = d->row[member[i]].value;
		double level = watched ? 1 - v->alpha / (double)n
				       : multiple_interval_level(v->alpha, flagged, n);

		if (v->flagged)
			v->level = fmax(level, d->opt->confidence);
	}
}

static void adjust_family(struct decider *d, size_t family, size_t *member)
{
	bool watched = family >= FAMILY_WATCH;
	enum multiple_method method = watched ? MULTIPLE_HOLM : d->opt->adjust;
	size_t n = members_of(d, family, member);

	adjust_one(
		method, d, member, n, offsetof(struct compared, p), offsetof(struct compared, q));
	adjust_one(method, d, member, n, offsetof(struct compared, p_above),
		offsetof(struct compared, q_above));
	adjust_one(method, d, member, n, offsetof(struct compared, p_below),
		offsetof(struct compared, q_below));
	for (size_t i = 0; i < n; i++) {
		struct compared *v = d->row[member[i]].value;

		v->in_family = family == FAMILY_COMMON || watched;
		v->flagged = v->q < v->alpha;
		if (family == FAMILY_COMMON) {
			d->measure->family++;
			d->measure->flagged += v->flagged;
		}
	}
	set_levels(d, member, n, watched);
	if (family == FAMILY_COMMON)
		for (size_t i = 0; i < n; i++)
			if (d->row[member[i]].value->flagged)
				d->measure->flag_level = d->row[member[i]].value->level;
}

static void adjust(struct decider *d)
{
	size_t *member = arena_array(d->scratch, d->count, sizeof(*member));

	d->family = arena_array(d->scratch, d->count, sizeof(*d->family));
	d->watch = arena_array(d->scratch, d->count, sizeof(*d->watch));
	for (size_t i = 0; i < d->count; i++)
		d->family[i] = family_of(d, d->row[i].value);
	for (size_t f = FAMILY_COMMON; f < FAMILY_WATCH + d->watches; f++)
		adjust_family(d, f, member);
}

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
			sample_of(d, i);
		row_test_interval(v, ranks ? &d->tables : NULL, &d->sample);
		if (v->evidence == EVIDENCE_TEST &&
			(ranks || d->opt->normalize || d->opt->value.kind != RUN_VALUE_MEAN))
			v->change = expm1(v->diff);
	}
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
	if (v->p_same < v->alpha)
		return VERDICT_SAME;
	if (v->q < v->alpha)
		return v->diff > 0 ? VERDICT_SLOWER : VERDICT_FASTER;
	return VERDICT_INCONCLUSIVE;
}

/* The largest p that the adjustment lets pass, with as many claims as there are. */
static double find_limit(const struct decider *d, size_t i)
{
	const struct compared *v = d->row[i].value;
	enum multiple_method method = d->family[i] >= FAMILY_WATCH ? MULTIPLE_HOLM : d->opt->adjust;
	size_t family = 0, claims = 0;
	double harmonic = 0;

	for (size_t k = 0; k < d->count; k++) {
		if (d->family[k] != d->family[i])
			continue;
		harmonic += 1 / (double)++family;
		claims += fragile_claim_q(v, d->row[k].value) < v->alpha;
	}
	if (method == MULTIPLE_HOLM)
		return v->alpha / (double)(family - claims + 1);
	return v->alpha * (double)claims / (double)family / (method == MULTIPLE_BY ? harmonic : 1);
}

static double limit_of(struct decider *d, size_t i)
{
	const struct compared *v = d->row[i].value;
	struct limit *new;

	for (size_t k = 0; k < d->limits; k++) {
		const struct limit *known = &d->limit[k];

		if (known->family == d->family[i] && known->alpha == v->alpha &&
			known->verdict == v->verdict)
			return known->p;
	}
	new = &d->limit[d->limits++];
	*new = (struct limit){d->family[i], v->alpha, v->verdict, find_limit(d, i)};
	return new->p;
}

static void find_fragile(struct decider *d)
{
	d->limit = arena_array(d->scratch, d->count, sizeof(*d->limit));
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		bool ranks = d->opt->method == METHOD_RANKSUM && v->evidence == EVIDENCE_TEST;

		if (!v->flagged || d->family[i] == FAMILY_NONE)
			continue;
		if (v->evidence == EVIDENCE_LINEAR)
			row_test_read(v, true, &d->sample);
		else
			sample_of(d, i);
		fragile_find(v, &d->sample, ranks ? &d->tables : NULL,
			d->opt->method == METHOD_PAIRED && v->evidence == EVIDENCE_TEST
				? d->opt->round
				: NULL,
			d->opt->value.kind, limit_of(d, i));
	}
}

/* What the tested rows say together. */
static void describe_family(struct decider *d)
{
	struct compared_measure *m = d->measure;
	double *diff = arena_array(d->scratch, d->count, sizeof(*diff));
	double *sd = arena_array(d->scratch, d->count, sizeof(*sd));
	size_t n = 0, known = 0;

	m->above = m->below = 0;
	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;
		double runs;

		if (v->evidence != EVIDENCE_TEST)
			continue;
		diff[n++] = v->diff;
		m->above += v->diff > 0;
		m->below += v->diff < 0;
		runs = 1 / (double)v->base->runs + 1 / (double)v->next->runs;
		if (v->se > 0)
			sd[known++] = v->se / sqrt(runs);
	}
	m->median_diff = n ? sample_quantile(diff, n, 0.5) : NAN;
	m->sd_run = known ? sample_quantile(sd, known, 0.5) : NAN;
	m->sign_p = sign_test(m->above, m->below);
}

/* The ratio of the typical op: per run the mean logarithm over the rows that are on both sides. */
static void geomean(struct decider *d)
{
	struct compared_measure *m = d->measure;
	double *sum = arena_array(d->scratch, d->runs, sizeof(*sum));
	struct t_test test;

	m->geomean_count = 0;
	for (size_t i = 0; i < d->count; i++) {
		if (d->row[i].value->evidence != EVIDENCE_TEST)
			continue;
		for (size_t r = 0; r < d->runs; r++)
			sum[r] += matrix_row(d, i)[r];
		m->geomean_count++;
	}
	m->geomean = m->geomean_low = m->geomean_high = NAN;
	if (!m->geomean_count)
		return;
	for (size_t r = 0; r < d->runs; r++)
		sum[r] /= (double)m->geomean_count;
	test_welch(sum, d->runs_base, sum + d->runs_base, d->runs - d->runs_base,
		d->opt->confidence, &test);
	m->geomean = exp(test.diff);
	m->geomean_low = exp(test.low);
	m->geomean_high = exp(test.high);
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
		.runs = measure->base.runs + measure->next.runs};

	d.matrix = arena_array(d.scratch, memory_product(count, d.runs), sizeof(*d.matrix));
	d.sample.base = arena_array(d.scratch, measure->base.runs, sizeof(double));
	d.sample.next = arena_array(d.scratch, measure->next.runs, sizeof(double));
	rank_tables_init(&d.tables);
	return d;
}

static void decider_release(struct decider *d)
{
	rank_tables_release(&d->tables);
	arena_free(d->scratch);
}

static void decide_all(struct decider *d)
{
	fill_matrix(d);
	geomean(d);
	normalize(d);
	if (is_moderated(d->opt->method))
		test_moderated(d);
	else
		test_one_by_one(d);
	test_rest(d);
	adjust(d);
	make_intervals(d);
	for (size_t i = 0; i < d->count; i++)
		d->row[i].value->verdict = verdict_of(d->row[i].value, d->opt->unsteady);
	find_fragile(d);
	describe_family(d);
}

int decide_rows(const struct decide_row *row, size_t count, const struct compare_options *opt,
	struct compared_measure *measure, struct error *err)
{
	struct decider d = decider_new(row, count, opt, measure);
	int status = 0;

	measure->family = measure->flagged = 0;
	measure->flag_level = NAN;
	measure->smallest_p = opt->method == METHOD_RANKSUM
				      ? rank_sum_smallest_p(measure->base.runs, measure->next.runs)
				      : NAN;
	for (size_t i = 0; i < count && !status; i++)
		status = prepare_row(&d, &row[i], err);
	if (!status)
		decide_all(&d);
	decider_release(&d);
	return status;
}

void decide_single(struct compared *value, const struct compare_options *opt, enum measure_id id,
	double resolution)
{
	struct compare_options alone = *opt;
	struct compared_measure measure = {.id = id, .resolution = resolution};
	struct decide_row row = {value, NULL};

	if (opt->method == METHOD_MODERATED || opt->method == METHOD_LIMMA)
		alone.method = METHOD_WELCH;
	alone.rule_of = NULL;
	alone.normalize = false;
	measure.base.runs = value->base->runs;
	measure.next.runs = value->next->runs;
	measure.total.base_mean = value->base->mean;
	decide_rows(&row, 1, &alone, &measure, NULL);
}
