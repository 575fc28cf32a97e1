/* Runs commands: checks what is asked, builds the view, brings it to its output. */
#include "tfprof/session.h"

#include <string.h>
#include "base/output/gzip_writer.h"
#include "base/output/outfile.h"
#include "tfprof/view/advise.h"
#include "tfprof/options/options.h"
#include "tfprof/view/steps.h"
#include "tfprof/view/view.h"
#include "tfprof/outputs.h"

#define GRADIENT_WORDS " gradient nodes not accounted\n"

void tfprof_session_init(struct tfprof_session *session, struct tfprof_model *model,
	const struct tfprof_options *options)
{
	*session =
		(struct tfprof_session){.model = model, .options = *options, .words = arena_new()};
	session->by_name = node_values_order(model->graph, session->words);
}

void tfprof_session_release(struct tfprof_session *session)
{
	arena_free(session->words);
}

static struct view *build(enum tfprof_command command, const struct node_values *values,
	const struct tfprof_options *options, struct arena *arena, struct text *messages)
{
	switch (command) {
	case COMMAND_SCOPE:
		return view_scope(values, options, arena, messages);
	case COMMAND_GRAPH:
		return view_graph(values, options, arena, messages);
	case COMMAND_OP:
		return view_op(values, options, arena, messages);
	default:
		return view_code(values, options, arena, messages);
	}
}

/* The slots of the steps that are asked for, or the one of the average. */
static void make_values(const struct tfprof_session *session, const struct tfprof_options *options,
	struct arena *arena, struct node_values *values)
{
	struct slots *slots =
		steps_slots(options, session->model->step, session->model->step_count, arena);

	node_values_fill(session->model->graph, slots, session->by_name, arena, values);
}

/* Hands on the lines that are the note on gradients, or all the others. */
static void add_lines(const struct text *said, bool gradient, struct text *messages)
{
	const size_t tail = strlen(GRADIENT_WORDS);
	const char *p = text_string(said);

	while (*p) {
		const char *end = strchr(p, '\n');
		size_t n = end ? (size_t)(end - p) + 1 : strlen(p);
		bool is_gradient = n > tail && memcmp(p + n - tail, GRADIENT_WORDS, tail) == 0;

		if (is_gradient == gradient)
			text_add_bytes(messages, p, n);
		p += n;
	}
}

/* The original builds the code view once, at the first command that needs it, and says then which
 * gradients it leaves out: also where the command is refused. */
static void build_code(struct tfprof_session *session, struct text *messages)
{
	struct arena *arena = arena_new();
	struct tfprof_options options;
	struct node_values values;
	struct text said;

	text_init(&said);
	if (!session->code_built && session->model->graph->has_trace) {
		tfprof_options_init(&options, arena);
		make_values(session, &options, arena, &values);
		view_code(&values, &options, arena, &said);
		add_lines(&said, true, messages);
	}
	session->code_built = true;
	text_release(&said);
	arena_free(arena);
}

static bool has_step(const struct tfprof_model *model, int64_t step)
{
	for (size_t i = 0; i < model->step_count; i++)
		if (model->step[i] == step)
			return true;
	return false;
}

static bool refuse_step(const struct tfprof_model *model, const struct tfprof_options *options,
	struct text *messages)
{
	int64_t step = options->step;

	if (steps_refuse(options, model->step, model->step_count, messages))
		return true;
	if (options->several_steps || step < 0 || has_step(model, step))
		return false;
	text_printf(messages, "Options -step=%lld not found.\nAvailable steps: ", (long long)step);
	for (size_t i = 0; i < model->step_count; i++)
		text_printf(messages, "%lld ", (long long)model->step[i]);
	text_add(messages, "\n");
	return true;
}

static void report_unwritten(struct tfprof_session *session, const struct error *err,
	const char *path, struct text *messages)
{
	session->failed = true;
	text_printf(messages, "E: %s: %s\n", *err->place ? err->place : path, err->message);
}

static bool write_file(struct tfprof_session *session, const char *path, const struct text *text,
	struct text *messages)
{
	struct error err = {0};
	struct outfile *out = outfile_open(path, &err);

	if (out) {
		outfile_write(out, text_string(text), text->size);
		if (outfile_commit(out, &err) == 0)
			return true;
	}
	report_unwritten(session, &err, path, messages);
	return false;
}

static bool write_gzip(struct tfprof_session *session, const char *path, const struct text *bytes,
	struct text *messages)
{
	struct error err = {0};
	struct outfile *out = outfile_open(path, &err);
	struct gzip_writer *gzip = out ? gzip_writer_new(out) : NULL;

	if (gzip) {
		gzip_writer_write(gzip, text_string(bytes), bytes->size);
		if (gzip_writer_finish(gzip, &err) < 0)
			outfile_discard(out);
		else if (outfile_commit(out, &err) == 0)
			return true;
	}
	report_unwritten(session, &err, path, messages);
	return false;
}

static void write_pprof(struct tfprof_session *session, const struct view *view,
	const struct tfprof_options *options, struct text *out, struct text *messages)
{
	struct text bytes;

	text_init(&bytes);
	pprof_write(view, options, &bytes);
	if (write_gzip(session, tfprof_output_file(options), &bytes, messages))
		text_printf(out, "\nRun pprof -png --nodecount=100 --sample_index=1 <%s>\n",
			tfprof_output_file(options));
	text_release(&bytes);
}

static void write_timeline(struct tfprof_session *session, enum tfprof_command command,
	const struct view *view, const struct tfprof_options *options, struct text *out,
	struct text *messages)
{
	struct error err = {0};

	if (command == COMMAND_OP) {
		text_add(messages, "op view doesn't support timeline yet. Consider "
				   "graph/scope/code view.\n");
	} else {
		int status = tfprof_timeline(session->model, view, options, out, messages, &err);

		session->failed |= status > 0;
		if (status < 0)
			report_unwritten(session, &err, err.place, messages);
	}
}

static void write_table(struct tfprof_session *session, const struct view *view,
	const struct tfprof_options *options, struct text *messages)
{
	struct error err = {0};

	if (view_report_write(view, options, &err) < 0)
		report_unwritten(session, &err, tfprof_output_file(options), messages);
}

static void add_tensor(void *context, const char *name, struct text *out, struct text *messages)
{
	tensor_value_text(context, name, out, messages);
}

/* Text is made for every output: values of tensors have messages. */
static void write_view(struct tfprof_session *session, enum tfprof_command command,
	const struct view *view, const struct tfprof_options *options, struct text *out,
	struct text *messages)
{
	const struct tfprof_model *model = session->model;
	struct view_text_options how = {
		.misses_stream = model->graph->detail && model->graph->detail->misses_stream,
		.tensor = model->checkpoint ? add_tensor : NULL,
		.context = model->checkpoint,
	};
	struct text text;

	if (options->output == OUTPUT_STDOUT) {
		view_text(view, options, &how, out, messages);
		return;
	}
	text_init(&text);
	if (options->output == OUTPUT_FILE || options->select[SELECT_TENSOR_VALUE])
		view_text(view, options, &how, &text, messages);
	if (options->output == OUTPUT_FILE)
		write_file(session, tfprof_output_file(options), &text, messages);
	else if (options->output == OUTPUT_TIMELINE)
		write_timeline(session, command, view, options, out, messages);
	else if (options->output == OUTPUT_PPROF)
		write_pprof(session, view, options, out, messages);
	else if (tfprof_output_writer(options->output))
		write_table(session, view, options, messages);
	text_release(&text);
}

static bool add_tensor_message(void *context, const char *name, struct text *bytes)
{
	return tensor_value_message(context, name, bytes);
}

/* Writes the message of a view. As in the original it has tensors when their text is asked for. The
 * text was made before, for every output, and names the values that the checkpoint lacks. */
static void write_message(struct tfprof_session *session, const struct view *view,
	const struct tfprof_options *options, struct text *messages)
{
	struct checkpoint *checkpoint = session->model->checkpoint;
	struct result_tensors tensors = {add_tensor_message, checkpoint};
	bool with_tensors = checkpoint && options->select[SELECT_TENSOR_VALUE];
	struct text bytes;

	text_init(&bytes);
	result_proto_write(view, with_tensors ? &tensors : NULL, &bytes);
	write_file(session, options->proto_out, &bytes, messages);
	text_release(&bytes);
}

/* Names that are the same in every scope view of the model; they are kept. */
static const struct scope_names *session_scopes(struct tfprof_session *session)
{
	if (!session->scopes)
		session->scopes =
			scope_names_new(session->model->graph, session->by_name, session->words);
	return session->scopes;
}

static struct view *make_view(struct tfprof_session *session, enum tfprof_command command,
	const struct tfprof_options *options, struct arena *arena, struct text *messages)
{
	struct node_values *values = arena_alloc(arena, sizeof(*values));

	make_values(session, options, arena, values);
	if (command == COMMAND_SCOPE)
		values->scopes = session_scopes(session);
	return build(command, values, options, arena, messages);
}

static void show(struct tfprof_session *session, enum tfprof_command command,
	const struct tfprof_options *options, struct text *out, struct text *messages)
{
	struct arena *arena = arena_new();
	struct view *view = make_view(session, command, options, arena, messages);

	if (view)
		write_view(session, command, view, options, out, messages);
	if (view && options->proto_out)
		write_message(session, view, options, messages);
	arena_free(arena);
}

/* The timeline of the graph view is one of a step: without one, all steps have theirs. The message
 * is that of the average. */
static void show_steps(struct tfprof_session *session, const struct tfprof_options *options,
	struct text *out, struct text *messages)
{
	const struct tfprof_model *model = session->model;
	struct tfprof_options each = *options;

	each.proto_out = NULL;
	for (size_t i = 0; i < model->step_count; i++) {
		each.step = model->step[i];
		show(session, COMMAND_GRAPH, &each, out, messages);
	}
	if (!options->proto_out)
		return;
	each = *options;
	each.output = OUTPUT_NONE;
	show(session, COMMAND_GRAPH, &each, out, messages);
}

struct view *tfprof_session_view(struct tfprof_session *session, enum tfprof_command command,
	const struct tfprof_options *options, struct arena *arena, struct text *messages)
{
	if (refuse_step(session->model, options, messages))
		return NULL;
	if (command == COMMAND_CODE && !session->model->graph->has_trace) {
		text_add(messages, "No code trace information\n");
		return NULL;
	}
	return make_view(session, command, options, arena, messages);
}

static void run_view(struct tfprof_session *session, enum tfprof_command command,
	const struct tfprof_options *options, struct text *out, struct text *messages)
{
	const struct tfprof_model *model = session->model;
	static const enum view_kind kinds[] = {VIEW_SCOPE, VIEW_GRAPH, VIEW_OP, VIEW_CODE};
	bool of_steps = command == COMMAND_GRAPH && options->output == OUTPUT_TIMELINE;

	if (refuse_step(model, options, messages))
		return;
	if (command == COMMAND_CODE && !model->graph->has_trace)
		text_add(messages, "No code trace information\n");
	else if (options->output == OUTPUT_PPROF &&
		 !pprof_is_possible(kinds[command - COMMAND_SCOPE], options, messages))
		return;
	else if (of_steps && options->step < 0)
		show_steps(session, options, out, messages);
	else
		show(session, command, options, out, messages);
}

static void run_advise(struct tfprof_session *session, const struct tfprof_options *options,
	struct text *out, struct text *messages)
{
	struct arena *arena = arena_new();
	struct advice advice;
	struct text bytes;

	text_init(&bytes);
	advice_make(session->model, arena, &advice, messages);
	advice_text(&advice, out);
	if (options->advise_all)
		tfprof_advise_steps(session->model, out, messages);
	if (options->proto_out) {
		result_proto_write_advice(&advice, &bytes);
		write_file(session, options->proto_out, &bytes, messages);
	}
	text_release(&bytes);
	arena_free(arena);
}

void tfprof_session_run(struct tfprof_session *session, enum tfprof_command command,
	const struct tfprof_options *options, struct text *out, struct text *messages)
{
	struct text said;

	text_init(&said);
	if (command == COMMAND_CODE || command == COMMAND_ADVISE)
		build_code(session, messages);
	if (command == COMMAND_ADVISE)
		run_advise(session, options, out, &said);
	else
		run_view(session, command, options, out, &said);
	add_lines(&said, false, messages);
	text_release(&said);
}

bool tfprof_session_line(
	struct tfprof_session *session, const char *line, struct text *out, struct text *messages)
{
	struct tfprof_options options = session->options;
	struct arena *arena = arena_new();
	enum tfprof_command command;
	struct text message;
	bool good;

	text_init(&message);
	good = tfprof_line_parse(line, arena, &command, &options, &message);
	if (!good)
		text_printf(messages, "E: %s\n", text_string(&message));
	else if (command == COMMAND_NONE)
		tfprof_options_print(&session->options, out);
	else if (command == COMMAND_SET)
		tfprof_line_parse(line, session->words, &command, &session->options, &message);
	else if (command == COMMAND_HELP)
		tfprof_help_text(out);
	else
		tfprof_session_run(session, command, &options, out, messages);
	text_release(&message);
	arena_free(arena);
	return good;
}
