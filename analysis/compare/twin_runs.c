/*
 * Finds the runs that are on both sides.
 */
#include "analysis/compare/twin_runs.h"

#include <stdlib.h>
#include "analysis/run_prints.h"
#include "base/memory.h"
#include "base/order.h"

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
static int compare_runs(const void *a, const void *b)
{
	const struct side_run *x = a, *y = b;

	return ORDER(x->print.hash, y->print.hash)
		?: ORDER(x->of_new, y->of_new)
		?: ORDER(x->run, y->run);
}

/* Runs of new that are runs of base, and what their times tell together. */
struct twins {
	size_t runs, moves, telling;
	size_t pairs, first_base, first_new;
	size_t pairs_base, pairs_new; /* of equal runs of one side */
	size_t distinct;	      /* prints of both sides */
	bool differ;		      /* a print is more frequent on one side */
};

/* run[0 .. n): of one hash. */
static void join_twins(const struct side_run *run, size_t n, struct twins *twins)
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

static struct twins find_twins(struct side_run *run, size_t n)
{
	struct twins twins = {0};

	qsort(run, n, sizeof(*run), compare_runs);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && run[end].print.hash == run[i].print.hash; end++)
			;
		join_twins(run + i, end - i, &twins);
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

void twin_runs_find(const struct comparison_input *input, struct comparison *comparison)
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
	twins = find_twins(run, n);
	if (twins.runs) {
		take_prints(comparison, reader, resolution_ps, SIZE_MAX);
		twins = find_twins(run, n);
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
