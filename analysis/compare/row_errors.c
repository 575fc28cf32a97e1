/* Errors that the runs of a row do not show. What the resolution of the times may hide in its
 * difference: both sides are off by their own rounding, alike in all runs. And what chance leaves
 * in how often an op ran that runs in some steps only: a few runs that are alike by luck do not
 * show less spread than that. */
#include <math.h>
#include "analysis/compare/row_test.h"
#include "stats/moments.h"
#include "stats/presence.h"
#include "stats/student.h"

/* Part of the variance: less changes no digit that anybody reads, and tests stay those of the
 * textbook. */
#define PART_LEAST 1e-9
/* More even than this an op is scheduled (every tenth step), not drawn. */
#define EVEN_P 0.001

/* Evenly spread over a width of w an error has the variance w^2/12, and is at most w/2. */
static double largest_error(double variance)
{
	return sqrt(3 * variance);
}

void tester_add_known(double variance, double *se, double *df)
{
	const double own = *se * *se, sum = own + variance;

	*se = sqrt(sum);
	*df *= (sum / own) * (sum / own);
}

/* The variance of one side. Where it has one value only, it lies on the grid that the other side
 * shows. */
static double rounding_of(
	const struct rows_tester *d, const struct compared *v, const struct run_row *row)
{
	const double ran = row->mean * (double)row->steps / (double)row->ran;
	const double part = compared_grid(v, d->measure) / ran;

	return row->group && row->constant && part > ROUNDING_LEAST
		       ? fmax(row->rounding, part * part / 12)
		       : row->rounding;
}

void tester_add_rounding(struct rows_tester *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		double variance, of[2];

		if (isnan(v->diff) || v->evidence == EVIDENCE_NONE ||
			v->evidence == EVIDENCE_LINEAR || v->evidence == EVIDENCE_EXACT)
			continue;
		of[0] = rounding_of(d, v, v->base);
		of[1] = rounding_of(d, v, v->new);
		variance = of[0] + of[1];
		if (isnan(v->se) && variance > 0)
			v->rounding_shift = largest_error(of[0]) + largest_error(of[1]);
		else if (variance > PART_LEAST * v->se * v->se) {
			double se = v->se, df = v->df;

			v->rounding_variance = variance;
			/* Runs without spread are tested with the rounding of each run already. */
			if (v->evidence == EVIDENCE_FLOOR)
				se = sqrt(fmax(se * se, variance));
			else
				tester_add_known(variance, &se, &df);
			if (v->evidence == EVIDENCE_ONE_RUN) {
				v->se = se;
				v->df = df;
			} else {
				row_test_conclude(v, v->diff, se, df, false);
			}
		}
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

void tester_limit_verdict(struct compared *v)
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

static void count_steps(const struct run_row *row, struct arena *scratch, struct presence_runs *out)
{
	size_t *ran = arena_array(scratch, row->runs, sizeof(*ran));
	size_t *steps = arena_array(scratch, row->runs, sizeof(*steps));

	for (size_t r = 0; r < row->runs; r++) {
		ran[r] = row->run[r].ran;
		steps[r] = row->run[r].kept;
	}
	*out = (struct presence_runs){ran, steps, row->runs};
}

/* Variance that the steps leave in the mean of the values, or of their logarithms, over the runs.
 */
static double variance_of_steps(const struct run_row *row, bool linear)
{
	double sum = 0;
	size_t known = 0;

	for (size_t r = 0; r < row->runs; r++) {
		const struct run_value *v = &row->run[r];
		const double of = v->variance / (double)v->steps;

		if (isnan(of) || (!linear && !(v->mean > 0)))
			continue;
		sum += linear ? of : of / (v->mean * v->mean);
		known++;
	}
	return known ? sum / (double)(known * known) : NAN;
}

/* Tests a row again with another standard error; p values that are larger stay. */
static void raise_error(struct compared *v, double se, double df)
{
	const struct compared before = *v;

	row_test_conclude(v, v->diff, se, df, v->evidence == EVIDENCE_LINEAR);
	/* These may have been raised for another reason. */
	v->p = fmax(v->p, before.p);
	v->p_above = fmax(v->p_above, before.p_above);
	v->p_below = fmax(v->p_below, before.p_below);
	v->p_same = fmax(v->p_same, before.p_same);
}

void tester_add_presence(struct rows_tester *d)
{
	const struct run_value_options *opt = &d->opt->value;

	if (opt->kind != RUN_VALUE_MEAN || opt->skip_absent ||
		!measure_at(d->measure->id)->additive || d->opt->method == METHOD_RANKSUM)
		return;
	for (size_t i = 0; i < d->count; i++) {
		struct compared *v = d->row[i].value;
		struct presence_runs side[2];
		double variance;

		if (isnan(v->p) ||
			!(v->evidence == EVIDENCE_TEST || v->evidence == EVIDENCE_LINEAR))
			continue;
		variance = variance_of_steps(v->base, v->evidence == EVIDENCE_LINEAR) +
			   variance_of_steps(v->new, v->evidence == EVIDENCE_LINEAR);
		if (!(variance > v->se * v->se))
			continue;
		count_steps(v->base, d->scratch, &side[0]);
		count_steps(v->new, d->scratch, &side[1]);
		if (!(presence_even(side, 2) > EVEN_P))
			continue;
		v->presence_variance = variance;
		raise_error(v, sqrt(variance), v->df);
	}
}

/* Ops against each other: what all ops of a run have in common is no spread of any of them, and
 * what most of them agree in between the sides is no change of theirs. How well that is known
 * counts in every interval. */

/* From this part of the ops on they are two groups, and not some that changed. */
#define GROUP_PART (1 / 3.0)

void tester_take_effects(struct rows_tester *d)
{
	const struct moderated_data data = tester_tested(d);
	const size_t runs = data.runs_base + data.runs_new;
	double *effect = arena_array(d->scratch, runs, sizeof(*effect));

	if (!d->opt->normalize || !d->count)
		return;
	moderated_run_effects(&data, effect);
	for (size_t i = 0; i < d->count; i++)
		for (size_t r = 0; r < runs; r++)
			if (!isnan(effect[r]))
				tester_tested_row(d, i)[r] -= effect[r];
}

/* How far those that lie apart are from the others: their mean, and its interval. */
static void measure_apart(struct rows_tester *d, const double *diff, const double *se, size_t n)
{
	struct common_change *common = &d->measure->common;
	const bool up = common->above >= common->below;
	double sum = 0, squares = 0, count = 0, half;

	for (size_t i = 0; i < n; i++) {
		const double x = diff[i] - common->change;

		if (!(fabs(x) > CENTRE_APART_SE * sqrt(se[i] * se[i] + common->variance)) ||
			(x > 0) != up)
			continue;
		sum += x;
		squares += x * x;
		count++;
	}
	squares = count > 1 ? fmax(0, squares - sum * sum / count) / (count - 1) : 0;
	half = student_quantile((1 - d->opt->confidence) / 2, count > 2 ? count - 1 : 1);
	half *= sqrt(squares / count + common->variance);
	common->apart = expm1(sum / count);
	common->apart_low = expm1(sum / count - fabs(half));
	common->apart_high = expm1(sum / count + fabs(half));
}

static void find_change(struct rows_tester *d)
{
	const struct moderated_data data = tester_tested(d);
	const struct moderated_options opt = {
		.confidence = 0, .robust = true, .cautious = true, .ratio = data.runs_base > 0};
	struct moderated_op *op = arena_array(d->scratch, d->count, sizeof(*op));
	double *diff = arena_array(d->scratch, d->count, sizeof(*diff));
	double *se = arena_array(d->scratch, d->count, sizeof(*se));
	struct common_change *common = &d->measure->common;
	struct moderated summary;
	struct centre found;
	size_t n = 0;

	moderated_test(&data, &opt, op, &summary);
	for (size_t i = 0; i < d->count; i++)
		if (op[i].state == MODERATED_FAMILY) {
			diff[n] = op[i].diff;
			se[n++] = op[i].se;
		}
	if (!n)
		return;
	centre_find(diff, se, n, &found);
	*common = (struct common_change){.change = found.centre,
		.variance = found.variance,
		.raised = n > 1 ? (double)n / (double)(n - 1) : 1,
		.ops = n,
		.above = found.above,
		.below = found.below};
	common->groups = (double)(found.above + found.below) > GROUP_PART * (double)n;
	if (common->groups)
		measure_apart(d, diff, se, n);
}

void tester_take_common(struct rows_tester *d)
{
	const bool paired = d->opt->method == METHOD_PAIRED;
	const size_t runs = paired ? d->runs_base : d->runs;

	d->measure->common = (struct common_change){0};
	if (!d->opt->normalize || !d->count)
		return;
	find_change(d);
	for (size_t i = 0; i < d->count; i++)
		for (size_t r = paired ? 0 : d->runs_base; r < runs; r++)
			tester_tested_row(d, i)[r] -= d->measure->common.change;
}

void tester_add_common(struct rows_tester *d)
{
	const struct common_change *common = &d->measure->common;

	for (size_t i = 0; i < d->count && common->ops; i++) {
		struct compared *v = d->row[i].value;
		double se = v->se * sqrt(common->raised), df = v->df;

		/* Ranks have no variance to add to. */
		if (v->evidence != EVIDENCE_TEST || !(se > 0))
			continue;
		tester_add_known(common->variance, &se, &df);
		raise_error(v, se, df);
	}
}

void tester_withhold_groups(struct rows_tester *d)
{
	for (size_t i = 0; i < d->count && d->measure->common.groups; i++) {
		struct compared *v = d->row[i].value;

		if (v->evidence != EVIDENCE_TEST)
			continue;
		d->measure->flagged -= v->flagged && d->family[i] == FAMILY_COMMON;
		v->flagged = false;
		v->verdict = VERDICT_INCONCLUSIVE;
		v->detectable = v->detectable_slower = NAN;
		v->reason = "one of two groups";
	}
}
