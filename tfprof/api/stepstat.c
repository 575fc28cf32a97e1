/* The library: models (files into one graph, step by step), their views, reports. */
#include "tfprof/api/stepstat.h"

#include <gsl/gsl_errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "tfprof/session.h"
#include "tfprof/files/graph_def.h"
#include "tfprof/files/run_metadata.h"
#include "tfprof/files/tfprof.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/steps.h"
#include "pipeline/one_side.h"
#include "pipeline/report_choices.h"
#include "report/build_tables.h"
#include "writers/writer.h"

struct stepstat_model {
	struct tfprof_model *inner;
	struct tfprof_session session; /* made at the first view, and again when a step was added */
	bool has_session;
	bool broken;		/* a step was read in part */
	bool is_unfinished;	/* steps were added: model_finish_steps before the graph is used */
	struct intern *numbers; /* of the steps that the graph has (8 bytes each); in `notes` */
	struct arena *notes;	/* texts of stepstat_model_note */
};

/* The limit of protobuf; everything else is limited by memory. */
static const struct read_options reading = {
	.limits = {.ops = SIZE_MAX, .steps = SIZE_MAX, .observations = SIZE_MAX},
	.max_record_bytes = INT32_MAX,
};

/* ---- errors ---- */

/* Fills *to (NULL is fine) and returns -1. */
__attribute__((format(printf, 3, 4))) static int api_fail(
	struct stepstat_error *to, enum stepstat_error_kind kind, const char *format, ...)
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
static int api_error(struct stepstat_error *to, const struct error *from)
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

static int read_graph(struct graph *graph, const char *path, bool log, struct error *err)
{
	struct input *in = open_file(path, err);
	int result = -1;

	if (in)
		result = log ? op_log_read(in, graph, &reading, err)
			     : graph_def_read(in, graph, &reading, err);
	input_close(in);
	return result;
}

static int read_step(struct graph *graph, int64_t step, const char *path, struct error *err)
{
	struct input *in = open_file(path, err);
	int result = -1;

	if (in)
		result = run_metadata_read_step(in, graph, step, &reading, NULL, err);
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

static void model_finish_steps(struct stepstat_model *model)
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
	struct input *in = open_file(path, &err);
	int result = in ? tfprof_read_graph(in, model->inner->graph, &model->inner->graph->issues,
				  &reading, &err)
			: -1;

	input_close(in);
	return opened(model, result, &err, error);
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

	/* Read the file's step into a separate graph first, so that a damaged file changes
	 * nothing. */
	struct graph *graph = graph_new();
	int result = read_step(graph, step, path, &err);

	graph_free(graph);
	if (result)
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

/* ---- Views of the library: a line is parsed as at tfprof's prompt, and its view becomes rows
 * ---- */

struct stepstat_view {
	struct arena *arena; /* of everything here */
	const struct view *inner;
	const struct slots *slots;
	const struct stepstat_node *root;
	const char *messages;
};

_Static_assert((int)STEPSTAT_REQUESTED_BYTES == (int)QUANTITY_BYTES &&
		       (int)STEPSTAT_MICROS == (int)QUANTITY_MICROS &&
		       (int)STEPSTAT_PARAMETERS == (int)QUANTITY_PARAMS &&
		       (int)STEPSTAT_RUNS == (int)QUANTITY_OCCURRENCE &&
		       (int)STEPSTAT_DEFINITIONS == (int)QUANTITY_DEFINITION &&
		       (int)STEPSTAT_QUANTITIES == (int)QUANTITIES,
	"the quantities of the library are those of the views");

const char *stepstat_quantity_name(enum stepstat_quantity quantity)
{
	static const char *const names[STEPSTAT_QUANTITIES] = {"bytes", "peak_bytes",
		"residual_bytes", "output_bytes", "micros", "accelerator_micros", "cpu_micros",
		"params", "float_ops", "occurrence", "definitions"};

	return (size_t)quantity < STEPSTAT_QUANTITIES ? names[quantity] : NULL;
}

/* ---- rows ---- */

/* A row and its source. */
struct made {
	struct stepstat_node *to;
	const struct view_node *from;
};

static void fill_node(const struct graph *graph, struct arena *arena, struct stepstat_node *to,
	const struct view_node *from)
{
	const struct graph_node *node = from->node == NODE_NONE ? NULL : &graph->node[from->node];

	to->name = arena_strdup(arena, from->name);
	to->op = node ? arena_strdup(arena, node->op) : "";
	to->device = node ? arena_strdup(arena, node->canonical_device) : "";
	to->counted = from->accounted;
	to->self = from->self;
	to->total = from->total;
}

/* Trees may be deeper than the stack: rows wait in a list. */
static const struct stepstat_node *make_rows(
	const struct graph *graph, struct arena *arena, const struct view_node *from)
{
	struct stepstat_node *root = arena_alloc(arena, sizeof(*root));
	size_t count = 1, room = 64;
	struct made *waiting = memory_alloc(memory_product(room, sizeof(*waiting)));

	waiting[0] = (struct made){root, from};
	while (count > 0) {
		struct made row = waiting[--count];
		size_t children = row.from->child_count;
		const struct stepstat_node **child = arena_array(arena, children, sizeof(*child));
		struct stepstat_node *node = arena_array(arena, children, sizeof(*node));

		fill_node(graph, arena, row.to, row.from);
		row.to->child = child;
		row.to->child_count = children;
		waiting = memory_make_room(waiting, &room, count + children, sizeof(*waiting));
		for (size_t i = 0; i < children; i++) {
			child[i] = &node[i];
			waiting[count++] = (struct made){&node[i], row.from->child[i]};
		}
	}
	memory_free(waiting);
	return root;
}

/* ---- views ---- */

/* Makes lines of messages one error, without the last line end. */
static void refuse(struct stepstat_error *error, const struct text *message)
{
	size_t n = message->size;

	while (n > 0 && message->data[n - 1] == '\n')
		n--;
	api_fail(error, STEPSTAT_BAD_CALL, "%.*s", n < 2000 ? (int)n : 2000, text_string(message));
}

/* False: refused. */
static bool fill(struct stepstat_view *view, struct stepstat_model *model, const char *line,
	struct stepstat_error *error)
{
	struct tfprof_options options;
	enum tfprof_command command;
	struct text messages;

	/* Parse the command and its options into the arena. */
	struct text message;
	bool good;

	text_init(&message);
	tfprof_options_init(&options, view->arena);
	good = tfprof_line_parse(line, view->arena, &command, &options, &message);
	if (!good) {
		refuse(error, &message);
	} else if (command < COMMAND_SCOPE || command > COMMAND_CODE) {
		api_fail(error, STEPSTAT_BAD_CALL,
			"expected scope, graph, op or code, or a set of options");
		good = false;
	} else if (options.output != OUTPUT_STDOUT || options.proto_out) {
		api_fail(error, STEPSTAT_BAD_CALL,
			"-output and -proto_out: a view of the library writes nothing");
		good = false;
	}
	text_release(&message);
	if (!good)
		return false;
	text_init(&messages);

	struct tfprof_options none = {0};

	model_finish_steps(model);
	if (!model->has_session)
		tfprof_session_init(&model->session, model->inner, &none);
	model->has_session = true;
	view->inner =
		tfprof_session_view(&model->session, command, &options, view->arena, &messages);
	if (view->inner) {
		view->slots = view->inner->values->slots;
		view->root = make_rows(model->inner->graph, view->arena, view->inner->root);
		view->messages = arena_strdup(view->arena, text_string(&messages));
	} else {
		refuse(error, &messages);
	}
	text_release(&messages);
	return view->inner != NULL;
}

struct stepstat_view *stepstat_run(
	struct stepstat_model *model, const char *line, struct stepstat_error *error)
{
	if (!model || !line || model->broken) {
		api_fail(error, STEPSTAT_BAD_CALL, "%s",
			!model	? "no model"
			: !line ? "no line"
				: "the model has a step that was read in part");
		return NULL;
	}
	struct arena *arena = arena_new();
	struct stepstat_view *view = arena_alloc(arena, sizeof(*view));

	view->arena = arena;
	if (fill(view, model, line, error))
		return view;
	arena_free(arena);
	return NULL;
}

void stepstat_view_free(struct stepstat_view *view)
{
	if (view)
		arena_free(view->arena);
}

const struct stepstat_node *stepstat_view_root(const struct stepstat_view *view)
{
	return view->root;
}

size_t stepstat_view_slots(const struct stepstat_view *view)
{
	return view->slots->count;
}

const int64_t *stepstat_view_steps(const struct stepstat_view *view)
{
	return view->slots->average ? NULL : view->slots->step;
}

const char *stepstat_view_messages(const struct stepstat_view *view)
{
	return view->messages;
}

/* ---- numbers ---- */

static int64_t value_at(const struct stepstat_view *view, const int64_t *values,
	enum stepstat_quantity quantity, size_t slot)
{
	size_t slots = view->slots->count;

	return (size_t)quantity < STEPSTAT_QUANTITIES && slot < slots
		       ? values[quantity * slots + slot]
		       : 0;
}

int64_t stepstat_self(const struct stepstat_view *view, const struct stepstat_node *node,
	enum stepstat_quantity quantity, size_t slot)
{
	return value_at(view, node->self, quantity, slot);
}

int64_t stepstat_total(const struct stepstat_view *view, const struct stepstat_node *node,
	enum stepstat_quantity quantity, size_t slot)
{
	return value_at(view, node->total, quantity, slot);
}

double stepstat_mean(
	const struct stepstat_view *view, const int64_t *values, enum stepstat_quantity quantity)
{
	if ((size_t)quantity >= STEPSTAT_QUANTITIES)
		return 0;
	return steps_mean(values, (enum quantity)quantity, view->slots->count);
}

double stepstat_cv(
	const struct stepstat_view *view, const int64_t *values, enum stepstat_quantity quantity)
{
	if ((size_t)quantity >= STEPSTAT_QUANTITIES)
		return 0;
	return steps_cv(values, (enum quantity)quantity, view->slots->count);
}

/* ---- Reports of the library: the pipeline with its default settings, into memory ---- */

/* Report of the side; all but the report is in the side's arena. */
static struct report *make_report(
	struct side *side, struct job_settings *settings, struct error *err)
{
	struct build_options opt;
	struct report *report;

	if (side_select(side, settings, err) < 0 || side_summarize(side, settings, NULL, err) < 0 ||
		report_choices_make(settings, side, &opt, err) < 0)
		return NULL;
	report = build_report(side->summary, NULL, side->self, &opt);
	build_tables(report, totals_make(side->summary, side->self, side->arena), side->self, &opt);
	return report;
}

static char *write_report(
	const struct report *report, const struct writer *writer, struct error *err)
{
	const bool is_md =
		text_equal(writer->name, "md"); /* as in -o FILE.md, smaller rows are folded */
	const struct writer_options opt = {.complete = !is_md, .fold = is_md, .file = true};
	struct outfile *out = outfile_memory();
	char *text = NULL;

	if (writer->write(report, &opt, out, err) == 0) {
		size_t size;
		const char *data = outfile_data(out, &size);

		text = memory_alloc(size + 1);
		memcpy(text, data, size);
	}
	outfile_discard(out);
	return text;
}

static const struct writer *find_writer(const char *format)
{
	static const char *const formats[] = {"json", "csv", "md"};

	for (size_t i = 0; format && i < sizeof(formats) / sizeof(*formats); i++)
		if (text_equal(formats[i], format))
			return writer_find(format, NULL);
	return NULL;
}

char *stepstat_report(
	const char *const *paths, size_t count, const char *format, struct stepstat_error *error)
{
	const struct writer *writer = find_writer(format);
	struct error err = {0};
	struct job_settings settings;
	struct arena *arena;
	char *text;

	for (size_t i = 0; i < count; i++)
		if (!paths[i] || text_equal(paths[i], "-"))
			writer = NULL;
	if (!count || !writer) {
		api_fail(error, STEPSTAT_BAD_CALL,
			"expected paths of files and a format: json, csv or md");
		return NULL;
	}
	gsl_set_error_handler_off();
	arena = arena_new();
	job_settings_init(&settings, arena);
	settings.jobs = 1;
	report_choices_set_stats(&settings);

	struct side *side = side_load(&settings, paths, count, &err);
	struct report *report = side ? make_report(side, &settings, &err) : NULL;
	text = report ? write_report(report, writer, &err) : NULL;

	report_free(report);
	side_free(side);
	if (!text)
		api_error(error, &err);
	arena_free(arena);
	return text;
}

void stepstat_report_free(char *report)
{
	memory_free(report);
}
