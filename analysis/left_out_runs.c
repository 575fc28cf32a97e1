/*
 * Finds the runs of a side that are no runs of their own, and takes them out.
 */
#include "analysis/left_out_runs.h"

#include <stdlib.h>
#include "analysis/run_prints.h"
#include "base/memory.h"

/* Where each step of the cube is: its run in the set, and its place there; runs that are not in the
 * set: UINT32_MAX. */
struct place_in_set {
	uint32_t run, at;
};

static struct place_in_set *places_of(
	const struct cube *cube, const struct step_set *set, struct arena *scratch)
{
	struct place_in_set *place = arena_array(scratch, cube->step_count, sizeof(*place));

	for (size_t s = 0; s < cube->step_count; s++)
		place[s].run = UINT32_MAX;
	for (size_t r = 0; r < set->run_count; r++)
		for (size_t i = set->first[r]; i < set->first[r + 1]; i++)
			place[set->step[i]] =
				(struct place_in_set){(uint32_t)r, (uint32_t)(i - set->first[r])};
	return place;
}

/* The sum over all values does not depend on their order, so one pass over the cube is enough. */
static void take_prints(const struct cube *cube, uint32_t ops, const struct step_set *set,
	const struct place_in_set *place, struct run_print *print)
{
	for (size_t r = 0; r < set->run_count; r++) {
		const size_t count = set->first[r + 1] - set->first[r];

		print[r] = run_print_new(count, set->time_resolution_ps);
		run_print_add_step_times(&print[r], cube, set->step + set->first[r], count);
	}
	for (uint32_t o = 0; o < ops; o++) {
		uint32_t run = UINT32_MAX;
		int64_t before = CELL_ABSENT;

		for (size_t row = cube->op_first[o]; row < cube->op_first[o + 1]; row++) {
			const struct place_in_set *p = &place[cube->step_of[row]];
			int64_t value;

			if (p->run == UINT32_MAX)
				continue;
			value = cube_value(cube, MEASURE_TIME, o, row);
			run_print_add(
				&print[p->run], o, p->at, value, p->run == run ? &before : NULL);
			run = p->run;
			before = value;
		}
	}
}

static bool any_same(const struct run_print *print, size_t runs)
{
	for (size_t r = 1; r < runs; r++)
		for (size_t k = 0; k < r; k++)
			if (run_print_equal(&print[k], &print[r]))
				return true;
	return false;
}

static void leave_out(struct step_set *set, enum run_fate why, size_t run, size_t of)
{
	set->left_out[set->left_out_count++] =
		(struct left_out_run){.why = why, .run = set->run[run], .of = set->run[of]};
}

static void find_copies(
	const struct cube *cube, struct arena *scratch, struct step_set *set, bool *out)
{
	struct run_print *print = arena_array(scratch, set->run_count, sizeof(*print));
	const struct place_in_set *place;

	if (set->run_count < 2 || !cube_has(cube, MEASURE_TIME))
		return;
	place = places_of(cube, set, scratch);
	take_prints(cube,
		cube->op_count < RUN_PRINT_FIRST_OPS ? (uint32_t)cube->op_count
						     : RUN_PRINT_FIRST_OPS,
		set, place, print);
	if (!any_same(print, set->run_count))
		return;
	take_prints(cube, (uint32_t)cube->op_count, set, place, print);
	for (size_t r = 1; r < set->run_count; r++)
		for (size_t k = 0; k < r && !out[r]; k++) {
			if (out[k] || !run_print_tells(print[r].moves, print[r].telling) ||
				!run_print_equal(&print[k], &print[r]))
				continue;
			out[r] = true;
			leave_out(set, RUN_COPY, r, k);
		}
}

/* Single runs without a steady state, fewer than half of them: more of them say something of the
 * side. */
static void find_unsteady(struct step_set *set, bool *out)
{
	size_t runs = 0, unsteady = 0;

	for (size_t r = 0; r < set->run_count; r++) {
		runs += !out[r];
		unsteady += !out[r] && set->warmup[r].state == WARMUP_UNSTEADY;
	}
	if (2 * unsteady >= runs || runs - unsteady < STEADY_RUNS_LEAST)
		return;
	for (size_t r = 0; r < set->run_count; r++) {
		if (out[r] || set->warmup[r].state != WARMUP_UNSTEADY)
			continue;
		out[r] = true;
		leave_out(set, RUN_UNSTEADY, r, r);
	}
}

/* The runs that stay move up. */
static void take_out(struct step_set *set, const bool *out)
{
	size_t runs = 0, count = 0;

	for (size_t r = 0; r < set->run_count; r++) {
		const size_t begin = set->first[r], end = set->first[r + 1];

		for (size_t i = begin; i < end; i++) {
			if (out[r])
				set->fate[set->step[i]] = STEP_OF_LEFT_OUT_RUN;
			else
				set->step[count++] = set->step[i];
		}
		if (out[r])
			continue;
		set->run[runs] = set->run[r];
		set->warmup[runs] = set->warmup[r];
		set->skipped[runs] = set->skipped[r];
		set->warmup_kept_ps[runs] = set->warmup_kept_ps[r];
		set->first[runs++] = count - (end - begin);
	}
	set->first[runs] = set->count = count;
	set->run_count = runs;
}

void leave_out_runs(const struct cube *cube, const struct step_options *opt, struct arena *arena,
	struct step_set *set)
{
	struct arena *scratch = arena_new();
	bool *out = arena_array(scratch, set->run_count + 1, sizeof(*out));

	set->left_out = arena_array(arena, set->run_count + 1, sizeof(*set->left_out));
	if (opt->leave_out_copies)
		find_copies(cube, scratch, set, out);
	if (opt->leave_out_unsteady && opt->warmup == WARMUP_MODE_AUTO)
		find_unsteady(set, out);
	if (set->left_out_count)
		take_out(set, out);
	arena_free(scratch);
}
