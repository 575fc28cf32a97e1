/*
 * Chooses the steps of each further kind as those of the rows were chosen, and tests their totals.
 */
#include "analysis/compare/compared_kinds.h"

#include <math.h>
#include "analysis/compare/verdicts.h"
#include "analysis/named_kinds.h"
#include "base/memory.h"
#include "stats/ranks.h"

#define STEPS_LEAST 5 /* of a kind in each run, to be judged */
#define KINDS_MOST 20 /* more are not kinds of step but steps without order */

/* Returns for each of `kinds` kinds the fewest steps in a kept run: 0 where a run has none. */
static size_t *fewest_steps(const struct run_side *side, size_t kinds, struct arena *arena)
{
	const struct step_set *steps = side->steps;
	size_t *fewest = arena_array(arena, kinds, sizeof(*fewest));
	size_t *runs = arena_array(arena, kinds, sizeof(*runs));
	size_t *here = arena_array(arena, kinds, sizeof(*here));

	for (size_t r = 0; r < steps->run_count; r++) {
		const struct run *run = &side->self->run[steps->run[r]];
		const uint32_t *of_step = &steps->kinds.of_step[run->step_first];

		for (size_t i = 0; i < run->step_count; i++)
			here[of_step[i] - 1]++;
		/* Only the kinds of the run, not all kinds for each run. */
		for (size_t i = 0; i < run->step_count; i++) {
			size_t k = of_step[i] - 1;

			if (!here[k])
				continue;
			if (!runs[k]++ || here[k] < fewest[k])
				fewest[k] = here[k];
			here[k] = 0;
		}
	}
	for (size_t k = 0; k < kinds; k++)
		fewest[k] = runs[k] == steps->run_count ? fewest[k] : 0;
	return fewest;
}

/* Part of the steps of each run of the cube that are of the kind; returns the mean. */
static double share_of_runs(const struct run_side *side, uint32_t kind, double *share)
{
	const struct cube *cube = side->self;
	double sum = 0;

	for (size_t r = 0; r < cube->run_count; r++) {
		const struct run *run = &cube->run[r];
		size_t n = 0;

		for (size_t i = 0; i < run->step_count; i++)
			n += side->steps->kinds.of_step[run->step_first + i] == kind;
		share[r] = (double)n / (double)run->step_count;
		sum += share[r];
	}
	return sum / (double)cube->run_count;
}

/* How often the kind came is a count by run: steps of a run are not independent. */
static void compare_shares(
	const struct comparison_input *input, size_t kinds, struct compared_kind *kind)
{
	const struct run_side *base = &input->base.run, *new = &input->new.run;
	double *of_base = memory_alloc(memory_product(base->self->run_count, sizeof(*of_base)));
	double *of_new = memory_alloc(memory_product(new->self->run_count, sizeof(*of_new)));
	struct rank_tables tables;
	struct rank_test test;

	kind->share_base = share_of_runs(base, kind->number, of_base);
	kind->share_new = share_of_runs(new, kind->number, of_new);
	rank_tables_init(&tables);
	rank_sum_test(&tables,
		&(struct rank_samples){
			of_base, base->self->run_count, of_new, new->self->run_count},
		&test);
	kind->share_p = fmin(1, test.p * (double)(kinds - 1));
	rank_tables_release(&tables);
	memory_free(of_base);
	memory_free(of_new);
}

static bool is_unsteady(const struct step_set *steps)
{
	size_t unsteady = 0;

	for (size_t r = 0; r < steps->run_count; r++)
		unsteady += steps->is_alike && steps->warmup[r].state == WARMUP_UNSTEADY;
	return 2 * unsteady >= steps->run_count && unsteady;
}

/* NULL, or why it cannot be judged. */
static const char *judge(
	const struct comparison_input *input, struct compared_kind *kind, struct comparison *out)
{
	struct arena *arena = out->arena;
	const struct run_side *side[] = {&input->base.run, &input->new.run};
	enum measure_id id = input->measure[0];
	struct compare_options options = compared_step_options(out, input->options);
	struct step_options choice = input->steps;
	struct run_row *row = arena_array(arena, 2, sizeof(*row));
	struct step_set *set = arena_array(arena, 2, sizeof(*set));
	struct run_side of_kind;
	struct error err;

	choice.kind = kind->number;
	choice.kind_name = NULL;
	for (size_t s = 0; s < 2; s++) {
		choice.kinds = &side[s]->steps->kinds;
		choice.base = s ? &set[0] : NULL;
		if (steps_select(side[s]->self, &choice, arena, &set[s], &err) < 0)
			return "none of its steps is left";
		if (options.method == METHOD_PAIRED &&
			set[s].run_count != side[s]->steps->run_count) {
			if (!options.in_turns)
				return "its runs are not those of the rounds";
			options.method = METHOD_MODERATED;
		}
		of_kind = *side[s];
		of_kind.steps = &set[s];
		row[s] = step_row(&of_kind, id, out->step_times == STEP_TIMES_DECIDE,
			&input->options->value, arena);
	}
	options.unsteady = is_unsteady(&set[0]) || is_unsteady(&set[1]);
	kind->value.base = &row[0];
	kind->value.new = &row[1];
	decide_single(&kind->value, &options, id,
		measure_at(id)->dimension == DIMENSION_TIME
			? fmax(set[0].time_resolution_ps, set[1].time_resolution_ps)
			: 0,
		NULL);
	return NULL;
}

uint32_t *compared_kinds_of_steps(
	const struct run_side *side, const struct run_side *other, struct arena *arena)
{
	const struct step_set *steps = side->steps;
	size_t kinds = steps->kinds.count > other->steps->kinds.count ? steps->kinds.count
								      : other->steps->kinds.count;
	const size_t *here = fewest_steps(side, kinds, arena);
	const size_t *there = fewest_steps(other, kinds, arena);
	uint32_t *of_step = arena_array(arena, side->self->step_count, sizeof(*of_step));

	for (size_t i = 0; i < side->self->step_count; i++) {
		uint32_t kind = steps->kinds.of_step[i];

		of_step[i] =
			here[kind - 1] >= STEPS_LEAST && there[kind - 1] >= STEPS_LEAST ? kind : 1;
	}
	return of_step;
}

void compared_kinds_find(const struct comparison_input *input, struct comparison *out)
{
	const struct kinds *base = &input->base.run.steps->kinds;
	const struct kinds *new_side = &input->new.run.steps->kinds;
	size_t kinds = base->count > new_side->count ? base->count : new_side->count;
	const size_t *steps_base, *steps_new;

	if (kinds < 2 || input->options->value.of_selected ||
		measure_at(input->measure[0])->kind == MEASURE_STATIC)
		return;
	steps_base = fewest_steps(&input->base.run, kinds, out->arena);
	steps_new = fewest_steps(&input->new.run, kinds, out->arena);
	out->kind = arena_array(out->arena, KINDS_MOST, sizeof(*out->kind));
	for (uint32_t k = 1; k <= kinds; k++) {
		struct compared_kind kind = {.number = k,
			.word = kinds_word(base, k, out->arena),
			.steps_base = steps_base[k - 1],
			.steps_new = steps_new[k - 1]};

		if (k == input->steps.kind)
			continue;
		compare_shares(input, kinds, &kind);
		if (kind.steps_base < STEPS_LEAST && kind.steps_new < STEPS_LEAST &&
			!(kind.share_p < COMPARED_SHARE_P))
			continue;
		if (out->kind_count == KINDS_MOST) {
			out->kinds_beyond++;
			continue;
		}
		if (kind.steps_base >= STEPS_LEAST && kind.steps_new >= STEPS_LEAST) {
			kind.reason = judge(input, &kind, out);
			kind.judged = !kind.reason;
		}
		out->kind[out->kind_count++] = kind;
	}
}
