/*
 * Chooses between step time and op time, once for all that speaks of the step.
 */
#include "analysis/compare/compared_step.h"

#include <math.h>
#include "analysis/compare/comparison.h"
#include "analysis/compare/noise.h"
#include "base/memory.h"

enum step_times_use step_times_use(const struct run_side *base, const struct run_side *new_side,
	enum measure_id id, const struct run_value_options *opt)
{
	const struct step_times *b = &base->self->times, *n = &new_side->self->times;

	if (!b->time_ps || !n->time_ps || b->kind != n->kind)
		return STEP_TIMES_NONE;
	return b->decides && n->decides && id == MEASURE_TIME && !opt->of_selected
		       ? STEP_TIMES_DECIDE
		       : STEP_TIMES_BESIDE;
}

struct run_row step_row(const struct run_side *side, enum measure_id id, bool by_time,
	const struct run_value_options *opt, struct arena *arena)
{
	const struct step_set *steps = side->steps;
	struct arena *scratch = arena_new();
	double *total = arena_array(scratch, side->self->step_count, sizeof(*total));
	bool *known = arena_array(scratch, side->self->step_count, sizeof(*known));
	double *kept = arena_array(scratch, steps->count, sizeof(*kept));
	unsigned char *state = arena_array(scratch, steps->count, sizeof(*state));
	struct run_value_options values = *opt;
	struct run_row row = {0};

	if (!by_time)
		steps_totals(side->self, id, total, known);
	for (size_t i = 0; i < steps->count; i++) {
		const uint32_t s = steps->step[i];

		kept[i] = by_time ? step_series_value(side->self->times.time_ps, s) : total[s];
		state[i] = isnan(kept[i])	 ? RUN_STEP_ABSENT
			   : by_time || known[s] ? RUN_STEP_PRESENT
						 : RUN_STEP_UNKNOWN;
		kept[i] = state[i] == RUN_STEP_ABSENT ? 0 : kept[i];
	}
	values.skip_absent |= by_time; /* a last step without a period is none with 0 */
	run_row_of_series(steps, &values, kept, state, arena, &row);
	arena_free(scratch);
	return row;
}

const struct compared *compared_step(const struct comparison *comparison)
{
	return comparison->step_times == STEP_TIMES_DECIDE ? &comparison->step_time
							   : &comparison->measure[0].total;
}

struct compare_options compared_step_options(
	const struct comparison *comparison, const struct compare_options *opt)
{
	struct compare_options of_step = *opt;

	if (opt->noise && comparison->step_times == STEP_TIMES_DECIDE)
		of_step.noise = noise_of_step_time(opt->noise, comparison->step_time_kind);
	return of_step;
}
