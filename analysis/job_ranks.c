/*
 * One matrix of ranks and steps at a time is unpacked: of each class, then of each row.
 */
#include "analysis/job_ranks.h"

#include <math.h>
#include <string.h>
#include "base/intern.h"
#include "base/memory.h"

/* A matrix that is being summed up, and the unpacked rows of one op of one rank. */
struct rank_sums {
	const struct cube *self;
	const struct step_set *steps;
	size_t ranks;
	double *x;	/* [rank][kept step], ps */
	bool *recorded; /* the same: the rank has this step */
	bool *present;	/* of each rank: the row is there in some step */
	size_t **cell;	/* [source][step]: index in x, or NO_CELL */
	uint32_t *step;
	int64_t *time, *given; /* of the rows of a part: as the op's kind says, as `time` itself */
};

#define NO_CELL SIZE_MAX

static void find_cells(struct rank_sums *sums, struct arena *scratch)
{
	const struct ranks *ranks = sums->self->ranks;

	sums->cell = arena_array(scratch, ranks->source_count, sizeof(size_t *));
	for (size_t p = 0; p < ranks->source_count; p++) {
		const struct rank_source *source = &ranks->source[p];

		sums->cell[p] = arena_array(scratch, source->step_count, sizeof(size_t));
		for (size_t s = 0; s < source->step_count; s++) {
			uint32_t at = source->step_of[s];

			sums->cell[p][s] = NO_CELL;
			at = at == UINT32_MAX ? STEP_NOT_KEPT : sums->steps->index_of[at];
			if (at == STEP_NOT_KEPT || source->rank_of[s] == UINT32_MAX)
				continue;
			sums->cell[p][s] = source->rank_of[s] * sums->steps->count + at;
			sums->recorded[sums->cell[p][s]] = true;
		}
	}
}

static void sums_init(struct rank_sums *sums, const struct summary *summary,
	const struct cube *self, struct arena *scratch)
{
	const struct ranks *ranks = self->ranks;
	const size_t cells = memory_product(ranks->count, summary->steps->count);

	*sums = (struct rank_sums){.self = self, .steps = summary->steps, .ranks = ranks->count};
	sums->x = arena_array(scratch, cells, sizeof(*sums->x));
	sums->recorded = arena_array(scratch, cells, sizeof(*sums->recorded));
	sums->present = arena_array(scratch, ranks->count, sizeof(*sums->present));
	sums->step = arena_array(scratch, ranks->most, sizeof(*sums->step));
	sums->time = arena_array(scratch, ranks->most, sizeof(*sums->time));
	sums->given = arena_array(scratch, ranks->most, sizeof(*sums->given));
	find_cells(sums, scratch);
}

static void sums_clear(struct rank_sums *sums)
{
	memset(sums->x, 0, sums->ranks * sums->steps->count * sizeof(*sums->x));
	memset(sums->present, 0, sums->ranks * sizeof(*sums->present));
}

/* `time` by the rule of the cube: as the source says, else the accelerator's where the op has any.
 */
static size_t read_times(
	struct rank_sums *sums, const struct packed_rows *rows, uint32_t op, uint32_t part_op)
{
	const bool on_device = sums->self->has_accelerator[op];
	int64_t *column[MEASURE_STEP_COUNT] = {NULL};
	size_t n;

	column[on_device ? MEASURE_ACCELERATOR : MEASURE_CPU] = sums->time;
	column[MEASURE_TIME] = rows->have[MEASURE_TIME] ? sums->given : NULL;
	n = packed_rows_read(rows, part_op, sums->step, column);
	for (size_t i = 0; rows->have[MEASURE_TIME] && i < n; i++)
		if (sums->given[i] != CELL_ABSENT)
			sums->time[i] = sums->given[i];
	return n;
}

/* Known; no time is below 0. */
static bool is_time(int64_t time_ps)
{
	return time_ps >= 0;
}

static void add_part(struct rank_sums *sums, uint32_t op, const struct rank_part *part)
{
	const struct rank_source *source = &sums->self->ranks->source[part->source];
	const size_t n = read_times(sums, source->rows, op, part->op);
	const size_t *cell = sums->cell[part->source];

	for (size_t i = 0; i < n; i++) {
		const size_t at = cell[sums->step[i]];

		if (at == NO_CELL)
			continue;
		sums->present[source->rank_of[sums->step[i]]] = true;
		sums->x[at] += is_time(sums->time[i]) ? (double)sums->time[i] : NAN;
	}
}

static void add_op(struct rank_sums *sums, uint32_t op)
{
	const struct ranks *ranks = sums->self->ranks;

	for (size_t i = ranks->part_first[op]; i < ranks->part_first[op + 1]; i++)
		add_part(sums, op, &ranks->part[i]);
}

/* An op that a rank never ran is not one that took no time there; a step that it did not record has
 * no value, and neither has one that is too long for sums of squares. */
static void sums_finish(struct rank_sums *sums)
{
	const size_t steps = sums->steps->count;

	for (size_t r = 0; r < sums->ranks; r++)
		for (size_t s = 0; s < steps; s++)
			if (!sums->present[r] || !sums->recorded[r * steps + s] ||
				sums->x[r * steps + s] > (double)ROW_SUMS_MOST)
				sums->x[r * steps + s] = NAN;
}

/* Groups of ranks by number, in order of their first ranks; NULL: there are none. */
static size_t *number_groups(const struct ranks *ranks, struct arena *arena, size_t *count)
{
	size_t *group = arena_array(arena, ranks->count, sizeof(*group));
	struct intern *names = intern_new(arena);
	bool any = false;

	for (size_t r = 0; r < ranks->count; r++) {
		const char *name = ranks->rank[r].group ? ranks->rank[r].group : "";

		any |= ranks->rank[r].group != NULL;
		group[r] = intern_id(names, name, strlen(name));
	}
	*count = any ? intern_count(names) : 1;
	return any ? group : NULL;
}

static size_t smallest_group(const struct ranks *ranks, const size_t *group, struct arena *arena)
{
	size_t *members = arena_array(arena, ranks->count, sizeof(*members));
	size_t least = ranks->count;

	for (size_t r = 0; r < ranks->count && group; r++)
		members[group[r]]++;
	for (size_t g = 0; g < ranks->count; g++)
		least = members[g] && members[g] < least ? members[g] : least;
	return least;
}

struct job_ranks_maker {
	const struct summary *summary;
	const struct cube *self;
	struct job_ranks *out;
	struct rank_sums sums;
	struct rank_culprits *culprits;
	const size_t *group; /* of each rank; NULL: all are one */
	size_t groups;
	struct row_sums *group_sums; /* of the matrix; one for each group */
};

/* Sums up the matrix, until release_sums. */
static void take_group_sums(struct job_ranks_maker *m)
{
	const struct rank_matrix matrix = {
		.x = m->sums.x, .ranks = m->sums.ranks, .steps = m->out->steps, .group = m->group};

	rank_matrix_sums(&matrix, m->group_sums, m->groups);
}

static void release_group_sums(struct job_ranks_maker *m)
{
	for (size_t g = 0; g < m->groups; g++)
		row_sums_release(&m->group_sums[g]);
}

static void add_split(struct job_ranks_maker *m, enum split_of of, size_t index)
{
	struct job_split *split = &m->out->split[m->out->split_count++];

	split->of = of;
	split->index = index;
	rank_split_compute(m->group_sums, m->groups, &split->split);
}

/* Does the op count for the work? All that is measured, or what the rules selected. */
static bool *find_selected(const struct job_ranks_maker *m, struct arena *scratch)
{
	const struct grouping *grouping = m->summary->grouping;
	const bool all = !m->summary->options.of_selected || m->summary->overlap;
	bool *selected = arena_array(scratch, m->self->op_count, sizeof(*selected));

	for (size_t o = 0; o < m->self->op_count; o++)
		selected[o] = all;
	for (size_t g = 0; g < grouping->count && !all; g++)
		for (size_t i = 0; i < grouping->group[g].op_count; i++)
			selected[grouping->group[g].op[i]] = true;
	return selected;
}

/* The sums of several classes. */
struct class_sums {
	double *x;
	bool *present;
	double total;
};

static struct class_sums new_class_sums(const struct job_ranks_maker *m, struct arena *scratch)
{
	return (struct class_sums){
		.x = arena_array(scratch, m->sums.ranks * m->out->steps, sizeof(double)),
		.present = arena_array(scratch, m->sums.ranks, sizeof(bool))};
}

static void add_sums(struct class_sums *to, const struct rank_sums *from)
{
	const size_t cells = from->ranks * from->steps->count;

	for (size_t i = 0; i < cells; i++) {
		to->x[i] += from->x[i];
		to->total += isnan(from->x[i]) ? 0 : from->x[i];
	}
	for (size_t r = 0; r < from->ranks; r++)
		to->present[r] |= from->present[r];
}

/* The matrix becomes that of several classes. */
static void take_sums(struct rank_sums *to, const struct class_sums *from)
{
	memcpy(to->x, from->x, to->ranks * to->steps->count * sizeof(*to->x));
	memcpy(to->present, from->present, to->ranks * sizeof(*to->present));
	sums_finish(to);
}

/* Splits each class and leaves the matrix of the work; where that has no time, of all there is. */
static void sum_classes(struct job_ranks_maker *m, const bool *selected, struct arena *scratch)
{
	const struct op_classes *classes = &m->out->classes;
	struct class_sums work = new_class_sums(m, scratch), all = new_class_sums(m, scratch);

	for (size_t c = 0; c < classes->count; c++) {
		bool any = false;

		sums_clear(&m->sums);
		for (uint32_t o = 0; o < m->self->op_count; o++)
			if (selected[o] && classes->of_op[o] == c) {
				add_op(&m->sums, o);
				any = true;
			}
		if (!any)
			continue;
		add_sums(&all, &m->sums);
		if (classes->item[c].is_work)
			add_sums(&work, &m->sums);
		sums_finish(&m->sums);
		take_group_sums(m);
		add_split(m, SPLIT_OF_CLASS, c);
		release_group_sums(m);
	}
	m->out->without_waiting = work.total > 0;
	take_sums(&m->sums, m->out->without_waiting ? &work : &all);
}

static void describe_work(struct job_ranks_maker *m, struct arena *arena)
{
	const size_t steps = m->out->steps;

	m->out->work_ps = arena_array(arena, m->sums.ranks, sizeof(*m->out->work_ps));
	m->out->work_of_step_ps = arena_array(
		arena, memory_product(m->sums.ranks, steps), sizeof(*m->out->work_of_step_ps));
	memcpy(m->out->work_of_step_ps, m->sums.x, m->sums.ranks * steps * sizeof(double));
	for (size_t r = 0; r < m->sums.ranks; r++) {
		double sum = 0;
		size_t n = 0;

		for (size_t s = 0; s < steps; s++) {
			const double x = m->sums.x[r * steps + s];

			sum += isnan(x) ? 0 : x;
			n += !isnan(x);
		}
		m->out->work_ps[r] = n ? sum / (double)n : NAN;
	}
}

static void add_work(struct job_ranks_maker *m, struct arena *arena, struct arena *scratch)
{
	const bool *selected = find_selected(m, scratch);

	m->out->split_count = 1; /* the first is that of the work, which the classes add up to */
	sum_classes(m, selected, scratch);
	describe_work(m, arena);
	take_group_sums(m);
	rank_split_compute(m->group_sums, m->groups, &m->out->split[0].split);
	release_group_sums(m);
	rank_culprits_whole(m->culprits, m->sums.x, m->out->rank);
}

static bool is_work(const struct op_classes *classes, uint32_t op)
{
	return classes->item[classes->of_op[op]].is_work;
}

/* Is all of the row work? The time of the others depends on who else is slow. */
static bool is_row_of_work(const struct group *group, const struct op_classes *classes)
{
	for (size_t i = 0; i < group->op_count; i++)
		if (!is_work(classes, group->op[i]))
			return false;
	return true;
}

static void add_rows(struct job_ranks_maker *m)
{
	const struct grouping *grouping = m->summary->grouping;

	for (size_t g = 0; g < grouping->count; g++) {
		const struct group *group = &grouping->group[g];

		sums_clear(&m->sums);
		for (size_t i = 0; i < group->op_count; i++)
			add_op(&m->sums, group->op[i]);
		sums_finish(&m->sums);
		take_group_sums(m);
		add_split(m, SPLIT_OF_ROW, g);
		if (is_row_of_work(group, &m->out->classes))
			rank_culprits_row(m->culprits, g, m->group_sums);
		release_group_sums(m);
	}
}

static void release_culprits(void *object)
{
	rank_culprits_free(object);
}

struct job_ranks *job_ranks_make(const struct summary *summary, const struct cube *self,
	const struct op_classes *classes, struct arena *arena)
{
	struct arena *scratch = arena_new();
	struct job_ranks *out = arena_alloc(arena, sizeof(*out));
	struct job_ranks_maker m = {.summary = summary, .self = self, .out = out};

	out->of = self->ranks;
	out->steps = summary->steps->count;
	out->rank = arena_array(arena, self->ranks->count, sizeof(*out->rank));
	out->classes = *classes;
	out->split = arena_array(
		arena, summary->grouping->count + classes->count + 1, sizeof(*out->split));
	sums_init(&m.sums, summary, self, scratch);
	m.group = number_groups(self->ranks, scratch, &m.groups);
	m.group_sums = arena_array(scratch, m.groups, sizeof(*m.group_sums));
	out->least = smallest_group(self->ranks, m.group, scratch);
	m.culprits = rank_culprits_new(self->ranks->count, out->steps, m.group);
	arena_defer(arena, release_culprits, m.culprits);
	add_work(&m, arena, scratch);
	if (summary->cube == self) /* rows of totals are not in the ranks */
		add_rows(&m);
	out->collectives = job_collectives_make(summary, self, arena);
	out->culprit = rank_culprits_named(m.culprits, &out->culprit_count);
	out->tests = rank_culprits_tests(m.culprits);
	arena_free(scratch);
	return out;
}
