/*
 * Sorts the runs of both sides by their start and looks for rounds and for blocks.
 */
#include "analysis/compare/run_order.h"

#include <stdlib.h>
#include "base/day.h"
#include "base/number.h"
#include "base/order.h"

#define PS_PER_NS 1000

/* A run from its first to its last known step. */
struct timed_run {
	int64_t start_ns, end_ns;
	bool of_new;
	size_t run; /* of the side's kept runs */
};

/* All steps of the run: what is left out of the statistics took its time, too. Where no step has
 * times, the run has a start alone, which is the base of each. */
static bool time_run(const struct run_side *side, size_t r, struct timed_run *out)
{
	const struct run *run = &side->self->run[side->steps->run[r]];
	size_t timed = 0;

	for (size_t pass = 0; pass < 2 && !timed; pass++)
		for (size_t i = 0; i < run->step_count; i++) {
			const struct step *step = &side->self->step[run->step_first + i];

			if (!step->has_wall && !pass)
				continue;

			bool first = timed++ == 0;
			int64_t start, end;

			if (step->base_ns < NS_YEAR_2000 ||
				!number_add(step->base_ns, step->start_ps / PS_PER_NS, &start) ||
				!number_add(step->base_ns, step->end_ps / PS_PER_NS, &end))
				return false;
			if (first || start < out->start_ns)
				out->start_ns = start;
			if (first || end > out->end_ns)
				out->end_ns = end;
		}
	return timed > 0;
}

static bool time_side(const struct run_side *side, bool of_new, struct timed_run *out)
{
	for (size_t r = 0; r < side->steps->run_count; r++) {
		out[r] = (struct timed_run){.of_new = of_new, .run = r};
		if (!time_run(side, r, &out[r]))
			return false;
	}
	return side->steps->run_count > 1;
}

static int compare_starts(const void *a, const void *b)
{
	const struct timed_run *x = a, *y = b;

	return ORDER(x->start_ns, y->start_ns) ?: ORDER(x->of_new, y->of_new);
}

/* Two jobs at the same time are not in turns, even if their runs start by turns. */
static bool has_rounds(const struct timed_run *run, size_t count)
{
	for (size_t i = 0; i + 1 < count; i++)
		if (run[i].end_ns > run[i + 1].start_ns || run[i].start_ns == run[i + 1].start_ns)
			return false;
	for (size_t i = 0; i + 1 < count; i += 2)
		if (run[i].of_new == run[i + 1].of_new)
			return false;
	return count % 2 == 0 && count / 2 >= RUN_ORDER_ROUNDS_LEAST;
}

static void fill_rounds(
	const struct timed_run *run, size_t count, struct arena *arena, struct run_order *out)
{
	size_t *round = arena_array(arena, count / 2, sizeof(*round));
	size_t base_leads = 0;

	for (size_t i = 0; i < count; i += 2) {
		const struct timed_run *base = &run[i + run[i].of_new];
		const struct timed_run *new = &run[i + !run[i].of_new];

		round[base->run] = new->run;
		base_leads += base == &run[i];
	}
	*out = (struct run_order){.kind = RUN_ORDER_ROUNDS,
		.round = round,
		.rounds = count / 2,
		.base_leads = base_leads == count / 2,
		.new_leads = base_leads == 0};
}

/* Between the end of one side and the start of the other; below 0 where they overlap, also where
 * both have a run of one second or day, whose order is not known. */
static int64_t gap_after(const struct timed_run *first, size_t count, const struct timed_run *then,
	size_t then_count)
{
	int64_t end = first[0].end_ns, start = then[0].start_ns;

	for (size_t i = 1; i < then_count; i++)
		start = then[i].start_ns < start ? then[i].start_ns : start;
	for (size_t i = 0; i < count; i++) {
		end = first[i].end_ns > end ? first[i].end_ns : end;
		if (first[i].start_ns == start)
			return -1;
	}
	return start - end; /* both are above 0 */
}

void run_order_find(const struct run_side *base, const struct run_side *new, struct arena *arena,
	struct run_order *out)
{
	size_t runs_base = base->steps->run_count, runs_new = new->steps->run_count;
	struct arena *scratch = arena_new();
	struct timed_run *run = arena_array(scratch, runs_base + runs_new, sizeof(*run));
	int64_t gap;

	*out = (struct run_order){.kind = RUN_ORDER_UNKNOWN};
	if (!time_side(base, false, run) || !time_side(new, true, run + runs_base)) {
		arena_free(scratch);
		return;
	}
	out->kind = RUN_ORDER_MIXED;
	if ((gap = gap_after(run, runs_base, run + runs_base, runs_new)) >= 0)
		*out = (struct run_order){.kind = RUN_ORDER_BASE_FIRST, .gap_ns = gap};
	else if ((gap = gap_after(run + runs_base, runs_new, run, runs_base)) >= 0)
		*out = (struct run_order){.kind = RUN_ORDER_NEW_FIRST, .gap_ns = gap};
	else {
		qsort(run, runs_base + runs_new, sizeof(*run), compare_starts);
		if (has_rounds(run, runs_base + runs_new))
			fill_rounds(run, runs_base + runs_new, arena, out);
	}
	arena_free(scratch);
}
