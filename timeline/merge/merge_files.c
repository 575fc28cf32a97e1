/* The order of a merge: find the files, see what they are, choose, survey, arrange, write. */
#include "timeline/merge/merge_files.h"

#include <string.h>
#include "base/text.h"
#include "ingest/find.h"
#include "ingest/read_file.h"
#include "ingest/perfetto/pftrace_scan.h"
#include "timeline/input_kind.h"
#include "timeline/merge/merge_parts.h"

#define COMMON_CAP ((size_t)1001)

static bool is_trace(const struct probe *p)
{
	return pftrace_is_of(p, NULL) ||
	       (probe_is_json(p) && (probe_has(p, "\"traceEvents\"") || probe_has(p, "\"ph\"")));
}

/* ---- merged traces among the files ---- */

struct description {
	struct arena *arena;
	struct merged *merged;
};

/* Reads the first member, which ends the reading. */
static int on_first_member(void *context, const struct json_member *member, struct error *err)
{
	struct description *d = context;

	if (json_equal(&member->key, "stepstat"))
		d->merged = merged_new(&member->value, d->arena);
	return error_set(err, ERROR_INPUT, NULL, "read as far as is needed");
}

static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	(void)context;
	(void)event;
	return error_set(err, ERROR_INPUT, NULL, "read as far as is needed");
}

static struct merged *describe_input(const struct merge *m, struct input *in)
{
	struct description d = {.arena = m->arena};
	struct trace_handler handler = {.event = on_event,
		.member = on_first_member,
		.context = &d,
		.member_bytes = MERGED_MEMBER_BYTES,
		.spill_folder = m->job->read.trace.spill_folder,
		.max_spill_bytes = m->job->read.trace.max_spill_bytes};
	struct arena *arena = arena_new();
	struct issue_list ignored;
	struct trace_totals totals;
	struct error done;

	issue_list_init(&ignored, arena);
	trace_scan(in, &handler, &ignored, m->job->read.max_record_bytes, &totals, &done);
	arena_free(arena);
	return d.merged;
}

/* Kind of an input, by its content. */
struct looked {
	bool wanted;
	const char *reader;	     /* name of what reads it, or "" */
	const struct merged *merged; /* NULL: it is one file */
};

static int detect_file(
	const struct merge *m, const char *path, bool named, struct looked *out, struct error *err)
{
	struct probe probe;
	struct input *in = probe_file(path, NULL, &probe, err);
	const struct reader *found;
	struct error ignored;

	if (!in)
		return -1;
	if (named && expect_trace(&probe, err) != 0) {
		input_close(in);
		return -1;
	}
	found = m->job->from ? m->job->from : reader_detect(&probe, &ignored);
	out->wanted = named || is_trace(&probe) || (found && found->dialect);
	out->reader = found ? found->name : "";
	if (probe_is_merged(&probe) || pftrace_is_merged(&probe))
		out->merged = describe_input(m, in);
	input_close(in);
	return 0;
}

static struct merge_file *new_file(
	struct merge *m, const char *input, const char *path, const char *reader, struct error *err)
{
	struct merge_file *file = vec_push(&m->file, err);

	if (!file)
		return NULL;
	file->path = path;
	file->input = file->shown = input;
	file->reader = reader;
	file->process_keys = intern_new(m->arena);
	file->thread_keys = intern_new(m->arena);
	vec_init(&file->process, sizeof(struct merge_process), PROCESSES_MOST,
		"processes of a trace");
	vec_init(&file->thread, sizeof(struct merge_thread), PROCESSES_MOST, "threads of a trace");
	vec_init(&file->window, sizeof(struct merge_window), PARTS_MOST, "steps of a trace");
	vec_init(&file->member, sizeof(struct merge_member), SIZE_MAX, "members around the events");
	return file;
}

static int add_sources(
	struct merge *m, const char *input, const struct merged *merged, struct error *err)
{
	for (size_t i = 0; i < merged_source_count(merged); i++) {
		const struct merged_source *source = merged_source_at(merged, i);
		struct merge_file *file = new_file(m, input, source->path,
			m->job->from ? m->job->from->name : source->reader, err);

		if (!file)
			return -1;
		file->merged = merged;
		file->source = i;
		file->base_ns = source->base_ns;
		file->events = source->events;
		file->has_near = source->has_near;
		file->near_us = source->near_us;
	}
	return 0;
}

static int add_file(
	struct merge *m, const struct found_file *found, struct vec *skipped, struct error *err)
{
	struct looked looked = {.wanted = true, .reader = ""};
	struct merge_file *file;

	if (!found->is_stdin && detect_file(m, found->path, found->named, &looked, err) != 0)
		return -1;
	if (!looked.wanted) {
		attempt_would_read(found->path, m->job->from, m->arena, skipped);
		m->outcome->files_left_out++;
		return 0;
	}
	m->inputs++;
	if (looked.merged)
		return add_sources(m, found->path, looked.merged, err);
	file = new_file(m, found->path, found->name, looked.reader, err);
	if (!file)
		return -1;
	file->shown = found->name;
	return 0;
}

const char *merge_input_name(const struct merge *m, const struct merge_file *file)
{
	return text_equal(file->input, "-") ? m->job->input_name : NULL;
}

size_t merge_input_end(const struct merge *m, size_t first)
{
	size_t end = first + 1;

	while (end < m->file.count &&
		merge_file_at(m, end)->input == merge_file_at(m, first)->input)
		end++;
	return end;
}

size_t merge_own_event(const struct merge *m, size_t first, const struct trace_event *event,
	struct trace_event *own, const struct merged_part **old)
{
	const struct merged *merged = merge_file_at(m, first)->merged;

	*old = NULL;
	if (!merged) {
		*own = *event;
		return first;
	}
	*old = merged_restore(merged, event, own);
	/* Steps of one file that were aligned have a copy each of what its processes are called. */
	if (!*old || (event->phase == 'M' &&
			     *old != merged_part_at(merged,
					     merged_source_at(merged, (*old)->source)->part)))
		return SIZE_MAX;
	return first + (*old)->source;
}

static int find(struct merge *m, struct error *err)
{
	const struct merge_job *job = m->job;
	struct vec found = {0}, skipped = {0};
	int status = find_files(job->paths, job->path_count, m->arena, &found, &skipped, err);

	find_name_stdin(&found, job->input_name);
	for (size_t i = 0; i < found.count && status == 0; i++) {
		const struct found_file *file = vec_at(&found, i);

		status = add_file(m, file, &skipped, err);
		if (status == 0 && file->is_stdin &&
			(found.count > 1 || m->by_step || job->max_bytes)) {
			error_set(err, ERROR_USAGE, "-",
				"standard input can be read once, and this needs two readings");
			status = error_hint(err, "write it to a file first");
		}
	}
	if (status == 0 && m->file.count == 0)
		status = error_set(err, ERROR_INPUT, job->paths[0], "no Chrome trace among %zu %s",
			found.count, found.count == 1 ? "file" : "files");
	skipped_report(m->issues, skipped.data, skipped.count);
	vec_release(&found);
	vec_release(&skipped);
	if (status == 0) {
		/* "step 3 (timeline_3.json)" for files that are steps, the file's name for others;
		 * the path where two have one name. */
		const char **paths = arena_array(m->arena, m->file.count, sizeof(*paths)), **labels;

		for (size_t i = 0; i < m->file.count; i++)
			paths[i] = merge_file_at(m, i)->path;
		labels = step_labels(paths, m->file.count, m->arena);
		for (size_t i = 0; i < m->file.count; i++) {
			struct merge_file *file = merge_file_at(m, i);
			const char *open = labels[i] ? strrchr(labels[i], '(') : NULL;

			file->label = labels[i] ? labels[i] : text_base_name(file->path);
			if (open && !text_equal(file->reader, "timeline") &&
				text_starts(file->label, "step ")) {
				file->label = arena_strdup(m->arena, strchr(file->label, '(') + 1);
				((char *)(uintptr_t)file->label)[strlen(file->label) - 1] = '\0';
			}
		}
	}
	return status;
}

/* One input, all of it, with its own clock: its events stay as they are. */
static bool can_copy(const struct merge *m)
{
	const struct merge_file *first = merge_file_at(m, 0);

	if (m->job->clock == MERGE_CLOCK_STEP)
		return false;
	return first->merged
		       ? m->inputs == 1 && m->outcome->files == m->file.count &&
				 m->part.count == m->file.count
		       : m->part.count == 1 && !merge_file_at(m, merge_part_at(m, 0)->file)->merged;
}

static int survey(struct merge *m, struct error *err)
{
	bool has_windows = false;

	for (size_t i = 0; i < m->file.count; i++) {
		struct merge_file *file = merge_file_at(m, i);

		file->number = m->outcome->files;
		m->outcome->files += file->part_count > 0;
		has_windows |= file->window.count > 0;
	}
	m->outcome->parts = m->part.count;
	m->is_copy = can_copy(m) && !(has_windows && merge_file_at(m, 0)->merged);
	if (m->is_copy && m->job->max_bytes == 0 && !has_windows)
		return 0;
	for (size_t i = 0, end; i < m->file.count; i = end) {
		bool is_read = false;

		end = merge_input_end(m, i);
		for (size_t k = i; k < end; k++)
			is_read |= merge_file_at(m, k)->part_count > 0;
		if (is_read && merge_survey(m, i, end, err) != 0)
			return -1;
	}
	return 0;
}

static int merge_all(struct merge *m, struct error *err)
{
	if (find(m, err) != 0 || merge_choose(m, err) != 0)
		return -1;
	step_choices_check(m->job, m->issues);
	if (trace_tally_check(&m->job->read.trace, err) != 0 || survey(m, err) != 0 ||
		merge_arrange(m, err) != 0)
		return -1;
	return merge_write(m, err);
}

int merge_files(const struct merge_job *job, struct merge_outcome *outcome,
	struct issue_list *issues, struct error *err)
{
	struct merge m = {.job = job, .outcome = outcome, .issues = issues, .arena = arena_new()};
	int status;

	*outcome = (struct merge_outcome){0};
	vec_init(&m.file, sizeof(struct merge_file), FILES_MOST, "files");
	vec_init(&m.part, sizeof(struct merge_part), PARTS_MOST, "steps of a merged trace");
	vec_init(&m.common, sizeof(struct merge_common), COMMON_CAP, "members around the events");
	m.common_keys = intern_new(m.arena);
	m.values = intern_new(m.arena);
	m.by_step = job->clock == MERGE_CLOCK_STEP || job->take_count > 0 || job->skip_count > 0 ||
		    job->read.trace.window_count > 0;
	if (job->rules && rules_count(job->rules) > 0)
		m.filter = merge_filter_new(job->rules);
	if (job->max_bytes)
		m.pairs = merge_pairs_new();
	status = merge_all(&m, err);
	for (size_t i = 0; i < m.file.count; i++) {
		struct merge_file *file = merge_file_at(&m, i);

		vec_release(&file->process);
		vec_release(&file->thread);
		vec_release(&file->window);
		vec_release(&file->member);
	}
	vec_release(&m.file);
	vec_release(&m.part);
	vec_release(&m.common);
	merge_filter_free(m.filter);
	merge_pairs_free(m.pairs);
	arena_free(m.arena);
	return status;
}
