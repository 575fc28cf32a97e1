/* The tables and the data of the page of a comparison: numbers as pages have them, by hand; what is
 * a row, what is a line; names stay text. */
#include <math.h>
#include "base/arena.h"
#include "base/unit.h"
#include "report/html/html_compare.h"
#include "report/html/html_data.h"
#include "report/html/html_page.h"
#include "tests/unit/test.h"

#define ROWS 14
#define RUNS 2
#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define HOSTILE "</script><b>\"'&"

static struct cell list(struct arena *arena, const double *value)
{
	struct cell_list *list = arena_alloc(arena, sizeof(*list));

	*list = (struct cell_list){value, RUNS};
	return (struct cell){.kind = CELL_LIST, .list = list};
}

static struct cell text_cell(const char *text)
{
	return (struct cell){.kind = CELL_TEXT, .text = text};
}

static struct cell number(double value)
{
	return isnan(value) ? (struct cell){.kind = CELL_NONE}
			    : (struct cell){.kind = CELL_REAL, .real = value};
}

static struct cell count(int64_t value)
{
	return (struct cell){.kind = CELL_INTEGER, .integer = value};
}

#define TIME(name)                                                                                 \
	{                                                                                          \
		.measure = "time", .stat = name, .dimension = DIMENSION_TIME, .align = ALIGN_RIGHT \
	}

/* The tables of the document: what the script draws. Run r of a side has left out r steps. */
static void add_tables(struct arena *arena, struct report *report)
{
	static const double base_runs[RUNS] = {9, 11}, new_runs[RUNS] = {12, NAN};
	static struct column data[] = {{.stat = "op"}, TIME("base"), TIME("new"),
		{.measure = "time", .stat = "low", .dimension = DIMENSION_FRACTION}},
			     changes[] = {{.stat = "row", .dimension = DIMENSION_COUNT},
				     {.stat = "op"}, {.stat = "base_runs"}, {.stat = "new_runs"}},
			     runs[] = {{.stat = "side"}, {.stat = "run"},
				     {.stat = "steps", .dimension = DIMENSION_COUNT},
				     {.stat = "left_out", .dimension = DIMENSION_COUNT},
				     {.stat = "value", .dimension = DIMENSION_TIME}};
	struct table *drawn = arena_array(arena, 2, sizeof(*drawn));

	for (size_t i = 0; i < COUNT(runs); i++)
		runs[i].title = runs[i].stat;

	report->data = (struct table){.name = "ops",
		.column = data,
		.column_count = COUNT(data),
		.row = arena_array(arena, ROWS, sizeof(struct row)),
		.row_count = ROWS};
	drawn[0] = (struct table){.name = "changes",
		.column = changes,
		.column_count = COUNT(changes),
		.row = arena_array(arena, ROWS, sizeof(struct row)),
		.row_count = ROWS};
	drawn[1] = (struct table){.name = "runs",
		.column = runs,
		.column_count = COUNT(runs),
		.row = arena_array(arena, 2 * RUNS, sizeof(struct row)),
		.row_count = 2 * RUNS};
	for (size_t i = 0; i < ROWS; i++) {
		struct cell *test = report->data.row[i].cell =
			arena_array(arena, COUNT(data), sizeof(*test));
		struct cell *change = drawn[0].row[i].cell =
			arena_array(arena, COUNT(changes), sizeof(*change));

		test[0] = change[1] = text_cell(i ? "a/b" : HOSTILE);
		test[1] = number(10e6 + (double)i);
		test[2] = number(12e6);
		test[3] = number(0.1 + (double)i / 100);
		change[0] = count((int64_t)i);
		change[2] = list(arena, base_runs);
		change[3] = list(arena, new_runs);
	}
	for (size_t r = 0; r < 2 * RUNS; r++) {
		struct cell *cell = drawn[1].row[r].cell =
			arena_array(arena, COUNT(runs), sizeof(*cell));

		cell[0] = text_cell(r < RUNS ? "base" : "new");
		cell[1] = text_cell(HOSTILE);
		cell[2] = count(1);
		cell[3] = count((int64_t)(r % RUNS));
		cell[4] = number(r % RUNS ? NAN : ROWS * 10e6);
	}
	report->drawn = drawn;
	report->drawn_count = 2;
}

/* Row i takes 10 us in base and 12 in new; the first is REGRESSED. */
static struct web_page *made(struct arena *arena)
{
	struct web_page *page = arena_alloc(arena, sizeof(*page));
	struct page_compare *c = arena_alloc(arena, sizeof(*c));

	*page = (struct web_page){.title = HOSTILE,
		.version = "v",
		.measure = "time",
		.dimension = DIMENSION_TIME,
		.grid = 1,
		.confidence = 0.95,
		.compare = c};
	*c = (struct page_compare){.noun = "op",
		.nouns = "ops",
		.measure_count = 1,
		.count = ROWS,
		.open = 1,
		.step_name = "op time",
		.adds_up = true,
		.margin = 0.02};
	c->measure = arena_array(arena, 1, sizeof(*c->measure));
	c->measure[0] = (struct page_compared_measure){"time", DIMENSION_TIME, false};
	c->row = arena_array(arena, ROWS, sizeof(*c->row));
	for (size_t i = 0; i < ROWS; i++)
		c->row[i] = (struct page_compared_row){.name = i ? "a/b" : HOSTILE,
			.row = i,
			.mean = {10e6, 12e6},
			.change = 0.2,
			.verdict = i ? "INCONCLUSIVE" : "REGRESSED",
			.shown = !i};
	c->step_verdict = "SLOWER";
	return page;
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

TEST(looks_have_words)
{
	assert_string_equal(verdict_look_of("MORE")->class_name, "worse");
	assert_true(verdict_look_of("LOST")->is_shown);
	assert_false(verdict_look_of("MORE")->is_shown);
	assert_string_equal(verdict_look_of("LESS")->class_name, "better");
	assert_string_equal(verdict_look_of("GONE")->class_name, "quiet");
	assert_string_equal(verdict_look_of("LOST")->class_name, "worse");
	assert_string_equal(verdict_look_of(NULL)->mark, "");
	assert_string_equal(verdict_look_of("no such word")->class_name, "quiet");
}

TEST(names_stay_text)
{
	struct arena *arena = arena_new();
	struct web_page *page = made(arena);
	const char *heading[] = {HOSTILE}, *answer[] = {HOSTILE};
	struct check check = {.name = HOSTILE,
		.subject = HOSTILE,
		.measure = HOSTILE,
		.status = CHECK_FAILED,
		.verdict = HOSTILE,
		.message = HOSTILE};
	struct report report = {.arena = arena,
		.command = "gate",
		.heading = heading,
		.heading_count = 1,
		.answer = answer,
		.answer_count = 1,
		.has_result = true,
		.result = HOSTILE,
		.exit_status = 1,
		.check = &check,
		.check_count = 1};
	struct text out;

	text_init(&out);
	add_tables(arena, &report);
	html_compare(&out, &report, page);
	assert_null(strstr(text_string(&out), "</script>"));
	assert_null(strstr(text_string(&out), "<b>\""));
	assert_non_null(strstr(text_string(&out), "&lt;/script&gt;"));
	/* The rows that are folded are counted. */
	assert_non_null(strstr(text_string(&out), "13 other ops: 13 INCONCLUSIVE"));
	assert_non_null(strstr(text_string(&out), "(exit status 1)"));
	text_clear(&out);
	html_data(&out, &report, page);
	/* us and percent; all run values of all rows. */
	assert_non_null(strstr(text_string(&out), "\"time_base\":[10,10,"));
	assert_non_null(strstr(text_string(&out), "\"time_low\":[10,11,"));
	assert_non_null(strstr(text_string(&out), "\"base_runs\":[[9,11],[9,11],"));
	assert_non_null(strstr(text_string(&out), "\"new_runs\":[[12,null],"));
	assert_non_null(strstr(text_string(&out), "\"left_out\":[0,1,0,1],\"value\":[140,null,"));
	text_release(&out);
	arena_free(arena);
}

/* Without script the page has 300 rows, and says how many it does not have. */
TEST(many_rows_are_cut)
{
	struct arena *arena = arena_new();
	const struct web_page *page = made(arena);
	struct column column = {.stat = "op", .title = "op"};
	struct cell cell = {.kind = CELL_TEXT, .text = HOSTILE};
	struct report report = {.arena = arena,
		.command = "compare",
		.display = {.name = "ops", .column = &column, .column_count = 1, .row_count = 301}};
	struct text out;

	report.display.row = arena_array(arena, 301, sizeof(*report.display.row));
	for (size_t i = 0; i < 301; i++)
		report.display.row[i] = (struct row){.cell = &cell, .in_files = true};
	text_init(&out);
	html_compare(&out, &report, page);
	assert_int_equal(count_of(text_string(&out), "<td class=\"l text\">&lt;/script"), 300);
	assert_non_null(strstr(text_string(&out), ">1 more rows are not in this page"));
	report.display.row_count = 300;
	text_clear(&out);
	html_compare(&out, &report, page);
	assert_null(strstr(text_string(&out), "more rows are not"));
	text_release(&out);
	arena_free(arena);
}

/* The JSON goes out in pieces, and nothing in it ends its element: as many elements end as begin.
 */
TEST(data_stays_in_its_element)
{
	struct arena *arena = arena_new();
	const struct web_page *page = made(arena);
	struct report report = {.arena = arena, .command = "compare", .page = page};
	const struct html_frame frame = {.title = "t",
		.body = "",
		.script = "page_compare.js",
		.data = html_data,
		.report = &report};
	struct outfile *out = outfile_memory();
	size_t size, ends = 0;

	add_tables(arena, &report);
	html_frame_write(out, &frame);
	for (const char *at = outfile_data(out, &size); (at = strstr(at, "</script>")); at++)
		ends++;
	assert_int_equal(ends, 2);
	assert_non_null(strstr(outfile_data(out, &size), "\\u003c/script>\\u003cb>\\\"'&"));
	outfile_discard(out);
	arena_free(arena);
}
