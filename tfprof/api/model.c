/*
 * Models of the library: files into one graph, step by step.
 */
#include "tfprof/api/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "base/text.h"
#include "tfprof/files/graph_def.h"
#include "tfprof/files/run_metadata.h"
#include "tfprof/files/tfprof.h"
#include "tfprof/graph/graph_detail.h"

/* The limit of protobuf; everything else is limited by memory. */
static const struct read_options options = {
	.limits = {.ops = SIZE_MAX, .steps = SIZE_MAX, .observations = SIZE_MAX},
	.max_record_bytes = INT32_MAX,
};

/* ---- errors ---- */

int api_fail(struct stepstat_error *to, enum stepstat_error_kind kind, const char *format, ...)
{
	va_list arguments;

	if (!to)
		return -1;
	to->kind = kind;
	va_start(arguments, format);
	vsnprintf(to->text, sizeof(to->text), format, arguments);
	va_end(arguments);
	return -1;
}

/* Hints are left out: they name options of the program. */
int api_error(struct stepstat_error *to, const struct error *from)
{
	return api_fail(to, from->kind == ERROR_LIMIT ? STEPSTAT_TOO_LARGE : STEPSTAT_BAD_INPUT,
		"%s%s%s", from->place, *from->place ? ": " : "", from->message);
}

/* ---- files ---- */

/* Opens a file, never standard input. NULL: an error. */
static struct input *open_file(const char *path, struct error *err)
{
	struct stat about;

	if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
		error_set(err, ERROR_INPUT, path, "a folder, expected a file");
		return NULL;
	}
	return input_open(text_equal(path, "-") ? "./-" : path, err);
}

static int read_profile(struct graph *graph, const char *path, struct error *err)
{
	struct input *in = open_file(path, err);
	int result = in ? tfprof_read_graph(in, graph, &graph->issues, &options, err) : -1;

	input_close(in);
	return result;
}

static int read_graph(struct graph *graph, const char *path, bool log, struct error *err)
{
	struct input *in = open_file(path, err);
	int result = -1;

	if (in)
		result = log ? op_log_read(in, graph, &options, err)
			     : graph_def_read(in, graph, &options, err);
	input_close(in);
	return result;
}

static int read_step(struct graph *graph, int64_t step, const char *path, struct error *err)
{
	struct input *in = open_file(path, err);
	int result = -1;

	if (in)
		result = run_metadata_read_step(in, graph, step, &options, NULL, err);
	if (result == 0)
		result = error_set(err, ERROR_INPUT, path,
			"no step_stats, expected RunMetadata of a run that was traced");
	input_close(in);
	return result < 0 ? -1 : 0;
}

/* ---- models ---- */

static struct stepstat_model *new_model(void)
{
	struct stepstat_model *model = memory_alloc(sizeof(*model));

	model->inner = tfprof_model_new();
	model->notes = arena_new();
	return model;
}

void stepstat_model_free(struct stepstat_model *model)
{
	if (!model)
		return;
	if (model->has_session)
		tfprof_session_release(&model->session);
	tfprof_model_free(model->inner);
	arena_free(model->notes);
	memory_free(model);
}

void model_finish_steps(struct stepstat_model *model)
{
	struct graph *graph = model->inner->graph;

	if (!model->is_unfinished)
		return;
	model->is_unfinished = false;
	if (graph->order_later)
		graph_order_execs(graph);
	graph_detail_finish(graph);
	tfprof_model_list_steps(model->inner);
	if (model->has_session)
		tfprof_session_release(&model->session);
	model->has_session = false;
}

/* The model, or NULL and the error after a result of -1. */
static struct stepstat_model *opened(struct stepstat_model *model, int result,
	const struct error *err, struct stepstat_error *error)
{
	if (result == 0) {
		model->is_unfinished = true;
		model_finish_steps(model);
		return model;
	}
	api_error(error, err);
	stepstat_model_free(model);
	return NULL;
}

struct stepstat_model *stepstat_open_profile(const char *path, struct stepstat_error *error)
{
	struct error err = {.kind = ERROR_NONE};

	if (!path) {
		api_fail(error, STEPSTAT_BAD_CALL, "no path of a profile");
		return NULL;
	}
	struct stepstat_model *model = new_model();

	return opened(model, read_profile(model->inner->graph, path, &err), &err, error);
}

struct stepstat_model *stepstat_open_graph(
	const char *graph_path, const char *op_log_path, struct stepstat_error *error)
{
	struct error err = {.kind = ERROR_NONE};
	struct stepstat_model *model = new_model();
	struct graph *graph = model->inner->graph;
	int result = 0;

	if (graph_path)
		result = read_graph(graph, graph_path, false, &err);
	if (result == 0 && op_log_path)
		result = read_graph(graph, op_log_path, true, &err);
	return opened(model, result, &err, error);
}

static void know_step(struct stepstat_model *model, int64_t step)
{
	intern_id(model->numbers, (const char *)&step, sizeof(step));
}

static bool has_step(struct stepstat_model *model, int64_t step)
{
	const struct graph *graph = model->inner->graph;
	uint32_t id;

	if (!model->numbers) {
		model->numbers = intern_new(model->notes);
		for (size_t i = 0; i < graph->step_count; i++)
			know_step(model, graph->step[i]);
		for (size_t i = 0; i < graph->exec_count; i++)
			know_step(model, graph->exec[i].step);
	}
	return intern_find(model->numbers, (const char *)&step, sizeof(step), &id);
}

/* Reads the file's step into a separate graph first, so that a damaged file changes nothing. */
static int try_step(int64_t step, const char *path, struct error *err)
{
	struct graph *graph = graph_new();
	int result = read_step(graph, step, path, err);

	graph_free(graph);
	return result;
}

int stepstat_add_step(
	struct stepstat_model *model, int64_t step, const char *path, struct stepstat_error *error)
{
	struct error err = {.kind = ERROR_NONE};

	if (!model || !path)
		return api_fail(
			error, STEPSTAT_BAD_CALL, "no %s", model ? "path of RunMetadata" : "model");
	if (step < 0)
		return api_fail(error, STEPSTAT_BAD_CALL,
			"step %lld: expected a number of 0 or more", (long long)step);
	if (model->broken || has_step(model, step))
		return api_fail(error, STEPSTAT_BAD_CALL,
			model->broken ? "step %lld: the step before was read in part"
				      : "step %lld is in the model already",
			(long long)step);
	if (try_step(step, path, &err))
		return api_error(error, &err);
	model->inner->graph->order_later = true; /* until a view is made, so that the cost of a step
						    does not depend on the others */
	model->is_unfinished = true;
	model->broken = read_step(model->inner->graph, step, path, &err) != 0;
	if (model->broken)
		return api_error(error, &err);
	know_step(model, step);
	return 0;
}

const int64_t *stepstat_model_steps(const struct stepstat_model *model, size_t *count)
{
	if (model->inner->listed != model->inner->graph->step_count)
		tfprof_model_list_steps(model->inner);
	*count = model->inner->step_count;
	return model->inner->step;
}

const char *stepstat_model_note(struct stepstat_model *model, size_t index)
{
	const struct issue_list *issues = &model->inner->graph->issues;

	if (index >= issues->count)
		return NULL;
	const struct issue *issue = &issues->issue[index];

	return arena_printf(
		model->notes, "%zu %s (first: %s)", issue->count, issue->text, issue->place);
}
