/*
 * The plots of a page: what is drawn equals the data when it is read back from the markup, and no
 * outlier is lost.
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
#include "report/html/plots.h"
#include "tests/unit/made_page.h"
#include "tests/unit/svg_read.h"

static double value_in(const struct page_row *row, size_t step)
{
	return isnan(row->value[step]) ? 0 : row->value[step];
}

static const struct page_row *layer(
	const struct web_page *page, const struct plot_layers *layers, size_t l)
{
	return &page->rows[layers->kind].row[layers->row[l]];
}

static void layers_are_even_and_large(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page =
		made_page(arena, &(struct made_size){.ops = 40, .steps = 12, .runs = 1});
	struct page_rows *classes = &page->rows[PAGE_CLASS], *types = &page->rows[PAGE_TYPE];
	struct plot_layers layers;

	(void)state;
	plot_layers_choose(page, &layers);
	assert_int_equal(layers.kind, PAGE_CLASS);
	assert_int_equal(layers.count, MADE_CLASSES);
	classes->row[0].number.share = 0.75;
	for (size_t i = 0; i < MADE_TYPES; i++) {
		types->row[i].number.share = 0.1 + 0.01 * (double)i;
		types->row[i].number.jitter = NAN;
	}
	/* The smallest by share has the largest jitter. */
	types->row[0].number.jitter = 0.9;
	plot_layers_choose(page, &layers);
	assert_int_equal(layers.kind, PAGE_TYPE);
	assert_int_equal(layers.count, PLOT_LAYERS);
	assert_int_equal(layers.row[0], 0);
	for (size_t l = 1; l < PLOT_LAYERS; l++)
		assert_int_equal(layers.row[l], l + 1); /* type 1 is the one that is left over */
	arena_free(arena);
}

/* Stacked they would be higher than the step. */
static void overlapping_rows_are_not_stacked(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page =
		made_page(arena, &(struct made_size){.ops = 4, .steps = 3, .runs = 1});
	struct plot_layers layers;

	(void)state;
	page->overlap = true;
	plot_layers_choose(page, &layers);
	assert_int_equal(layers.count, 0);
	arena_free(arena);
}

static void columns_are_the_op_times(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page = made_page(arena,
		&(struct made_size){
			.ops = 40, .steps = 20, .runs = 1, .left_out = 3, .step_time = true});
	struct plot_layers layers;
	struct text svg;
	const char *kept, *wall;

	(void)state;
	text_init(&svg);
	plot_steps(&svg, page);
	plot_layers_choose(page, &layers);
	double y0 = zero_y(text_string(&svg)), scale = px_per_ms(text_string(&svg), y0);

	/* First those that are left out, then the others. */
	kept = strstr(text_string(&svg), "</g>");
	assert_non_null(kept);
	wall = path_of(kept, "wallt", NULL);
	for (size_t t = 0; t < 20; t++) {
		const char *from = t < 3 ? strstr(text_string(&svg), "leftout") : kept;
		double x = 44 + ((double)t + 0.5) * 930 / 20, sum = 0;

		for (size_t l = 0; l < layers.count; l++) {
			char class_name[3] = {'l', (char)('0' + l), 0};

			sum += value_in(layer(page, &layers, l), t);
			assert_float_equal(
				(y0 - outline_at(path_of(from, class_name, NULL), x, y0, true)) /
					scale,
				sum / 1e9, 1 / scale);
		}
		/* The classes have all ops. */
		assert_float_equal(sum, page->step[t].op_time, 1e-3);
		assert_float_equal(
			(y0 - dash_at(wall, x)) / scale, page->step[t].time / 1e9, 1 / scale);
	}
	text_release(&svg);
	arena_free(arena);
}

static double median_kept(const struct web_page *page, const double *value)
{
	double *x = calloc(page->step_count, sizeof(*x)), median;
	size_t n = 0;

	for (size_t t = 0; t < page->step_count; t++)
		if (page->step[t].kept)
			x[n++] = isnan(value[t]) ? 0 : value[t];
	median = made_median(x, n);
	free(x);
	return median;
}

static void excess_adds_up(void **state)
{
	for (int step_time = 0; step_time < 2; step_time++) {
		struct arena *arena = arena_new();
		struct web_page *page = made_page(arena, &(struct made_size){.ops = 40,
								 .steps = 25,
								 .runs = 1,
								 .left_out = 2,
								 .step_time = step_time,
								 .seed = 3});
		double total[25];
		struct text svg;

		(void)state;
		for (size_t t = 0; t < 25; t++)
			total[t] = step_time ? page->step[t].time : page->step[t].op_time;
		text_init(&svg);
		plot_excess(&svg, page);
		const char *s = text_string(&svg), *sums = path_of(s, "wallt", NULL);
		double y0 = zero_y(s), scale = px_per_ms(s, y0), median = median_kept(page, total);

		for (size_t t = 2; t < 25; t++) {
			double x = 44 + ((double)t + 0.5) * 1300 / 25, above = y0, below = y0;

			for (size_t l = 0; l < 7; l++) {
				char class_name[3] = {'l', (char)('0' + l), 0};
				const char *d = path_of(s, class_name, NULL);

				above = fmin(above, outline_at(d, x, y0, true));
				below = fmax(below, outline_at(d, x, y0, false));
			}
			/* Parts above less parts below are the excess, in px and in ms. */
			assert_float_equal((y0 - above) - (below - y0), y0 - dash_at(sums, x), 1.1);
			assert_float_equal((y0 - dash_at(sums, x)) / scale,
				(total[t] - median) / 1e9, 1.5 / scale);
		}
		/* Left out: nothing. */
		assert_true(isnan(dash_at(sums, 44 + 0.5 * 1300 / 25)));
		text_release(&svg);
		arena_free(arena);
	}
}

/* Two ops and a device; values in ms by hand. */
static void causes_are_above_the_median(void **state)
{
	double op[2][5] = {{1e9, 1e9, 1e9, 9e9, 2e9}, {5e9, 5e9, 6e9, 5e9, 7e9}};
	double part[3][5] = {
		{4e9, 4e9, 4e9, 4e9, 4e9}, {1e9, 1e9, 1e9, 9e9, 1e9}, {1e9, 1e9, 1e9, 9e9, 1e9}};
	struct page_row row[2] = {{.name = "a", .value = op[0], .number.median = 1e9},
		{.name = "b", .value = op[1], .number.median = 5e9}};
	struct page_step step[5];
	struct page_part parts[3] = {{.name = "compute", .value = part[0], .median = 4e9},
		{.name = "idle", .is_idle = true, .value = part[1], .median = 1e9},
		{.name = "host", .of_idle = true, .value = part[2], .median = 1e9}};
	struct page_device device = {.name = "gpu:0", .part = parts, .part_count = 3};
	struct web_page page = {.step = step, .step_count = 5, .median = 6e9};
	struct page_cause cause;

	(void)state;
	page.rows[PAGE_NAME] = (struct page_rows){.row = row, .count = 2};
	for (size_t t = 0; t < 5; t++)
		step[t] = (struct page_step){
			.kept = true, .op_time = op[0][t] + op[1][t], .time = 20e9};
	assert_true(page_cause_of(&page, 3, &cause));
	assert_ptr_equal(cause.row, &row[0]);
	assert_float_equal(cause.value, 9e9, 0);
	assert_float_equal(cause.usual, 1e9, 0);
	assert_true(page_cause_of(&page, 4, &cause));
	assert_ptr_equal(cause.row, &row[1]);	       /* +2 of +3; a has +1 */
	assert_false(page_cause_of(&page, 0, &cause)); /* as long as the median step */
	page.has_step_time = true;
	page.devices = &device;
	page.devices_count = 1;
	assert_true(page_cause_of(&page, 3, &cause)); /* +8 of +14 */
	assert_null(cause.row);
	assert_string_equal(cause.part->name, "host"); /* not idle, of which it is a part */
	assert_false(page_cause_of(&page, 4, &cause)); /* nothing of +14 */
}

static void dense_columns_keep_the_longest(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page =
		made_page(arena, &(struct made_size){.ops = 10, .steps = 4000, .runs = 1});
	uint64_t seed = 5;

	(void)state;
	for (size_t trial = 0; trial < 20; trial++) {
		size_t t = (size_t)(made_random(&seed) * 3999);
		double was = page->step[t].op_time;
		struct text svg;

		page->step[t].op_time = was * (2 + 50 * made_random(&seed));
		page->step[t].outlier = true;
		text_init(&svg);
		plot_steps(&svg, page);
		size_t column = 0; /* of 600, on whole pixels */

		while (4000 * (column + 1) / 600 <= t)
			column++;
		double x = 44 +
			   (round((double)column * 1.55) + round((double)(column + 1) * 1.55)) / 2;
		/* What no layer has is the rest; the scale ends 2 % above the longest step. */
		double top = outline_at(path_of(text_string(&svg), "l5", NULL), x, 288, true);

		assert_float_equal(top, 288 - 244 / 1.02, 0.1);
		char mark[64];

		snprintf(mark, sizeof(mark), "class=\"o\" data-t=\"%zu\"", t);
		assert_non_null(strstr(text_string(&svg), mark));
		page->step[t].op_time = was;
		page->step[t].outlier = false;
		text_release(&svg);
	}
	arena_free(arena);
}

static void planted_outliers_have_marks(void **state)
{
	uint64_t seed = 11;
	size_t flagged = 0, flagged_steps = 0;

	(void)state;
	for (size_t trial = 0; trial < 60; trial++) {
		struct arena *arena = arena_new();
		struct web_page *page = made_page(arena,
			&(struct made_size){
				.ops = 30, .steps = 30, .runs = 3, .left_out = 1, .seed = trial});
		struct page_row *row =
			&page->rows[PAGE_NAME].row[(size_t)(made_random(&seed) * 30)];
		size_t t = (size_t)(made_random(&seed) * 90);
		double *value = (double *)(uintptr_t)row->value;
		const char *name = row->name;
		struct text svg;

		if (!page->step[t].kept || isnan(value[t])) {
			arena_free(arena);
			continue;
		}
		double more = value[t] * (0.5 + 98.5 * made_random(&seed) * made_random(&seed));

		value[t] += more;
		page->step[t].op_time += more;
		made_again(arena, page);
		text_init(&svg);
		for (size_t i = 0; i < 30; i++) {
			const struct page_row *of = &page->rows[PAGE_NAME].row[i];

			text_clear(&svg);
			plot_row_steps(&svg, page, of);
			assert_true(
				count_of(text_string(&svg), "class=\"o\"") >= of->outlier_count);
			flagged += of->outlier_count && text_equal(of->name, name);
		}
		text_clear(&svg);
		plot_steps(&svg, page);
		for (size_t k = 0; k < page->step_count; k++) {
			char mark[64];

			snprintf(mark, sizeof(mark), "class=\"o\" data-t=\"%zu\"", k);
			assert_int_equal(
				strstr(text_string(&svg), mark) != NULL, page->step[k].outlier);
			flagged_steps += page->step[k].outlier;
		}
		text_release(&svg);
		arena_free(arena);
	}
	assert_true(flagged > 20);
	assert_true(flagged_steps > 5);
}

static void rows_without_values_keep_outliers(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page =
		made_page(arena, &(struct made_size){.ops = 30, .steps = 30, .runs = 2});
	struct page_row *row = &page->rows[PAGE_NAME].row[4];
	struct text svg;

	(void)state;
	for (size_t k = 0; k < PAGE_QUANTILES; k++)
		row->quantile[k] = row->number.median * (0.9 + 0.03 * (double)k);
	row->value = NULL;
	row->far[0] = row->number.median * 100; /* off the scale */
	row->far[1] = row->number.median * 1.5;
	row->far_count = 2;
	text_init(&svg);
	plot_row_steps(&svg, page, row);
	assert_int_equal(count_of(text_string(&svg), "class=\"o\""), 2);
	assert_clean(text_string(&svg));
	text_release(&svg);
	arena_free(arena);
}

static void every_dot_has_its_place(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page =
		made_page(arena, &(struct made_size){.ops = 20, .steps = 12, .runs = 1});
	struct text svg;

	(void)state;
	text_init(&svg);
	/* An op that ran in some steps only: those without it are dots at 0. */
	for (size_t i = 0; i < 20; i++) {
		const struct page_row *row = &page->rows[PAGE_NAME].row[i];
		size_t marks;

		text_clear(&svg);
		plot_row_steps(&svg, page, row);
		marks = count_of(text_string(&svg), "h0") +
			count_of(text_string(&svg), "class=\"o\"");
		/* A full place is a line for five dots. */
		if (!strstr(text_string(&svg), "v12.8"))
			assert_int_equal(marks, 12);
		assert_int_equal(path_of(text_string(&svg), "d zz", NULL) != NULL,
			row->number.ran < row->number.steps);
	}
	text_clear(&svg);
	plot_row_mean(
		&svg, &page->rows[PAGE_NAME].row[0], page->rows[PAGE_NAME].row[0].number.mean * 2);
	assert_non_null(strstr(text_string(&svg), "x=\"0\" y=\"6\" width=\"80\""));
	text_release(&svg);
	arena_free(arena);
}

/* Which class the heat map has at a place: hs1 to hs5 above 0, hf1 to hf5 below, 0 without one. */
static int heat_at(const char *svg, double x, double y)
{
	int found = 0;

	for (int k = 0; k < 10; k++) {
		char class_name[4] = {'h', k < 5 ? 's' : 'f', (char)('1' + k % 5), 0};
		const char *from = strstr(svg, "class=\"heat\"");
		struct reader r = {.at = path_of(from, class_name, NULL)};
		double before = 0;

		while (r.at && read_command(&r)) {
			if (r.command == 'h' && before < x && x < r.x && fabs(r.y - y) < 1) {
				assert_int_equal(found, 0);
				found = k < 5 ? k + 1 : -(k - 4);
			}
			before = r.x;
		}
	}
	return found;
}

static void heat_map_shows_the_excess(void **state)
{
	/* 99 % of 16 values lie below the second largest, 1 ms: the classes begin at 1, 1/2, 1/4,
	 * 1/8 and 1/16 ms. */
	static const double excess_ms[4][4] = {{0, 0.05, 0.07, 0.13}, {-0.05, -0.07, -0.2, -0.3},
		{5, 1, 0.6, 0.49}, {NAN, -0.9, 0, 0.26}};
	static const int expected[4][4] = {
		{0, 0, 1, 2}, {0, -1, -2, -3}, {5, 5, 4, 3}, {0, -4, 0, 3}};
	struct arena *arena = arena_new();
	struct web_page *page = made_page(arena,
		&(struct made_size){.ops = 9, .steps = 5, .runs = 1, .left_out = 1, .ranks = 4});
	struct text svg;

	(void)state;
	for (size_t r = 0; r < 4; r++) {
		double *excess = arena_array(arena, 4, sizeof(*excess));

		for (size_t k = 0; k < 4; k++)
			excess[k] = excess_ms[r][k] * 1e9;
		page->rank[r].excess = excess;
	}
	text_init(&svg);
	plot_ranks(&svg, page);
	for (size_t r = 0; r < 4; r++)
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(heat_at(text_string(&svg), 150 + 60 * ((double)k + 0.5),
						 24 + 16 * ((double)r + 0.5)),
				expected[r][k]);
	/* Rank 1 of made ranks is the slow one; step 0 is left out. */
	assert_non_null(strstr(text_string(&svg), "class=\"culprit\" data-r=\"1\""));
	assert_non_null(strstr(text_string(&svg), "<path data-t=\"1\""));
	assert_null(strstr(text_string(&svg), "data-t=\"0\""));
	text_release(&svg);
	arena_free(arena);
}

static void many_ranks_are_binned(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page = made_page(
		arena, &(struct made_size){.ops = 9, .steps = 1000, .runs = 1, .ranks = 1000});
	struct text svg;
	uint64_t seed = 9;

	(void)state;
	text_init(&svg);
	plot_ranks(&svg, page);
	assert_true(svg.size < 150000);
	assert_clean(text_string(&svg));
	assert_non_null(strstr(text_string(&svg), "class=\"culprit\" data-r=\"333\""));
	/* One wild value of any rank and step is in the last class somewhere. */
	for (size_t trial = 0; trial < 5; trial++) {
		size_t r = (size_t)(made_random(&seed) * 999),
		       k = (size_t)(made_random(&seed) * 999);
		double *excess = (double *)(uintptr_t)page->rank[r].excess, was = excess[k];

		text_clear(&svg);
		plot_ranks(&svg, page);
		const char *before =
			path_of(strstr(text_string(&svg), "class=\"heat\""), "hs5", NULL);
		size_t cells = before ? strcspn(before, "\"") : 0;

		excess[k] = 9e10;
		text_clear(&svg);
		plot_ranks(&svg, page);
		const char *after =
			path_of(strstr(text_string(&svg), "class=\"heat\""), "hs5", NULL);

		assert_non_null(after);
		if (r != 333)
			assert_true(strcspn(after, "\"") > cells);
		excess[k] = was;
	}
	text_release(&svg);
	arena_free(arena);
}

static void parts_stack_to_the_window(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page =
		made_page(arena, &(struct made_size){.ops = 9, .steps = 20, .runs = 1});
	const struct page_part *part = page->devices[0].part;
	struct text svg;

	(void)state;
	text_init(&svg);
	plot_parts(&svg, page, 0);
	const char *s = text_string(&svg);
	double y0 = zero_y(s), scale = px_per_ms(s, y0);

	for (size_t t = 0; t < 20; t++) {
		double x = 44 + ((double)t + 0.5) * 1300 / 20, window = 0;

		for (size_t k = 0; k < 4; k++)
			window += part[k].value[t];
		assert_float_equal((y0 - outline_at(path_of(s, "l1", NULL), x, y0, true)) / scale,
			part[0].value[t] / 1e9, 1 / scale);
		assert_float_equal((y0 - outline_at(path_of(s, "l3", NULL), x, y0, true)) / scale,
			(part[0].value[t] + part[1].value[t]) / 1e9, 1 / scale);
		assert_float_equal((y0 - outline_at(path_of(s, "pi4", NULL), x, y0, true)) / scale,
			window / 1e9, 1 / scale);
		/* Communication that is hidden lies within compute. */
		assert_float_equal((y0 - outline_at(path_of(s, "phid", NULL), x, y0, true)) / scale,
			part[4].value[t] / 1e9, 1 / scale);
	}
	text_release(&svg);
	arena_free(arena);
}

static void scatter_has_every_op(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page =
		made_page(arena, &(struct made_size){.ops = 120, .steps = 20, .runs = 1});
	struct page_rows *rows = &page->rows[PAGE_NAME];
	struct text svg;

	(void)state;
	rows->row[7].number.cv = NAN;
	rows->row[9].number.cv = 0;
	text_init(&svg);
	plot_scatter(&svg, page);
	assert_int_equal(count_of(text_string(&svg), "<circle"), 120);
	for (size_t i = 0; i < 120; i++) {
		char id[32];

		snprintf(id, sizeof(id), "data-i=\"%zu\"", i);
		assert_int_equal(count_of(text_string(&svg), id), 1);
	}
	assert_non_null(strstr(text_string(&svg), "2 without a CV above 0"));
	assert_int_equal(count_of(text_string(&svg), "cy=\"380\""), 2); /* the strip */
	text_release(&svg);
	arena_free(arena);
}

static void scopes_join_chains(void **state)
{
	struct page_row row[] = {
		{.name = "a", .number = {.mean = 80e9, .cv = 0.04, .share = 0.8}},
		{.name = "a/b", .number = {.mean = 80e9, .cv = 0.2, .share = 0.8}},
		{.name = "a/b/x", .number = {.mean = 60e9, .cv = 0.2, .share = 0.6}},
		{.name = "a/b/y", .number = {.mean = 20e9, .cv = NAN, .share = 0.2}},
		{.name = "a-c", .number = {.mean = 20e9, .cv = 2, .share = 0.2}},
		{.name = "a-c/tiny", .number = {.mean = 2e6, .cv = 2, .share = 0.00002}},
	};
	struct web_page page = {.dimension = DIMENSION_TIME,
		.total = {.label = "all ops", .number = {.mean = 100e9, .cv = 0.1}}};
	struct text svg;

	(void)state;
	page.rows[PAGE_SCOPE] = (struct page_rows){"scope", "scopes", row, COUNT(row)};
	text_init(&svg);
	plot_scopes(&svg, &page);
	const char *s = text_string(&svg);

	assert_clean(s);
	/* all ops; a/b, one box with the CV of its end; x, y; a-c, below which nothing has a pixel
	 */
	assert_int_equal(count_of(s, "<rect"), 5);
	assert_non_null(strstr(s, ">a/b</text>"));
	assert_non_null(
		strstr(s, "<rect class=\"g2\" x=\"300\" y=\"0\" width=\"300\" height=\"336\"/>"));
	assert_non_null(
		strstr(s, "<rect class=\"g2\" x=\"600\" y=\"0\" width=\"300\" height=\"252\"/>"));
	assert_non_null(
		strstr(s, "<rect class=\"gx\" x=\"600\" y=\"252\" width=\"300\" height=\"84\"/>"));
	assert_non_null(
		strstr(s, "<rect class=\"g4\" x=\"300\" y=\"336\" width=\"300\" height=\"84\"/>"));
	assert_non_null(strstr(s, ">60.00\xc2\xa0ms</text>"));
	text_release(&svg);
}

static void split_is_as_long_as_its_parts(void **state)
{
	struct page_split split[] = {{"all ops", 0, 0.5, 0.25, 0.25}, {"x", NAN, NAN, NAN, NAN}};
	struct web_page page = {.split = split, .split_count = 2};
	struct text svg;

	(void)state;
	text_init(&svg);
	plot_split(&svg, &page);
	/* 1044 px are the whole, less one between parts. */
	assert_non_null(
		strstr(text_string(&svg), "<rect class=\"sp1\" x=\"300\" y=\"3\" width=\"521\""));
	assert_non_null(
		strstr(text_string(&svg), "<rect class=\"sp2\" x=\"822\" y=\"3\" width=\"260\""));
	assert_non_null(
		strstr(text_string(&svg), "<rect class=\"sp3\" x=\"1083\" y=\"3\" width=\"260\""));
	assert_non_null(strstr(text_string(&svg), "not defined"));
	assert_clean(text_string(&svg));
	text_release(&svg);
}

/* An op without a value in each step makes the sum of each step unknown. */
static void no_longest_step_without_a_known_sum(void **state)
{
	struct arena *arena = arena_new();
	struct web_page *page =
		made_page(arena, &(struct made_size){.ops = 4, .steps = 5, .runs = 2});
	struct text svg;

	(void)state;
	for (size_t t = 0; t < page->step_count; t++)
		page->step[t].op_time = NAN;
	page->longest = page->step_count;
	page->median = NAN;
	text_init(&svg);
	plot_steps(&svg, page);
	plot_excess(&svg, page);
	assert_non_null(strstr(text_string(&svg), "10 steps, 10 kept, mean "));
	assert_null(strstr(text_string(&svg), "longest"));
	assert_clean(text_string(&svg));
	text_release(&svg);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_are_even_and_large),
		cmocka_unit_test(overlapping_rows_are_not_stacked),
		cmocka_unit_test(columns_are_the_op_times),
		cmocka_unit_test(excess_adds_up),
		cmocka_unit_test(causes_are_above_the_median),
		cmocka_unit_test(dense_columns_keep_the_longest),
		cmocka_unit_test(planted_outliers_have_marks),
		cmocka_unit_test(rows_without_values_keep_outliers),
		cmocka_unit_test(every_dot_has_its_place),
		cmocka_unit_test(heat_map_shows_the_excess),
		cmocka_unit_test(many_ranks_are_binned),
		cmocka_unit_test(parts_stack_to_the_window),
		cmocka_unit_test(scatter_has_every_op),
		cmocka_unit_test(scopes_join_chains),
		cmocka_unit_test(split_is_as_long_as_its_parts),
		cmocka_unit_test(no_longest_step_without_a_known_sum),
	};

	return cmocka_run_group_tests_name("plots", tests, NULL, NULL);
}
