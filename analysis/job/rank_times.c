/* A cell of the matrix for each step of each source. */
#include "analysis/job/rank_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "model/ranks.h"
#include "model/sums/row_sums.h"

#define NO_CELL SIZE_MAX

void rank_times_share(struct rank_times *times, const struct rank_times *from, struct arena *arena)
{
	const struct ranks *of = from->self->ranks;

	*times = *from;
	times->x =
		arena_array(arena, memory_product(times->ranks, times->steps), sizeof(*times->x));
	times->present = arena_array(arena, times->ranks, sizeof(*times->present));
	times->step = arena_array(arena, of->most, sizeof(*times->step));
	times->accelerator = arena_array(arena, of->most, sizeof(*times->accelerator));
	times->cpu = arena_array(arena, of->most, sizeof(*times->cpu));
	times->given = arena_array(arena, of->most, sizeof(*times->given));
}

void rank_times_init(struct rank_times *times, const struct cube *self, size_t ranks, size_t steps,
	struct arena *arena)
{
	const struct ranks *of = self->ranks;
	const struct rank_times places = {.self = self, .ranks = ranks, .steps = steps};

	rank_times_share(times, &places, arena);
	times->recorded =
		arena_array(arena, memory_product(ranks, steps), sizeof(*times->recorded));
	times->cell = arena_array(arena, of->source_count, sizeof(*times->cell));
	times->line = arena_array(arena, of->source_count, sizeof(*times->line));
	for (size_t p = 0; p < of->source_count; p++) {
		times->cell[p] = arena_array(arena, of->source[p].step_count, sizeof(size_t));
		for (size_t s = 0; s < of->source[p].step_count; s++)
			times->cell[p][s] = NO_CELL;
	}
}

void rank_times_place(
	struct rank_times *times, size_t source, size_t source_step, size_t rank, size_t step)
{
	const size_t at = rank * times->steps + step;
	struct rank_line *line = &times->line[source];

	if (line->from == line->to) /* the first */
		*line = (struct rank_line){source_step, source_step, at};
	if (source_step == line->to && at - line->cell == source_step - line->from)
		line->to++;
	else
		*line = (struct rank_line){.from = NO_CELL};
	times->cell[source][source_step] = at;
	times->recorded[at] = true;
}

double *rank_times_at(const struct rank_times *times, size_t source, size_t source_step)
{
	const size_t at = times->cell[source][source_step];

	return at == NO_CELL ? NULL : &times->x[at];
}

void rank_times_clear(struct rank_times *times)
{
	memset(times->x, 0, times->ranks * times->steps * sizeof(*times->x));
	memset(times->present, 0, times->ranks * sizeof(*times->present));
}

void rank_times_join(struct rank_times *times, const struct rank_times *from)
{
	const size_t cells = times->ranks * times->steps;

	for (size_t i = 0; i < cells; i++)
		times->x[i] += from->x[i];
	for (size_t r = 0; r < times->ranks; r++)
		times->present[r] |= from->present[r];
}

/* The rows of a part: which of its times count, and their number. */
struct part_times {
	const int64_t *time;
	size_t count;
};

/* `time` as the source says it, else of the accelerator or of the host. */
static struct part_times read_times(
	struct rank_times *times, const struct rank_part *part, bool accelerator, bool cpu)
{
	const struct packed_rows *rows = times->self->ranks->source[part->source].rows;
	int64_t *column[MEASURE_STEP_COUNT] = {NULL};

	column[MEASURE_ACCELERATOR] = accelerator ? times->accelerator : NULL;
	column[MEASURE_CPU] = cpu ? times->cpu : NULL;
	column[MEASURE_TIME] = rows->have[MEASURE_TIME] ? times->given : NULL;
	return (struct part_times){accelerator ? times->accelerator : times->cpu,
		packed_rows_read(rows, part->op, times->step, column)};
}

static void add_times(
	struct rank_times *times, const struct rank_part *part, const struct part_times *of)
{
	const struct rank_source *source = &times->self->ranks->source[part->source];
	const size_t *cell = times->cell[part->source];
	size_t first = 0, end = 0; /* cells of the rank that was seen last */

	for (size_t i = 0; i < of->count; i++) {
		const bool given =
			source->rows->have[MEASURE_TIME] && times->given[i] != CELL_ABSENT;
		const int64_t time = given ? times->given[i] : of->time[i];
		const size_t at = cell[times->step[i]];

		if (at == NO_CELL)
			continue;
		if (at < first || at >= end) {
			first = at - at % times->steps;
			end = first + times->steps;
			times->present[at / times->steps] = true;
		}
		/* No time is below 0. */
		times->x[at] += time >= 0 ? (double)time : NAN;
	}
}

/* Adds a part as it lies there. False where its steps or their cells do not follow each other, and
 * where its times are not in one column. */
static bool add_line(
	struct rank_times *times, const struct rank_part *part, enum measure_id measure)
{
	const struct packed_rows *rows = times->self->ranks->source[part->source].rows;
	const struct rank_line *line = &times->line[part->source];
	struct packed_line of;

	if (rows->have[MEASURE_TIME] || !packed_rows_line(rows, part->op, measure, &of) ||
		(int64_t)of.column.least < 0 || of.step < line->from ||
		of.step + of.count > line->to)
		return false;

	const size_t first = line->cell + (of.step - line->from);

	for (size_t i = 0; i < of.count; i++)
		times->x[first + i] += (double)packed_column_at(&of.column, i);
	for (size_t r = first / times->steps; r <= (first + of.count - 1) / times->steps; r++)
		times->present[r] = true;
	return true;
}

void rank_times_add(struct rank_times *times, uint32_t op)
{
	const struct ranks *ranks = times->self->ranks;
	const bool accelerator = times->self->has_accelerator[op];

	for (size_t i = ranks->part_first[op]; i < ranks->part_first[op + 1]; i++) {
		const struct rank_part *part = &ranks->part[i];

		ranks_prefetch(ranks, i);
		if (add_line(times, part, accelerator ? MEASURE_ACCELERATOR : MEASURE_CPU))
			continue;

		const struct part_times of = read_times(times, part, accelerator, !accelerator);

		add_times(times, part, &of);
	}
}

static bool has_any(const int64_t *time, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (time[i] != CELL_ABSENT && time[i] != 0)
			return true;
	return false;
}

bool rank_times_add_part(
	struct rank_times *times, uint32_t op, const struct rank_part *part, bool on_accelerator)
{
	struct part_times of = {times->cpu, 0};
	bool has = false;

	if (times->self->has_accelerator[op]) {
		of = read_times(times, part, true, true);
		has = has_any(of.time, of.count);
		of.time = has ? times->accelerator : times->cpu;
	} else if (!on_accelerator) {
		of = read_times(times, part, false, true);
	}
	if (has != on_accelerator)
		return false;
	add_times(times, part, &of);
	return true;
}

void rank_times_finish(struct rank_times *times)
{
	for (size_t r = 0; r < times->ranks; r++)
		for (size_t s = 0; s < times->steps; s++) {
			const size_t at = r * times->steps + s;

			if (!times->present[r] || !times->recorded[at] ||
				times->x[at] > (double)ROW_SUMS_MOST)
				times->x[at] = NAN;
		}
}

struct rank_totals rank_totals_new(const struct rank_times *times, struct arena *arena)
{
	return (struct rank_totals){
		.x = arena_array(arena, times->ranks * times->steps, sizeof(double)),
		.present = arena_array(arena, times->ranks, sizeof(bool))};
}

void rank_totals_add(struct rank_totals *totals, const struct rank_times *times)
{
	const size_t cells = times->ranks * times->steps;

	for (size_t i = 0; i < cells; i++) {
		totals->x[i] += times->x[i];
		totals->total += isnan(times->x[i]) ? 0 : times->x[i];
	}
	for (size_t r = 0; r < times->ranks; r++)
		totals->present[r] |= times->present[r];
}

void rank_totals_take(struct rank_times *times, const struct rank_totals *totals)
{
	memcpy(times->x, totals->x, times->ranks * times->steps * sizeof(*times->x));
	memcpy(times->present, totals->present, times->ranks * sizeof(*times->present));
	rank_times_finish(times);
}

/* A cube in which each rank of each run is a run, with a summary of its own. */

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
ORDERED(compare_ranks, struct rank_run,
	text_compare_natural(x->rank ? x->rank : "", y->rank ? y->rank : "")
		?: ORDER(x->run, y->run));

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
