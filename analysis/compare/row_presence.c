/*
 * What chance leaves in a run value of an op that runs in some steps only: how often it ran. A few
 * runs that are alike by luck do not show less spread than that.
 */
#include <math.h>
#include "analysis/compare/decider.h"
#include "base/memory.h"
#include "stats/groups/presence.h"

/* More even than this an op is scheduled (every tenth step), not drawn. */
#define EVEN_P 0.001

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

static void test_with(struct compared *v, double variance)
{
	const struct compared before = *v;

	v->presence_variance = variance;
	row_test_conclude(v, v->diff, sqrt(variance), v->df, v->evidence == EVIDENCE_LINEAR);
	/* These may have been raised for another reason. */
	v->p = fmax(v->p, before.p);
	v->p_above = fmax(v->p_above, before.p_above);
	v->p_below = fmax(v->p_below, before.p_below);
	v->p_same = fmax(v->p_same, before.p_same);
}

void decider_add_presence(struct decider *d)
{
	const struct run_value_options *opt = &d->opt->value;

	if (opt->kind != RUN_VALUE_MEAN || opt->skip_absent || d->opt->method == METHOD_RANKSUM)
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
		if (presence_even(side, 2) > EVEN_P)
			test_with(v, variance);
	}
}
