/*
 * The plots and the data of the page of a comparison, by numbers computed by hand: where a factor
 * stands, that the waterfall adds up to the change of the step, that names stay text.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/arena.h"
#include "base/unit.h"
#include "report/html/html_compare.h"
#include "report/html/html_page.h"
#include "report/html/plots_compare.h"

#define ROWS 14
#define RUNS 2
#define HOSTILE "</script><b>\"'&"

static const double nan_runs[RUNS] = {NAN, NAN};
static const double base_runs[RUNS] = {9e6, 11e6}, new_runs[RUNS] = {12e6, 13e6};

static struct page_compared made_test(double base, double new, const char *verdict)
{
	return (struct page_compared){.on_side = {true, true},
		.mean = {base, new},
		.difference = new - base,
		.change = new / base - 1,
		.low = 0.1,
		.high = 0.3,
		.level = 0.95,
		.p = 0.01,
		.q = 0.02,
		.margin = 0.02,
		.detectable = 0.05,
		.log_ratio = log(new / base),
		.log_se = 0.05,
		.df = 8,
		.verdict = verdict,
		.evidence = "test",
		.phrase = verdict};
}

/* A side with RUNS runs of two steps each. */
static struct page_side made_side(struct arena *arena, double step)
{
	struct page_side side = {.label = "side",
		.what = "2 runs x 2 steps",
		.run_count = RUNS,
		.step_count = 2 * RUNS};

	side.run = arena_array(arena, side.run_count, sizeof(*side.run));
	side.step = arena_array(arena, side.step_count, sizeof(*side.step));
	for (size_t r = 0; r < RUNS; r++)
		side.run[r] = (struct page_run){
			.name = HOSTILE, .first = 2 * r, .count = 2, .mean = step, .op_mean = step};
	for (size_t s = 0; s < side.step_count; s++)
		side.step[s] = (struct page_step){.run = s / 2,
			.label = s % 2 ? "1" : "0",
			.kept = s != 0,
			.fate = s ? "yes" : "warm-up",
			.time = NAN,
			.op_time = step,
			.busy = NAN};
	return side;
}

/* Row i takes 10 us in base and 12 in new; the last two are small. */
static struct web_page *made(struct arena *arena)
{
	struct web_page *page = arena_alloc(arena, sizeof(*page));
	struct page_compare *c = arena_alloc(arena, sizeof(*c));

	*page = (struct web_page){.version = "v",
		.measure = "time",
		.dimension = DIMENSION_TIME,
		.grid = 1000,
		.confidence = 0.95,
		.compare = c};
	*c = (struct page_compare){.noun = "op",
		.nouns = "ops",
		.measure_count = 1,
		.count = ROWS,
		.step_name = "op time",
		.step_change = "+20 %",
		.adds_up = true,
		.margin = 0.02,
		.margin_words = "2 %"};
	c->measure = arena_array(arena, 1, sizeof(*c->measure));
	c->row = arena_array(arena, ROWS, sizeof(*c->row));
	for (size_t i = 0; i < ROWS; i++) {
		struct page_compared_row *row = &c->row[i];

		row->name = row->short_name = i ? "a/b" : HOSTILE;
		row->type = "Type";
		row->paired = "name";
		row->codes = "";
		row->small = i + 2 >= ROWS;
		row->measure = arena_alloc(arena, sizeof(*row->measure));
		*row->measure = made_test(10e6, 12e6, i ? "INCONCLUSIVE" : "REGRESSED");
		row->run[PAGE_BASE] = base_runs;
		row->run[PAGE_NEW] = new_runs;
		row->runs[PAGE_BASE] = row->runs[PAGE_NEW] = RUNS;
	}
	/* Something that no row has takes 5 us more. */
	c->measure[0] = (struct page_compared_measure){.name = "time",
		.dimension = DIMENSION_TIME,
		.total = made_test(ROWS * 10e6, ROWS * 12e6 + 5e6, "SLOWER")};
	c->step = c->measure[0].total;
	c->side[PAGE_BASE] = made_side(arena, ROWS * 10e6);
	c->side[PAGE_NEW] = made_side(arena, ROWS * 12e6 + 5e6);
	return page;
}

/* c = 0.05; the scale ends at exp(-0.125) and at 1.3, 0.1 beyond them: by Python's asinh. */
static void factors_have_their_place(void **state)
{
	static const double want[][2] = {{1, 166.124}, {1.2, 356.775}, {1.3, 390.492},
		{1.02, 202.859}, {1 / 1.02, 129.389}, {0.5, 0}, {0, 0}, {100, 400}};
	struct arena *arena = arena_new();
	struct forest_scale scale;

	(void)state;
	forest_scale_make(&scale, made(arena)->compare);
	assert_float_equal(scale.c, 0.05, 1e-9);
	assert_float_equal(scale.high, 1.3, 1e-9);
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		assert_float_equal(forest_x(&scale, want[i][0]), want[i][1], 0.01);
	arena_free(arena);
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static void cells_show_runs_and_interval(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page = made(arena);
	struct page_compared_row *row = &page->compare->row[0];
	struct forest_scale scale;
	struct text out;

	(void)state;
	forest_scale_make(&scale, page->compare);
	text_init(&out);
	plot_forest(&out, &scale, row, row->measure);
	assert_non_null(strstr(text_string(&out), "class=\"f-worse\""));
	assert_int_equal(count_of(text_string(&out), "class=\"rb\""), 2);
	assert_int_equal(count_of(text_string(&out), "class=\"rn\""), 2);
	assert_non_null(strstr(text_string(&out), "class=\"rn\" cx=\"356.8\"")); /* 12 of 10 */
	assert_non_null(strstr(text_string(&out), "class=\"est\" d=\"M353.3 13.5"));
	row->run[PAGE_NEW] = nan_runs;
	row->measure->low = row->measure->high = NAN;
	row->measure->evidence = "exact";
	row->measure->verdict = NULL;
	text_clear(&out);
	plot_forest(&out, &scale, row, row->measure);
	assert_non_null(strstr(text_string(&out), "class=\"f-dim\""));
	assert_null(strstr(text_string(&out), "class=\"rn\""));
	assert_null(strstr(text_string(&out), "class=\"iv\""));
	assert_non_null(strstr(text_string(&out), "l5 5l-5 5l-5 -5z"));
	row->measure->on_side[PAGE_BASE] = false;
	text_clear(&out);
	plot_forest(&out, &scale, row, row->measure);
	assert_non_null(strstr(text_string(&out), "only in new"));
	text_release(&out);
	arena_free(arena);
}

static void waterfall_adds_up(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page = made(arena);
	struct page_compare *c = (struct page_compare *)page->compare;
	struct waterfall w;
	double at = ROWS * 10e6;

	(void)state;
	/* Of 14 rows nine have bars: the largest, those that rise first. */
	c->row[3].measure->difference = -4e6;
	c->row[7].measure->difference = 9e6;
	c->measure[0].total.mean[PAGE_NEW] += -6e6 + 7e6;
	assert_true(waterfall_make(&w, c));
	assert_int_equal(w.count, WATERFALL_ROWS + 3);
	assert_int_equal(w.others, ROWS - WATERFALL_ROWS);
	assert_ptr_equal(w.bar[1].row, &c->row[7]);
	assert_ptr_equal(w.bar[WATERFALL_ROWS].row, &c->row[3]);
	for (size_t i = 1; i + 1 < w.count; i++) {
		assert_float_equal(w.bar[i].from, at, 1e-3);
		at = w.bar[i].to;
		assert_true(!w.bar[i].row || !w.bar[i].row->small);
	}
	assert_float_equal(at, c->measure[0].total.mean[PAGE_NEW], 1e-3);
	/* 140 to 174 us: the changes are below a quarter, so the base is torn. */
	assert_true(w.low > 0);
	c->adds_up = false;
	assert_false(waterfall_make(&w, c));
	arena_free(arena);
}

static void looks_say_shown_or_not(void **state)
{
	(void)state;
	assert_string_equal(verdict_look_of("MORE")->icon, "up");
	assert_string_equal(verdict_look_of("LESS")->class_name, "better");
	assert_string_equal(verdict_look_of("SAME")->icon, "same");
	assert_string_equal(verdict_look_of("INCONCLUSIVE")->icon, "maybe");
	assert_false(verdict_look_of("INCONCLUSIVE")->decided);
	assert_string_equal(verdict_look_of(NULL)->icon, "none");
	assert_string_equal(verdict_look_of("no such word")->class_name, "dim");
}

static void names_stay_text(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page = made(arena);
	struct report report = {.arena = arena, .command = "compare"};
	struct text out;

	(void)state;
	text_init(&out);
	plot_waterfall(&out, page);
	plot_runs(&out, page);
	assert_null(strstr(text_string(&out), "</script>"));
	assert_non_null(strstr(text_string(&out), "&lt;/script&gt;"));
	text_clear(&out);
	html_compare_data(&out, &report, page);
	/* us and percent; all run values of all rows. */
	assert_non_null(strstr(text_string(&out), "\"base\":[10,10,"));
	assert_non_null(strstr(text_string(&out), "\"low\":[10,10,"));
	assert_non_null(strstr(text_string(&out), "\"runs0\":[[9,11],[9,11],"));
	assert_non_null(strstr(text_string(&out), "\"left\":[1,0]"));
	text_release(&out);
	arena_free(arena);
}

/* The JSON goes out in pieces, and nothing in it ends its element: as many elements end as begin.
 */
static void data_stays_in_its_element(void **state)
{
	struct arena *arena = arena_new();
	const struct web_page *page = made(arena);
	const struct report report = {.arena = arena, .command = "compare", .page = page};
	const struct html_frame frame = {
		.title = "t", .body = "", .data = html_compare_data, .report = &report};
	struct outfile *out = outfile_memory();
	size_t size, ends = 0;

	(void)state;
	html_frame_write(out, &frame);
	for (const char *at = outfile_data(out, &size); (at = strstr(at, "</script>")); at++)
		ends++;
	assert_int_equal(ends, 2);
	assert_non_null(strstr(outfile_data(out, &size), "\\u003c/script>\\u003cb>\\\"'&"));
	outfile_discard(out);
	arena_free(arena);
}

/* Equal values have no range; nothing known has no plot. */
static void flat_and_empty_runs(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page = made(arena);
	struct text out;

	(void)state;
	((struct page_compare *)page->compare)->side[PAGE_NEW] = page->compare->side[PAGE_BASE];
	text_init(&out);
	plot_runs(&out, page);
	assert_non_null(strstr(text_string(&out), "<svg"));
	assert_null(strstr(text_string(&out), "nan"));
	for (size_t s = 0; s < 2 * RUNS; s++)
		page->compare->side[PAGE_BASE].step[s].op_time = NAN;
	text_clear(&out);
	plot_runs(&out, page);
	assert_int_equal(out.size, 0);
	text_release(&out);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(factors_have_their_place),
		cmocka_unit_test(cells_show_runs_and_interval),
		cmocka_unit_test(waterfall_adds_up),
		cmocka_unit_test(looks_say_shown_or_not),
		cmocka_unit_test(names_stay_text),
		cmocka_unit_test(data_stays_in_its_element),
		cmocka_unit_test(flat_and_empty_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
