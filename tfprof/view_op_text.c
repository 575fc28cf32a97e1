/*
 * Rows of the op view as text: columns of fixed width, with the shares of the running and the own
 * value in the total, and the groups of input shapes below.
 */
#include "tfprof/view_op_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "model/graph_detail.h"
#include "tfprof/members.h"

#define SLOT 0 /* text shows one */

/* Columns of a row, joined by ", ". */
struct line {
	struct text text, cell;
	size_t columns;
};

static void end_column(struct line *line, int width)
{
	text_printf(
		&line->text, "%s%*s", line->columns ? ", " : "", width, text_string(&line->cell));
	line->columns++;
	text_clear(&line->cell);
}

static int64_t own_value(const struct view *view, const struct view_node *row, enum quantity q)
{
	return row->self[q * view->values->slots->count + SLOT];
}

static int64_t total_value(const struct view *view, const struct view_node *row, enum quantity q)
{
	return row->total[q * view->values->slots->count + SLOT];
}

/* " (A%, P%)": A of the running total, P of the own value. Where the root's total is 0 (sums may
 * wrap), the original divides by it as well. */
static void end_share(struct line *line, const struct view *view, const struct view_node *row,
	enum quantity q, bool known)
{
	double running = 0, own = 0, all = (double)total_value(view, view->root, q);

	if (known) {
		running = 100.0 * (double)total_value(view, row, q) / all;
		own = 100.0 * (double)own_value(view, row, q) / all;
	}
	text_printf(&line->cell, " (%.2f%%, %.2f%%)", running, own);
	end_column(line, 30);
}

static void add_memory(
	struct line *line, const struct view *view, const struct view_node *row, enum quantity q)
{
	format_memory(&line->cell, own_value(view, row, q));
	end_share(line, view, row, q, own_value(view, row, q) > 0);
}

static void add_time(
	struct line *line, const struct view *view, const struct view_node *row, enum quantity q)
{
	format_time(&line->cell, own_value(view, row, q));
	end_share(line, view, row, q, total_value(view, row, q) > 0);
}

static void add_number(struct line *line, const struct view *view, const struct view_node *row,
	enum quantity q, const char *unit)
{
	format_number(&line->cell, own_value(view, row, q));
	text_add(&line->cell, unit);
	end_share(line, view, row, q, total_value(view, row, q) > 0);
}

static void add_times(
	struct line *line, const struct view *view, const struct view_node *row, const bool *select)
{
	if (select[SELECT_MICROS])
		add_time(line, view, row, QUANTITY_MICROS);
	if (select[SELECT_MICROS] || select[SELECT_ACCELERATOR_MICROS])
		add_time(line, view, row, QUANTITY_ACCELERATOR_MICROS);
	if (select[SELECT_MICROS] || select[SELECT_CPU_MICROS])
		add_time(line, view, row, QUANTITY_CPU_MICROS);
}

static void add_columns(
	struct line *line, const struct view *view, const struct view_node *row, const bool *select)
{
	const struct graph *graph = view->values->graph;

	if (select[SELECT_BYTES])
		add_memory(line, view, row, QUANTITY_BYTES);
	if (select[SELECT_PEAK_BYTES])
		add_memory(line, view, row, QUANTITY_PEAK_BYTES);
	if (select[SELECT_RESIDUAL_BYTES])
		add_memory(line, view, row, QUANTITY_RESIDUAL_BYTES);
	if (select[SELECT_OUTPUT_BYTES])
		add_memory(line, view, row, QUANTITY_OUTPUT_BYTES);
	add_times(line, view, row, select);
	if (select[SELECT_PARAMS])
		add_number(line, view, row, QUANTITY_PARAMS, " params");
	if (select[SELECT_FLOAT_OPS])
		add_number(line, view, row, QUANTITY_FLOAT_OPS, " float_ops");
	if (select[SELECT_DEVICE]) {
		members_add_devices(row, graph, &line->cell);
		end_column(line, 0);
	}
	if (select[SELECT_OP_TYPES]) {
		members_add_op_types(row, graph, &line->cell);
		end_column(line, 0);
	}
	if (select[SELECT_OCCURRENCE]) {
		text_printf(&line->cell, "%" PRId64 "|%zu",
			own_value(view, row, QUANTITY_OCCURRENCE), row->member_count);
		end_column(line, 10);
	}
}

/* ---- input shapes ---- */

/* Members of a row with inputs of the same shapes. */
struct shape_group {
	struct text text;
	int64_t run_count, micros;
	uint64_t defined;
};

static int compare_texts(const void *a, const void *b)
{
	const struct shape_group *x = a, *y = b;

	return strcmp(text_string(&x->text), text_string(&y->text));
}

static int compare_runs(const void *a, const void *b)
{
	const struct shape_group *x = a, *y = b;

	if (x->run_count != y->run_count)
		return x->run_count > y->run_count ? -1 : 1;
	return compare_texts(a, b);
}

static void add_input_shapes(const struct graph *graph, uint32_t node, struct text *out)
{
	const struct node_detail *detail;

	text_add(out, "input_type: ");
	if (!graph->detail || node >= graph->detail->node_count)
		return;
	detail = &graph->detail->node[node];
	for (size_t i = 0; i < detail->input_count; i++) {
		const struct graph_shape *shape =
			members_input_shape(graph, node, &detail->input[i]);

		text_printf(out, "%s%" PRId32 ":", i ? ",\t" : "", detail->input[i].index);
		if (shape)
			format_shape(out, shape->dim, shape->dim_count);
		else
			text_add(out, "unknown");
	}
}

/* Joins neighbours of the same text; returns how many are left. */
static size_t join_groups(struct shape_group *group, size_t count)
{
	size_t last = 0;

	for (size_t i = 1; i < count; i++) {
		struct shape_group *to = &group[last];

		if (compare_texts(to, &group[i]) != 0) {
			group[++last] = group[i];
			continue;
		}
		to->run_count = (int64_t)((uint64_t)to->run_count + (uint64_t)group[i].run_count);
		to->micros = (int64_t)((uint64_t)to->micros + (uint64_t)group[i].micros);
		to->defined++;
		text_release(&group[i].text);
	}
	return last + 1;
}

static void add_groups(const struct view *view, const struct view_node *row, struct text *out)
{
	size_t count = row->member_count;
	struct shape_group *group = memory_alloc(memory_product(count, sizeof(*group)));

	for (size_t i = 0; i < count; i++) {
		const struct node_values *values = view->values;

		text_init(&group[i].text);
		add_input_shapes(values->graph, row->member[i], &group[i].text);
		group[i].run_count = node_value(values, row->member[i], QUANTITY_OCCURRENCE)[SLOT];
		group[i].micros = node_value(values, row->member[i], QUANTITY_MICROS)[SLOT];
		group[i].defined = 1;
	}
	qsort(group, count, sizeof(*group), compare_texts);
	count = join_groups(group, count);
	qsort(group, count, sizeof(*group), compare_runs);
	text_add_char(out, '\n');
	for (size_t i = 0; i < count; i++) {
		text_printf(out, "%s\t(run*%" PRId64 "|defined*%" PRIu64 ")\texec_time: ",
			text_string(&group[i].text), group[i].run_count, group[i].defined);
		format_time(out, group[i].micros);
		text_add_char(out, '\n');
		text_release(&group[i].text);
	}
	text_add_char(out, '\n');
	memory_free(group);
}

static void add_row(const struct view *view, const struct view_node *row,
	const struct tfprof_options *options, struct text *out)
{
	struct line line = {0};

	text_init(&line.text);
	text_init(&line.cell);
	add_columns(&line, view, row, options->select);
	text_printf(out, "%-25s%s\n", row->name, text_string(&line.text));
	if (options->select[SELECT_INPUT_SHAPES] && row->member_count)
		add_groups(view, row, out);
	text_release(&line.cell);
	text_release(&line.text);
}

void view_op_text(const struct view *view, const struct tfprof_options *options, struct text *out)
{
	if (view->values->graph->node_count == 0)
		add_row(view, view->root, options, out);
	for (size_t i = 0; i < view->root->child_count; i++)
		add_row(view, view->root->child[i], options, out);
}
