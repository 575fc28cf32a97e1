/*
 * Ranks of a set and of the job are in one order, so that sums keep theirs when they are numbered
 * anew.
 */
#include "analysis/job/part_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

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
