/* How often the verdicts of a world's comparisons are wrong, and how many changes they find. */
#include <math.h>
#include <stdio.h>
#include "tests/sim/world.h"

#define Q_FOUND 0.05
#define MARGIN 0.02

/* Sums over the comparisons of a world: those without any change, and those with changes. */
struct tally {
	double comparisons, any_q, any_beyond, any_wrong, flagged, wrong;
	double power_q, power_beyond, false_share;
};

static bool is_wrong(enum said said, double change)
{
	switch (said) {
	case SAID_REGRESSED:
		return change <= MARGIN;
	case SAID_IMPROVED:
		return change >= -MARGIN;
	case SAID_SLOWER:
		return change <= 0;
	case SAID_FASTER:
		return change >= 0;
	case SAID_SAME:
		return fabs(change) > MARGIN;
	default:
		return false;
	}
}

static void tally_add(
	struct tally *t, size_t ops, const struct world_op *op, const struct world_answer *answer)
{
	size_t beyond = 0, wrong = 0, truth = 0, right_q = 0, wrong_q = 0, regressed = 0;

	for (size_t i = 0; i < ops; i++) {
		const enum said said = answer[i].said;
		const bool changed = op[i].change != 0, found = answer[i].q < Q_FOUND;

		truth += changed;
		right_q += found && changed;
		wrong_q += found && !changed;
		regressed += changed && said == SAID_REGRESSED;
		beyond += said == SAID_REGRESSED || said == SAID_IMPROVED;
		wrong += is_wrong(said, op[i].change);
	}
	t->comparisons++;
	t->any_q += right_q + wrong_q > 0;
	t->any_beyond += beyond > 0;
	t->any_wrong += wrong > 0;
	t->flagged += (double)(right_q + wrong_q);
	t->wrong += (double)wrong;
	if (right_q + wrong_q > 0)
		t->false_share += (double)wrong_q / (double)(right_q + wrong_q);
	if (truth == 0)
		return;
	t->power_q += (double)right_q / (double)truth;
	t->power_beyond += (double)regressed / (double)truth;
}

static void simulate(struct job *job, const struct world *w, bool changed, struct tally *tally)
{
	static struct world_op op[WORLD_OPS_MAX];
	static struct world_answer answer[WORLD_OPS_MAX];

	*tally = (struct tally){0};
	for (size_t i = 0; i < job->comparisons && !*job->stopped; i++) {
		world_draw_ops(job->rng, w, changed, op);
		world_record(job->rng, w, op, job->program.folder);
		if (world_compare(&job->program, w, answer))
			tally_add(tally, w->ops, op, answer);
	}
}

void print_verdicts(struct job *job, const struct world *w)
{
	struct tally none, some;

	simulate(job, w, false, &none);
	printf("| %s | %.3f | %.3f | %.2f | %.3f |", w->name, none.any_q / none.comparisons,
		none.any_beyond / none.comparisons, none.flagged / none.comparisons,
		none.any_wrong / none.comparisons);
	if (w->changed > 0) {
		simulate(job, w, true, &some);
		printf(" %.3f | %.3f | %.3f | %.3f | %.2f |\n", some.power_q / some.comparisons,
			some.power_beyond / some.comparisons, some.false_share / some.comparisons,
			some.any_wrong / some.comparisons, some.wrong / some.comparisons);
	} else {
		printf(" - | - | - | - | - |\n");
	}
}
