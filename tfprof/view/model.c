/* Loading what the command line names, in the order and with the words of the original. */
#include "tfprof/view/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/number.h"
#include "base/order.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "tfprof/files/checkpoint.h"
#include "tfprof/files/graph_def.h"
#include "ingest/reader.h"
#include "tfprof/files/run_metadata.h"
#include "ingest/protobuf/text_proto.h"
#include "tfprof/files/tfprof.h"

#define GOES_ON (-1)
#define CANNOT_PARSE "Invalid argument: Cannot parse proto file."

/* One reading of the inputs into a new graph. */
struct loading {
	const struct tfprof_inputs *inputs;
	struct graph *graph;
	const struct checkpoint *checkpoint; /* NULL: none */
	struct text *out, *err;
};

/* The original has no limits of its own; protobuf has this one. */
static const struct read_options options = {
	.limits = {.ops = SIZE_MAX, .steps = SIZE_MAX, .observations = SIZE_MAX},
	.max_record_bytes = INT32_MAX,
};

static bool is_given(const char *path)
{
	return path && *path;
}

/* ---- files ---- */

static const char *status_name(int error)
{
	switch (error) {
	case ENOENT:
		return "Not found";
	case EACCES:
	case EPERM:
		return "Permission denied";
	case EISDIR:
	case ENOTDIR:
		return "Failed precondition";
	case ENAMETOOLONG:
	case EINVAL:
		return "Invalid argument";
	default:
		return "Unknown";
	}
}

/* The file as an input; NULL with the original's status text. */
static struct input *open_file(const char *path, struct text *status)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = NULL;
	struct stat about;
	int error = 0;

	if (stat(path, &about) || access(path, R_OK))
		error = errno;
	else if (S_ISDIR(about.st_mode))
		error = EISDIR;
	if (error == 0)
		in = input_open(text_equal(path, "-") ? "./-" : path, &err);
	if (error)
		text_printf(status, "%s: %s; %s", status_name(error), path, strerror(error));
	else if (!in)
		text_printf(status, "Unknown: %s; %s", path, err.message);
	return in;
}

/* True if the input has no bytes at all: an empty message, no mistake. */
static bool is_empty(struct input *in)
{
	struct error err = {.kind = ERROR_NONE};
	const unsigned char *bytes;
	size_t size = 0;

	return input_peek(in, 1, &bytes, &size, &err) == 0 && size == 0;
}

/* ---- a profile ---- */

/* False: it is not to be used, and messages say why. */
static bool read_profile(struct loading *l)
{
	struct error err = {.kind = ERROR_NONE};
	struct text status;
	bool good = true;

	text_init(&status);
	struct input *in = open_file(l->inputs->profile_path, &status);

	if (!in) {
		text_printf(l->err, "Failed to read profile: %s", text_string(&status));
	} else {
		good = is_empty(in) ||
		       tfprof_read_graph(in, l->graph, &l->graph->issues, &options, &err) == 0;
		if (!good)
			text_add(l->err, "Failed to parse profile\n");
	}
	good = good && in;
	input_close(in);
	text_release(&status);
	return good;
}

/* ---- graph, op log, checkpoint names, steps ---- */

static int read_graph(struct loading *l)
{
	struct error err = {.kind = ERROR_NONE};
	struct text status;
	int result = GOES_ON;

	if (!is_given(l->inputs->graph_path))
		return GOES_ON;
	text_init(&status);
	struct input *in = open_file(l->inputs->graph_path, &status);

	if (in && graph_def_read(in, l->graph, &options, &err))
		text_add(&status, CANNOT_PARSE);
	if (status.size) {
		text_printf(l->err, "Failed to read graph_path: %s\n", text_string(&status));
		result = 1;
	}
	input_close(in);
	text_release(&status);
	return result;
}

/* Binary only. */
static bool parse_op_log(struct loading *l, struct input *in)
{
	struct error err = {.kind = ERROR_NONE};
	bool text;

	if (is_empty(in))
		return true;
	return text_proto_is_text(in, &text, &err) == 0 && !text &&
	       op_log_read(in, l->graph, &options, &err) == 0;
}

static int read_op_log(struct loading *l)
{
	struct text status;
	int result = GOES_ON;

	if (!is_given(l->inputs->op_log_path))
		return GOES_ON;
	text_init(&status);
	struct input *in = open_file(l->inputs->op_log_path, &status);

	if (!in) {
		text_printf(l->err, "Failed to read op_log_path: %s\n", text_string(&status));
		result = 1;
	} else if (!parse_op_log(l, in)) {
		text_add(l->err, "Failed to parse op_log_path\n");
		result = 1;
	}
	input_close(in);
	text_release(&status);
	return result;
}

static int read_step(struct loading *l, size_t index)
{
	const char *path = l->inputs->run_meta_path[index];
	const struct graph_detail *detail = l->graph->detail;
	struct error err = {.kind = ERROR_NONE};
	char share[NUMBER_TEXT_SIZE];
	struct text status;
	int has_step = 0;
	int result = GOES_ON;

	text_init(&status);
	struct input *in = open_file(path, &status);

	if (in)
		has_step = run_metadata_read_step(
			in, l->graph, (int64_t)index, &options, l->err, &err);
	if (has_step < 0)
		text_add(&status, CANNOT_PARSE);
	if (status.size) {
		text_printf(l->err, "Failed to read run_meta_path %s. Status: %s\n", path,
			text_string(&status));
		result = 1;
	} else {
		if (!has_step)
			text_printf(l->err, "Invalid RunMetadata for step %zu\n", index);
		text_printf(l->out, "run graph coverage: %s\n",
			number_format_fixed(share,
				(double)detail->covered_count /
					((double)l->graph->node_count + 1e-10),
				2));
	}
	input_close(in);
	text_release(&status);
	return result;
}

static int read_logs(struct loading *l)
{
	int result;

	text_add(l->out, "Try to use a single --profile_path instead of "
			 "graph_path,op_log_path,run_meta_path\n");
	result = read_graph(l);
	if (result == GOES_ON)
		result = read_op_log(l);
	if (result != GOES_ON)
		return result;
	text_add(l->out, "Parsing Inputs...\n");

	/* Nodes that a checkpoint has values of get a type by which they can be accounted. */
	size_t count = l->checkpoint ? checkpoint_count(l->checkpoint) : 0;
	uint32_t node;

	for (size_t i = 0; i < count; i++)
		if (graph_node_find(l->graph, checkpoint_at(l->checkpoint, i)->name, &node))
			graph_node_type(l->graph, node, "_checkpoint_variables");
	l->graph->order_later = true;
	for (size_t i = 0; i < l->inputs->run_meta_count && result == GOES_ON; i++)
		result = read_step(l, i);
	graph_order_execs(l->graph);
	graph_detail_finish(l->graph);
	return result;
}

/* ---- the model ---- */

void tfprof_model_list_steps(struct tfprof_model *model)
{
	const struct graph *graph = model->graph;

	model->step = arena_array(model->arena, graph->step_count, sizeof(*model->step));
	model->step_count = 0;
	model->listed = graph->step_count;
	if (graph->step_count == 0)
		return;
	memcpy(model->step, graph->step, graph->step_count * sizeof(*model->step));
	qsort(model->step, graph->step_count, sizeof(*model->step), order_int64);
	for (size_t i = 0; i < graph->step_count; i++)
		if (i == 0 || model->step[i] != model->step[i - 1])
			model->step[model->step_count++] = model->step[i];
}

/* New graph in place of one of no use, which is freed with its details. */
static struct graph *begin_graph(struct graph *old, struct graph_detail *detail)
{
	struct graph *graph = graph_new();

	if (old)
		graph_detail_release(detail);
	graph_free(old);
	graph_detail_init(detail);
	graph->detail = detail;
	return graph;
}

static int open_checkpoint(struct tfprof_model *model, struct text *err_text)
{
	struct error err = {.kind = ERROR_NONE};

	if (!is_given(model->inputs.checkpoint_path))
		return GOES_ON;
	model->checkpoint = checkpoint_open(model->inputs.checkpoint_path, &err);
	if (model->checkpoint)
		return GOES_ON;
	text_printf(err_text, "%s\n", err.message);
	return 1;
}

struct tfprof_model *tfprof_model_new(void)
{
	struct arena *arena = arena_new();
	struct tfprof_model *model = arena_alloc(arena, sizeof(*model));
	struct graph_detail *detail = arena_alloc(arena, sizeof(*detail));

	model->arena = arena;
	model->graph = begin_graph(NULL, detail);
	return model;
}

struct tfprof_model *tfprof_model_load(
	const struct tfprof_inputs *inputs, struct text *out, struct text *err, int *exit_status)
{
	struct tfprof_model *model = tfprof_model_new();
	struct tfprof_inputs *to = &model->inputs;
	const char *paths[] = {inputs->profile_path, inputs->graph_path, inputs->op_log_path,
		inputs->checkpoint_path};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		paths[i] = paths[i] ? arena_strdup(model->arena, paths[i]) : NULL;
	to->profile_path = paths[0];
	to->graph_path = paths[1];
	to->op_log_path = paths[2];
	to->checkpoint_path = paths[3];
	to->run_meta_count = inputs->run_meta_count;
	to->run_meta_path =
		arena_array(model->arena, inputs->run_meta_count, sizeof(*to->run_meta_path));
	for (size_t i = 0; i < inputs->run_meta_count; i++)
		to->run_meta_path[i] = arena_strdup(model->arena, inputs->run_meta_path[i]);
	text_add(out, "Reading Files...\n");
	*exit_status = open_checkpoint(model, err);
	if (*exit_status != GOES_ON)
		return model;
	struct loading loading = {&model->inputs, model->graph, model->checkpoint, out, err};

	if (!is_given(inputs->profile_path)) {
		*exit_status = read_logs(&loading);
	} else if (!read_profile(&loading)) {
		model->graph = begin_graph(model->graph, model->graph->detail);
		model->unread = true;
	}
	tfprof_model_list_steps(model);
	return model;
}

/* The inputs once more, into a graph with this detail; NULL: they are not what they were. */
static struct graph *read_again(
	struct tfprof_model *model, struct graph_detail *detail, struct error *err)
{
	struct graph *graph = graph_new();
	struct text said, complaints;
	bool good;

	text_init(&said);
	text_init(&complaints);
	graph->detail = detail;
	struct loading loading = {&model->inputs, graph, model->checkpoint, &said, &complaints};

	if (is_given(model->inputs.profile_path))
		good = read_profile(&loading);
	else
		good = read_logs(&loading) == GOES_ON;
	text_release(&said);
	text_release(&complaints);
	if (good && graph->node_count == model->graph->node_count)
		return graph;
	graph_free(graph);
	error_set(err, ERROR_INPUT, NULL, "the inputs changed while they were in use");
	return NULL;
}

int tfprof_model_detail(
	struct tfprof_model *model, int64_t step, struct graph_detail *out, struct error *err)
{
	struct graph *graph;

	graph_detail_init(out);
	out->step = step;
	out->memory = true;
	graph = read_again(model, out, err);
	if (!graph)
		graph_detail_release(out);
	graph_free(graph);
	return graph ? 0 : -1;
}

int tfprof_model_write(struct tfprof_model *model, const char *path, struct error *err)
{
	struct graph_detail detail;
	struct outfile *out = NULL;
	struct graph *graph;
	int result = -1;

	if (model->unread)
		return error_set(err, ERROR_INPUT, model->inputs.profile_path,
			"no profile was read that could be written");
	graph_detail_init(&detail);
	detail.memory = detail.whole = true;
	graph = read_again(model, &detail, err);
	if (graph)
		out = outfile_open(path, err);
	if (out) {
		profile_write(graph, out);
		result = outfile_commit(out, err);
	}
	graph_free(graph);
	graph_detail_release(&detail);
	return result;
}

void tfprof_model_free(struct tfprof_model *model)
{
	if (!model)
		return;
	struct graph_detail *detail = model->graph->detail;

	graph_free(model->graph);
	graph_detail_release(detail);
	checkpoint_free(model->checkpoint);
	arena_free(model->arena);
}
