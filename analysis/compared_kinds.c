/*
 * Chooses the steps of each further kind as those of the rows were chosen, and tests their totals.
 */
#include "analysis/compared_kinds.h"

#include <math.h>
#include "analysis/verdicts.h"
#include "base/memory.h"

#define STEPS_LEAST 5 /* of a kind in each run, to be judged */
#define KINDS_MOST 20 /* more are not kinds of step but steps without order */

/* The fewest steps of the kind in a kept run; a side without the kind: 0. */
static size_t fewest_steps(const struct run_side *side, uint32_t kind)
{
	const struct step_set *steps = side->steps;
	size_t fewest = SIZE_MAX;

	for (size_t r = 0; r < steps->run_count; r++) {
		const struct run *run = &side->self->run[steps->run[r]];
		size_t n = 0;

		for (size_t i = 0; i < run->step_count; i++)
			n += steps->kinds.of_step[run->step_first + i] == kind;
		fewest = n < fewest ? n : fewest;
	}
	return steps->run_count ? fewest : 0;
}

/* The totals of the chosen steps; false when one is not known. */
static bool make_row(const struct run_side *side, const struct step_set *steps, enum measure_id id,
	const struct run_value_options *opt, struct arena *arena, struct run_row *out)
{
	struct arena *scratch = arena_new();
	double *total = arena_array(scratch, side->self->step_count, sizeof(*total));
	bool *known = arena_array(scratch, side->self->step_count, sizeof(*known));
	double *kept = arena_array(scratch, steps->count, sizeof(*kept));
	bool all = true;

	steps_totals(side->self, id, total, known);
	for (size_t i = 0; i < steps->count; i++) {
		kept[i] = total[steps->step[i]];
		all &= known[steps->step[i]];
	}
	run_row_of_series(steps, opt, kept, arena, out);
	arena_free(scratch);
	return all;
}

static bool is_unsteady(const struct step_set *steps)
{
	size_t unsteady = 0;

	for (size_t r = 0; r < steps->run_count; r++)
		unsteady += steps->is_alike && steps->warmup[r].state == WARMUP_UNSTEADY;
	return 2 * unsteady >= steps->run_count && unsteady;
}

/* Runs of a side are paired by their order in the rows' set: a kind without one of them is not. */
static bool has_all_runs(const struct run_side *side, const struct step_set *steps)
{
	return steps->run_count == side->steps->run_count;
}

static bool judge(
	const struct comparison_input *input, struct compared_kind *kind, struct arena *arena)
{
	const struct run_side *side[] = {&input->base.run, &input->new.run};
	enum measure_id id = input->measure[0];
	struct compare_options options = *input->options;
	struct step_options choice = input->steps;
	struct run_row *row = arena_array(arena, 2, sizeof(*row));
	struct step_set *set = arena_array(arena, 2, sizeof(*set));
	struct error err;

	choice.kind = kind->number;
	for (size_t s = 0; s < 2; s++) {
		choice.kinds = &side[s]->steps->kinds;
		choice.base = s ? &set[0] : NULL;
		if (steps_select(side[s]->self, &choice, arena, &set[s], &err) < 0 ||
			!make_row(side[s], &set[s], id, &input->options->value, arena, &row[s]))
			return false;
		if (options.method == METHOD_PAIRED && !has_all_runs(side[s], &set[s]))
			return false;
	}
	options.unsteady = is_unsteady(&set[0]) || is_unsteady(&set[1]);
	kind->value.base = &row[0];
	kind->value.new = &row[1];
	decide_single(&kind->value, &options, id,
		measure_at(id)->dimension == DIMENSION_TIME
			? fmax(set[0].time_resolution_ps, set[1].time_resolution_ps)
			: 0);
	return true;
}

void compared_kinds_find(const struct comparison_input *input, struct comparison *out)
{
	const struct kinds *base = &input->base.run.steps->kinds;
	const struct kinds *new_side = &input->new.run.steps->kinds;
	size_t kinds = base->count > new_side->count ? base->count : new_side->count;

	if (kinds < 2 || input->options->value.of_selected ||
		measure_at(input->measure[0])->kind == MEASURE_STATIC)
		return;
	kinds = kinds < KINDS_MOST ? kinds : KINDS_MOST;
	out->kind = arena_array(out->arena, kinds, sizeof(*out->kind));
	for (uint32_t k = 1; k <= kinds; k++) {
		struct compared_kind *kind = &out->kind[out->kind_count];

		*kind = (struct compared_kind){.number = k,
			.steps_base = fewest_steps(&input->base.run, k),
			.steps_new = fewest_steps(&input->new.run, k)};
		if (k == input->steps.kind ||
			(kind->steps_base < STEPS_LEAST && kind->steps_new < STEPS_LEAST))
			continue;
		if (kind->steps_base >= STEPS_LEAST && kind->steps_new >= STEPS_LEAST)
			kind->judged = judge(input, kind, out->arena);
		out->kind_count++;
	}
}
