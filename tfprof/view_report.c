/* Rows and columns of a view. Values go out in base units, as in every other report. */
#include <string.h>
#include "tfprof/outputs.h"
#include "base/number.h"
#include "base/unit.h"
#include "base/memory.h"
#include "tfprof/graph/graph_detail.h"
#include "model/measure.h"
#include "report/build.h"
#include "writers/writer.h"
#include "stats/sample.h"
#include "tfprof/view/view.h"
#include "tfprof/options/options.h"

/* A number that can be selected, in the order of tfprof's lines of nodes. */
static const struct value_column {
	enum select_word word;
	enum quantity quantity;
	enum measure_id measure;
} value_columns[] = {
	{SELECT_PARAMS, QUANTITY_PARAMS, MEASURE_PARAMS},
	{SELECT_FLOAT_OPS, QUANTITY_FLOAT_OPS, MEASURE_FLOAT_OPS},
	{SELECT_BYTES, QUANTITY_BYTES, MEASURE_REQUESTED},
	{SELECT_PEAK_BYTES, QUANTITY_PEAK_BYTES, MEASURE_PEAK},
	{SELECT_RESIDUAL_BYTES, QUANTITY_RESIDUAL_BYTES, MEASURE_RESIDUAL},
	{SELECT_OUTPUT_BYTES, QUANTITY_OUTPUT_BYTES, MEASURE_OUTPUT},
	{SELECT_MICROS, QUANTITY_MICROS, MEASURE_MICROS},
	{SELECT_ACCELERATOR_MICROS, QUANTITY_ACCELERATOR_MICROS, MEASURE_ACCELERATOR},
	{SELECT_CPU_MICROS, QUANTITY_CPU_MICROS, MEASURE_CPU},
	{SELECT_OCCURRENCE, QUANTITY_OCCURRENCE, MEASURE_OCCURRENCE},
	{SELECT_OCCURRENCE, QUANTITY_DEFINITION, MEASURE_DEFINED},
};

static const struct text_column {
	enum select_word word;
	const char *name;
} text_columns[] = {
	{SELECT_DEVICE, "device"},
	{SELECT_OP_TYPES, "op_types"},
	{SELECT_INPUT_SHAPES, "input_shapes"},
};

#define VALUE_COLUMNS (sizeof(value_columns) / sizeof(*value_columns))
#define TEXT_COLUMNS (sizeof(text_columns) / sizeof(*text_columns))

struct view_report_maker {
	struct report *report;
	const struct view *view;
	const struct tfprof_options *options;
	size_t slots;
	double *series; /* of one value over the slots */
};

/* ---- columns ---- */

static void add_text_column(struct view_report_maker *m, struct table *table, const char *name)
{
	report_text_column(m->report, table, name)->shorten = true;
}

static void add_value_column(struct view_report_maker *m, struct table *table,
	const struct measure *measure, const char *stat)
{
	struct column *column = report_add_column(m->report, table);

	column->measure = measure->name;
	column->stat = stat;
	column->title = arena_printf(m->report->arena, "%s %s", measure->name, stat);
	column->dimension = measure->dimension;
}

static void add_cv_column(struct view_report_maker *m, struct table *table,
	const struct measure *measure, const char *stat)
{
	add_value_column(m, table, measure, stat);
	table->column[table->column_count - 1].dimension = DIMENSION_FRACTION;
}

static void add_columns(struct view_report_maker *m, struct table *table)
{
	struct column *depth;

	add_text_column(m, table, "name");
	depth = report_add_column(m->report, table);
	depth->stat = depth->title = "depth";
	depth->dimension = DIMENSION_COUNT;
	for (size_t i = 0; i < VALUE_COLUMNS; i++) {
		const struct measure *measure = measure_at(value_columns[i].measure);

		if (!tfprof_selects(m->options, value_columns[i].word))
			continue;
		if (m->slots == 1) {
			add_value_column(m, table, measure, "self");
			add_value_column(m, table, measure, "total");
			continue;
		}
		add_value_column(m, table, measure, "self_mean");
		add_cv_column(m, table, measure, "self_cv");
		add_value_column(m, table, measure, "total_mean");
		add_cv_column(m, table, measure, "total_cv");
	}
	for (size_t i = 0; i < TEXT_COLUMNS; i++)
		if (tfprof_selects(m->options, text_columns[i].word))
			add_text_column(m, table, text_columns[i].name);
}

/* ---- numbers ---- */

static struct cell cell_value(enum dimension dimension, int64_t value)
{
	int64_t ps;

	if (dimension != DIMENSION_TIME)
		return cell_integer(value);
	if (number_multiply(value, PS_PER_US, &ps))
		return cell_integer(ps);
	return cell_real((double)value * (double)PS_PER_US);
}

/* One value over the slots; NULL: not known. Returns the number of cells. */
static size_t set_values(struct view_report_maker *m, const struct measure *measure,
	const int64_t *value, struct cell *cell)
{
	static const struct sample_options options = {.confidence = 0.95};
	double scale = measure->dimension == DIMENSION_TIME ? (double)PS_PER_US : 1;
	struct sample sample;

	if (m->slots == 1) {
		*cell = value ? cell_value(measure->dimension, *value) : cell_text(NULL);
		return 1;
	}
	cell[0] = cell[1] = cell_text(NULL);
	if (!value)
		return 2;
	for (size_t i = 0; i < m->slots; i++)
		m->series[i] = scale * (double)value[i];
	sample_describe(m->series, m->slots, &options, &sample);
	cell[0] = cell_real(sample.mean);
	cell[1] = cell_real(sample.cv);
	return 2;
}

/* Runs are not counted along call stacks: tfprof has "N/A" there. */
static bool is_unknown(const struct view_report_maker *m, enum select_word word)
{
	return m->view->kind == VIEW_CODE &&
	       (word == SELECT_OCCURRENCE || word == SELECT_INPUT_SHAPES);
}

/* ---- texts ---- */

static bool has_members(const struct view_report_maker *m)
{
	return m->view->kind == VIEW_OP || m->view->kind == VIEW_CODE;
}

/* Adds the input shapes of all members, each once. */
static void add_input_shapes(
	struct view_report_maker *m, const struct view_node *node, struct text *out)
{
	const struct graph *graph = m->view->values->graph;
	const char **word;
	size_t count = 0;
	struct text one;

	if (m->view->kind != VIEW_OP) {
		node_add_input_shapes(graph, node->node, "|", out);
		return;
	}
	text_init(&one);
	word = arena_array(m->report->arena, node->member_count, sizeof(*word));
	for (size_t i = 0; i < node->member_count; i++) {
		text_clear(&one);
		node_add_input_shapes(graph, node->member[i], "|", &one);
		if (one.size)
			word[count++] = arena_strdup(m->report->arena, text_string(&one));
	}
	text_release(&one);
	words_add_joined(word, count, "; ", out);
}

static struct cell make_text(
	struct view_report_maker *m, enum select_word word, const struct view_node *node)
{
	struct text text;
	struct cell cell;

	if (is_unknown(m, word))
		return cell_text(NULL);
	text_init(&text);
	if (word == SELECT_DEVICE) {
		const struct graph *graph = m->view->values->graph;

		if (has_members(m))
			members_add_devices(node, graph, &text);
		else if (node->node != NODE_NONE)
			text_add(&text, graph->node[node->node].canonical_device);
	} else if (word == SELECT_OP_TYPES) {
		const struct graph *graph = m->view->values->graph;

		if (has_members(m))
			members_add_op_types(node, graph, &text);
		else if (node->node != NODE_NONE)
			node_add_op_types(&graph->node[node->node], &text);
	} else
		add_input_shapes(m, node, &text);
	cell = text.size ? cell_text(arena_strdup(m->report->arena, text_string(&text)))
			 : cell_blank();
	text_release(&text);
	return cell;
}

/* ---- rows ---- */

struct open_view_node {
	const struct view_node *node;
	int64_t depth;
};

static void add_row(struct view_report_maker *m, const struct open_view_node *open)
{
	struct report *report = m->report;
	struct row *row = report_add_row(report, &report->data);
	struct row *shown = report_add_row(report, &report->display);
	struct cell *cell = row->cell;

	*cell++ = cell_text(arena_strdup(report->arena, open->node->name));
	*cell++ = cell_integer(open->depth);
	for (size_t i = 0; i < VALUE_COLUMNS; i++)
		if (tfprof_selects(m->options, value_columns[i].word)) {
			const struct measure *measure = measure_at(value_columns[i].measure);
			size_t at = value_columns[i].quantity * m->slots;
			bool unknown = is_unknown(m, value_columns[i].word);
			size_t taken = set_values(m, measure,
				unknown || !open->node->accounted ? NULL : open->node->self + at,
				cell);

			cell += taken + set_values(m, measure,
						unknown ? NULL : open->node->total + at,
						cell + taken);
		}
	for (size_t i = 0; i < TEXT_COLUMNS; i++)
		if (tfprof_selects(m->options, text_columns[i].word))
			*cell++ = make_text(m, text_columns[i].word, open->node);
	shown->cell = row->cell;
}

/* ---- the report ---- */

static void describe(struct view_report_maker *m)
{
	static const char *const kinds[] = {[VIEW_SCOPE] = "scope",
		[VIEW_GRAPH] = "graph",
		[VIEW_OP] = "op",
		[VIEW_CODE] = "code"};
	const struct slots *slots = m->view->values->slots;
	const char *kind = kinds[m->view->kind];

	if (slots->average)
		report_heading(
			m->report, "%s view, average over the steps in which each node ran", kind);
	else if (slots->count == 1)
		report_heading(m->report, "%s view of step %lld", kind, (long long)slots->step[0]);
	else
		report_heading(m->report, "%s view, %zu steps (%lld..%lld)", kind, slots->count,
			(long long)slots->step[0], (long long)slots->step[slots->count - 1]);
	if (m->view->kind == VIEW_OP)
		report_note(m->report, NULL, NULL, "totals run from the last row up");
	if (m->view->kind == VIEW_CODE &&
		(m->options->select[SELECT_OCCURRENCE] || m->options->select[SELECT_INPUT_SHAPES]))
		report_note(m->report, NULL, NULL,
			"runs and input shapes are not known along call stacks");
	if (m->options->select[SELECT_TENSOR_VALUE])
		report_note(m->report, NULL, NULL, "values of tensors are in text outputs only");
}

struct report *view_report(const struct view *view, const struct tfprof_options *options)
{
	struct view_report_maker m = {.report = report_new("tfprof"),
		.view = view,
		.options = options,
		.slots = view->values->slots->count};

	m.series = arena_array(m.report->arena, m.slots, sizeof(*m.series));
	m.report->display.name = m.report->data.name = "nodes";
	describe(&m);
	add_columns(&m, &m.report->data);
	add_columns(&m, &m.report->display);

	/* Children of a node come after it, the first on top of the stack. The op view has rows
	 * only: as in tfprof's text, its root is not a row. */
	struct vec open;
	struct open_view_node next = {m.view->root, 0};

	vec_init(&open, sizeof(struct open_view_node), SIZE_MAX, "nodes");
	for (;;) {
		if (m.view->kind != VIEW_OP || next.depth > 0)
			add_row(&m, &next);
		for (size_t i = next.node->child_count; i-- > 0;) {
			struct open_view_node *child = vec_push(&open, NULL);

			*child = (struct open_view_node){next.node->child[i], next.depth + 1};
		}
		if (!open.count)
			break;
		next = *(struct open_view_node *)vec_at(&open, open.count - 1);
		open.count--;
	}
	vec_release(&open);
	return m.report;
}

int view_report_write(
	const struct view *view, const struct tfprof_options *options, struct error *err)
{
	const struct writer_options how = {.complete = true};
	const struct writer *writer = writer_find(tfprof_output_writer(options->output), err);
	struct report *report;
	struct outfile *out;
	int status;

	if (!writer)
		return -1;
	out = outfile_open(tfprof_output_file(options), err);
	if (!out)
		return -1;
	report = view_report(view, options);
	status = writer->write(report, &how, out, err);
	if (status == 0)
		status = outfile_commit(out, err);
	else
		outfile_discard(out);
	report_free(report);
	return status;
}
