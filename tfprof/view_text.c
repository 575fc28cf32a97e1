/* A report as text: the warning about missing streams, what the columns mean, the legend, and the
 * lines of scope, graph and code view. The rows of the op view are made in view_op_text.c. */
#include <stdlib.h>
#include <string.h>
#include "tfprof/outputs.h"
#include "base/memory.h"
#include "base/order.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/view.h"
#include "tfprof/view/steps.h"

#define CPU_HELP                                                                                   \
	"cpu execution time: The time from the start to the end of the operation. It's the sum "   \
	"of actual cpu run time plus the time that it spends waiting if part of computation is "   \
	"launched asynchronously."
#define ACCELERATOR_HELP                                                                           \
	"accelerator execution time: Time spent executing on the accelerator. This is normally "   \
	"measured by the actual hardware library."

/* Help with the original's spelling, as everything below. */
static const char *const word_help[SELECT_WORDS] = {
	[SELECT_ACCELERATOR_MICROS] = ACCELERATOR_HELP,
	[SELECT_BYTES] = "requested bytes: The memory requested by the operation, accumulatively.",
	[SELECT_CPU_MICROS] = CPU_HELP,
	[SELECT_DEVICE] = "device: which device is placed on.",
	[SELECT_FLOAT_OPS] = "flops: Number of float operations. Note: Please read the "
			     "implementation for the math behind it.",
	[SELECT_INPUT_SHAPES] = "input shape: The shape of input tensors",
	[SELECT_MICROS] = "total execution time: Sum of accelerator execution time and cpu "
			  "execution time.\n" CPU_HELP "\n" ACCELERATOR_HELP,
	[SELECT_OCCURRENCE] = "occurrence: The number of times it occurs",
	[SELECT_OP_TYPES] = "op_types: The attributes of the operation, includes the Kernel name "
			    "device placed on and user-defined strings.",
	[SELECT_OUTPUT_BYTES] = "output bytes: The memory that is output from the operation (not "
				"necessarilty allocated by the operation)",
	[SELECT_PARAMS] = "param: Number of parameters (in the Variable).",
	[SELECT_PEAK_BYTES] = "peak bytes: The peak amount of memory that the operation is holding "
			      "at some point.",
	[SELECT_RESIDUAL_BYTES] =
		"residual bytes: The memory not de-allocated after the operation finishes.",
	[SELECT_TENSOR_VALUE] = "tensor_value: Not supported now.",
};

/* Both views of nodes have the same one. */
static const char *const view_help[] = {
	[VIEW_SCOPE] = "scope: The nodes in the model graph are organized by their names, which is "
		       "hierarchical like filesystem.",
	[VIEW_GRAPH] = "scope: The nodes in the model graph are organized by their names, which is "
		       "hierarchical like filesystem.",
	[VIEW_OP] = "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes "
		    "belonging to the same type are aggregated together.",
	[VIEW_CODE] = "code: When python trace is available, the nodes are python lines and their "
		      "are organized by the python call stack.",
};

static void add_head(const struct view *view, const struct tfprof_options *options,
	const struct view_text_options *text, struct text *out)
{
	if (text->misses_stream)
		text_add(out,
			"\n\nFound accelerator operation but misses accelerator stream stats!\n\n"
			"It's likely a gpu tracing issue rather than tf-profiler issue.\n"
			"If you found your operation missing accelerator time, consider filing a "
			"bug to xprof-dev@!\n\n");
	text_add(out, "\nDoc:\n");
	text_add(out, view_help[view->kind]);
	text_add_char(out, '\n');
	if (view->values->slots->several)
		steps_describe(view->values->slots, out);

	/* One block of help for each selected word, in alphabetical order, known and unknown ones
	 * together. */
	size_t room = SELECT_WORDS + STEP_WORDS + options->unknown_select.count, n;
	const char **word = memory_alloc(memory_product(room, sizeof(*word)));

	n = tfprof_selected_words(options, word);
	for (size_t i = 0; i < n; i++) {
		enum select_word known = select_find(word[i], strlen(word[i]));
		size_t steps = step_word_find(word[i], strlen(word[i]));

		text_add(out, i ? "\n" : "");
		if (known < SELECT_WORDS)
			text_add(out, word_help[known]);
		else if (steps < STEP_WORDS)
			step_word_help(steps, out);
		else
			text_printf(out, "Unknown select: %s", word[i]);
	}
	memory_free(word);
	text_add(out, "\n\nProfile:\n");
}

/* A column: the word that selects it and its name in the legend. */
struct view_column {
	enum select_word word;
	const char *legend;
};

/* Columns in the order of printing; micros brings both of its parts along. */
static const struct view_column node_columns[] = {
	{SELECT_PARAMS, "# parameters"},
	{SELECT_FLOAT_OPS, "# float_ops"},
	{SELECT_BYTES, "requested bytes"},
	{SELECT_PEAK_BYTES, "peak bytes"},
	{SELECT_RESIDUAL_BYTES, "residual bytes"},
	{SELECT_OUTPUT_BYTES, "output bytes"},
	{SELECT_MICROS, "total execution time"},
	{SELECT_ACCELERATOR_MICROS, "accelerator execution time"},
	{SELECT_CPU_MICROS, "cpu execution time"},
	{SELECT_DEVICE, "assigned devices"},
	{SELECT_OP_TYPES, "op types"},
	{SELECT_OCCURRENCE, "op count (run|defined)"},
	{SELECT_INPUT_SHAPES, "input shapes"},
};

/* Columns of op and code view. */
static const struct view_column group_columns[] = {
	{SELECT_BYTES, "requested bytes"},
	{SELECT_PEAK_BYTES, "peak bytes"},
	{SELECT_RESIDUAL_BYTES, "residual bytes"},
	{SELECT_OUTPUT_BYTES, "output bytes"},
	{SELECT_MICROS, "total execution time"},
	{SELECT_ACCELERATOR_MICROS, "accelerator execution time"},
	{SELECT_CPU_MICROS, "cpu execution time"},
	{SELECT_PARAMS, "# parameters"},
	{SELECT_FLOAT_OPS, "# float_ops"},
	{SELECT_DEVICE, "assigned devices"},
	{SELECT_OP_TYPES, "op types"},
	{SELECT_OCCURRENCE, "op occurrence (run|defined)"},
	{SELECT_INPUT_SHAPES, "input shapes"},
};

/* Quantity that a column shows, and its form; other columns have texts of their own. */
static const struct number_column {
	enum quantity quantity;
	char *(*put)(char *to, int64_t value);
	const char *unit;
} number_column[SELECT_WORDS] = {
	[SELECT_BYTES] = {QUANTITY_BYTES, scaled_memory, ""},
	[SELECT_PEAK_BYTES] = {QUANTITY_PEAK_BYTES, scaled_memory, ""},
	[SELECT_RESIDUAL_BYTES] = {QUANTITY_RESIDUAL_BYTES, scaled_memory, ""},
	[SELECT_OUTPUT_BYTES] = {QUANTITY_OUTPUT_BYTES, scaled_memory, ""},
	[SELECT_MICROS] = {QUANTITY_MICROS, scaled_time, ""},
	[SELECT_ACCELERATOR_MICROS] = {QUANTITY_ACCELERATOR_MICROS, scaled_time, ""},
	[SELECT_CPU_MICROS] = {QUANTITY_CPU_MICROS, scaled_time, ""},
	[SELECT_PARAMS] = {QUANTITY_PARAMS, scaled_number, " params"},
	[SELECT_FLOAT_OPS] = {QUANTITY_FLOAT_OPS, scaled_number, " flops"},
};

#define SHORT_TEXT 16
#define SELF_TOTAL_ROOM ((size_t)2 * FORMAT_ROOM + 1)
#define ITEM_ROOM (SELF_TOTAL_ROOM + 16) /* with its unit and comma */
#define COLUMNS (sizeof(node_columns) / sizeof(*node_columns))

/* Quantity that the step words of a column use; QUANTITIES where the column has no number. */
static enum quantity quantity_of(enum select_word word)
{
	if (word == SELECT_OCCURRENCE)
		return QUANTITY_OCCURRENCE;
	return number_column[word].put ? number_column[word].quantity : QUANTITIES;
}

/* An item of a line: a column, or a mean or a CV of it. */
struct column_item {
	enum select_word word;
	size_t step_word; /* STEP_WORDS: the column itself */
	const char *legend;
};

struct plan {
	struct column_item item[3 * COLUMNS];
	size_t count;
	bool plain; /* numbers of one slot only, the usual ones */
};

static void make_plan(
	const struct view *view, const struct tfprof_options *options, struct plan *plan)
{
	const struct view_column *column =
		view->kind == VIEW_OP || view->kind == VIEW_CODE ? group_columns : node_columns;
	size_t word[2];

	*plan = (struct plan){.plain = !view->values->slots->several};
	for (size_t i = 0; i < COLUMNS; i++) {
		size_t words = step_words_selected(options, quantity_of(column[i].word), word);

		if (tfprof_selects(options, column[i].word)) {
			plan->plain &= column[i].word != SELECT_PARAMS &&
				       number_column[column[i].word].put != NULL;
			plan->item[plan->count++] =
				(struct column_item){column[i].word, STEP_WORDS, column[i].legend};
		}
		for (size_t k = 0; k < words; k++)
			plan->item[plan->count++] = (struct column_item){
				column[i].word, word[k], step_word_at(word[k])->legend};
	}
}

/* One line while it grows. */
struct node_line {
	const struct view *view;
	const struct view_node *node;
	struct text *out;
	size_t items;
};

static void begin_item(struct node_line *line)
{
	if (line->items++)
		text_add_bytes(line->out, ", ", 2);
}

static char *put_bytes(char *to, const char *bytes, size_t n)
{
	memcpy(to, bytes, n);
	return to + n;
}

/* "self/total" at `to`, which has SELF_TOTAL_ROOM; "--" replaces the self values of what is not
 * accounted. */
static char *put_self_total(char *to, const struct view_node *node, enum quantity q,
	char *(*put)(char *to, int64_t value))
{
	int64_t self = node->self[q], total = node->total[q];
	char *from = to;

	to = node->accounted ? put(to, self) : put_bytes(to, "--", 2);
	*to++ = '/';
	if (!node->accounted || self != total || to - from > SHORT_TEXT)
		return put(to, total);
	/* The same once more, as at all leaves. A copy of a fixed size needs no call. */
	char same[SHORT_TEXT];

	memcpy(same, from, SHORT_TEXT);
	memcpy(to, same, SHORT_TEXT);
	return to + (to - from) - 1;
}

static void add_self_total(
	struct node_line *line, enum quantity q, char *(*put)(char *to, int64_t value))
{
	char *to;

	if (line->view->values->slots->several) {
		/* "self/total" of means. */
		size_t slots = line->view->values->slots->count;

		if (line->node->accounted)
			steps_format_mean(line->out, line->node->self, q, slots);
		else
			text_add(line->out, "--");
		text_add_char(line->out, '/');
		steps_format_mean(line->out, line->node->total, q, slots);
		return;
	}
	to = text_room(line->out, SELF_TOTAL_ROOM);
	text_extend(line->out, (size_t)(put_self_total(to, line->node, q, put) - to));
}

static void add_number(struct node_line *line, const struct number_column *column)
{
	begin_item(line);
	add_self_total(line, column->quantity, column->put);
	if (*column->unit)
		text_add(line->out, column->unit);
}

/* A node's shape comes before its parameters as a separate item. */
static void add_params(struct node_line *line)
{
	const struct graph *graph = line->view->values->graph;
	const struct graph_node *node;

	if (line->view->kind != VIEW_CODE && line->node->node != NODE_NONE) {
		node = &graph->node[line->node->node];
		if (node->shape_count) {
			begin_item(line);
			format_shape(line->out, node->shape, node->shape_count);
		}
	}
	add_number(line, &number_column[SELECT_PARAMS]);
}

static void add_device(struct node_line *line)
{
	const struct graph *graph = line->view->values->graph;
	const char *device;

	if (line->view->kind == VIEW_CODE) {
		if (!line->node->member_count)
			return;
		begin_item(line);
		members_add_devices(line->node, graph, line->out);
		return;
	}
	if (line->node->node == NODE_NONE)
		return;
	device = graph->node[line->node->node].canonical_device;
	if (device && *device) {
		begin_item(line);
		text_add(line->out, device);
	}
}

static void add_op_types(struct node_line *line)
{
	const struct graph *graph = line->view->values->graph;

	begin_item(line);
	if (line->view->kind == VIEW_CODE) {
		members_add_op_types(line->node, graph, line->out);
	} else if (line->node->node != NODE_NONE) {
		node_add_op_types(&graph->node[line->node->node], line->out);
	} else {
		bool graph_root = line->view->kind == VIEW_GRAPH;

		text_add(line->out, graph_root ? "_TFGraphParent" : "_kTFScopeParent");
	}
}

static void add_occurrence(struct node_line *line)
{
	begin_item(line);
	if (line->view->kind == VIEW_CODE) {
		text_add(line->out, "occurrence N/A in code view");
		return;
	}
	add_self_total(line, QUANTITY_OCCURRENCE, scaled_number);
	text_add_char(line->out, '|');
	add_self_total(line, QUANTITY_DEFINITION, scaled_number);
}

static void add_item(struct node_line *line, enum select_word word)
{
	switch (word) {
	case SELECT_PARAMS:
		add_params(line);
		break;
	case SELECT_DEVICE:
		add_device(line);
		break;
	case SELECT_OP_TYPES:
		add_op_types(line);
		break;
	case SELECT_OCCURRENCE:
		add_occurrence(line);
		break;
	case SELECT_INPUT_SHAPES:
		begin_item(line);
		if (line->view->kind == VIEW_CODE)
			text_add(line->out, "input_shapes N/A in code view");
		else
			node_add_input_shapes(
				line->view->values->graph, line->node->node, "|", line->out);
		break;
	default:
		add_number(line, &number_column[word]);
	}
}

static void add_line(const struct view *view, const struct view_node *node, size_t level,
	const struct plan *plan, struct text *out)
{
	struct node_line line = {.view = view, .node = node, .out = out};

	text_add_repeat(out, ' ', 2 * level);
	text_add(out, node->name);
	text_add_bytes(out, " (", 2);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->item[i].step_word == STEP_WORDS)
			add_item(&line, plan->item[i].word);
		else {
			/* The same of a mean or a CV. */
			size_t word = plan->item[i].step_word;
			size_t slots = line.view->values->slots->count;

			begin_item(&line);
			if (line.node->accounted)
				step_word_format(word, line.node->self, slots, line.out);
			else
				text_add(line.out, "--");
			text_add_char(line.out, '/');
			step_word_format(word, line.node->total, slots, line.out);
			text_add(line.out, step_word_at(word)->unit);
		}
	text_add_bytes(out, ")\n", 2);
}

/* The same in one piece, for the lines that `plain` describes. */
static void add_plain_line(
	const struct view_node *node, size_t level, const struct plan *plan, struct text *out)
{
	size_t name_bytes = strlen(node->name);
	char *from = text_room(out, 2 * level + name_bytes + 4 + plan->count * ITEM_ROOM),
	     *to = from;

	memset(to, ' ', 2 * level);
	to = put_bytes(to + 2 * level, node->name, name_bytes);
	to = put_bytes(to, " (", 2);
	for (size_t i = 0; i < plan->count; i++) {
		const struct number_column *column = &number_column[plan->item[i].word];

		if (i)
			to = put_bytes(to, ", ", 2);
		to = put_self_total(to, node, column->quantity, column->put);
		for (const char *unit = column->unit; *unit; unit++)
			*to++ = *unit;
	}
	to = put_bytes(to, ")\n", 2);
	text_extend(out, (size_t)(to - from));
}

/* A line in the order of printing. */
struct shown {
	const struct view_node *node;
	size_t level;
};

/* All shown nodes, the root first. */
struct shown_list {
	struct shown *item;
	size_t count, room;
};

static void push_shown(struct shown_list *list, const struct view_node *node, size_t level)
{
	list->item =
		memory_make_room(list->item, &list->room, list->count + 1, sizeof(*list->item));
	list->item[list->count++] = (struct shown){node, level};
}

/* A shown node and the text of its tensor. */
struct tensor_line {
	const struct view_node *node;
	struct text *value;
};

ORDERED(compare_visits, struct tensor_line, ORDER(x->node->visit, y->node->visit));

static void add_lines(const struct view *view, const struct plan *plan,
	const struct shown_list *list, const struct text *value, struct text *out)
{
	for (size_t i = 0; i < list->count; i++) {
		if (plan->plain)
			add_plain_line(list->item[i].node, list->item[i].level, plan, out);
		else
			add_line(view, list->item[i].node, list->item[i].level, plan, out);
		if (value)
			text_add_bytes(out, text_string(&value[i]), value[i].size);
	}
}

/* The value of its tensor follows each line. */
static void add_lines_and_tensors(const struct view *view, const struct plan *plan,
	const struct shown_list *list, const struct view_text_options *text, struct text *out,
	struct text *messages)
{
	struct text *value = memory_alloc(memory_product(list->count, sizeof(*value)));

	for (size_t i = 0; i < list->count; i++)
		text_init(&value[i]);

	/* Values, or notes that there are none, in the order in which the original comes to the
	 * nodes: that is the order of its messages. */
	struct tensor_line *tensor = memory_alloc(memory_product(list->count, sizeof(*tensor)));

	for (size_t i = 0; i < list->count; i++)
		tensor[i] = (struct tensor_line){list->item[i].node, &value[i]};
	qsort(tensor, list->count, sizeof(*tensor), compare_visits);
	for (size_t i = 0; i < list->count; i++) {
		if (view->kind == VIEW_CODE)
			text_add(messages, "code view has no tensor value to show\n");
		else if (text->tensor && tensor[i].node != view->root)
			text->tensor(
				text->context, tensor[i].node->name, tensor[i].value, messages);
	}
	memory_free(tensor);
	add_lines(view, plan, list, value, out);
	for (size_t i = 0; i < list->count; i++)
		text_release(&value[i]);
	memory_free(value);
}

void view_text(const struct view *view, const struct tfprof_options *options,
	const struct view_text_options *text, struct text *out, struct text *messages)
{
	struct plan plan;

	add_head(view, options, text, out);
	make_plan(view, options, &plan);
	if (view->kind != VIEW_OP || view->values->graph->node_count) {
		text_add(out, "node name | ");
		for (size_t i = 0; i < plan.count; i++) {
			text_add(out, i ? " | " : "");
			text_add(out, plan.item[i].legend);
		}
		text_add_char(out, '\n');
	}
	if (view->kind == VIEW_OP) {
		view_op_text(view, options, out);
		return;
	}

	struct shown_list list = {0}, open = {0};

	push_shown(&open, view->root, 0);
	while (open.count) {
		struct shown next = open.item[--open.count];

		push_shown(&list, next.node, next.level);
		for (size_t c = next.node->child_count; c-- > 0;)
			push_shown(&open, next.node->child[c], next.level + 1);
	}
	memory_free(open.item);

	if (options->select[SELECT_TENSOR_VALUE])
		add_lines_and_tensors(view, &plan, &list, text, out, messages);
	else
		add_lines(view, &plan, &list, NULL, out);
	memory_free(list.item);
}
