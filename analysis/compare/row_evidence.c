/*
 * Facts of a row before any test: its means, its margin, and which test can be made of its runs, if
 * any.
 */
#include <math.h>
#include "analysis/compare/decider.h"
#include "stats/fisher.h"

/* Steps of a run in which an op has to run to be a regular part of it. */
#define REGULAR_STEPS 5
/* Relative; of a product of two doubles. */
#define ROUNDING 1e-12

static void nothing_tested(struct compared *v)
{
	v->low = v->high = v->level = NAN;
	v->diff = v->se = v->df = v->t = v->p = v->q = v->own_se = v->own_df = NAN;
	v->p_above = v->q_above = v->p_below = v->q_below = v->p_same = NAN;
	v->detectable = v->detectable_slower = NAN;
	v->p_presence = v->q_presence = NAN;
	v->presence_variance = v->rounding_variance = v->rounding_shift = 0;
	v->limited = false;
	v->withheld = v->by_direction = false;
	v->rare = v->of_centres = false;
	v->flagged = v->in_family = v->fragile_run = v->fragile_step = false;
	v->far_off = (struct far_off){0};
	v->reason = NULL;
	v->evidence = EVIDENCE_NONE;
	v->verdict = VERDICT_NONE;
}

void decide_means(struct compared *v)
{
	nothing_tested(v);
	v->base_mean = v->base ? v->base->mean : NAN;
	v->new_mean = v->new ? v->new->mean : NAN;
	v->change = NAN;
	/* A side that is missing is 0; one that is not known leaves the difference unknown. */
	v->difference = (v->new ? v->new_mean : 0) - (v->base ? v->base_mean : 0);
	if (v->base_mean > 0 && !isnan(v->new_mean))
		v->change = v->new_mean / v->base_mean - 1;
}

double compare_margin_absolute(const struct compare_options *opt, enum measure_id id)
{
	const enum dimension dimension = measure_at(id)->dimension;

	if (!isnan(opt->rule.margin_absolute))
		return opt->rule.margin_absolute;
	return dimension == DIMENSION_TIME    ? opt->margin_ps
	       : dimension == DIMENSION_BYTES ? opt->margin_bytes
					      : NAN;
}

static int apply_rule(
	struct decider *d, const struct decide_row *row, size_t *min_runs, struct error *err)
{
	const struct compare_options *opt = d->opt;
	struct compare_rule standard = opt->rule;
	const struct compare_rule *rule = &standard;

	standard.margin_absolute = compare_margin_absolute(opt, d->measure->id);
	if (opt->rule_of)
		rule = opt->rule_of(opt->rule_context, row->name, d->measure->id, err);
	if (!rule)
		return -1;

	/* All margins that are given; a change must be beyond the largest. */
	double base = row->value->base_mean, units = 0;

	if (!isnan(rule->margin_relative))
		units = rule->margin_relative * base;
	if (!isnan(rule->margin_absolute))
		units = fmax(units, rule->margin_absolute);
	if (!isnan(rule->margin_share))
		units = fmax(units, rule->margin_share * d->measure->total.base_mean);
	row->value->margin_units = units;
	row->value->margin = base > 0 ? units / base : units > 0 ? INFINITY : 0;
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

/* An op that did not run has no value beside 0. */
static bool are_constant(const struct compared *v)
{
	return v->base->constant && v->new->constant && !v->base->ran == !v->new->ran;
}

/* Bytes and counts repeat where nothing changes; times and rates do not. */
static bool is_exact(const struct compared *v, enum measure_id id)
{
	const enum dimension dimension = measure_at(id)->dimension;
	const bool repeats = dimension != DIMENSION_TIME && dimension <= DIMENSION_FRACTION;

	if (are_constant(v))
		return repeats || (v->base->mean == 0 && v->new->mean == 0);
	return repeats && same_in_all_runs(v->base) && same_in_all_runs(v->new);
}

static double exact_value(const struct compared *v, const struct run_row *row)
{
	return are_constant(v) ? row->constant_value : row->run[0].value;
}

int decider_set_rule(struct decider *d, const struct decide_row *row, struct error *err)
{
	size_t min_runs;

	return apply_rule(d, row, &min_runs, err);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Runs lack a value where it is not known, or where the op did not run and such steps do not
 * count. */
static const char *lack_of_values(const struct compared *v)
{
	if (v->base->undefined || v->new->undefined)
		return v->base->undefined ? v->base->undefined : v->new->undefined;
	if (v->base->lost || v->new->lost)
		return "no value is known in some run";
	return "it ran in fewer than 2 runs of a side, and steps without it are skipped";
}

/* Which test, if any. */
static void classify(struct compared *v, enum measure_id id, size_t min_runs, bool is_spread_given)
{
	const size_t runs = least(v->base->runs, v->new->runs);
	const size_t valued = least(v->base->valued, v->new->valued);
	const size_t most = v->base->valued + v->new->valued - valued;

	if (!valued) {
		v->reason = lack_of_values(v);
	} else if (is_exact(v, id)) {
		/* Without a test: beyond the margin or not. At the margin is within it, however it
		 * was rounded. */
		const double before = exact_value(v, v->base), after = exact_value(v, v->new);

		v->evidence = EVIDENCE_EXACT;
		v->change = before > 0 ? after / before - 1 : after == before ? 0 : NAN;
		if (after - before > v->margin_units * (1 + ROUNDING))
			v->verdict = VERDICT_REGRESSED;
		else if (before > 0 && after < before / (1 + v->margin) * (1 - ROUNDING))
			v->verdict = VERDICT_IMPROVED;
		else
			v->verdict = VERDICT_SAME;
	} else if (runs < min_runs) {
		v->reason = "fewer runs than the policy asks for";
	} else if (runs < 2) {
		v->evidence = is_spread_given || most >= COMPARE_NOISE_RUNS ? EVIDENCE_GIVEN
									    : EVIDENCE_ONE_RUN;
	} else if (valued < 2 || v->base->undefined || v->new->undefined) {
		v->reason = lack_of_values(v);
	} else if (valued < min_runs) {
		v->reason = "values in fewer runs than the policy asks for";
	} else if (v->base->zero || v->new->zero) {
		v->evidence = EVIDENCE_LINEAR;
	} else {
		v->evidence = EVIDENCE_TEST;
	}
}

/* In every run, and in some steps of each: not there by accident. Static values know no steps. */
bool decider_is_regular(const struct run_row *row)
{
	for (size_t r = 0; r < row->runs && row->steps; r++) {
		const struct run_value *v = &row->run[r];

		if (v->ran < REGULAR_STEPS && v->ran < v->kept)
			return false;
	}
	return true;
}

/* The op is on one side only. Its steps in a run are not independent: the runs that have it are
 * counted. */
static void test_presence(const struct decider *d, struct compared *v)
{
	const struct run_row *row = v->base ? v->base : v->new;
	const size_t others = v->base ? d->runs - d->runs_base : d->runs_base;
	size_t present = 0;

	for (size_t r = 0; r < row->runs; r++)
		present += row->run[r].ran > 0;
	v->p_presence = row->steps ? fisher_test(present, row->runs, 0, others) : NAN;
}

void decider_decide_presence(struct decider *d)
{
	size_t *member = arena_array(d->scratch, d->count, sizeof(*member)), n = 0;
	double *q = arena_array(d->scratch, d->count, sizeof(*q));

	for (size_t i = 0; i < d->count; i++) {
		const struct compared *v = d->row[i].value;

		if (v->base && v->new)
			continue;
		q[n] = v->p_presence;
		member[n++] = i;
	}
	multiple_adjust(d->opt->adjust, q, n, q);
	for (size_t i = 0; i < n; i++) {
		struct compared *v = d->row[member[i]].value;

		v->q_presence = d->opt->shares ? fmin(1, q[i] * d->opt->shares->presence) : q[i];
		if (d->opt->benchmarks) {
			if ((v->base ? v->base : v->new)->valued)
				v->verdict = v->base ? VERDICT_LOST : VERDICT_NEW;
			else
				v->reason = "not measured";
			continue;
		}
		/* Few runs cannot show by counts what each of their steps shows. */
		if (decider_is_regular(v->base ? v->base : v->new) || v->q_presence < v->alpha)
			v->verdict = v->base ? VERDICT_GONE : VERDICT_NEW;
		else
			v->verdict = VERDICT_RARE;
	}
}

/* Before any test: means, margins, and what needs none. */
int decider_prepare_row(struct decider *d, const struct decide_row *row, struct error *err)
{
	struct compared *v = row->value;
	size_t min_runs;

	decide_means(v);
	if (d->opt->benchmarks && (!v->base || !v->new))
		v->difference = NAN; /* what is not measured is not 0 */
	if (apply_rule(d, row, &min_runs, err) < 0)
		return -1;
	if (!v->base || !v->new)
		test_presence(d, v);
	else if (v->small)
		v->reason = "small: tested with the others of its kind";
	else if (d->opt->benchmarks && (!v->base->valued || !v->new->valued)) {
		/* A benchmark without a value in all runs of a side. */
		if (v->base->undefined || v->new->undefined)
			v->reason = lack_of_values(v);
		else if (v->base->valued || v->new->valued)
			v->verdict = v->base->valued ? VERDICT_LOST : VERDICT_NEW;
		else
			v->reason = "not measured";
	} else
		classify(v, d->measure->id, min_runs, !isnan(d->opt->run_cv) || d->opt->noise);
	return 0;
}
