/* The page of what has no page of its own: sentences and tables, of which the script draws pairs of
 * runs, with the interval as it shrinks against the margin, and the history of rows. */
#include "base/text.h"
#include "report/html/html_compare.h"
#include "report/html/html_page.h"
#include "report/html/html_report.h"
#include "report/html/html_text.h"

#define ROWS_MOST 500

/* The answer that ends in the command of the first change, which stands with that; NULL: none. */
static const char *command_line(const struct report *report)
{
	const struct cell *compare = report->data.row_count
					     ? html_cell(&report->data, report->data.row, "compare")
					     : NULL;

	for (size_t i = 0; compare && compare->kind == CELL_TEXT && i < report->answer_count; i++)
		if (text_ends(report->answer[i], compare->text))
			return report->answer[i];
	return NULL;
}

/* The series of each row, which the script draws; without it the changes, how each is looked at,
 * and the rows. */
static void add_history(
	struct text *out, const struct report *report, const struct html_table_options *options)
{
	text_add(out,
		"<section id=\"rows\" class=\"long\"><div class=\"head\"><h2>Rows</h2></div><div "
		"class=\"script\" id=\"rows-table\"></div>\n<p class=\"caption script\">A dot is a "
		"session (of a machine with one session a run), the line its level. A click opens "
		"a row.</p>\n<noscript>");
	if (report->before.column_count)
		html_table(out, &report->before, report->arena, options);
	html_table(out, &report->display, report->arena, options);
	text_add(out, "<ul class=\"notes\">\n");
	for (size_t i = 0; i < report->data.row_count; i++) {
		const struct row *row = &report->data.row[i];
		const struct cell *compare = html_cell(&report->data, row, "compare");

		if (compare->kind != CELL_TEXT)
			continue;
		text_add(out, "<li>");
		html_add(out, html_cell(&report->data, row, "op")->text);
		text_add(out, ": <code>");
		html_add(out, compare->text);
		text_add(out, "</code></li>\n");
	}
	text_add(out, "</ul></noscript></section>\n");
}

void html_plain(struct text *out, const struct report *report)
{
	const struct html_table_options options = {.complete = true, .most = ROWS_MOST};
	const struct table *pairs = html_find_table(report, "pairs");
	const char *skip = command_line(report);
	bool *above = html_choose_lines(report, skip);
	bool has_notes = report->issues || report->note_count;

	html_facts(out, report);
	if (report->has_result) {
		text_add(out, "<h1>");
		html_sentence(out, arena_printf(report->arena, "%.*s",
					   (int)html_result_length(report), report->result));
		text_add(out, "</h1>\n");
	}
	html_answers(out, report, above, NULL, !report->has_result);
	if (html_find_table(report, "series")) {
		add_history(out, report, &options);
	} else if (report->display.column_count) {
		text_add(out, "<section id=\"ops\" class=\"long\">");
		if (report->before.column_count)
			html_table(out, &report->before, report->arena, &options);
		html_table(out, &report->display, report->arena, &options);
		text_add(out, "</section>\n");
	}
	if (pairs) {
		text_add(out, "<section id=\"pairs\" class=\"long\"><div "
			      "class=\"head\"><h2>Pairs</h2></div><div class=\"plot script\" "
			      "id=\"pairs-plot\"></div>");
		html_table(out, pairs, report->arena, &options);
		text_add(out, "<p class=\"caption script\">The change so far, its interval, and "
			      "the margin.</p></section>\n");
	}
	for (size_t i = 0; i < report->answer_count; i++)
		has_notes |= !above[i] && !(skip && text_equal(report->answer[i], skip));
	if (has_notes) {
		html_section(out, "notes", "", "Notes");
		html_notes(out, report, above, skip);
		text_add(out, "</section>\n");
	}
}
