/*
 * The page of what has no page of its own: sentences and tables, and for pairs of runs the interval
 * as it shrinks against the margin.
 */
#include <math.h>
#include "base/memory.h"
#include "base/text.h"
#include "report/html/html_page.h"
#include "report/html/html_report.h"
#include "report/html/html_text.h"
#include "report/html/plots_compare.h"

#define ROWS_MOST 500

struct html_pairs {
	struct forest_scale scale;
	const struct table *table;
	struct page_compared *value; /* of each row of the table */
};

/* The cell of that column; NULL: the table has none. */
static const struct cell *cell_of(
	const struct table *table, const struct row *row, const char *stat)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (text_equal(table->column[i].stat, stat))
			return &row->cell[i];
	return NULL;
}

static double real_of(const struct table *table, const struct row *row, const char *stat)
{
	const struct cell *cell = cell_of(table, row, stat);

	return cell && cell->kind == CELL_REAL ? cell->real : NAN;
}

static void add_forest(struct text *out, const struct row *row, void *context)
{
	const struct html_pairs *pairs = context;

	text_add(out, "<td>");
	plot_forest(out, &pairs->scale, NULL, &pairs->value[row - pairs->table->row]);
	text_add(out, "</td>");
}

static void add_pairs(struct text *out, const struct report *report)
{
	struct html_pairs pairs = {.table = html_find_table(report, "pairs")};
	struct page_compared_row *row;
	struct text head;
	size_t n;

	if (!pairs.table)
		return;
	n = pairs.table->row_count;
	row = arena_array(report->arena, n, sizeof(*row));
	pairs.value = arena_array(report->arena, n, sizeof(*pairs.value));
	for (size_t i = 0; i < n; i++) {
		const struct row *from = &pairs.table->row[i];
		const struct cell *verdict = cell_of(pairs.table, from, "verdict");

		pairs.value[i] = (struct page_compared){.on_side = {true, true},
			.mean = {1, 1},
			.difference = 1,
			.change = real_of(pairs.table, from, "so_far"),
			.low = real_of(pairs.table, from, "low"),
			.high = real_of(pairs.table, from, "high"),
			.margin = real_of(pairs.table, from, "margin"),
			.verdict = verdict ? verdict->text : NULL};
		row[i].measure = &pairs.value[i];
	}
	const struct page_compare compare = {
		.row = row, .count = n, .margin = pairs.value[n - 1].margin};

	forest_scale_make(&pairs.scale, &compare);
	text_init(&head);
	text_add(&head, "<th scope=\"col\">change so far, its interval, and the margin");
	plot_forest_axis(&head, &pairs.scale);
	text_add(&head, "</th>");
	text_add(out, "</section><section id=\"pairs\"><h2>Pairs</h2>");
	html_table(out, pairs.table, report->arena,
		&(struct html_table_options){.complete = true,
			.most = ROWS_MOST,
			.extra = add_forest,
			.head = text_string(&head),
			.context = &pairs});
	text_release(&head);
}

void html_plain(struct text *out, const struct report *report)
{
	const struct html_table_options options = {.complete = true, .most = ROWS_MOST};

	text_add(out, "<header class=\"wrap\">\n");
	html_brand(out, report);
	if (report->has_result) {
		text_add(out, "<h1>");
		html_sentence(out, report->result);
		text_add(out, "</h1>\n");
	}
	html_answers(out, report);
	html_alerts(out, report);
	text_add(out, "</header>\n<main class=\"wrap\"><section id=\"ops\">");
	if (report->before.column_count)
		html_table(out, &report->before, report->arena, &options);
	html_table(out, &report->display, report->arena, &options);
	add_pairs(out, report);
	text_add(out, "</section><section><h2>Data quality</h2>");
	html_issues(out, report);
	text_add(out, "</section></main>");
}
