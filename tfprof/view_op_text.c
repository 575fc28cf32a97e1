/* Rows of the op view as text: columns of fixed width, with the shares of the running and the own
 * value in the total, and the groups of input shapes below. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tfprof/outputs.h"
#include "base/memory.h"
#include "base/order.h"
#include "tfprof/graph/graph_detail.h"
#include "tfprof/view/view.h"
#include "tfprof/view/steps.h"

/* Columns of a row, joined by ", ". */
struct op_text_line {
	struct text text, cell;
	size_t columns;
};

static void end_column(struct op_text_line *line, int width)
{
	text_printf(
		&line->text, "%s%*s", line->columns ? ", " : "", width, text_string(&line->cell));
	line->columns++;
	text_clear(&line->cell);
}

/* The value of the only slot, or the mean. */
static double shown_value(const struct view *view, const int64_t *value, enum quantity q)
{
	return steps_mean(value, q, view->values->slots->count);
}

/* A column with a number of its own, in the order of printing; micros brings both of its parts
 * along. */
static const struct op_number_column {
	enum select_word word;
	enum quantity quantity;
	void (*format)(struct text *out, int64_t value);
	const char *unit;
	bool by_own; /* shares are known where the row's own value is above 0, else where its
			running one is */
} number_columns[] = {
	{SELECT_BYTES, QUANTITY_BYTES, format_memory, "", true},
	{SELECT_PEAK_BYTES, QUANTITY_PEAK_BYTES, format_memory, "", true},
	{SELECT_RESIDUAL_BYTES, QUANTITY_RESIDUAL_BYTES, format_memory, "", true},
	{SELECT_OUTPUT_BYTES, QUANTITY_OUTPUT_BYTES, format_memory, "", true},
	{SELECT_MICROS, QUANTITY_MICROS, format_time, "", false},
	{SELECT_ACCELERATOR_MICROS, QUANTITY_ACCELERATOR_MICROS, format_time, "", false},
	{SELECT_CPU_MICROS, QUANTITY_CPU_MICROS, format_time, "", false},
	{SELECT_PARAMS, QUANTITY_PARAMS, format_number, " params", false},
	{SELECT_FLOAT_OPS, QUANTITY_FLOAT_OPS, format_number, " float_ops", false},
};

#define NUMBER_COLUMNS (sizeof(number_columns) / sizeof(*number_columns))

static void add_step_words(struct op_text_line *line, const struct view *view,
	const struct view_node *row, const struct tfprof_options *options, enum quantity q)
{
	size_t word[2], words = step_words_selected(options, q, word);

	for (size_t k = 0; k < words; k++) {
		step_word_format(word[k], row->self, view->values->slots->count, &line->cell);
		text_add(&line->cell, step_word_at(word[k])->unit);
		end_column(line, 14);
	}
}

static void add_columns(struct op_text_line *line, const struct view *view,
	const struct view_node *row, const struct tfprof_options *options)
{
	const struct graph *graph = view->values->graph;

	for (size_t i = 0; i < NUMBER_COLUMNS; i++) {
		if (tfprof_selects(options, number_columns[i].word)) {
			const struct slots *slots = view->values->slots;

			if (slots->several)
				steps_format_mean(&line->cell, row->self,
					number_columns[i].quantity, slots->count);
			else
				number_columns[i].format(
					&line->cell, row->self[number_columns[i].quantity]);
			text_add(&line->cell, number_columns[i].unit);

			/* " (A%, P%)": A of the running total, P of the own value. Where the root's
			 * total is 0 (sums may wrap), the original divides by it as well. */
			double running = shown_value(view, row->total, number_columns[i].quantity);
			double own = shown_value(view, row->self, number_columns[i].quantity);
			double all =
				shown_value(view, view->root->total, number_columns[i].quantity);
			bool known = (number_columns[i].by_own ? own : running) > 0;

			text_printf(&line->cell, " (%.2f%%, %.2f%%)",
				known ? 100.0 * running / all : 0, known ? 100.0 * own / all : 0);
			end_column(line, 30);
		}
		add_step_words(line, view, row, options, number_columns[i].quantity);
	}
	if (options->select[SELECT_DEVICE]) {
		members_add_devices(row, graph, &line->cell);
		end_column(line, 0);
	}
	if (options->select[SELECT_OP_TYPES]) {
		members_add_op_types(row, graph, &line->cell);
		end_column(line, 0);
	}
	if (options->select[SELECT_OCCURRENCE]) {
		const struct slots *slots = view->values->slots;

		if (slots->several)
			steps_format_mean(
				&line->cell, row->self, QUANTITY_OCCURRENCE, slots->count);
		else
			text_printf(&line->cell, "%" PRId64, row->self[QUANTITY_OCCURRENCE]);
		text_printf(&line->cell, "|%zu", row->member_count);
		end_column(line, 10);
	}
	add_step_words(line, view, row, options, QUANTITY_OCCURRENCE);
}

/* ---- input shapes ---- */

/* Members of a row with inputs of the same shapes. */
struct shape_group {
	struct text text;
	int64_t run_count, micros; /* sums over the slots */
	uint64_t defined;
};

ORDERED(compare_texts, struct shape_group, strcmp(text_string(&x->text), text_string(&y->text)));

ORDERED(compare_runs, struct shape_group, ORDER(y->run_count, x->run_count) ?: compare_texts(x, y));

static int64_t sum_slots(const struct node_values *values, uint32_t node, enum quantity q)
{
	uint64_t sum = 0;

	for (size_t s = 0; s < values->slots->count; s++)
		sum += (uint64_t)node_value(values, node, q)[s];
	return (int64_t)sum;
}

static void add_groups(const struct view *view, const struct view_node *row, struct text *out)
{
	size_t count = row->member_count;
	struct shape_group *group = memory_alloc(memory_product(count, sizeof(*group)));

	for (size_t i = 0; i < count; i++) {
		const struct node_values *values = view->values;

		text_init(&group[i].text);
		text_add(&group[i].text, "input_type: ");
		node_add_input_shapes(values->graph, row->member[i], ",\t", &group[i].text);
		group[i].run_count = sum_slots(values, row->member[i], QUANTITY_OCCURRENCE);
		group[i].micros = sum_slots(values, row->member[i], QUANTITY_MICROS);
		group[i].defined = 1;
	}
	qsort(group, count, sizeof(*group), compare_texts);

	/* Join neighbours of the same text. */
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
	count = last + 1;
	qsort(group, count, sizeof(*group), compare_runs);
	text_add_char(out, '\n');
	for (size_t i = 0; i < count; i++) {
		/* The numbers of a group, or their means per step. */
		double steps = (double)view->values->slots->count;

		if (view->values->slots->several) {
			text_printf(out, "%s\t(run*%.2f|defined*%" PRIu64 ")\texec_time: ",
				text_string(&group[i].text), (double)group[i].run_count / steps,
				group[i].defined);
			format_time_mean(out, (double)group[i].micros / steps);
		} else {
			text_printf(out, "%s\t(run*%" PRId64 "|defined*%" PRIu64 ")\texec_time: ",
				text_string(&group[i].text), group[i].run_count, group[i].defined);
			format_time(out, group[i].micros);
		}
		text_add_char(out, '\n');
		text_release(&group[i].text);
	}
	text_add_char(out, '\n');
	memory_free(group);
}

static void add_row(const struct view *view, const struct view_node *row,
	const struct tfprof_options *options, struct text *out)
{
	struct op_text_line line = {0};

	text_init(&line.text);
	text_init(&line.cell);
	add_columns(&line, view, row, options);
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
