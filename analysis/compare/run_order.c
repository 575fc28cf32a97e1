/* Sorts the runs of both sides by their start and looks for rounds and for blocks. */
#include "analysis/compare/run_order.h"

#include <math.h>
#include <stdlib.h>
#include "analysis/steps.h"
#include "base/day.h"
#include "base/number.h"
#include "base/order.h"
#include "stats/ranks.h"

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

ORDERED(compare_starts, struct timed_run,
	ORDER(x->start_ns, y->start_ns) ?: ORDER(x->of_new, y->of_new));

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

/* Compares the needed steps of the runs by their ranks, and adds up what the further ones cost. */

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
		double above_ps = new_side->warmup_kept[r].above_ps;
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

/* Finds the runs that are on both sides. */

#define SHARED_OPS_LEAST 3
/* A copy of each run makes one pair in so many as there are runs equal, and none of one side. */
#define GRID_PART 0.5

struct side_run {
	struct run_print print;
	size_t run;
	bool of_new;
};

/* Work space for the series of one side. */
struct side_reader {
	const struct run_side *side;
	struct group_series series;
	struct side_run *run;
};

static struct side_reader reader_new(
	const struct run_side *side, struct arena *arena, struct side_run *run)
{
	const size_t n = side->steps->count;

	return (struct side_reader){.side = side,
		.run = run,
		.series = {.cube = side->cube,
			.step_index = side->steps->index_of,
			.count = n,
			.value = arena_array(arena, n, sizeof(int64_t)),
			.state = arena_array(arena, n, 1)}};
}

/* A row, in all runs of a side; what is not known is a value as well. */
static void add_row(const struct side_reader *reader, const struct group *group, size_t row)
{
	const struct step_set *steps = reader->side->steps;
	const int64_t *value = reader->series.value;
	const unsigned char *state = reader->series.state;

	grouping_values(&reader->series, group, MEASURE_TIME);
	for (size_t r = 0; r < steps->run_count; r++) {
		int64_t ps, before = 0;
		bool ran = false;

		for (size_t i = steps->first[r]; i < steps->first[r + 1]; i++) {
			if (!state[i])
				continue;
			ps = state[i] == 1 ? value[i] : CELL_ABSENT;
			run_print_add(&reader->run[r].print, (uint32_t)row,
				(uint32_t)(i - steps->first[r]), ps, ran ? &before : NULL);
			before = ps;
			ran = true;
		}
	}
}

/* The first rows that are on both sides, at most `most`. */
static void take_prints(const struct comparison *c, const struct side_reader reader[2],
	double resolution_ps, size_t most)
{
	size_t taken = 0;

	for (int side = 0; side < 2; side++) {
		bool of_new = side == 1;
		const struct step_set *steps = reader[side].side->steps;

		for (size_t r = 0; r < steps->run_count; r++) {
			const size_t count = steps->first[r + 1] - steps->first[r];

			reader[side].run[r] =
				(struct side_run){run_print_new(count, resolution_ps), r, of_new};
			run_print_add_step_times(&reader[side].run[r].print,
				reader[side].side->self, steps->step + steps->first[r], count);
		}
	}
	for (size_t i = 0; i < c->count && taken < most; i++) {
		if (!c->row[i].base || !c->row[i].new)
			continue;
		add_row(&reader[0], c->row[i].base, i);
		add_row(&reader[1], c->row[i].new, i);
		taken++;
	}
}

/* Runs of one print next to each other, base before new. */
ORDERED(compare_runs, struct side_run,
	ORDER(x->print.hash, y->print.hash)
		?: ORDER(x->of_new, y->of_new)
		?: ORDER(x->run, y->run));

/* Runs of new that are runs of base, and what their times tell together. */
struct twins {
	size_t runs, moves, telling;
	size_t pairs, first_base, first_new;
	size_t pairs_base, pairs_new; /* of equal runs of one side */
	size_t distinct;	      /* prints of both sides */
	bool differ;		      /* a print is more frequent on one side */
};

/* run[0 .. n): of one hash. */
static void join_shared_runs(const struct side_run *run, size_t n, struct twins *twins)
{
	size_t of_base = 0, of_new = 0, first_new = 0;

	for (size_t i = 0; i < n; i++) {
		if (!run_print_equal(&run->print, &run[i].print))
			continue;
		if (run[i].of_new && !of_new++)
			first_new = run[i].run;
		of_base += !run[i].of_new;
	}
	twins->distinct++;
	twins->differ |= of_base != of_new;
	twins->pairs_base += of_base * (of_base - (of_base > 0)) / 2;
	twins->pairs_new += of_new * (of_new - (of_new > 0)) / 2;
	if (!of_base || !of_new)
		return;
	if (!twins->pairs || run->run < twins->first_base) {
		twins->first_base = run->run;
		twins->first_new = first_new;
	}
	twins->runs += of_new;
	twins->moves += of_new * run->print.moves;
	twins->telling += of_new * run->print.telling;
	twins->pairs += of_base * of_new;
}

static struct twins find_shared_runs(struct side_run *run, size_t n)
{
	struct twins twins = {0};

	qsort(run, n, sizeof(*run), compare_runs);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && run[end].print.hash == run[i].print.hash; end++)
			;
		join_shared_runs(run + i, end - i, &twins);
	}
	return twins;
}

/* True if runs of one side are equal about as often as runs of both are. Then equal values are what
 * a coarse grid gives to runs of one program, and no copies; but for the same many values, equally
 * often, on both sides. */
static bool is_grid(const struct twins *twins, size_t base, size_t new)
{
	const double of_one = (double)(twins->pairs_base + twins->pairs_new);
	const double most =
		(double)base * ((double)base - 1) / 2 + (double)new *((double)new - 1) / 2;

	if (!twins->differ && 2 * twins->distinct >= base)
		return false;
	return most > 0 &&
	       of_one / most > GRID_PART * (double)twins->pairs / ((double)base * (double)new);
}

/* Runs that share a part of their ops need more than that it is equal. */
static bool has_enough_rows(const struct comparison *c)
{
	size_t shared = 0;

	for (size_t i = 0; i < c->count; i++)
		shared += c->row[i].base && c->row[i].new;
	return shared == c->count || shared >= SHARED_OPS_LEAST;
}

void shared_runs_find(const struct comparison_input *input, struct comparison *comparison)
{
	const struct run_side *base = &input->base.run, *new = &input->new.run;
	const size_t n = base->steps->run_count + new->steps->run_count;
	struct arena *scratch;
	struct side_reader reader[2];
	struct side_run *run;
	struct twins twins;
	double resolution_ps;

	if (!n || !has_enough_rows(comparison) || !cube_has(base->cube, MEASURE_TIME) ||
		!cube_has(new->cube, MEASURE_TIME))
		return;
	scratch = arena_new();
	run = arena_array(scratch, n, sizeof(*run));
	reader[0] = reader_new(base, scratch, run);
	reader[1] = reader_new(new, scratch, run + base->steps->run_count);
	resolution_ps = base->steps->time_resolution_ps;
	if (resolution_ps < new->steps->time_resolution_ps)
		resolution_ps = new->steps->time_resolution_ps;
	take_prints(comparison, reader, resolution_ps, RUN_PRINT_FIRST_OPS);
	twins = find_shared_runs(run, n);
	if (twins.runs) {
		take_prints(comparison, reader, resolution_ps, SIZE_MAX);
		twins = find_shared_runs(run, n);
	}
	if (run_print_tells(twins.moves, twins.telling) &&
		!is_grid(&twins, base->steps->run_count, new->steps->run_count)) {
		comparison->duplicates = twins.pairs;
		comparison->duplicate_base = twins.first_base;
		comparison->duplicate_new = twins.first_new;
		comparison->new_is_base |= twins.runs == new->steps->run_count;
	}
	arena_free(scratch);
}
