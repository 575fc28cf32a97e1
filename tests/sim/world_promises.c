/* Whether other sentences of the program hold in a world: "sees", the plan of runs, intervals of
 * one series, ops that are named for their jitter, SAME. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "tests/sim/world.h"

#define Q_FOUND 0.05

static struct world_op op[WORLD_OPS_MAX];
static struct world_answer answer[WORLD_OPS_MAX];

static bool compare_new_draw(struct job *job, const struct world *w)
{
	world_record(job->rng, w, op, job->program.folder);
	return world_compare(&job->program, w, answer);
}

/* An op that is shown INCONCLUSIVE with what it sees, by chance; w->ops: there is none. */
static size_t choose_inconclusive(gsl_rng *rng, const struct world *w)
{
	const size_t start = gsl_rng_uniform_int(rng, w->ops);

	for (size_t i = 0; i < w->ops; i++) {
		const size_t at = (start + i) % w->ops;

		if (op[at].change == 0 && answer[at].said == SAID_INCONCLUSIVE &&
			isfinite(answer[at].sees_pct))
			return at;
	}
	return w->ops;
}

void print_sees(struct job *job, const struct world *w)
{
	double rows = 0, below = 0, planted = 0, regressed = 0, sum = 0;

	for (size_t i = 0; i < job->comparisons && !*job->stopped; i++) {
		size_t at;

		world_draw_ops(job->rng, w, true, op);
		if (!compare_new_draw(job, w))
			continue;
		for (size_t k = 0; k < w->ops; k++) {
			if (answer[k].said != SAID_INCONCLUSIVE || !isfinite(answer[k].sees_pct))
				continue;
			rows++;
			below += answer[k].sees_pct < fabs(answer[k].change_pct);
		}
		at = choose_inconclusive(job->rng, w);
		if (at == w->ops)
			continue;
		op[at].change = answer[at].sees_pct / 100;
		sum += answer[at].sees_pct;
		if (!compare_new_draw(job, w))
			continue;
		planted++;
		regressed += answer[at].said == SAID_REGRESSED;
	}
	printf("| %s | %.1f %% | %.3f | %.4f |\n", w->name, sum / planted, regressed / planted,
		below / rows);
}

static int by_cv(const void *a, const void *b)
{
	const struct world_op *const x = &op[*(const size_t *)a], *const y =
									  &op[*(const size_t *)b];

	return (x->cv[BASE] > y->cv[BASE]) - (x->cv[BASE] < y->cv[BASE]);
}

static size_t median_op(const struct world *w)
{
	size_t order[WORLD_OPS_MAX];

	for (size_t i = 0; i < w->ops; i++)
		order[i] = i;
	qsort(order, w->ops, sizeof(order[0]), by_cv);
	return order[w->ops / 2];
}

void print_plan(struct job *job, const struct world *w)
{
	double plans = 0, runs = 0, found = 0, regressed = 0;

	for (size_t i = 0; i < job->comparisons && !*job->stopped; i++) {
		struct world planned = *w;
		struct world_plan plan;
		size_t at;

		world_draw_ops(job->rng, w, false, op);
		world_record(job->rng, w, op, job->program.folder);
		plan = world_plan(&job->program, w);
		if (plan.runs < 2 || plan.runs > WORLD_RUNS_MAX)
			continue;
		planned.runs[BASE] = planned.runs[NEW] = plan.runs;
		at = median_op(w);
		op[at].change = plan.change_pct / 100;
		if (!compare_new_draw(job, &planned))
			continue;
		plans++;
		runs += (double)plan.runs;
		found += answer[at].q < Q_FOUND;
		regressed += answer[at].said == SAID_REGRESSED;
	}
	if (plans == 0) {
		fprintf(stderr, "worlds: %s: no report has a plan that is understood here\n",
			w->name);
		job->program.failures++;
	}
	printf("| %s | %.0f | %.1f | %.3f | %.3f |\n", w->name, plans, runs / plans, found / plans,
		regressed / plans);
}

void print_within(struct job *job, const struct world *w)
{
	double ops = 0, shown = 0, hold = 0;

	for (size_t i = 0; i < job->comparisons && !*job->stopped; i++) {
		world_draw_ops(job->rng, w, false, op);
		if (!compare_new_draw(job, w))
			continue;
		for (size_t k = 0; k < w->ops; k++) {
			ops++;
			if (!isfinite(answer[k].low_pct) || !isfinite(answer[k].high_pct))
				continue;
			shown++;
			hold += answer[k].low_pct <= 0 && answer[k].high_pct >= 0;
		}
	}
	printf("| %s | %.3f | %.3f |\n", w->name, shown / ops, hold / shown);
}

void print_intervals(struct job *job, const struct world *w)
{
	double low[WORLD_OPS_MAX], high[WORLD_OPS_MAX], ops = 0, shown = 0, hold = 0, below = 0;

	for (size_t i = 0; i < job->comparisons && !*job->stopped; i++) {
		world_draw_ops(job->rng, w, false, op);
		world_record(job->rng, w, op, job->program.folder);
		if (!world_intervals(&job->program, w, low, high))
			continue;
		for (size_t k = 0; k < w->ops; k++) {
			const double mean = world_mean_us(&op[k]);

			ops++;
			if (!isfinite(low[k]) || !isfinite(high[k]))
				continue;
			shown++;
			hold += low[k] <= mean && mean <= high[k];
			below += low[k] < 0;
		}
	}
	printf("| %s | %.3f | %.3f | %.3f |\n", w->name, shown / ops, hold / shown, below / shown);
}

void print_jitter(struct job *job, const struct world *w)
{
	double reports = 0, named = 0;

	for (size_t i = 0; i < job->comparisons && !*job->stopped; i++) {
		bool names;

		world_draw_ops(job->rng, w, false, op);
		world_record(job->rng, w, op, job->program.folder);
		if (!world_names_op(&job->program, w, &names))
			continue;
		reports++;
		named += names;
	}
	printf("| %s | %.3f |\n", w->name, named / reports);
}

/* Of ops that change and those that do not: how many are SAME? */
void print_same(struct job *job, const struct world *w)
{
	double ops[2] = {0, 0}, same[2] = {0, 0};

	for (size_t i = 0; i < job->comparisons && !*job->stopped; i++) {
		world_draw_ops(job->rng, w, true, op);
		if (!compare_new_draw(job, w))
			continue;
		for (size_t k = 0; k < w->ops; k++) {
			const bool changed = op[k].change != 0;

			ops[changed]++;
			same[changed] += answer[k].said == SAID_SAME;
		}
	}
	printf("| %s | %.3f | %.3f |\n", w->name, same[0] / ops[0], same[1] / ops[1]);
}
