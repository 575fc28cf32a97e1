/*
 * Steps that are in the merged trace: files that are one step each are in it or left out whole; a
 * reader knows the times of the steps of files that hold several.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/steps.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "base/unit.h"
#include "ingest/input/step_number.h"
#include "timeline/merge/merge_parts.h"

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

static int compare_windows(const void *a, const void *b)
{
	const struct merge_window *x = a, *y = b;

	return ORDER(x->begin, y->begin) ?: ORDER(x->end, y->end);
}

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

static bool is_readable(const struct merge_file *file)
{
	struct error ignored;
	const struct reader *reader = file->reader[0] ? reader_find(file->reader, &ignored) : NULL;

	return reader && reader->read;
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
		if (m->by_step && is_readable(file)) {
			profiles = read_profile(m, file, err);
			status = profiles ? 0 : -1;
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
