/*
 * Names the inputs of a command to base/output/file_identity.h.
 */
#include "cli/outputs.h"

#include <string.h>
#include "base/output/file_identity.h"
#include "base/text.h"
#include "ingest/read_file.h"

struct outputs {
	const struct settings *settings;
	struct file_identity *identity;
	size_t count;
	bool written; /* by this job: they are no inputs */
};

bool outputs_include(
	const struct file_identity *output, size_t count, const struct found_file *file)
{
	const struct file_identity self = {
		.kind = FILE_REGULAR, .device = file->device, .inode = file->inode};
	struct file_identity folder = {0};

	if (file->group)
		file_identity_of(file->group, &folder);
	for (size_t i = 0; i < count; i++)
		if (file_identity_equal(&output[i], &self) ||
			file_identity_equal(&output[i], &folder))
			return true;
	return false;
}

/* An earlier report among the inputs may be replaced when no reader accepts it. */
static void add_found(const struct outputs *outputs, const struct found_file *file)
{
	if (!file->named && outputs_include(outputs->identity, outputs->count, file) &&
		(outputs->written ||
			!attempt_would_read(file->path, outputs->settings->job.from, NULL, NULL)))
		return;
	if (file->is_stdin)
		output_guard_add("-");
	else
		output_guard_add_file(file->path, file->device, file->inode);
}

/* The command reports what cannot be found. */
static void add_path(const struct outputs *outputs, const char *path)
{
	struct arena *arena = arena_new();
	struct vec found, skipped;
	struct error ignored = {0};

	if (find_files(&path, 1, arena, &found, &skipped, &ignored) == 0)
		for (size_t i = 0; i < found.count; i++)
			add_found(outputs, vec_at(&found, i));
	vec_release(&found);
	vec_release(&skipped);
	arena_free(arena);
}

static void add_list(const struct outputs *outputs, const struct vec *list)
{
	for (size_t i = 0; i < list->count; i++)
		add_path(outputs, *(const char *const *)vec_at(list, i));
}

static void add_file(const char *path)
{
	if (path && *path)
		output_guard_add(path);
}

static void add_inputs(const struct outputs *outputs)
{
	const struct settings *s = outputs->settings;

	add_list(outputs, &s->job.input);
	add_list(outputs, &s->job.compare.base);
	add_list(outputs, &s->job.compare.new_side);
	if (s->job.compare.noise_path)
		add_path(outputs, s->job.compare.noise_path);
	add_file(s->job.graph_path);
	add_file(s->job.op_log_path);
	add_file(s->config);
	for (size_t i = 0; i < s->rules_file.count; i++)
		add_file(*(const char *const *)vec_at(&s->rules_file, i));
}

static struct outputs outputs_of(const struct settings *s)
{
	struct outputs outputs = {.settings = s, .count = s->output.count};

	outputs.identity = arena_array(s->arena, outputs.count + 1, sizeof(*outputs.identity));
	for (size_t i = 0; i < outputs.count; i++)
		file_identity_of(*(const char *const *)vec_at(&s->output, i), &outputs.identity[i]);
	return outputs;
}

void outputs_guard_again(const struct settings *s)
{
	struct outputs outputs = outputs_of(s);

	outputs.written = true;
	output_guard_forget_inputs();
	add_inputs(&outputs);
}

int outputs_check(const struct settings *s, struct error *err)
{
	const struct outputs outputs = outputs_of(s);
	int *open = arena_array(s->arena, outputs.count + 1, sizeof(*open));
	size_t opened = 0;
	int status = 0;

	add_inputs(&outputs);
	for (; opened < outputs.count && !status; opened++) {
		const char *path = *(const char *const *)vec_at(&s->output, opened);

		status = output_guard_check(path, err);
		open[opened] = status ? -1 : output_guard_open(path);
	}
	for (size_t i = 0; i < opened; i++)
		output_guard_close(open[i]);
	return status;
}

/* A checkpoint is named by the prefix of its files. */
static void add_checkpoint(const char *prefix)
{
	static const char *const ends[] = {"", ".index", ".data-00000-of-00001"};
	struct text path;

	text_init(&path);
	for (size_t i = 0; prefix && *prefix && i < sizeof(ends) / sizeof(*ends); i++) {
		text_clear(&path);
		text_printf(&path, "%s%s", prefix, ends[i]);
		output_guard_add(text_string(&path));
	}
	text_release(&path);
}

int outputs_check_tfprof(const struct tfprof_flags *flags, struct error *err)
{
	const struct tfprof_inputs *in = &flags->inputs;

	add_file(in->profile_path);
	add_file(in->graph_path);
	add_file(in->op_log_path);
	add_checkpoint(in->checkpoint_path);
	for (size_t i = 0; i < in->run_meta_count; i++)
		add_file(in->run_meta_path[i]);
	return flags->write_profile ? output_guard_check(flags->write_profile, err) : 0;
}
