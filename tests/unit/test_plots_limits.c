/*
 * The plots of a page at their limits: names that try to be markup, pages without data, and large
 * ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "report/html/html_text.h"
#include "report/html/plots.h"
#include "report/html/svg.h"
#include "tests/unit/made_page.h"
#include "tests/unit/svg_read.h"

static void html_escapes(void **state)
{
	struct text t;

	(void)state;
	text_init(&t);
	html_add(&t, "a&b<c>\"d'e\x01");
	html_add(&t, NULL);
	assert_string_equal(text_string(&t), "a&amp;b&lt;c&gt;&quot;d&#39;e\\x01");
	text_clear(&t);
	html_add_attribute(&t, "title", "\"x\"");
	assert_string_equal(text_string(&t), " title=\"&quot;x&quot;\"");
	text_release(&t);
}

static void numbers_are_short(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {{0, "0"}, {-0.04, "0"}, {12.34, "12.3"}, {-7, "-7"}, {0.25, "0.3"}, {NAN, "0"},
		{INFINITY, "1000000"}, {1343.96, "1344"}};
	struct svg_ticks ticks;
	struct text t;

	(void)state;
	text_init(&t);
	for (size_t i = 0; i < COUNT(cases); i++) {
		text_clear(&t);
		svg_number(&t, cases[i].value);
		assert_string_equal(text_string(&t), cases[i].text);
	}
	svg_ticks_find(&ticks, 0, 38, 4);
	assert_int_equal(ticks.count, 4); /* 0 10 20 30 */
	assert_float_equal(ticks.at[3], 30, 0);
	svg_ticks_find(&ticks, 5, 5, 4);
	assert_int_equal(ticks.count, 0);
	svg_ticks_find(&ticks, 0, NAN, 4);
	assert_int_equal(ticks.count, 0);
	text_clear(&t);
	svg_add_change(&t, -1.5e9, svg_unit(DIMENSION_TIME, 2e10));
	assert_string_equal(text_string(&t), "\xe2\x88\x92"
					     "1.50\xc2\xa0ms");
	text_clear(&t);
	svg_add_change(&t, 1e6, svg_unit(DIMENSION_TIME, 2e10));
	assert_string_equal(text_string(&t), "0.00\xc2\xa0ms");
	text_release(&t);
}

static void names_never_become_markup(void **state)
{
	static const char *const hostile[] = {"\"><script>alert(1)</script>", "' onload='x",
		"<svg/onload=x>&lt;&amp;", "]]>--><!--", "\xff\xfe<\x01\x1b[31m>\n\"", "",
		"a/<b>/\"c\"/'d'/&e", "\xe2\x80\xae<i>", "&#60;img src=x onerror=y&#62;"};
	struct arena *arena = arena_new();
	struct web_page *page = made_page(arena, &(struct made_size){.ops = COUNT(hostile) * 4,
							 .steps = 20,
							 .runs = 2,
							 .left_out = 1,
							 .ranks = 70,
							 .step_time = true});
	struct text svg;
	size_t n = 0;

	(void)state;
	for (size_t kind = 0; kind < PAGE_KINDS; kind++) {
		for (size_t i = 0; i < page->rows[kind].count; i++) {
			page->rows[kind].row[i].name = hostile[n++ % COUNT(hostile)];
			page->rows[kind].row[i].short_name =
				n % 3 ? page->rows[kind].row[i].name : NULL;
		}
		page->rows[kind].noun = page->rows[kind].nouns = hostile[0];
	}
	for (size_t r = 0; r < page->run_count; r++)
		page->run[r].name = hostile[n++ % COUNT(hostile)];
	for (size_t r = 0; r < page->rank_count; r++)
		page->rank[r].name = page->rank[r].group = hostile[n++ % COUNT(hostile)];
	for (size_t i = 0; i < page->split_count; i++)
		page->split[i].name = hostile[n++ % COUNT(hostile)];
	for (size_t t = 0; t < page->step_count; t++)
		page->step[t].fate = page->step[t].kept ? "yes" : hostile[n++ % COUNT(hostile)];
	page->devices[0].name = hostile[0];
	for (size_t k = 0; k < page->devices[0].part_count; k++)
		page->devices[0].part[k].name = hostile[n++ % COUNT(hostile)];
	page->total.label = hostile[1];
	page->measure = hostile[2];
	text_init(&svg);
	plot_all(&svg, page);
	assert_clean(text_string(&svg));
	assert_null(strstr(text_string(&svg), "<script"));
	for (const char *s = text_string(&svg); *s; s++)
		assert_true((unsigned char)*s >= 0x20 || *s == '\n');
	text_release(&svg);
	arena_free(arena);
}

static void pages_without_data_have_no_plots(void **state)
{
	struct arena *arena = arena_new();
	struct web_page empty = {.dimension = DIMENSION_TIME, .measure = "time"};
	struct web_page *one =
		made_page(arena, &(struct made_size){.ops = 12, .steps = 1, .runs = 1});
	struct text svg;

	(void)state;
	text_init(&svg);
	for (size_t kind = 0; kind < PAGE_KINDS; kind++)
		empty.rows[kind].noun = empty.rows[kind].nouns = "op";
	plot_all(&svg, &empty);
	assert_int_equal(svg.size, 0);
	/* One step: what it is made of, and no spread. */
	plot_excess(&svg, one);
	plot_scatter(&svg, one);
	plot_row_steps(&svg, one, &one->rows[PAGE_NAME].row[0]);
	assert_int_equal(svg.size, 0);
	plot_steps(&svg, one);
	assert_non_null(strstr(text_string(&svg), "viewBox=\"0 0 974 66\""));
	assert_clean(text_string(&svg));
	text_release(&svg);
	arena_free(arena);
}

static void what_is_not_known_is_not_drawn(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page = made_page(
		arena, &(struct made_size){
			       .ops = 12, .steps = 9, .runs = 60, .ranks = 3, .step_time = true});
	struct text svg;

	(void)state;
	for (size_t kind = 0; kind < PAGE_KINDS; kind++)
		for (size_t i = 0; i < page->rows[kind].count; i++)
			page->rows[kind].row[i].value = NULL;
	for (size_t t = 0; t < page->step_count; t++) {
		page->step[t].op_time = NAN;
		if (t % 3)
			page->step[t].time = NAN;
	}
	page->total.number = (struct page_numbers){.mean = NAN, .low = NAN, .high = NAN, .sd = NAN};
	page->rank[1].excess_mean = NAN;
	text_init(&svg);
	plot_all(&svg, page);
	assert_clean(text_string(&svg));
	assert_null(strstr(text_string(&svg), "nan"));
	assert_null(strstr(text_string(&svg), "inf"));
	/* Bytes are not drawn on an axis of times. */
	page->dimension = DIMENSION_BYTES;
	text_clear(&svg);
	plot_steps(&svg, page);
	assert_null(strstr(text_string(&svg), "wallt"));
	text_release(&svg);
	arena_free(arena);
}

static void large_pages_stay_small(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page = made_page(arena, &(struct made_size){.ops = 5000,
							 .steps = 200,
							 .runs = 10,
							 .left_out = 4,
							 .ranks = 64,
							 .step_time = true});
	struct text svg;

	(void)state;
	/* As the page has it: values of 300 ops, of the others order statistics. */
	for (size_t i = 300; i < 5000; i++) {
		struct page_row *row = &page->rows[PAGE_NAME].row[i];

		row->value = NULL;
		for (size_t k = 0; k < PAGE_QUANTILES; k++)
			row->quantile[k] = row->number.median;
	}
	text_init(&svg);
	clock_t begin = clock();

	plot_all(&svg, page);
	double cpu_s = (double)(clock() - begin) / CLOCKS_PER_SEC;

	assert_true(svg.size < 400000);
	/* 0.05 s in a plain build; sanitizers and a busy machine are slower. */
	assert_true(cpu_s < 2);
	assert_clean(text_string(&svg));
	text_release(&svg);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(html_escapes),
		cmocka_unit_test(numbers_are_short),
		cmocka_unit_test(names_never_become_markup),
		cmocka_unit_test(pages_without_data_have_no_plots),
		cmocka_unit_test(what_is_not_known_is_not_drawn),
		cmocka_unit_test(large_pages_stay_small),
	};

	return cmocka_run_group_tests_name("plots_limits", tests, NULL, NULL);
}
