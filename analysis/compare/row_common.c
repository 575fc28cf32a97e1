/*
 * Ops against each other: what all ops of a run have in common is no spread of any of them, and
 * what most of them agree in between the sides is no change of theirs. How well that is known
 * counts in every interval.
 */
#include <math.h>
#include "analysis/compare/decider.h"
#include "stats/centre.h"
#include "stats/student.h"

/* From this part of the ops on they are two groups, and not some that changed. */
#define GROUP_PART (1 / 3.0)

void decider_take_effects(struct decider *d)
{
	const struct moderated_data data = decider_tested(d);
	const size_t runs = data.runs_base + data.runs_new;
	double *effect = arena_array(d->scratch, runs, sizeof(*effect));

	if (!d->opt->normalize || !d->count)
		return;
	moderated_run_effects(&data, effect);
	for (size_t i = 0; i < d->count; i++)
		for (size_t r = 0; r < runs; r++)
			if (!isnan(effect[r]))
				decider_tested_row(d, i)[r] -= effect[r];
}

/* How far those that lie apart are from the others: their mean, and its interval. */
static void measure_apart(struct decider *d, const double *diff, const double *se, size_t n)
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

static void find_change(struct decider *d)
{
	const struct moderated_data data = decider_tested(d);
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

void decider_take_common(struct decider *d)
{
	const bool paired = d->opt->method == METHOD_PAIRED;
	const size_t runs = paired ? d->runs_base : d->runs;

	d->measure->common = (struct common_change){0};
	if (!d->opt->normalize || !d->count)
		return;
	find_change(d);
	for (size_t i = 0; i < d->count; i++)
		for (size_t r = paired ? 0 : d->runs_base; r < runs; r++)
			decider_tested_row(d, i)[r] -= d->measure->common.change;
}

void decider_add_common(struct decider *d)
{
	const struct common_change *common = &d->measure->common;

	for (size_t i = 0; i < d->count && common->ops; i++) {
		struct compared *v = d->row[i].value;
		double se = v->se * sqrt(common->raised), df = v->df;

		/* Ranks have no variance to add to. */
		if (v->evidence != EVIDENCE_TEST || !(se > 0))
			continue;
		decider_add_known(common->variance, &se, &df);
		decider_raise_error(v, se, df);
	}
}

void decider_withhold_groups(struct decider *d)
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
