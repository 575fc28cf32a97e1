/* Parts of the merged trace: the steps that are in it, and the place of each: on the time axis,
 * among the numbers of processes, among the ids of arrows. */
#include "timeline/merge/merge_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"
#include "base/unit.h"
#include "analysis/steps.h"
#include "base/number.h"
#include "ingest/input/step_number.h"

#define PID_MOST ((int64_t)INT32_MAX)
/* own clocks are kept when at least one part in so many of the time has a file in it */
#define FILLED 10
#define DESCRIPTION_BYTES 512 /* of a part, without its path and label */
#define PROCESS_BYTES 128     /* of a process or thread in it, or of its name, without texts */
#define GAP 20		      /* between files: this part of the mean length */

/* ---- time ---- */

ORDERED(compare_begin, struct merge_part *,
	ORDER((*x)->begin, (*y)->begin) ?: ORDER((*x)->end, (*y)->end));

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

ORDERED(compare_ranks, struct ranked_process,
	ORDER(x->index, y->index) ?: ORDER(x->process, y->process));

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

static void number_processes(struct merge *m)
{
	uint32_t rank = 0;
	int64_t largest = 0, number;

	for (size_t f = 0; f < m->file.count; f++) {
		const struct merge_file *file = merge_file_at(m, f);

		for (size_t i = 0; i < file->process.count; i++)
			if (own_number(vec_at(&file->process, i), &number) && number > largest)
				largest = number;
	}
	struct numbers n = {.arena = arena_new(), .next = largest + 1};

	n.used = intern_new(n.arena);
	if (n.next > PID_MOST - (int64_t)PROCESSES_MOST)
		n.next = 1;
	for (size_t i = 0; i < m->part.count; i++) {
		number_part(m, merge_part_at(m, i), &n);
		rank_part(m, merge_part_at(m, i), &rank);
	}
	arena_free(n.arena);
}

/* ---- size ---- */

static int fit(struct merge *m, struct error *err)
{
	const struct merge_sizes *sizes = &m->sizes;
	uint64_t most = m->job->max_bytes;
	uint64_t slices = 0;

	/* Most bytes of a merged trace that describe its parts and are added to them: paths,
	 * numbers and names of processes. */
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
	uint64_t used = sizes->metadata + sizes->others + sizes->arrows + sizes->around + bytes;

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
	for (size_t i = 0; i < m->part.count; i++) {
		struct merge_part *part = merge_part_at(m, i);
		const struct merge_file *file = merge_file_at(m, part->file);

		if (part->has_range || !file->has_time)
			continue;
		part->has_range = true;
		part->begin = file->first;
		part->end = file->last;
	}
	m->base_ns = UINT64_MAX;
	for (size_t i = 0; i < m->part.count; i++) {
		uint64_t base = merge_file_at(m, merge_part_at(m, i)->file)->base_ns;

		m->base_ns = base < m->base_ns ? base : m->base_ns;
	}
	if (m->job->clock == MERGE_CLOCK_STEP)
		m->base_ns = 0;
	if (!m->is_copy) {
		set_shifts(m);
		number_processes(m);
		for (size_t f = 0; f < m->file.count; f++) {
			struct merge_file *file = merge_file_at(m, f);

			for (size_t i = 0; i < file->thread.count; i++) {
				struct merge_thread *thread = vec_at(&file->thread, i);
				struct merge_process *process =
					vec_at(&file->process, thread->process);

				thread->number = ++process->largest_tid;
			}
		}

		uint64_t next = 0;

		for (size_t i = 0; i < m->part.count; i++) {
			struct merge_part *part = merge_part_at(m, i);

			part->id_shift = next;
			part->id_number = i > 0 ? m->largest_id_number + i
						: 0; /* no id of the files begins so */
			next += merge_file_at(m, part->file)->largest_id + 1;
		}
	}
	return fit(m, err);
}

/* ---- Steps that are in the merged trace: files that are one step each are in it or left out
 * whole; a reader knows the times of the steps of files that hold several ---- */

/* found: of each range, set where the step is in it; or NULL. */
static bool in_ranges(const struct step_range *range, size_t count, bool has_number, int64_t number,
	int64_t position, bool *found)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		int64_t value = range[i].by_position ? position : number;
		bool is_in = (range[i].by_position || has_number) && value >= range[i].from &&
			     value <= range[i].to;

		if (is_in && found)
			found[i] = true;
		any |= is_in;
	}
	return any;
}

bool step_is_chosen(const struct merge_job *job, bool has_number, int64_t number, int64_t position)
{
	if (job->take_count &&
		!in_ranges(job->take, job->take_count, has_number, number, position, job->found))
		return false;
	return !in_ranges(job->skip, job->skip_count, has_number, number, position, NULL);
}

#define RANGES_SHOWN 5

void step_choices_check(const struct merge_job *job, struct issue_list *issues)
{
	struct text ranges;
	size_t missing = 0;

	text_init(&ranges);
	for (size_t i = 0; i < job->take_count; i++)
		if (!job->found[i] && ++missing <= RANGES_SHOWN) {
			text_add(&ranges, missing > 1 ? "," : "--steps=");
			step_range_text(&job->take[i], &ranges);
		}
	if (missing)
		issue_add(issues, ISSUE_LOSS, "steps-unknown", STEPS_UNKNOWN, missing,
			text_string(&ranges));
	text_release(&ranges);
}

static struct merge_part *add_part(
	struct merge *m, struct merge_file *file, size_t index, struct error *err)
{
	struct merge_part *part = vec_push(&m->part, err);

	if (!part)
		return NULL;
	if (file->part_count++ == 0)
		file->part = m->part.count - 1;
	part->file = index;
	part->label = file->label;
	return part;
}

/* The file is one step, or no steps were asked for. */
static int add_whole(struct merge *m, size_t index, bool has_step, int64_t number, int64_t position,
	struct error *err)
{
	struct merge_file *file = merge_file_at(m, index);
	struct merge_part *part;

	if (m->by_step && !step_is_chosen(m->job, has_step, number, position)) {
		m->outcome->files_left_out++;
		return 0;
	}
	part = add_part(m, file, index, err);
	if (!part)
		return -1;
	part->has_step = has_step;
	part->step = number;
	return 0;
}

ORDERED(compare_windows, struct merge_window, ORDER(x->begin, y->begin) ?: ORDER(x->end, y->end));

/* "step 3 (file)", "step 3 (2nd, file)" where the number comes again. */
static const char *label_step(struct arena *arena, const struct profile *profile,
	const struct step *step, const char *file)
{
	size_t count = 1;

	for (const struct step *s = profile->step; s < step; s++)
		count += s->number == step->number && s->run == step->run;
	if (count == 1)
		return arena_printf(arena, "step %" PRId64 " (%s)", step->number, file);
	return arena_printf(arena, "step %" PRId64 " (%zu%s, %s)", step->number, count,
		number_ordinal_ending(count), file);
}

static int add_window(struct merge *m, size_t index, const struct profile *profile,
	const struct step *step, struct error *err)
{
	struct merge_file *file = merge_file_at(m, index);
	picoseconds base = (picoseconds)profile->base_ns * PS_PER_NS;
	struct merge_window *window;
	struct merge_part *part;

	if (m->job->clock == MERGE_CLOCK_STEP || file->part_count == 0) {
		part = add_part(m, file, index, err);
		if (!part)
			return -1;
		if (m->job->clock == MERGE_CLOCK_STEP) {
			part->has_step = true;
			part->step = step->number;
			part->has_range = true;
			part->begin = base + step->start_ps;
			part->end = base + step->end_ps;
			part->label = label_step(m->arena, profile, step, file->label);
		}
	}
	window = vec_push(&file->window, err);
	if (!window)
		return -1;
	*window = (struct merge_window){
		base + step->start_ps, base + step->end_ps, m->part.count - 1};
	return 0;
}

static int add_windows(
	struct merge *m, size_t index, const struct profile *profile, struct error *err)
{
	struct merge_file *file = merge_file_at(m, index);

	for (size_t i = 0; i < profile->step_count; i++) {
		const struct step *step = &profile->step[i];

		if (step->has_wall && step_is_chosen(m->job, true, step->number, (int64_t)i + 1) &&
			add_window(m, index, profile, step, err) != 0)
			return -1;
	}
	if (file->window.count == 0)
		m->outcome->files_left_out++;
	else
		qsort(file->window.data, file->window.count, sizeof(struct merge_window),
			compare_windows);
	return 0;
}

static struct profile *read_profile(
	const struct merge *m, const struct merge_file *file, struct error *err)
{
	const struct reader *reader = file->merged && !m->job->from
					      ? reader_find("merged", err)
					      : reader_find(file->reader, err);
	struct input *in =
		reader ? input_open_as(file->input, merge_input_name(m, file), err) : NULL;
	struct profile *profile = NULL;

	if (!in)
		return NULL;
	profile = profile_new(input_path(in));
	if (reader_read(reader, in, profile, &m->job->read, err) != 0) {
		profile_free(profile);
		profile = NULL;
	}
	input_close(in);
	return profile;
}

/* Profile of the file among the profiles of its input; NULL: it has no events. */
static const struct profile *profile_of(
	const struct merge_file *file, const struct profile *profile)
{
	while (profile && file->merged && profile->part != file->source)
		profile = profile->next;
	return profile;
}

/* The profiles of its input: NULL when no steps were asked for. */
static int choose_file(struct merge *m, size_t index, const struct profile *profiles,
	int64_t *position, struct error *err)
{
	struct merge_file *file = merge_file_at(m, index);
	const struct profile *profile = profile_of(file, profiles);
	bool numbered = text_equal(file->reader, "timeline");
	int64_t number = 0;

	numbered = numbered && step_number_in_name(file->path, &number);
	if (!profile)
		return add_whole(m, index, numbered, number, ++*position, err);
	if (profile->step_count > 1 ||
		(profile->step_count > 0 && m->job->read.trace.window_count > 0))
		return add_windows(m, index, profile, err);
	if (profile->step_count == 1 && !profile->step[0].unnumbered) {
		numbered = true;
		number = profile->step[0].number;
	}
	return add_whole(m, index, numbered, number, ++*position, err);
}

int merge_choose(struct merge *m, struct error *err)
{
	int64_t position = 0;

	for (size_t i = 0, end; i < m->file.count; i = end) {
		const struct merge_file *file = merge_file_at(m, i);
		struct profile *profiles = NULL;
		int status = 0;

		end = merge_input_end(m, i);
		if (m->by_step) {
			struct error ignored;
			const struct reader *reader =
				file->reader[0] ? reader_find(file->reader, &ignored) : NULL;

			if (reader && reader->read) {
				profiles = read_profile(m, file, err);
				status = profiles ? 0 : -1;
			}
		}
		for (size_t k = i; k < end && status == 0; k++)
			status = choose_file(m, k, profiles, &position, err);
		profile_free(profiles);
		if (status != 0)
			return -1;
	}
	if (m->part.count > 0)
		return 0;
	error_set(err, ERROR_INPUT, m->job->paths[0], "none of its steps is chosen");
	return error_hint(err,
		"stepstat report %s --stats=n shows which steps there are; --steps=10:99, --skip=0",
		m->job->paths[0]);
}
