/*
 * Finds the files, looks what they are, and writes step after step.
 */
#include "timeline/generate_files.h"

#include "base/text.h"
#include "ingest/find.h"
#include "ingest/read_file.h"
#include "timeline/input_kind.h"
#include "timeline/step_label.h"

/* Returns 0 if the input is RunMetadata by its content, or -1 with the reason: it is not, or that
 * is not known. */
static int check_kind(const struct generate_job *job, struct input *in, struct error *err)
{
	struct probe probe;

	if (job->from)
		return 0;
	return probe_input(in, &probe, err) == 0 ? expect_run_metadata(&probe, err) : -1;
}

/* Finds whether a file of a folder is to be read. A file that cannot be opened there is an error
 * all the same. */
static int check_found(
	const struct generate_job *job, const char *path, bool *wanted, struct error *err)
{
	struct input *in = input_open(path, err);
	struct error reason;

	if (!in)
		return -1;
	*wanted = check_kind(job, in, &reason) == 0;
	input_close(in);
	return 0;
}

/* Chooses the files that are to be read. */
static int choose(const struct generate_job *job, struct vec *found, struct vec *skipped,
	struct arena *arena, const struct found_file **chosen, size_t *count, struct error *err)
{
	*count = 0;
	for (size_t i = 0; i < found->count; i++) {
		const struct found_file *file = vec_at(found, i);
		bool wanted = true;

		if (!file->named && check_found(job, file->path, &wanted, err))
			return -1;
		if (wanted)
			chosen[(*count)++] = file;
		else
			attempt_would_read(file->path, job->from, arena, skipped);
	}
	if (*count)
		return 0;
	return error_set(err, ERROR_INPUT, job->paths[0], "no RunMetadata among %zu %s",
		found->count, found->count == 1 ? "file" : "files");
}

/* NULL: its path. */
static const char *name_of(const struct generate_job *job, const struct found_file *file)
{
	return file->is_stdin ? job->input_name : NULL;
}

static int add_file(const struct generate_job *job, struct timeline_writer *writer,
	const struct found_file *file, const char *label, struct issue_list *issues,
	struct error *err)
{
	struct input *in = input_open_as(file->path, name_of(job, file), err);
	struct recorded_step *step = NULL;
	size_t replaced = writer->json.replaced;
	int result = -1;

	if (!in)
		return -1;
	if (check_kind(job, in, err) == 0)
		step = recorded_step_read(in, &job->read, job->options.memory, err);
	if (step)
		result = timeline_writer_add(writer, step, label, err);
	if (step)
		input_report_tail(in, issues);
	if (writer->json.replaced > replaced)
		issue_add(issues, ISSUE_LOSS, "not-utf8",
			"bytes in names that are not UTF-8, written as U+FFFD",
			writer->json.replaced - replaced, file->name);
	recorded_step_free(step);
	input_close(in);
	return result;
}

static int write_all(const struct generate_job *job, const struct found_file *const *files,
	size_t count, struct arena *arena, struct issue_list *issues, struct error *err)
{
	const char **names = arena_array(arena, count, sizeof(*names)), **labels;
	struct trace_file *file = trace_file_open(job->output, err);
	struct timeline_writer writer;
	int result = 0;

	if (!file)
		return -1;
	for (size_t i = 0; i < count; i++)
		names[i] = files[i]->name;
	labels = step_labels(names, count, arena);
	timeline_writer_begin(&writer, file, &job->options);
	for (size_t i = 0; i < count && result == 0; i++)
		result = add_file(job, &writer, files[i], labels[i], issues, err);
	timeline_writer_end(&writer);
	if (result == 0 && job->strict) /* before the file is put in place */
		result = issue_list_refuse_losses(issues, err);
	if (result == 0)
		return trace_file_commit(file, err);
	trace_file_discard(file);
	return -1;
}

int generate_files(const struct generate_job *job, struct issue_list *issues, struct error *err)
{
	struct arena *arena = arena_new();
	struct vec found = {0}, skipped = {0};
	int result = find_files(job->paths, job->path_count, arena, &found, &skipped, err);
	const struct found_file **chosen = arena_array(arena, found.count, sizeof(*chosen));
	size_t count = 0;

	find_name_stdin(&found, job->input_name);
	if (result == 0)
		result = choose(job, &found, &skipped, arena, chosen, &count, err);
	skipped_report(issues, skipped.data, skipped.count);
	if (result == 0)
		result = write_all(job, chosen, count, arena, issues, err);
	vec_release(&found);
	vec_release(&skipped);
	arena_free(arena);
	return result;
}
