/*
 * Leaves out the run, and the step, that carries most of a difference, and looks whether the claim
 * would still be made.
 */
#include "analysis/compare/leave_one_out.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "stats/equivalence.h"
#include "stats/odd/odd_runs.h"
#include "stats/tests.h"

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

static double ranks_without(const struct compared *v, const struct row_test_sample *x, bool of_base,
	size_t run, struct rank_tables *tables)
{
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

static double p_without_run(const struct compared *v, const struct row_test_sample *x, bool of_base,
	size_t run, struct rank_tables *tables)
{
	double nb = (double)x->base_n, nn = (double)x->new_n, all = 1 / nb + 1 / nn, diff;

	if (tables)
		return ranks_without(v, x, of_base, run, tables);
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

void fragile_find(struct compared *value, const struct row_test_sample *x,
	struct rank_tables *tables, enum run_value_kind kind, double limit)
{
	if (value->verdict == VERDICT_SAME || value->verdict == VERDICT_INCONCLUSIVE)
		return;
	find_run(value, x, tables, limit);
	if (kind == RUN_VALUE_MEAN && !tables)
		find_step(value, limit);
}
