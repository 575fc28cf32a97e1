/*
 * The page of what has no page of its own: sentences and tables, and for pairs of runs the interval
 * as it shrinks against the margin, which the script draws.
 */
#include <math.h>
#include "base/number.h"
#include "base/text.h"
#include "report/html/html_compare.h"
#include "report/html/html_data.h"
#include "report/html/html_page.h"
#include "report/html/html_report.h"
#include "report/html/html_text.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define ROWS_MOST 500

static double real_of(const struct table *table, size_t row, const char *stat)
{
	const struct cell *cell = html_cell(table, &table->row[row], stat);

	return cell && cell->kind == CELL_REAL ? cell->real : NAN;
}

/* Changes of the pairs so far, in percent. */
void html_plain_data(struct text *out, const struct report *report, const struct web_page *page)
{
	static const char *const key[][2] = {
		{"change", "so_far"}, {"low", "low"}, {"high", "high"}};
	static const char *const text[][2] = {{"of", "command"}, {"verdict", "verdict"}};
	const struct table *pairs = html_find_table(report, "pairs");
	const size_t n = pairs->row_count;
	char number[NUMBER_TEXT_SIZE];

	(void)page;
	text_add(out, "{\"page\":\"pairs\",\"unit\":\"\"");
	html_looks(out);
	data_real(out, "margin", 100 * real_of(pairs, n - 1, "margin"));
	text_add(out, ",\"rows\":{\"name\":[");
	for (size_t i = 0; i < n; i++) {
		const struct cell *pair = html_cell(pairs, &pairs->row[i], "pair");

		data_comma(out, i);
		data_text(out, pair ? number_format_int(number, pair->integer) : NULL);
	}
	text_add_char(out, ']');
	for (size_t k = 0; k < COUNT(text); k++) {
		data_next(out, text[k][0]);
		text_add_char(out, '[');
		for (size_t i = 0; i < n; i++) {
			const struct cell *cell = html_cell(pairs, &pairs->row[i], text[k][1]);

			data_comma(out, i);
			data_text(out, cell ? cell->text : NULL);
		}
		text_add_char(out, ']');
	}
	for (size_t k = 0; k < COUNT(key); k++) {
		data_next(out, key[k][0]);
		text_add_char(out, '[');
		for (size_t i = 0; i < n; i++) {
			data_comma(out, i);
			data_number(out, 100 * real_of(pairs, i, key[k][1]));
		}
		text_add_char(out, ']');
	}
	text_add(out, "}}");
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
