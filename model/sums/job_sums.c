/* Sums find their places by names, so that what is joined need not agree on numbers. */
#include "model/sums/job_sums.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"

struct job_sums *job_sums_new(void)
{
	struct job_sums *sums = memory_alloc(sizeof(*sums));

	sums->arena = arena_new();
	return sums;
}

void job_sums_free(struct job_sums *sums)
{
	if (!sums)
		return;
	for (size_t i = 0; i < sums->set_count; i++) {
		for (size_t j = 0; j < sums->set[i].row_count; j++) {
			for (size_t g = 0; g < sums->set[i].row[j].group_count; g++)
				row_sums_release(&sums->set[i].row[j].group[g].sums);
			memory_free(sums->set[i].row[j].group);
		}
		for (size_t r = 0; r < sums->set[i].rank_count; r++) {
			memory_free(sums->set[i].rank[r].work);
			memory_free(sums->set[i].rank[r].all);
		}
		memory_free(sums->set[i].row);
		memory_free(sums->set[i].rank);
		memory_free(sums->set[i].group_at);
	}
	memory_free(sums->set);
	arena_free(sums->arena);
	memory_free(sums);
}

static bool is_of_steps(const struct sums_set *set, const int64_t *step, size_t count)
{
	return set->step_count == count &&
	       (!count || memcmp(set->step, step, count * sizeof(*step)) == 0);
}

struct sums_set *job_sums_set(
	struct job_sums *sums, const int64_t *step, size_t count, struct error *err)
{
	struct sums_set *set;

	for (size_t i = 0; i < sums->set_count; i++)
		if (is_of_steps(&sums->set[i], step, count))
			return &sums->set[i];
	if (sums->set_count == JOB_SUMS_SETS) {
		error_set(err, ERROR_LIMIT, NULL,
			"the ranks recorded more than %d different sets of steps", JOB_SUMS_SETS);
		error_hint(err, "--steps=A:B chooses steps that most of them have");
		return NULL;
	}
	set = memory_push(&sums->set, &sums->set_count, &sums->set_room, sizeof(*set));
	set->step = arena_array(sums->arena, count, sizeof(*set->step));
	if (count)
		memcpy(set->step, step, count * sizeof(*step));
	set->step_count = count;
	set->rows = intern_new(sums->arena);
	set->groups = intern_new(sums->arena);
	return set;
}

struct sums_row *sums_set_row(struct job_sums *sums, struct sums_set *set, const char *name,
	bool is_class, bool on_accelerator)
{
	const size_t n = strlen(name) + 1;
	char *key = memory_alloc(n + 1);
	struct sums_row *row;
	uint32_t id;

	key[0] = is_class ? 'c' : on_accelerator ? 'a' : 'r';
	memcpy(key + 1, name, n);
	id = intern_id(set->rows, key, n);
	memory_free(key);
	if (id < set->row_count)
		return &set->row[id];
	row = memory_push(&set->row, &set->row_count, &set->row_room, sizeof(*row));
	row->name = arena_strdup(sums->arena, name);
	row->is_class = is_class;
	row->on_accelerator = on_accelerator;
	return row;
}

struct row_sums *sums_row_group(
	struct job_sums *sums, struct sums_set *set, struct sums_row *row, const char *group)
{
	struct group_sums *added;

	/* The id of a row's group in set->groups, new or known. */
	const size_t place = (size_t)(row - set->row), n = strlen(group);
	char *key = memory_alloc(sizeof(place) + n + 1);
	uint32_t id;

	memcpy(key, &place, sizeof(place));
	memcpy(key + sizeof(place), group, n + 1);
	id = intern_id(set->groups, key, sizeof(place) + n);
	memory_free(key);

	if (id < set->group_count)
		return &row->group[set->group_at[id]].sums;
	*(size_t *)memory_push(&set->group_at, &set->group_count, &set->group_room,
		sizeof(*set->group_at)) = row->group_count;
	added = memory_push(&row->group, &row->group_count, &row->group_room, sizeof(*added));
	added->group = arena_strdup(sums->arena, group);
	row_sums_init(&added->sums, set->step_count);
	return &added->sums;
}

struct sums_rank *sums_set_rank(
	struct job_sums *sums, struct sums_set *set, const char *name, const char *group)
{
	struct sums_rank *rank =
		memory_push(&set->rank, &set->rank_count, &set->rank_room, sizeof(*rank));

	rank->name = arena_strdup(sums->arena, name);
	rank->group = arena_strdup(sums->arena, group);
	rank->work = memory_alloc(memory_product(set->step_count, sizeof(*rank->work)));
	rank->all = memory_alloc(memory_product(set->step_count, sizeof(*rank->all)));
	return rank;
}

/* ---- order ---- */

int job_sums_compare_names(const char *a, const char *b)
{
	const int order = text_compare_natural(a, b);

	return order ? order : strcmp(a, b);
}

ORDERED(compare_ranks, struct sums_rank, job_sums_compare_names(x->name, y->name));

ORDERED(compare_groups, struct group_sums, strcmp(x->group, y->group));

int job_sums_compare_rows(const void *a, const void *b)
{
	const struct sums_row *x = a, *y = b;

	if (x->is_class != y->is_class)
		return y->is_class - x->is_class;
	if (x->on_accelerator != y->on_accelerator)
		return y->on_accelerator - x->on_accelerator;
	return strcmp(x->name, y->name);
}

static int compare_sets(const void *a, const void *b)
{
	const struct sums_set *x = a, *y = b;

	if (x->step_count != y->step_count)
		return x->step_count > y->step_count ? -1 : 1;
	for (size_t i = 0; i < x->step_count; i++)
		if (x->step[i] != y->step[i])
			return x->step[i] < y->step[i] ? -1 : 1;
	return 0;
}

void job_sums_sort(struct job_sums *sums)
{
	for (size_t i = 0; i < sums->set_count; i++) {
		struct sums_set *set = &sums->set[i];

		for (size_t k = 0; k < set->row_count; k++)
			qsort(set->row[k].group, set->row[k].group_count,
				sizeof(*set->row[k].group), compare_groups);
		if (set->row_count)
			qsort(set->row, set->row_count, sizeof(*set->row), job_sums_compare_rows);
	}
	if (sums->set_count)
		qsort(sums->set, sums->set_count, sizeof(*sums->set), compare_sets);
}

/* ---- joining ---- */

/* The number of each rank of `from` among the ranks of the set. */
static void find_numbers(
	const struct sums_set *set, const struct sums_rank *from, size_t count, uint32_t *number)
{
	for (size_t r = 0; r < count; r++)
		number[r] = (uint32_t)((const struct sums_rank *)bsearch(&from[r], set->rank,
					       set->rank_count, sizeof(*from), compare_ranks) -
				       set->rank);
}

void sums_set_renumber(struct sums_set *set, const uint32_t *to)
{
	for (size_t k = 0; k < set->row_count; k++)
		for (size_t g = 0; g < set->row[k].group_count; g++)
			row_sums_renumber(&set->row[k].group[g].sums, to);
}

/* Adds the ranks of `from`; numbers stay in order of names. to[rank of from] is its number then. */
static void join_ranks(
	struct job_sums *sums, struct sums_set *set, const struct sums_set *from, uint32_t *to)
{
	const size_t bytes = from->step_count * sizeof(uint64_t), before = set->rank_count;
	struct sums_rank *old = memory_alloc(memory_product(before, sizeof(*old)));
	uint32_t *moved = memory_alloc(memory_product(before, sizeof(*moved)));

	if (before)
		memcpy(old, set->rank, before * sizeof(*old));
	for (size_t r = 0; r < from->rank_count; r++) {
		const struct sums_rank *rank = &from->rank[r];
		struct sums_rank *added = sums_set_rank(sums, set, rank->name, rank->group);

		if (bytes) {
			memcpy(added->work, rank->work, bytes);
			memcpy(added->all, rank->all, bytes);
		}
	}
	if (set->rank_count)
		qsort(set->rank, set->rank_count, sizeof(*set->rank), compare_ranks);
	find_numbers(set, old, before, moved);
	sums_set_renumber(set, moved);
	find_numbers(set, from->rank, from->rank_count, to);
	memory_free(moved);
	memory_free(old);
}

/* The sums of a row, whose ranks get other numbers. */
static void join_row(
	struct job_sums *sums, struct sums_set *set, const struct sums_row *row, const uint32_t *to)
{
	struct sums_row *into =
		sums_set_row(sums, set, row->name, row->is_class, row->on_accelerator);

	for (size_t g = 0; g < row->group_count; g++) {
		struct row_sums *from = &row->group[g].sums;

		row_sums_renumber(from, to);
		row_sums_join(sums_row_group(sums, set, into, row->group[g].group), from);
	}
}

int job_sums_join(
	struct job_sums *sums, struct job_sums *from, const uint32_t *step_to, struct error *err)
{
	for (size_t i = 0; i < from->set_count; i++) {
		struct sums_set *part = &from->set[i], *set;
		uint32_t *to;

		for (size_t t = 0; t < part->step_count; t++) {
			part->step[t] = step_to[part->step[t]];
			if (t == 0 || part->step[t - 1] < part->step[t])
				continue;
			error_set(err, ERROR_INPUT, NULL,
				"its steps are in another order than those of other ranks");
			return error_hint(err,
				"one merge of all traces orders them: stepstat merge TRACE...");
		}
		set = job_sums_set(sums, part->step, part->step_count, err);
		if (!set)
			return -1;
		to = memory_alloc(memory_product(part->rank_count, sizeof(*to)));
		join_ranks(sums, set, part, to);
		for (size_t k = 0; k < part->row_count; k++)
			join_row(sums, set, &part->row[k], to);
		memory_free(to);
	}
	return 0;
}

/* Lists are kept in order, so that they are the same whatever came first. */

struct step_sums *step_sums_new(struct arena *arena, size_t steps)
{
	struct step_sums *sums = arena_alloc(arena, sizeof(*sums));

	sums->arena = arena;
	sums->step_count = steps;
	sums->step = arena_array(arena, steps, sizeof(*sums->step));
	return sums;
}

static bool add(int64_t *sum, int64_t value)
{
	if (*sum == STEP_SUMS_UNKNOWN || value == STEP_SUMS_UNKNOWN) {
		*sum = STEP_SUMS_UNKNOWN;
		return true;
	}
	if (number_add(*sum, value, sum))
		return true;
	*sum = STEP_SUMS_UNKNOWN;
	return false;
}

/* True if a is longer than b, or as long and earlier. */
static bool is_longer(const struct step_sum *a, const struct step_sum *b)
{
	const int64_t x = a->end_ps - a->start_ps, y = b->end_ps - b->start_ps;

	if (x != y)
		return x > y;
	if (a->base_ns != b->base_ns)
		return a->base_ns < b->base_ns;
	return a->start_ps < b->start_ps;
}

bool step_sums_add(struct step_sums *sums, size_t step, const struct step_sum *from)
{
	struct step_sum *to = &sums->step[step];

	if (from->timed && (!to->timed || is_longer(from, to))) {
		to->start_ps = from->start_ps;
		to->end_ps = from->end_ps;
		to->base_ns = from->base_ns;
	}
	to->timed += from->timed;
	to->ranks += from->ranks;
	to->fingerprint += from->fingerprint;
	return add(&to->busy_ps, from->busy_ps);
}

/* The place of the devices of this type, or where they belong. */
static size_t device_place(const struct step_sums *sums, const char *type, bool *is_there)
{
	size_t low = 0, high = sums->device_count;

	while (low < high) {
		const size_t i = low + (high - low) / 2;

		if (strcmp(sums->device[i].type, type) < 0)
			low = i + 1;
		else
			high = i;
	}
	*is_there = low < sums->device_count && strcmp(sums->device[low].type, type) == 0;
	return low;
}

const struct device_sums *step_sums_device(const struct step_sums *sums, const char *type)
{
	bool is_there;
	const size_t i = device_place(sums, type, &is_there);

	return is_there ? &sums->device[i] : NULL;
}

void step_sums_add_devices(struct step_sums *sums, const struct device_sums *from)
{
	struct device_sums *at;
	bool is_there;
	const size_t i = device_place(sums, from->type, &is_there);

	if (is_there) {
		at = &sums->device[i];
		at->most = from->most > at->most ? from->most : at->most;
		at->differ |= from->differ || strcmp(at->set, from->set) != 0;
		if (strcmp(from->set, at->set) < 0)
			at->set = arena_strdup(sums->arena, from->set);
		return;
	}
	sums->device = arena_make_room(sums->arena, sums->device, sums->device_count,
		&sums->device_room, sizeof(*sums->device));
	at = sums->device + i;
	memmove(at + 1, at, (sums->device_count++ - i) * sizeof(*at));
	*at = *from;
	at->type = arena_strdup(sums->arena, from->type);
	at->set = arena_strdup(sums->arena, from->set);
}

static int compare(const struct series_sum *a, const struct series_sum *b)
{
	return ORDER(a->kind, b->kind)
		       ?: strcmp(a->type, b->type)
				  ?: strcmp(a->cause, b->cause) ?: ORDER(a->place, b->place);
}

/* Place of the first series that is not before this one. */
static size_t series_place(const struct step_sums *sums, const struct series_sum *like)
{
	size_t low = 0, high = sums->series_count;

	while (low < high) {
		const size_t i = low + (high - low) / 2;

		if (compare(sums->series[i], like) < 0)
			low = i + 1;
		else
			high = i;
	}
	return low;
}

const struct series_sum *step_sums_find(const struct step_sums *sums, const struct series_sum *like)
{
	const size_t i = series_place(sums, like);

	return i < sums->series_count && compare(sums->series[i], like) == 0 ? sums->series[i]
									     : NULL;
}

struct series_sum *step_sums_series(struct step_sums *sums, const struct series_sum *like)
{
	const size_t low = series_place(sums, like);
	struct series_sum *at;

	if (step_sums_find(sums, like))
		return sums->series[low];
	sums->series = arena_make_room(sums->arena, sums->series, sums->series_count,
		&sums->series_room, sizeof(struct series_sum *));
	memmove(sums->series + low + 1, sums->series + low,
		(sums->series_count++ - low) * sizeof(struct series_sum *));
	at = sums->series[low] = arena_alloc(sums->arena, sizeof(*at));
	*at = *like;
	at->type = arena_strdup(sums->arena, like->type);
	at->cause = arena_strdup(sums->arena, like->cause);
	at->value = arena_array(sums->arena, sums->step_count, sizeof(*at->value));
	at->count = arena_array(sums->arena, sums->step_count, sizeof(*at->count));
	return at;
}

bool series_sum_add(struct series_sum *series, size_t step, int64_t value, uint32_t count)
{
	int64_t *sum = &series->value[step];

	if (!count)
		return true;
	series->count[step] += count;
	if (series->count[step] == count) {
		*sum = value;
		return true;
	}
	if (!series->is_largest || value == STEP_SUMS_UNKNOWN || *sum == STEP_SUMS_UNKNOWN)
		return add(sum, value);
	*sum = value > *sum ? value : *sum;
	return true;
}

size_t step_sums_join(struct step_sums *sums, const struct step_sums *from, const uint32_t *to)
{
	size_t too_large = 0;

	for (size_t s = 0; s < from->step_count; s++)
		if (to[s] != UINT32_MAX && from->step[s].ranks)
			too_large += !step_sums_add(sums, to[s], &from->step[s]);
	for (size_t i = 0; i < from->device_count; i++)
		step_sums_add_devices(sums, &from->device[i]);
	for (size_t i = 0; i < from->series_count; i++) {
		const struct series_sum *series = from->series[i];
		struct series_sum *into = step_sums_series(sums, series);

		for (size_t s = 0; s < from->step_count; s++)
			if (to[s] != UINT32_MAX)
				too_large += !series_sum_add(
					into, to[s], series->value[s], series->count[s]);
	}
	return too_large;
}
