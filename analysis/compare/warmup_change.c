/*
 * Compares the needed steps of the runs by their ranks, and adds up what the further ones cost.
 */
#include "analysis/compare/warmup_change.h"

#include <math.h>
#include "base/memory.h"
#include "stats/ranks.h"

static double *needed_steps(const struct step_set *steps, struct arena *scratch)
{
	double *needed = arena_array(scratch, steps->run_count, sizeof(*needed));

	for (size_t r = 0; r < steps->run_count; r++)
		needed[r] = (double)steps_warmup_needed(steps, r);
	return needed;
}

void warmup_change_find(
	const struct step_set *base, const struct step_set *new_side, struct warmup_change *out)
{
	*out = (struct warmup_change){.left_out = base->warmup_most, .p = NAN};
	if (!base->is_alike || !new_side->is_alike)
		return;
	for (size_t r = 0; r < new_side->run_count; r++) {
		size_t needed = steps_warmup_needed(new_side, r);
		size_t kept = new_side->first[r + 1] - new_side->first[r];
		double above_ps = new_side->warmup_kept_ps[r];
		double rest_ps = (double)kept * new_side->warmup[r].median;

		if (needed <= new_side->skipped[r])
			continue;
		out->least = !out->runs || needed < out->least ? needed : out->least;
		out->most = needed > out->most ? needed : out->most;
		out->runs++;
		out->time_ps += above_ps / (double)kept;
		if (rest_ps > 0)
			out->fraction += above_ps / rest_ps;
	}
	if (!out->runs)
		return;
	out->typical = 2 * out->runs > new_side->run_count;
	out->time_ps /= (double)new_side->run_count;
	out->fraction /= (double)new_side->run_count;

	struct arena *scratch = arena_new();
	struct rank_tables tables;
	struct rank_test test;

	rank_tables_init(&tables);
	rank_sum_test(&tables,
		&(struct rank_samples){needed_steps(base, scratch), base->run_count,
			needed_steps(new_side, scratch), new_side->run_count},
		&test);
	out->p = test.greater;
	rank_tables_release(&tables);
	arena_free(scratch);
}
