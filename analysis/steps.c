/*
 * Chooses steps: kind, then warm-up, then the user's numbers or positions.
 */
#include "analysis/steps.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

void steps_totals(const struct cube *cube, enum measure_id id, double *total, bool *known)
{
	for (size_t s = 0; s < cube->step_count; s++) {
		total[s] = 0;
		known[s] = true;
	}
	for (uint32_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++) {
			int64_t v = cube_value(cube, id, o, r);

			if (v == CELL_ABSENT)
				known[cube->step_of[r]] = false;
			else
				total[cube->step_of[r]] += (double)v;
		}
}

/* Totals over the ops that are present in every step of `step[0..n)`: what comes and goes must not
 * look like warm-up. */
static void steady_totals(
	const struct cube *cube, const uint32_t *step, size_t n, uint32_t *place, double *total)
{
	memset(place, 0xff, cube->step_count * sizeof(*place));
	for (uint32_t i = 0; i < n; i++) {
		place[step[i]] = i;
		total[i] = 0;
	}
	for (uint32_t o = 0; o < cube->op_count; o++) {
		size_t present = 0;

		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++)
			present += place[cube->step_of[r]] != UINT32_MAX &&
				   cube_value(cube, MEASURE_TIME, o, r) != CELL_ABSENT;
		if (present != n)
			continue;
		for (size_t r = cube->op_first[o]; r < cube->op_first[o + 1]; r++)
			if (place[cube->step_of[r]] != UINT32_MAX)
				total[place[cube->step_of[r]]] +=
					(double)cube_value(cube, MEASURE_TIME, o, r);
	}
}

static bool chosen(const struct step_options *opt, int64_t number, size_t position)
{
	if (!opt->range_count)
		return true;
	for (size_t i = 0; i < opt->range_count; i++) {
		const struct step_range *range = &opt->range[i];
		int64_t at = range->by_position ? (int64_t)position : number;

		if (at >= range->from && at <= range->to)
			return true;
	}
	return false;
}

static int nothing_left(const struct cube *cube, const struct step_set *set, struct error *err)
{
	const struct run *run = &cube->run[0];

	error_set(err, ERROR_INPUT, NULL,
		"no step is left: of %zu steps %zu were left out by --kind, %zu by --warmup, %zu "
		"by --steps",
		cube->step_count, set->dropped_kind, set->dropped_warmup, set->dropped_choice);
	return error_hint(err, "the steps of %s are numbered %lld to %lld; %zu kind%s of step",
		run->name, (long long)cube->step[run->step_first].number,
		(long long)cube->step[run->step_first + run->step_count - 1].number,
		set->kinds.count, set->kinds.count == 1 ? "" : "s");
}

/* Steps of one run: of the wanted kind, without its warm-up, chosen by the user. Returns how many.
 */
static size_t select_run(const struct cube *cube, const struct run *run,
	const struct step_options *opt, struct step_set *set, struct warmup *warmup,
	struct arena *scratch)
{
	uint32_t *mine = arena_array(scratch, run->step_count, sizeof(uint32_t));
	uint32_t *place = arena_array(scratch, cube->step_count, sizeof(uint32_t));
	size_t *position = arena_array(scratch, run->step_count, sizeof(size_t));
	double *total = arena_array(scratch, run->step_count, sizeof(double));
	size_t n = 0, kept = 0, skip = 0;

	for (size_t i = 0; i < run->step_count; i++) {
		uint32_t s = (uint32_t)(run->step_first + i);

		if (opt->kind && set->kinds.of_step[s] != opt->kind) {
			set->dropped_kind++;
			continue;
		}
		position[n] = i + 1;
		mine[n++] = s;
	}
	steady_totals(cube, mine, n, place, total);
	sample_warmup(total, n, sample_resolution(total, n), warmup);
	if (opt->warmup == WARMUP_MODE_COUNT)
		skip = opt->warmup_count < n ? opt->warmup_count : n;
	else if (opt->warmup == WARMUP_MODE_AUTO)
		skip = warmup->drop;
	set->dropped_warmup += skip;
	for (size_t i = skip; i < n; i++) {
		if (!chosen(opt, cube->step[mine[i]].number, position[i])) {
			set->dropped_choice++;
			continue;
		}
		set->step[set->count + kept++] = mine[i];
	}
	return kept;
}

int steps_select(const struct cube *cube, const struct step_options *opt, struct arena *arena,
	struct step_set *out, struct error *err)
{
	struct step_set set = {0};

	kinds_find(cube, arena, &set.kinds);
	if (opt->kind > set.kinds.count) {
		error_set(err, ERROR_INPUT, "--kind", "there is no kind %u", opt->kind);
		return error_hint(err, "the input has %zu kind%s of step", set.kinds.count,
			set.kinds.count == 1 ? "" : "s");
	}
	set.step = arena_array(arena, cube->step_count, sizeof(uint32_t));
	set.first = arena_array(arena, cube->run_count + 1, sizeof(size_t));
	set.run = arena_array(arena, cube->run_count, sizeof(uint32_t));
	set.warmup = arena_array(arena, cube->run_count, sizeof(*set.warmup));
	for (uint32_t r = 0; r < cube->run_count; r++) {
		struct arena *scratch = arena_new();
		size_t kept = select_run(
			cube, &cube->run[r], opt, &set, &set.warmup[set.run_count], scratch);

		arena_free(scratch);
		if (!kept)
			continue;
		set.run[set.run_count] = r;
		set.first[set.run_count++] = set.count;
		set.count += kept;
	}
	set.first[set.run_count] = set.count;
	if (!set.count)
		return nothing_left(cube, &set, err);
	*out = set;
	return 0;
}
