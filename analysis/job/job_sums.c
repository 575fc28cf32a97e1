/* The ranks of one set of steps are one matrix; op by op it becomes sums. */
#include "analysis/job/job_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/job/rank_times.h"
#include "base/memory.h"
#include "base/order.h"

/* A step of a source on its way to its rank. */
struct rank_step {
	uint32_t rank, source, step;
	uint32_t place; /* among the kept steps of the job */
};

ORDERED(compare_rank_steps, struct rank_step, ORDER(x->rank, y->rank) ?: ORDER(x->place, y->place));

/* Steps of single ranks, by rank and place. */
static size_t list_steps(const struct cube *self, const struct step_set *steps,
	struct arena *scratch, struct rank_step **out)
{
	const struct ranks *ranks = self->ranks;
	struct rank_step *list;
	size_t n = 0;

	for (size_t p = 0; p < ranks->source_count; p++)
		n += ranks->source[p].step_count;
	list = arena_array(scratch, n, sizeof(*list));
	n = 0;
	for (uint32_t p = 0; p < ranks->source_count; p++) {
		const struct rank_source *source = &ranks->source[p];

		for (uint32_t s = 0; !source->job && s < source->step_count; s++)
			if (source->step_of[s] != UINT32_MAX &&
				steps->index_of[source->step_of[s]] != STEP_NOT_KEPT &&
				source->rank_of[s] != UINT32_MAX)
				list[n++] = (struct rank_step){source->rank_of[s], p, s,
					steps->index_of[source->step_of[s]]};
	}
	if (n)
		qsort(list, n, sizeof(*list), compare_rank_steps);
	*out = list;
	return n;
}

/* The steps of one rank: list[first] .. list[end - 1]. */
struct rank_span {
	size_t first, end;
	size_t set; /* index of its set */
};

struct sums_maker {
	const struct cube *self;
	const struct grouping *rows;
	const struct op_classes *classes;
	struct job_sums *out;
	struct arena *scratch;
	const struct rank_step *list;
	struct rank_span *span; /* of each rank that is there, in order */
	size_t span_count;
	uint64_t *x; /* of one rank, work space */
};

enum row_of { ROW_OF_CLASS, ROW_OF_HOST, ROW_OF_ACCELERATOR };

static void name_ranks(struct sums_maker *m, size_t set)
{
	const struct ranks *ranks = m->self->ranks;

	for (size_t i = 0; i < m->span_count; i++) {
		const struct job_rank *rank = &ranks->rank[m->list[m->span[i].first].rank];

		if (m->span[i].set == set)
			sums_set_rank(m->out, &m->out->set[set], rank->name,
				rank->group ? rank->group : "");
	}
}

/* Adds the ranks of the matrix; one that has no value in some step is left out. */
static void add_row(struct sums_maker *m, size_t set, const struct rank_times *times,
	const char *name, enum row_of of)
{
	struct sums_set *to = &m->out->set[set];
	struct sums_row *row = NULL;

	for (size_t r = 0; r < times->ranks; r++) {
		const double *own = times->x + r * times->steps;
		size_t t = 0;

		for (; t < times->steps && !isnan(own[t]); t++)
			m->x[t] = (uint64_t)own[t];
		if (t < times->steps)
			continue;
		if (!row)
			row = sums_set_row(
				m->out, to, name, of == ROW_OF_CLASS, of == ROW_OF_ACCELERATOR);
		row_sums_add(sums_row_group(m->out, to, row, to->rank[r].group), (uint32_t)r, m->x);
	}
}

/* Adds the op in the sources that have it on the accelerator, or not; false: none has it so. */
static bool add_parts(struct rank_times *times, uint32_t op, bool on_accelerator)
{
	const struct ranks *ranks = times->self->ranks;
	bool any = false;

	for (size_t i = ranks->part_first[op]; i < ranks->part_first[op + 1]; i++)
		if (!ranks->source[ranks->part[i].source].job)
			any |= rank_times_add_part(times, op, &ranks->part[i], on_accelerator);
	return any;
}

/* Adds the row in the sources that have its op on the accelerator, or not; false: none has it so. A
 * row of several ops is one, whatever each of them is. */
static bool add_group(struct rank_times *times, const struct group *group, bool on_accelerator)
{
	bool any = false;

	for (size_t i = 0; i < group->op_count; i++) {
		any |= add_parts(times, group->op[i], on_accelerator);
		if (group->op_count > 1)
			any |= add_parts(times, group->op[i], !on_accelerator);
	}
	return any;
}

static bool has_accelerator(const struct cube *cube, const struct group *group)
{
	for (size_t i = 0; i < group->op_count; i++)
		if (cube->has_accelerator[group->op[i]])
			return true;
	return false;
}

static void store_rank_times(
	struct rank_times *times, const struct rank_totals *totals, struct sums_set *set, bool all)
{
	rank_totals_take(times, totals);
	for (size_t r = 0; r < set->rank_count; r++)
		for (size_t t = 0; t < times->steps; t++) {
			const double x = times->x[r * times->steps + t];

			(all ? set->rank[r].all : set->rank[r].work)[t] =
				isnan(x) ? JOB_SUMS_UNKNOWN : (uint64_t)x;
		}
}

static void add_classes(struct sums_maker *m, size_t set, struct rank_times *times)
{
	const struct op_classes *classes = m->classes;
	struct rank_totals work = rank_totals_new(times, m->scratch),
			   all = rank_totals_new(times, m->scratch);

	for (size_t c = 0; c < classes->count; c++) {
		rank_times_clear(times);
		for (size_t g = 0; g < m->rows->count; g++)
			if (classes->of_op[m->rows->group[g].op[0]] == c) {
				add_group(times, &m->rows->group[g], false);
				if (m->rows->group[g].op_count == 1)
					add_group(times, &m->rows->group[g], true);
			}
		rank_totals_add(&all, times);
		if (classes->item[c].is_work)
			rank_totals_add(&work, times);
		rank_times_finish(times);
		add_row(m, set, times, classes->item[c].name, ROW_OF_CLASS);
	}
	store_rank_times(times, &work, &m->out->set[set], false);
	store_rank_times(times, &all, &m->out->set[set], true);
}

static void add_set(struct sums_maker *m, size_t set, size_t ranks)
{
	const size_t steps = m->out->set[set].step_count;
	struct rank_times times;

	m->x = arena_array(m->scratch, steps, sizeof(*m->x));
	rank_times_init(&times, m->self, ranks, steps, m->scratch);

	/* ---- one set ---- */
	size_t rank = 0;

	for (size_t i = 0; i < m->span_count; i++) {
		const struct rank_span *span = &m->span[i];

		if (span->set != set)
			continue;
		for (size_t k = span->first; k < span->end; k++)
			rank_times_place(
				&times, m->list[k].source, m->list[k].step, rank, k - span->first);
		rank++;
	}
	name_ranks(m, set);
	add_classes(m, set, &times);
	for (size_t g = 0; g < m->rows->count; g++) {
		for (int on_accelerator = 0; on_accelerator < 2; on_accelerator++) {
			if (m->rows->group[g].op_count > 1 &&
				on_accelerator != has_accelerator(m->self, &m->rows->group[g]))
				continue;
			rank_times_clear(&times);
			if (!add_group(&times, &m->rows->group[g], on_accelerator))
				continue;
			rank_times_finish(&times);
			add_row(m, set, &times, m->rows->group[g].name,
				on_accelerator ? ROW_OF_ACCELERATOR : ROW_OF_HOST);
		}
	}
}

/* to[s] is the place of step s among the kept ones. What is added up already cannot be taken apart.
 */
static int place_steps(const struct rank_source *source, const struct step_set *steps, uint32_t *to,
	struct error *err)
{
	for (size_t s = 0; s < source->step_count; s++) {
		to[s] = source->step_of[s] == UINT32_MAX ? STEP_NOT_KEPT
							 : steps->index_of[source->step_of[s]];
		if (to[s] != STEP_NOT_KEPT)
			continue;
		error_set(err, ERROR_INPUT, source->path,
			"its ranks are added up over step %lld, which is not chosen",
			(long long)source->step[s].number);
		return error_hint(err, "--steps belongs to the merge that reads the ranks");
	}
	return 0;
}

static int make(struct sums_maker *m, const struct step_set *steps, struct error *err)
{
	struct rank_step *list;
	const size_t count = list_steps(m->self, steps, m->scratch, &list);

	m->list = list;

	int64_t *place = arena_array(m->scratch, count, sizeof(*place));

	for (size_t i = 0; i < count; i++)
		place[i] = m->list[i].place;
	m->span = arena_array(m->scratch, m->self->ranks->count, sizeof(*m->span));
	for (size_t first = 0, end; first < count; first = end) {
		const struct sums_set *set;

		for (end = first + 1; end < count && m->list[end].rank == m->list[first].rank;)
			end++;
		set = job_sums_set(m->out, place + first, end - first, err);
		if (!set)
			return -1;
		m->span[m->span_count++] =
			(struct rank_span){first, end, (size_t)(set - m->out->set)};
	}
	for (size_t set = 0; set < m->out->set_count; set++) {
		size_t ranks = 0;

		for (size_t i = 0; i < m->span_count; i++)
			ranks += m->span[i].set == set;
		add_set(m, set, ranks);
	}

	const struct ranks *ranks = m->self->ranks;

	for (size_t p = 0; p < ranks->source_count; p++) {
		const struct rank_source *source = &ranks->source[p];
		uint32_t *to;

		if (!source->job)
			continue;
		to = arena_array(m->scratch, source->step_count, sizeof(*to));
		if (place_steps(source, steps, to, err) < 0 ||
			job_sums_join(m->out, source->job, to, err) < 0)
			return -1;
	}
	job_sums_sort(m->out);
	return 0;
}

struct job_sums *job_sums_make(const struct cube *self, const struct step_set *steps,
	const struct grouping *rows, const struct op_classes *classes, struct error *err)
{
	struct sums_maker m = {.self = self,
		.rows = rows,
		.classes = classes,
		.out = job_sums_new(),
		.scratch = arena_new()};
	const int status = make(&m, steps, err);

	arena_free(m.scratch);
	if (status == 0)
		return m.out;
	job_sums_free(m.out);
	return NULL;
}

/* Ranks of a set and of the job are in one order, so that sums keep theirs when they are numbered
 * anew. */

static uint32_t find_rank(const struct ranks *ranks, const char *name)
{
	for (size_t low = 0, high = ranks->count; low < high;) {
		const size_t middle = low + (high - low) / 2;
		const int order = job_sums_compare_names(name, ranks->rank[middle].name);

		if (order == 0)
			return (uint32_t)middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return UINT32_MAX; /* never: the job's names are those of the set */
}

/* The place of step t of the set among the kept ones; STEP_NOT_KEPT: it is not. */
static uint32_t kept_place(const struct part_sums *part, const struct sums_set *set,
	const struct step_set *steps, size_t t)
{
	const uint32_t at = part->ranks->source[0].step_of[set->step[t]];

	return at == UINT32_MAX ? STEP_NOT_KEPT : steps->index_of[at];
}

static bool has_kept_steps(const struct part_sums *part, const struct step_set *steps)
{
	if (steps->count != part->set->step_count || steps->run_count != 1)
		return false;
	for (size_t t = 0; t < steps->count; t++)
		if (kept_place(part, part->set, steps, t) != t)
			return false;
	return true;
}

bool part_sums_open(struct part_sums *part, const struct summary *summary, const struct cube *self,
	struct arena *arena)
{
	const struct ranks *ranks = self->ranks;

	*part = (struct part_sums){.job = ranks->source_count == 1 ? ranks->source[0].job : NULL,
		.ranks = ranks,
		.self = self};
	if (!part->job)
		return false;
	for (size_t i = 0; i < part->job->set_count; i++) {
		struct sums_set *set = &part->job->set[i];

		part->other_ranks += set->rank_count;
		if (!part->set || set->rank_count > part->set->rank_count)
			part->set = set;
	}
	if (!part->set)
		return true;
	part->other_ranks -= part->set->rank_count;
	part->same_steps = has_kept_steps(part, summary->steps);
	part->to = arena_array(arena, part->set->rank_count, sizeof(*part->to));
	part->back = arena_array(arena, ranks->count, sizeof(*part->back));
	for (size_t r = 0; r < part->set->rank_count; r++) {
		part->to[r] = find_rank(ranks, part->set->rank[r].name);
		part->back[part->to[r]] = (uint32_t)r;
	}
	sums_set_renumber(part->set, part->to);
	row_sums_init(&part->none, part->set->step_count);
	return true;
}

void part_sums_close(struct part_sums *part)
{
	if (part->set)
		sums_set_renumber(part->set, part->back);
	row_sums_release(&part->none);
}

/* Adds one rank to the kept steps; returns the sum. */
static double place_work(
	const struct sums_rank *rank, bool all, const uint32_t *kept, size_t count, double *x)
{
	const uint64_t *value = all ? rank->all : rank->work;
	double total = 0;

	for (size_t t = 0; t < count; t++) {
		if (kept[t] == STEP_NOT_KEPT || value[t] == JOB_SUMS_UNKNOWN)
			continue;
		x[kept[t]] = (double)value[t];
		total += (double)value[t];
	}
	return total;
}

double part_sums_work(
	const struct part_sums *part, const struct summary *summary, bool all, double *x)
{
	const size_t steps = summary->steps->count;
	double total = 0;

	for (size_t i = 0; i < part->ranks->count * steps; i++)
		x[i] = NAN;
	for (size_t i = 0; i < part->job->set_count; i++) {
		const struct sums_set *set = &part->job->set[i];
		uint32_t *kept = memory_alloc(memory_product(set->step_count, sizeof(*kept)));

		for (size_t t = 0; t < set->step_count; t++)
			kept[t] = kept_place(part, set, summary->steps, t);
		for (size_t r = 0; r < set->rank_count; r++)
			total += place_work(&set->rank[r], all, kept, set->step_count,
				x + find_rank(part->ranks, set->rank[r].name) * steps);
		memory_free(kept);
	}
	return total;
}

void part_sums_row(const struct part_sums *part, const struct sums_row *row, const size_t *group,
	size_t groups, struct row_sums *out)
{
	for (size_t g = 0; g < groups; g++)
		out[g] = part->none;
	for (size_t i = 0; row && i < row->group_count; i++) {
		const struct row_sums *sums = &row->group[i].sums;

		/* All its ranks are of one group: that of any of them. */
		if (sums->slowest_count)
			out[group ? group[sums->slowest[0].rank] : 0] = *sums;
	}
}

const struct sums_row *part_sums_find(
	const struct part_sums *part, const char *name, bool is_class, bool on_accelerator)
{
	const struct sums_row key = {
		.name = name, .is_class = is_class, .on_accelerator = on_accelerator};

	return part->set && part->set->row_count
		       ? bsearch(&key, part->set->row, part->set->row_count, sizeof(key),
				 job_sums_compare_rows)
		       : NULL;
}
