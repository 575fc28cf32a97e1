/*
 * A cube in which each rank of each run is a run, with a summary of its own.
 */
#include "analysis/job/rank_rows.h"

#include <stdlib.h>
#include "base/order.h"
#include "model/ranks.h"

struct rank_rows {
	struct cube *self, *totals; /* totals: of rows that are, else NULL */
	struct step_set steps;
	struct summary *summary;
};

static void release_rows(void *object)
{
	struct rank_rows *rows = object;

	summary_free(rows->summary);
	cube_free(rows->totals);
	cube_free(rows->self);
}

/* A run of the cube of ranks; the ranks of one run have its name and follow each other. */
struct rank_run {
	uint32_t run;
	const char *rank;
};

/* Ranks in natural order of their names, runs in their order. */
static int compare_ranks(const void *a, const void *b)
{
	const struct rank_run *x = a, *y = b;

	return text_compare_natural(x->rank ? x->rank : "", y->rank ? y->rank : "")
		       ?: ORDER(x->run, y->run);
}

static void choose_steps(struct step_set *out, const struct summary *summary,
	const struct cube *job, const struct cube *ranks, bool per_run)
{
	struct arena *arena = summary->arena;
	struct rank_run *order = arena_array(arena, ranks->run_count, sizeof(*order));
	uint32_t *job_run = arena_array(arena, ranks->run_count, sizeof(*job_run));

	for (uint32_t r = 0; r < ranks->run_count; r++) {
		order[r] = (struct rank_run){r, ranks->run[r].rank};

		uint32_t from = r ? job_run[r - 1] : 0;

		while (from < job->run_count &&
			!text_equal(job->run[from].name, ranks->run[r].name))
			from++;
		job_run[r] = from;
	}
	if (!per_run && ranks->run_count)
		qsort(order, ranks->run_count, sizeof(*order), compare_ranks);
	out->time_resolution_ps = summary->steps->time_resolution_ps;
	out->step = arena_array(arena, ranks->step_count, sizeof(*out->step));
	out->index_of = arena_array(arena, ranks->step_count, sizeof(*out->index_of));
	out->run = arena_array(arena, ranks->run_count, sizeof(*out->run));
	out->first = arena_array(arena, ranks->run_count + 1, sizeof(*out->first));
	for (size_t s = 0; s < ranks->step_count; s++)
		out->index_of[s] = STEP_NOT_KEPT;
	for (size_t i = 0; i < ranks->run_count; i++) {
		const uint32_t r = order[i].run;

		if (job_run[r] == job->run_count)
			continue;

		/* The steps of the run that the job keeps. Steps are in order of number on both
		 * sides. */
		const struct run *of = &job->run[job_run[r]];
		size_t at = of->step_first;
		const size_t end = of->step_first + of->step_count;

		for (size_t j = 0; j < ranks->run[r].step_count; j++) {
			const uint32_t step = (uint32_t)(ranks->run[r].step_first + j);

			while (at < end && job->step[at].number < ranks->step[step].number)
				at++;
			if (at == end || job->step[at].number != ranks->step[step].number ||
				summary->steps->index_of[at] == STEP_NOT_KEPT)
				continue;
			out->index_of[step] = (uint32_t)out->count;
			out->step[out->count++] = step;
		}
		if (out->count == out->first[out->run_count])
			continue;
		out->run[out->run_count++] = r;
		out->first[out->run_count] = out->count;
	}
}

int rank_rows_add(struct summary *summary, const struct cube *self, bool per_run, struct error *err)
{
	struct rank_rows *rows = arena_alloc(summary->arena, sizeof(*rows));
	struct summary_options opt = summary->options;

	arena_defer(summary->arena, release_rows, rows);
	rows->self = cube_of_ranks(self);
	if (summary->overlap) {
		rows->totals = cube_totals(rows->self, err);
		if (!rows->totals)
			return -1;
	}
	choose_steps(&rows->steps, summary, self, rows->self, per_run);
	opt.parts = per_run ? PARTS_RUNS : PARTS_RANKS;
	rows->summary = summary_make(rows->self, rows->totals ? rows->totals : rows->self,
		&rows->steps, summary->grouping, &opt);
	summary->part = rows->summary->part;
	summary->part_count = rows->summary->part_count;
	summary->parts_of = rows->summary;
	return 0;
}
