/* A matrix of ranks and steps is unpacked of each class, then of each row, by several threads. */
#include "analysis/job/job_ranks.h"

#include <math.h>
#include <string.h>
#include "analysis/device_causes.h"
#include "analysis/job/job_sums.h"
#include "analysis/job/rank_times.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/ordered_work.h"
#include "base/text.h"
#include "base/threads.h"
#include "stats/sample.h"

#define MATRICES_MOST_BYTES ((size_t)32 << 20) /* of further threads */
#define VALUES_WORTH ((size_t)1 << 20)	       /* of all classes: fewer start no threads */

struct job_ranks_maker {
	const struct summary *summary;
	const struct cube *self;
	struct job_ranks *out;
	struct rank_times times;
	struct rank_times *of_thread; /* the first is that one; others with the same places */
	size_t threads;
	struct rank_culprits *culprits;
	const size_t *group; /* of each rank; NULL: all are one */
	size_t groups;
	struct row_sums *group_sums; /* of a row; one for each group */
	struct part_sums part;	     /* where only sums are there: is_part */
	bool is_part;
};

/* Threads that have a matrix each. */
static void make_matrices(struct job_ranks_maker *m, struct arena *scratch)
{
	const size_t bytes = m->times.ranks * m->times.steps * sizeof(double);
	const size_t most = 1 + MATRICES_MOST_BYTES / (bytes + 1),
		     wanted = m->summary->options.threads ? m->summary->options.threads : 1;

	m->threads = wanted < most ? wanted : most;
	m->of_thread = arena_array(scratch, m->threads, sizeof(*m->of_thread));
	m->of_thread[0] = m->times;
	for (size_t t = 1; t < m->threads; t++)
		rank_times_share(&m->of_thread[t], &m->times, scratch);
}

/* Sums up the matrix, until release_sums. */
static void sum_groups(const struct job_ranks_maker *m, const struct rank_times *times,
	struct row_sums *group_sums)
{
	const struct rank_matrix matrix = {
		.x = times->x, .ranks = times->ranks, .steps = m->out->steps, .group = m->group};

	rank_matrix_sums(&matrix, group_sums, m->groups);
}

static void take_group_sums(struct job_ranks_maker *m)
{
	sum_groups(m, &m->times, m->group_sums);
}

static void release_group_sums(struct job_ranks_maker *m)
{
	for (size_t g = 0; g < m->groups; g++)
		row_sums_release(&m->group_sums[g]);
}

/* True if the sums of the part are those of the kept steps. */
static bool has_part_rows(const struct job_ranks_maker *m)
{
	return m->part.set && m->part.same_steps && m->out->rows_are_known;
}

static void add_split(struct job_ranks_maker *m, enum split_of of, size_t index)
{
	struct job_split *split = &m->out->split[m->out->split_count++];

	split->of = of;
	split->index = index;
	rank_split_compute(m->group_sums, m->groups, &split->split);
}

/* The ops of a class, which threads take. */
struct class_sum {
	struct job_ranks_maker *m;
	const bool *selected;
	size_t class;
};

static void add_op(void *object, size_t o, size_t thread)
{
	const struct class_sum *sum = object;

	if (sum->selected[o] && sum->m->out->classes.of_op[o] == sum->class)
		rank_times_add(&sum->m->of_thread[thread], (uint32_t)o);
}

/* The matrix becomes that of a class. Its sums are whole numbers, in whatever order. */
static void sum_class(struct job_ranks_maker *m, size_t class, const bool *selected)
{
	struct class_sum sum = {.m = m, .selected = selected, .class = class};
	const size_t cells = m->times.ranks * m->times.steps;
	const size_t threads = cells > VALUES_WORTH / (m->self->op_count + 1) ? m->threads : 1;

	for (size_t t = 0; t < threads; t++)
		rank_times_clear(&m->of_thread[t]);
	threads_each(threads, m->self->op_count, add_op, &sum);
	for (size_t t = 1; t < threads; t++)
		rank_times_join(&m->times, &m->of_thread[t]);
}

/* Splits each class and leaves the matrix of the work; where that has no time, of all there is. */
static void sum_classes(struct job_ranks_maker *m, const bool *selected, struct arena *scratch)
{
	const struct op_classes *classes = &m->out->classes;
	struct rank_totals work = rank_totals_new(&m->times, scratch),
			   all = rank_totals_new(&m->times, scratch);

	bool *any = arena_array(scratch, classes->count, sizeof(*any));

	for (uint32_t o = 0; o < m->self->op_count; o++)
		any[classes->of_op[o]] |= selected[o];
	for (size_t c = 0; c < classes->count; c++) {
		if (!any[c])
			continue;
		sum_class(m, c, selected);
		rank_totals_add(&all, &m->times);
		if (classes->item[c].is_work)
			rank_totals_add(&work, &m->times);
		rank_times_finish(&m->times);
		take_group_sums(m);
		add_split(m, SPLIT_OF_CLASS, c);
		release_group_sums(m);
	}
	m->out->without_waiting = work.total > 0;
	rank_totals_take(&m->times, m->out->without_waiting ? &work : &all);
}

/* The same from sums. */
static void read_classes(struct job_ranks_maker *m)
{
	const struct op_classes *classes = &m->out->classes;
	bool *any = memory_alloc(classes->count);

	for (uint32_t o = 0; o < m->self->op_count; o++)
		any[classes->of_op[o]] = true;
	for (size_t c = 0; c < classes->count && has_part_rows(m); c++) {
		if (!any[c])
			continue;
		part_sums_row(&m->part,
			part_sums_find(&m->part, classes->item[c].name, true, false), m->group,
			m->groups, m->group_sums);
		add_split(m, SPLIT_OF_CLASS, c);
	}
	memory_free(any);
	m->out->without_waiting = part_sums_work(&m->part, m->summary, false, m->times.x) > 0;
	if (!m->out->without_waiting)
		part_sums_work(&m->part, m->summary, true, m->times.x);
}

static void describe_work(struct job_ranks_maker *m, struct arena *arena)
{
	const size_t steps = m->out->steps;

	m->out->work_ps = arena_array(arena, m->times.ranks, sizeof(*m->out->work_ps));
	m->out->work_of_step_ps = arena_array(
		arena, memory_product(m->times.ranks, steps), sizeof(*m->out->work_of_step_ps));
	memcpy(m->out->work_of_step_ps, m->times.x, m->times.ranks * steps * sizeof(double));
	for (size_t r = 0; r < m->times.ranks; r++) {
		double sum = 0;
		size_t n = 0;

		for (size_t s = 0; s < steps; s++) {
			const double x = m->times.x[r * steps + s];

			sum += isnan(x) ? 0 : x;
			n += !isnan(x);
		}
		m->out->work_ps[r] = n ? sum / (double)n : NAN;
	}
}

int job_input_find(const struct cube *self, struct rules *rules, struct arena *arena,
	struct op_classes *out, struct error *err)
{
	const struct step_series_list *list = &self->series;
	const char **input = arena_array(arena, list->count, sizeof(*input)), *class;

	for (size_t i = 0; i < list->count; i++) {
		if (list->item[i].kind != SERIES_LATE_OUTERMOST)
			continue;
		if (rules_class(rules, "user_annotation", list->item[i].cause, &class, err) < 0)
			return -1;
		if (class && text_equal(class, "input pipeline"))
			input[out->input_count++] = list->item[i].cause;
	}
	out->input = input;
	return 0;
}

static bool is_input(const struct op_classes *classes, const struct step_series *series)
{
	if (series->kind != SERIES_LATE_OUTERMOST)
		return false;
	for (size_t i = 0; i < classes->input_count; i++)
		if (text_equal(classes->input[i], series->cause))
			return true;
	return false;
}

static size_t count_devices(const struct step_series_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += list->item[i].kind == SERIES_IDLE;
	return count;
}

/* Adds the idle time of devices in input to the work of their ranks, a mean over the devices: it
 * delays a rank as its work does. */
static void add_input(struct job_ranks_maker *m, struct arena *arena, struct arena *scratch)
{
	const struct ranks *ranks = m->out->of;
	double *late = arena_array(scratch, ranks->count, sizeof(*late)), *sorted, middle;
	double *most = arena_array(scratch, ranks->count, sizeof(*most));

	m->out->input = arena_array(arena, ranks->count, sizeof(*m->out->input));
	m->out->input_ps = arena_array(arena, ranks->count, sizeof(*m->out->input_ps));
	for (size_t p = 0; p < ranks->source_count; p++) {
		const struct rank_source *source = &ranks->source[p];
		const double devices = (double)count_devices(&source->series);

		for (size_t i = 0; i < source->series.count; i++) {
			const struct step_series *series = &source->series.item[i];
			double sum = 0;
			uint32_t rank = UINT32_MAX;

			if (!is_input(&m->out->classes, series))
				continue;
			for (size_t s = 0; s < source->step_count; s++) {
				const double value =
					step_series_value(series->value_ps, s) / devices;
				double *x = rank_times_at(&m->times, p, s);

				if (!x || isnan(value))
					continue;
				*x += value;
				sum += value / (double)m->out->steps;
				rank = source->rank_of[s];
			}
			if (rank == UINT32_MAX)
				continue;
			late[rank] += sum;
			if (sum > most[rank]) {
				most[rank] = sum;
				m->out->input[rank] = device_cause_spoken(series->cause, arena);
			}
		}
	}
	sorted = arena_array(scratch, ranks->count, sizeof(*sorted));
	memcpy(sorted, late, ranks->count * sizeof(*sorted));
	middle = sample_middle(sorted, ranks->count);
	for (size_t r = 0; r < ranks->count; r++)
		m->out->input_ps[r] = late[r] - middle;
}

static void add_work(struct job_ranks_maker *m, struct arena *arena, struct arena *scratch)
{
	m->out->split_count = 1; /* the first is that of the work, which the classes add up to */
	if (m->is_part)
		read_classes(m);
	else {
		const struct grouping *grouping = m->summary->grouping;
		const bool all = !m->summary->options.of_selected || m->summary->overlap;
		bool *selected = arena_array(scratch, m->self->op_count, sizeof(*selected));

		for (size_t o = 0; o < m->self->op_count; o++)
			selected[o] = all;
		for (size_t g = 0; g < grouping->count && !all; g++)
			for (size_t i = 0; i < grouping->group[g].op_count; i++)
				selected[grouping->group[g].op[i]] = true;
		sum_classes(m, selected, scratch);
	}
	describe_work(m, arena);
	take_group_sums(m);
	rank_split_compute(m->group_sums, m->groups, &m->out->split[0].split);
	release_group_sums(m);
	if (!m->is_part)
		add_input(m, arena, scratch);
	rank_culprits_whole(m->culprits, m->times.x, m->out->rank);
}

bool job_ranks_is_work(const struct job_ranks *ranks, const struct group *row)
{
	const struct op_classes *classes = &ranks->classes;

	for (size_t i = 0; i < row->op_count; i++)
		if (!classes->item[classes->of_op[row->op[i]]].is_work)
			return false;
	return true;
}

/* A row that a thread sums up. */
struct summed_row {
	const struct job_ranks_maker *m;
	struct rank_times *times; /* of each thread */
	size_t row;
	struct row_sums *group_sums;
	struct rank_split split;
	bool is_work;
	struct row_tested *tested; /* of each group, where it is work */
};

static void sum_row(void *item, size_t thread)
{
	struct summed_row *row = item;
	const struct group *group = &row->m->summary->grouping->group[row->row];
	struct rank_times *times = &row->times[thread];

	rank_times_clear(times);
	for (size_t i = 0; i < group->op_count; i++)
		rank_times_add(times, group->op[i]);
	rank_times_finish(times);
	sum_groups(row->m, times, row->group_sums);
	rank_split_compute(row->group_sums, row->m->groups, &row->split);
	row->is_work = job_ranks_is_work(row->m->out, group);
	if (row->is_work)
		rank_culprits_test(row->m->culprits, row->group_sums, row->tested);
}

/* Takes over what a thread has found of the next row. */
static void take_row(struct job_ranks_maker *m, const struct summed_row *row)
{
	m->out->split[m->out->split_count++] =
		(struct job_split){.of = SPLIT_OF_ROW, .index = row->row, .split = row->split};
	if (row->is_work)
		rank_culprits_row(m->culprits, row->row, row->group_sums, row->tested);
	for (size_t g = 0; g < m->groups; g++)
		row_sums_release(&row->group_sums[g]);
}

struct row_ring {
	struct job_ranks_maker *m;
	struct summed_row *row;
	struct arena *arena;
	size_t put;
};

static void *begin_row(void *context, size_t slot)
{
	struct row_ring *ring = context;
	struct summed_row *row = &ring->row[slot];

	if (ring->put == ring->m->summary->grouping->count)
		return NULL;
	if (!row->group_sums) {
		row->group_sums =
			arena_array(ring->arena, ring->m->groups, sizeof(*row->group_sums));
		row->tested = arena_array(ring->arena, ring->m->groups, sizeof(*row->tested));
	}
	row->m = ring->m;
	row->times = ring->m->of_thread;
	row->row = ring->put++;
	return row;
}

static void add_rows(struct job_ranks_maker *m, struct arena *scratch)
{
	struct ordered_work *work = ordered_work_new(m->threads, sum_row);
	const size_t depth = ordered_work_depth(work);
	struct row_ring ring = {
		.m = m, .row = arena_array(scratch, depth, sizeof(*ring.row)), .arena = scratch};
	const struct summed_row *row;

	while ((row = ordered_work_next(work, begin_row, &ring)))
		take_row(m, row);
	ordered_work_free(work);
}

/* Rows of one op: those of several are not in the sums. */
static void read_rows(struct job_ranks_maker *m)
{
	const struct grouping *grouping = m->summary->grouping;

	for (size_t g = 0; g < grouping->count && has_part_rows(m); g++) {
		const struct group *group = &grouping->group[g];
		const uint32_t op = group->op[0];

		if (group->op_count != 1) {
			m->out->rows_are_known = false;
			return;
		}
		part_sums_row(&m->part,
			part_sums_find(&m->part, m->self->op[op].name, false,
				m->self->has_accelerator[op]),
			m->group, m->groups, m->group_sums);
		add_split(m, SPLIT_OF_ROW, g);
		if (job_ranks_is_work(m->out, group))
			rank_culprits_row(m->culprits, g, m->group_sums, NULL);
	}
	m->out->rows_are_known &= m->part.same_steps;
	m->out->other_ranks = m->part.other_ranks;
}

/* True if any of the sources is one of ranks that are added up. */
static bool has_part(const struct ranks *ranks)
{
	for (size_t p = 0; p < ranks->source_count; p++)
		if (ranks->source[p].job)
			return true;
	return false;
}

static void release_culprits(void *object)
{
	rank_culprits_free(object);
}

struct job_ranks *job_ranks_make(const struct summary *summary, const struct cube *self,
	const struct op_classes *classes, bool usual_rows, struct arena *arena)
{
	struct arena *scratch = arena_new();
	struct job_ranks *out = arena_alloc(arena, sizeof(*out));
	struct job_ranks_maker m = {.summary = summary, .self = self, .out = out};

	out->of = self->ranks;
	out->steps = summary->steps->count;
	out->rank = arena_array(arena, self->ranks->count, sizeof(*out->rank));
	out->classes = *classes;
	out->rows_are_known = usual_rows || !has_part(self->ranks);
	out->split = arena_array(
		arena, summary->grouping->count + classes->count + 1, sizeof(*out->split));

	/* The matrix of all ranks in the kept steps. */
	const struct ranks *ranks = self->ranks;

	rank_times_init(&m.times, self, ranks->count, summary->steps->count, scratch);
	for (size_t p = 0; p < ranks->source_count; p++) {
		const struct rank_source *source = &ranks->source[p];

		for (size_t s = 0; s < source->step_count; s++) {
			uint32_t at = source->step_of[s];

			at = at == UINT32_MAX ? STEP_NOT_KEPT : summary->steps->index_of[at];
			if (at != STEP_NOT_KEPT && source->rank_of[s] != UINT32_MAX)
				rank_times_place(&m.times, p, s, source->rank_of[s], at);
		}
	}

	size_t *count = &m.groups;
	size_t *group = arena_array(scratch, self->ranks->count, sizeof(*group));
	struct intern *names = intern_new(scratch);
	bool any = false;

	for (size_t r = 0; r < self->ranks->count; r++) {
		const char *name = self->ranks->rank[r].group ? self->ranks->rank[r].group : "";

		any |= self->ranks->rank[r].group != NULL;
		group[r] = intern_id(names, name, strlen(name));
	}
	*count = any ? intern_count(names) : 1;
	m.group = any ? group : NULL;
	m.group_sums = arena_array(scratch, m.groups, sizeof(*m.group_sums));
	m.is_part = part_sums_open(&m.part, summary, self, scratch);
	out->is_unknown = !m.is_part && has_part(self->ranks);

	size_t *members = arena_array(scratch, self->ranks->count, sizeof(*members));
	size_t least = self->ranks->count;

	for (size_t r = 0; r < self->ranks->count && m.group; r++)
		members[m.group[r]]++;
	for (size_t g = 0; g < self->ranks->count; g++)
		least = members[g] && members[g] < least ? members[g] : least;
	out->least = least;
	m.culprits = rank_culprits_new(self->ranks->count, out->steps, m.group);
	arena_defer(arena, release_culprits, m.culprits);
	if (!m.is_part)
		make_matrices(&m, scratch);
	add_work(&m, arena, scratch);
	if (summary->cube == self && m.is_part)
		read_rows(&m);
	else if (summary->cube == self) /* rows of totals are not in the ranks */
		add_rows(&m, scratch);
	if (m.is_part)
		part_sums_close(&m.part);
	out->collectives = job_collectives_make(summary, self, arena);
	out->culprit = rank_culprits_named(m.culprits, &out->culprit_count);
	out->tests = rank_culprits_tests(m.culprits);
	arena_free(scratch);
	return out;
}

double *job_ranks_mean_work(const struct job_ranks *ranks, struct arena *arena)
{
	double *mean = arena_array(arena, ranks->steps, sizeof(*mean));

	for (size_t i = 0; i < ranks->steps; i++) {
		size_t n = 0;

		for (size_t r = 0; r < ranks->of->count; r++) {
			const double x = ranks->work_of_step_ps[r * ranks->steps + i];

			mean[i] += isnan(x) ? 0 : x;
			n += !isnan(x);
		}
		mean[i] /= n ? (double)n : 1;
	}
	return mean;
}
