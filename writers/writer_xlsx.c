/* XLSX: a workbook of all tables, with a first sheet that describes them. Its sheets and their
 * order are decided here; a sheet is xlsx_table.c. */
#include "writers/writer.h"

#include <string.h>
#include "base/text.h"
#include "writers/xlsx.h"

#define SUMMARY_WIDTH 110
#define SUMMARY_FITS 100 /* characters in a line of it, words kept whole */

struct sheet_about {
	const char *name, *about;
};

/* Subjects of sheets, in their order; tables of other names follow those of their kind. */
static const struct sheet_about sheet_abouts[] = {
	{"checks", "what the gate looked at, and what it found"},
	{"charts", "the largest rows with their intervals, the steps, the ranks"},
	{"ops", "a row for each row of the report with all its statistics; the total below"},
	{"compare", "a row for each row of base and new: means, change, verdict"},
	{"verdicts", "the same of benchmarks, a row for each of their measures"},
	{"parts", "what the devices did, base and new"},
	{"sides", "of which profiler each side is, and what of it has no partner"},
	{"steps", "every step of the inputs, kept or left out"},
	{"totals", "statistics of the step as a whole and of what each device did"},
	{"ranks", "what each rank did"},
	{"split", "how the variance over ranks and steps splits"},
	{"values", "the value of each row in each step: the means are made of these"},
	{"facts", "what the files say about their recording"},
	{"issues", "what is lost, odd or assumed in the inputs"},
	{"runs", "which files make which run"},
	{"inputs and rules", "what was read, with which rules and options"},
	{"columns", "what each column is"},
};

struct workbook {
	struct xlsx_book *book;
	const struct report *report;
	const struct writer_options *opt;
	struct arena *arena;
	lxw_worksheet *summary;
	lxw_row_t line; /* of the summary: the next */
	struct xlsx_written *written;
	size_t count;
	struct xlsx_charts charts;
	size_t charts_at; /* sheets of tables before it */
};

static const char *about_sheet(const char *name)
{
	for (size_t i = 0; i < sizeof(sheet_abouts) / sizeof(*sheet_abouts); i++)
		if (text_equal(sheet_abouts[i].name, name))
			return sheet_abouts[i].about;
	return text_starts(name, "values ") ? "the same of another measure" : "";
}

/* ---- sheets of tables ---- */

static const struct xlsx_written *written_named(const struct workbook *w, const char *name)
{
	static const struct xlsx_written none;

	for (size_t i = 0; i < w->count; i++)
		if (text_equal(w->written[i].name, name))
			return &w->written[i];
	return &none;
}

static void write_sheet(struct workbook *w, const char *name, const struct table *table)
{
	const struct table *sums = table == &w->report->data ? &w->report->display : NULL;

	xlsx_write_table(
		w->book, name, table, sums, w->opt->complete, w->arena, &w->written[w->count++]);
}

/* Comparison and gate have ops too, but a reader looks for what was compared. */
static const char *main_sheet(const struct report *report)
{
	const bool compares =
		text_equal(report->command, "compare") || text_equal(report->command, "gate");

	return compares && text_equal(report->data.name, "ops") ? "compare" : report->data.name;
}

static bool is_of(const char *table, const char *name)
{
	const size_t n = strlen(name);

	return text_equal(table, name) || (text_starts(table, name) && table[n] == ' ');
}

static const struct table *table_at(const struct report *report, size_t i)
{
	if (i == 0)
		return &report->data;
	if (i <= report->more_count)
		return &report->more[i - 1];
	return &report->extra[i - 1 - report->more_count];
}

static bool is_listed(const char *name)
{
	for (size_t i = 0; i < sizeof(sheet_abouts) / sizeof(*sheet_abouts); i++)
		if (is_of(name, sheet_abouts[i].name))
			return true;
	return false;
}

static void write_sheets(struct workbook *w)
{
	const size_t tables = 1 + w->report->more_count + w->report->extra_count;

	w->written = arena_array(w->arena, tables, sizeof(*w->written));
	for (size_t s = 0; s < sizeof(sheet_abouts) / sizeof(*sheet_abouts); s++) {
		if (text_equal(sheet_abouts[s].name, "charts")) {
			w->charts.sheet = xlsx_sheet(w->book, "charts");
			w->charts_at = w->count;
		}
		/* Tables without rows say nothing but their name; what was asked for is there all
		 * the same. */
		for (size_t i = 0; i < tables; i++) {
			const struct table *table = table_at(w->report, i);
			const char *own = i ? table->name : main_sheet(w->report);

			if (is_of(own, sheet_abouts[s].name) && (i == 0 || table->row_count))
				write_sheet(w, own, table);
		}
		for (size_t i = 0; s == 3 && i < tables; i++) {
			const struct table *table = table_at(w->report, i);
			const char *own = i ? table->name : main_sheet(w->report);

			if (!is_listed(own))
				write_sheet(w, own, table);
		}
	}
}

/* ---- the summary ---- */

static void say(struct workbook *w, const char *label, const char *text, enum xlsx_style style)
{
	struct xlsx_place place = {
		w->summary, w->line++, 0, xlsx_format(w->book, XLSX_LABEL, false)};

	if (*label)
		xlsx_text(w->book, &place, label);
	place.column = 1;
	place.format = xlsx_format(w->book, style, false);

	/* Not every program makes lines as high as their text when it opens a file. */
	size_t width = xlsx_text(w->book, &place, text);
	const size_t lines = 1 + (width ? width - 1 : 0) / SUMMARY_FITS;

	if (w->summary && lines > 1)
		xlsx_check(w->book,
			worksheet_set_row(w->summary, place.row,
				LXW_DEF_ROW_HEIGHT * (double)(lines < 27 ? lines : 27), NULL));
}

static void say_lines(struct workbook *w, const char *label, const char *const *line, size_t count,
	enum xlsx_style style)
{
	for (size_t i = 0; i < count; i++)
		say(w, i ? "" : label, line[i], style);
	w->line += count > 0;
}

/* Notes the values that the workbook does not hold as they were. */
static void say_limits(struct workbook *w)
{
	const struct xlsx_book *book = w->book;
	const lxw_row_t before = w->line;
	const char *s = text_string(&book->said);

	while (*s) {
		const size_t n = strcspn(s, "\n");

		say(w, "workbook", arena_strndup(w->arena, s, n), XLSX_WRAP);
		s += n + (s[n] == '\n');
	}
	if (book->rounded_numbers)
		say(w, "workbook",
			arena_printf(w->arena,
				"%zu whole number%s above 2^53: a spreadsheet rounds to 15 digits; "
				"a .csv file has all.",
				book->rounded_numbers,
				book->rounded_numbers == 1 ? " is" : "s are"),
			XLSX_WRAP);
	if (book->cut_texts)
		say(w, "workbook",
			arena_printf(w->arena,
				"%zu text%s longer than the %zu characters of a cell and end%s in "
				"\"...\".",
				book->cut_texts, book->cut_texts == 1 ? " is" : "s are",
				book->limits.text, book->cut_texts == 1 ? "s" : ""),
			XLSX_WRAP);
	w->line += w->line > before;
}

static void list_sheet(struct workbook *w, const char *name, size_t rows)
{
	struct xlsx_place place = {w->summary, w->line, 0, xlsx_format(w->book, XLSX_LINK, false)};

	xlsx_link(w->book, &place, name);
	place.column = 1;
	place.format = NULL;
	xlsx_text(w->book, &place,
		rows == SIZE_MAX ? about_sheet(name)
				 : arena_printf(w->arena, "%s (%zu row%s)", about_sheet(name), rows,
					   rows == 1 ? "" : "s"));
	w->line++;
}

static void write_summary(struct workbook *w)
{
	const struct report *report = w->report;
	struct xlsx_place title = {w->summary, 0, 0, xlsx_format(w->book, XLSX_TITLE, false)};

	xlsx_text(w->book, &title,
		arena_printf(w->arena, "stepstat %s", report->command ? report->command : ""));
	w->line = 2;
	say_lines(w, "what was read", report->heading, report->heading_count, XLSX_WRAP);
	if (report->has_result) {
		say(w, "result", report->result, XLSX_STRONG);
		w->line++;
	}
	say_lines(w, "answer", report->answer, report->answer_count, XLSX_STRONG);
	for (size_t i = 0; i < w->report->note_count; i++) {
		const struct note *note = &w->report->note[i];
		struct xlsx_place place = {
			w->summary, w->line, 2, xlsx_format(w->book, XLSX_LABEL, false)};

		if (note->option)
			xlsx_text(w->book, &place, note->option);
		say(w, note->mark ? arena_printf(w->arena, "note %s", note->mark) : "note",
			note->text, XLSX_WRAP);
	}
	w->line += w->report->note_count > 0;
	say_limits(w);

	struct xlsx_place place = {
		w->summary, w->line++, 0, xlsx_format(w->book, XLSX_HEADER, false)};

	xlsx_text(w->book, &place, "sheet");
	place.column = 1;
	xlsx_text(w->book, &place, "what it holds");
	for (size_t i = 0; i < w->count; i++) {
		if (i == w->charts_at && w->charts.count)
			list_sheet(w, "charts", SIZE_MAX);
		list_sheet(w, w->written[i].name, w->written[i].rows);
	}
	xlsx_width(w->book, w->summary, 0, 18);
	xlsx_width(w->book, w->summary, 1, SUMMARY_WIDTH);
	xlsx_width(w->book, w->summary, 2, 30);
	if (!w->summary)
		return;
	worksheet_gridlines(w->summary, LXW_HIDE_ALL_GRIDLINES);
	worksheet_set_landscape(w->summary);
	worksheet_fit_to_pages(w->summary, 1, 0);
}

/* ---- the writer ---- */

static int xlsx_write_report(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct xlsx_book book;
	struct workbook w = {.book = &book, .report = report, .opt = opt};
	int status;

	if (xlsx_book_open(&book, &xlsx_limits_usual, out, err) < 0)
		return -1;
	w.arena = arena_new();
	w.summary = xlsx_sheet(&book, "summary");
	w.charts = (struct xlsx_charts){.book = &book,
		.arena = w.arena,
		.row_noun = report->display.column_count ? report->display.column[0].title : "op"};
	write_sheets(&w);

	const char *const main = main_sheet(w.report);

	if (text_equal(main, "compare"))
		xlsx_chart_changes(&w.charts, written_named(&w, main));
	else
		xlsx_chart_rows(&w.charts, written_named(&w, main));
	xlsx_chart_steps(&w.charts, written_named(&w, "steps"));
	xlsx_chart_ranks(&w.charts, written_named(&w, "ranks"));
	/* A chart sheet without a chart would be a riddle. */
	if (w.charts.sheet) {
		if (!w.charts.count)
			worksheet_hide(w.charts.sheet);
		worksheet_gridlines(w.charts.sheet, LXW_HIDE_ALL_GRIDLINES);
		worksheet_fit_to_pages(w.charts.sheet, 1, 0);
	}
	write_summary(&w);
	status = xlsx_book_write(&book, out, err);
	arena_free(w.arena);
	return status;
}

extern const struct writer writer_xlsx;
const struct writer writer_xlsx = {
	.name = "xlsx",
	.summary = "a workbook for Excel and LibreOffice: all tables, charts, notes; numbers as in "
		   "CSV",
	.suffixes = (const char *const[]){".xlsx", NULL},
	.holds_all = true,
	.explains = true,
	.binary = true,
	.has_values = true,
	.write = xlsx_write_report,
};
