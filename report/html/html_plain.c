/*
 * The page of what has no page of its own: sentences and tables, and for pairs of runs the interval
 * as it shrinks against the margin, which the script draws.
 */
#include <math.h>
#include "base/text.h"
#include "report/html/html_compare.h"
#include "report/html/html_data.h"
#include "report/html/html_page.h"
#include "report/html/html_report.h"
#include "report/html/html_text.h"

#define ROWS_MOST 500

static double real_of(const struct table *table, const struct row *row, const char *stat)
{
	const struct cell *cell = html_cell(table, row, stat);

	return cell && cell->kind == CELL_REAL ? cell->real : NAN;
}

/* Changes of the pairs so far, in percent. */
void html_plain_data(struct text *out, const struct report *report, const struct web_page *page)
{
	const struct table *pairs = html_find_table(report, "pairs");

	(void)page;
	data_print(out, "{page:%s,unit:%s", "pairs", "");
	html_looks(out);
	data_print(out, ",margin:%n",
		100 * real_of(pairs, &pairs->row[pairs->row_count - 1], "margin"));
	DATA_EACH(out, "pairs", row, row, pairs->row, pairs->row_count,
		data_print(out, "{x:%z,of:%s,change:%n,low:%n,high:%n,verdict:%s}",
			(size_t)html_cell(pairs, row, "pair")->integer,
			html_cell(pairs, row, "command")->text, 100 * real_of(pairs, row, "so_far"),
			100 * real_of(pairs, row, "low"), 100 * real_of(pairs, row, "high"),
			html_cell(pairs, row, "verdict")->text));
	text_add_char(out, '}');
}

void html_plain(struct text *out, const struct report *report)
{
	const struct html_table_options options = {.complete = true, .most = ROWS_MOST};
	const struct table *pairs = html_find_table(report, "pairs");

	const bool *above = html_choose_lines(report, NULL);

	html_facts(out, report);
	if (report->has_result) {
		text_add(out, "<h1>");
		html_sentence(out, arena_printf(report->arena, "%.*s",
					   (int)html_result_length(report), report->result));
		text_add(out, "</h1>\n");
	}
	for (size_t i = 0; i < report->answer_count; i++) {
		const bool first = !i && !report->has_result;

		if (!above[i])
			continue;
		text_add(out, first ? "<h1>" : "<p class=\"line\">");
		html_sentence(out, report->answer[i]);
		text_add(out, first ? "</h1>\n" : "</p>\n");
	}
	text_add(out, "<section id=\"ops\" class=\"long\">");
	if (report->before.column_count)
		html_table(out, &report->before, report->arena, &options);
	html_table(out, &report->display, report->arena, &options);
	text_add(out, "</section>\n");
	if (pairs) {
		text_add(out, "<section id=\"pairs\" class=\"long\"><div "
			      "class=\"head\"><h2>Pairs</h2></div><div class=\"plot script\" "
			      "id=\"pairs-plot\"></div>");
		html_table(out, pairs, report->arena, &options);
		text_add(out,
			"<p class=\"caption script\">The change so far, its interval, and the "
			"margin.</p></section>\n");
	}
	text_add(out, "<section id=\"notes\"><div class=\"head\"><h2>Notes</h2></div>");
	html_notes(out, report, above, NULL);
	text_add(out, "</section>\n");
}
