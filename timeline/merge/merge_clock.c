/*
 * Place of each part: on the time axis, among the numbers of processes, among the ids of arrows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "base/unit.h"
#include "timeline/merge/merge_parts.h"

#define PID_MOST ((int64_t)INT32_MAX)
/* own clocks are kept when at least one part in so many of the time has a file in it */
#define FILLED 10
#define DESCRIPTION_BYTES 512 /* of a part, without its path and label */
#define PROCESS_BYTES 128     /* of a process or thread in it, or of its name, without texts */
#define GAP 20		      /* between files: this part of the mean length */

/* ---- time ---- */

static void set_ranges(struct merge *m)
{
	for (size_t i = 0; i < m->part.count; i++) {
		struct merge_part *part = merge_part_at(m, i);
		const struct merge_file *file = merge_file_at(m, part->file);

		if (part->has_range || !file->has_time)
			continue;
		part->has_range = true;
		part->begin = file->first;
		part->end = file->last;
	}
}

static int compare_begin(const void *a, const void *b)
{
	const struct merge_part *x = *(const struct merge_part *const *)a,
				*y = *(const struct merge_part *const *)b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

/* True if the parts share a clock: they lie near each other on it. */
static bool fill_their_time(const struct merge *m)
{
	const struct merge_part **sorted =
		memory_alloc(memory_product(m->part.count, sizeof(struct merge_part *)));
	picoseconds filled = 0, reach = 0;
	size_t count = 0;
	bool result;

	for (size_t i = 0; i < m->part.count; i++)
		if (merge_part_at(m, i)->has_range)
			sorted[count++] = merge_part_at(m, i);
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_begin);
	for (size_t i = 0; i < count; i++) {
		picoseconds begin = i && reach > sorted[i]->begin ? reach : sorted[i]->begin;

		if (i == 0 || sorted[i]->end > reach)
			reach = sorted[i]->end;
		filled += reach > begin ? reach - begin : 0;
	}
	result = count < 2 || filled * FILLED >= reach - sorted[0]->begin;
	memory_free(sorted);
	return result;
}

static void set_base(struct merge *m)
{
	m->base_ns = UINT64_MAX;
	for (size_t i = 0; i < m->part.count; i++) {
		uint64_t base = merge_file_at(m, merge_part_at(m, i)->file)->base_ns;

		m->base_ns = base < m->base_ns ? base : m->base_ns;
	}
	if (m->job->clock == MERGE_CLOCK_STEP)
		m->base_ns = 0;
}

static picoseconds gap(const struct merge *m)
{
	picoseconds sum = 0;

	for (size_t i = 0; i < m->part.count; i++)
		sum += merge_part_at(m, i)->end - merge_part_at(m, i)->begin;
	return (sum / (GAP * (picoseconds)m->part.count) / PS_PER_US + 1) * PS_PER_US;
}

static void set_shifts(struct merge *m)
{
	bool is_laid = m->job->clock == MERGE_CLOCK_AUTO && !fill_their_time(m);
	picoseconds cursor = 0, between = gap(m);
	bool first = true;

	m->outcome->moved = is_laid;
	for (size_t i = 0; i < m->part.count; i++) {
		struct merge_part *part = merge_part_at(m, i);
		uint64_t base_ns = merge_file_at(m, part->file)->base_ns;

		part->shift = ((picoseconds)base_ns - (picoseconds)m->base_ns) * PS_PER_NS;
		if (!part->has_range)
			continue;
		if (m->job->clock == MERGE_CLOCK_STEP) {
			part->shift = (picoseconds)base_ns * PS_PER_NS - part->begin;
		} else if (is_laid) {
			part->shift += first ? 0 : cursor - part->begin;
			cursor = (first ? part->begin : cursor) + part->end - part->begin + between;
			/* Whole microseconds stay so. */
			cursor = (cursor / PS_PER_US + (cursor % PS_PER_US > 0)) * PS_PER_US;
			first = false;
		}
	}
}

/* ---- processes ---- */

static bool own_number(const struct merge_process *process, int64_t *number)
{
	struct json_value key = {process->key, 0, '0'};

	while (process->key[key.size])
		key.size++;
	return json_integer(&key, number) && *number >= 0 && *number < PID_MOST &&
	       (process->key[0] != '0' || key.size == 1);
}

/* Numbers of processes that are used. */
struct numbers {
	struct arena *arena;
	struct intern *used;
	int64_t next;
};

/* False: the number was used already. */
static bool numbers_add(struct numbers *n, int64_t number)
{
	size_t before = intern_count(n->used);

	intern_id(n->used, (const char *)&number, sizeof(number));
	return intern_count(n->used) > before;
}

struct ranked_process {
	int64_t index;
	uint32_t process;
};

static int compare_ranks(const void *a, const void *b)
{
	const struct ranked_process *x = a, *y = b;

	return ORDER(x->index, y->index) ?: ORDER(x->process, y->process);
}

/* Processes of a part follow each other in the order that their file wants. */
static void rank_part(struct merge *m, struct merge_part *part, uint32_t *next)
{
	struct merge_file *file = merge_file_at(m, part->file);
	size_t count = file->process.count;
	struct ranked_process *item = memory_alloc(memory_product(count, sizeof(*item)));

	for (size_t i = 0; i < count; i++) {
		const struct merge_process *process = vec_at(&file->process, i);

		item[i] = (struct ranked_process){
			process->sorted ? process->sort_index : 0, (uint32_t)i};
	}
	if (count)
		qsort(item, count, sizeof(*item), compare_ranks);
	part->rank = arena_array(m->arena, count, sizeof(*part->rank));
	for (size_t i = 0; i < count; i++)
		part->rank[item[i].process] = (*next)++;
	memory_free(item);
}

static void number_part(struct merge *m, struct merge_part *part, struct numbers *n)
{
	struct merge_file *file = merge_file_at(m, part->file);
	int64_t number;

	part->process_count = file->process.count;
	part->pid = arena_array(m->arena, file->process.count, sizeof(*part->pid));
	for (size_t i = 0; i < file->process.count; i++) {
		if (!own_number(vec_at(&file->process, i), &number) || !numbers_add(n, number)) {
			while (!numbers_add(n, n->next))
				n->next++;
			number = n->next++;
		}
		part->pid[i] = number;
	}
}

static int64_t largest_pid(const struct merge *m)
{
	int64_t largest = 0, number;

	for (size_t f = 0; f < m->file.count; f++) {
		const struct merge_file *file = merge_file_at(m, f);

		for (size_t i = 0; i < file->process.count; i++)
			if (own_number(vec_at(&file->process, i), &number) && number > largest)
				largest = number;
	}
	return largest;
}

static void number_processes(struct merge *m)
{
	struct numbers n = {.arena = arena_new(), .next = largest_pid(m) + 1};
	uint32_t rank = 0;

	n.used = intern_new(n.arena);
	if (n.next > PID_MOST - (int64_t)PROCESSES_MOST)
		n.next = 1;
	for (size_t i = 0; i < m->part.count; i++) {
		number_part(m, merge_part_at(m, i), &n);
		rank_part(m, merge_part_at(m, i), &rank);
	}
	arena_free(n.arena);
}

static void number_threads(struct merge *m)
{
	for (size_t f = 0; f < m->file.count; f++) {
		struct merge_file *file = merge_file_at(m, f);

		for (size_t i = 0; i < file->thread.count; i++) {
			struct merge_thread *thread = vec_at(&file->thread, i);
			struct merge_process *process = vec_at(&file->process, thread->process);

			thread->number = ++process->largest_tid;
		}
	}
}

static void shift_ids(struct merge *m)
{
	uint64_t next = 0;

	for (size_t i = 0; i < m->part.count; i++) {
		struct merge_part *part = merge_part_at(m, i);

		part->id_shift = next;
		part->id_number =
			i > 0 ? m->largest_id_number + i : 0; /* no id of the files begins so */
		next += merge_file_at(m, part->file)->largest_id + 1;
	}
}

/* ---- size ---- */

/* Most bytes of a merged trace that describe its parts and are added to them: paths, numbers and
 * names of processes. */
static uint64_t description_bytes(const struct merge *m)
{
	uint64_t bytes = DESCRIPTION_BYTES;

	for (size_t i = 0; !m->is_copy && i < m->part.count; i++) {
		const struct merge_part *part = merge_part_at(m, i);
		const struct merge_file *file = merge_file_at(m, part->file);
		size_t label_bytes = part->label ? strlen(part->label) : strlen(file->path);

		bytes += DESCRIPTION_BYTES + strlen(file->path) + label_bytes;
		for (size_t k = 0; k < file->process.count; k++) {
			const struct merge_process *process = vec_at(&file->process, k);

			bytes += PROCESS_BYTES + strlen(process->key) +
				 (process->named ? 0 : PROCESS_BYTES + label_bytes);
		}
		for (size_t k = 0; k < file->thread.count; k++)
			bytes += PROCESS_BYTES +
				 strlen(((const struct merge_thread *)vec_at(&file->thread, k))
						 ->key);
	}
	return bytes;
}

static int fit(struct merge *m, struct error *err)
{
	const struct merge_sizes *sizes = &m->sizes;
	uint64_t most = m->job->max_bytes;
	uint64_t used = sizes->metadata + sizes->others + sizes->arrows + sizes->around +
			description_bytes(m);
	uint64_t slices = 0;

	for (size_t i = 0; i < CLASSES; i++)
		slices += sizes->slices[i];
	if (most == 0 || used + slices <= most)
		return 0;
	m->no_arrows = true;
	used -= sizes->arrows;
	if (used > most) {
		m->no_others = true;
		used -= sizes->others;
	}
	if (used <= most) {
		merge_cut_set(&m->cut, sizes, most - used);
		m->outcome->shortest_ps = merge_class_ps(m->cut.end);
		m->outcome->cut_ps = merge_class_ps(m->cut.end - (m->cut.end > 0));
		return 0;
	}
	error_set(err, ERROR_LIMIT, "--max-size",
		"names of processes and members around the events alone need %" PRIu64 " bytes",
		used);
	return error_hint(err, "choose steps (--steps, --skip) or ops (--include), or allow more");
}

int merge_arrange(struct merge *m, struct error *err)
{
	if (m->pairs)
		merge_pairs_end(m->pairs, &m->sizes);
	set_ranges(m);
	set_base(m);
	if (!m->is_copy) {
		set_shifts(m);
		number_processes(m);
		number_threads(m);
		shift_ids(m);
	}
	return fit(m, err);
}
