/*
 * Views of the library: a line is parsed as at tfprof's prompt, and its view becomes rows.
 */
#include <string.h>
#include "tfprof/api/model.h"
#include "base/memory.h"
#include "base/text.h"
#include "tfprof/view/steps.h"

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

/* Parses the command and its options into the arena. False: the error is set. */
static bool parse(const char *line, struct arena *arena, enum tfprof_command *command,
	struct tfprof_options *options, struct stepstat_error *error)
{
	struct text message;
	bool good;

	text_init(&message);
	tfprof_options_init(options, arena);
	good = tfprof_line_parse(line, arena, command, options, &message);
	if (!good) {
		refuse(error, &message);
	} else if (*command < COMMAND_SCOPE || *command > COMMAND_CODE) {
		api_fail(error, STEPSTAT_BAD_CALL,
			"expected scope, graph, op or code, or a set of options");
		good = false;
	} else if (options->output != OUTPUT_STDOUT || options->proto_out) {
		api_fail(error, STEPSTAT_BAD_CALL,
			"-output and -proto_out: a view of the library writes nothing");
		good = false;
	}
	text_release(&message);
	return good;
}

static struct tfprof_session *session_of(struct stepstat_model *model)
{
	struct tfprof_options none = {0};

	model_finish_steps(model);
	if (!model->has_session)
		tfprof_session_init(&model->session, model->inner, &none);
	model->has_session = true;
	return &model->session;
}

/* False: refused. */
static bool fill(struct stepstat_view *view, struct stepstat_model *model, const char *line,
	struct stepstat_error *error)
{
	struct tfprof_options options;
	enum tfprof_command command;
	struct text messages;

	if (!parse(line, view->arena, &command, &options, error))
		return false;
	text_init(&messages);
	view->inner =
		tfprof_session_view(session_of(model), command, &options, view->arena, &messages);
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
