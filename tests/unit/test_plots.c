/*
 * The plots of a page: what is drawn equals the data when it is read back from the markup, no
 * outlier is lost, no name becomes markup, and large pages stay small.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "base/memory.h"
#include "base/text.h"
#include "report/html/html_text.h"
#include "report/html/plots.h"
#include "report/html/svg.h"
#include "tests/unit/made_page.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- reading SVG back */

/* The attribute d of the first path of this class from `from` on; *after: where it ends. */
static const char *path_of(const char *from, const char *class_name, const char **after)
{
	char start[64];

	snprintf(start, sizeof(start), "<path class=\"%s\"", class_name);
	const char *found = strstr(from, start);

	if (!found)
		return NULL;
	found = strstr(found, " d=\"") + 4;
	if (after)
		*after = strchr(found, '"');
	return found;
}

struct reader {
	const char *at;
	double x, y, start_x, start_y;
	char command;
};

/* The next command of M, m, h, H, v, V, z, carried out; false at the end. */
static bool read_command(struct reader *r)
{
	char *end = NULL;
	double a;

	if (*r->at == '"' || !*r->at)
		return false;
	r->command = *r->at++;
	if (r->command == 'z') {
		r->x = r->start_x;
		r->y = r->start_y;
		return true;
	}
	a = strtod(r->at, &end);
	assert_true(end > r->at);
	r->at = end;
	switch (r->command) {
	case 'M':
	case 'm': {
		double b = strtod(r->at, &end);

		assert_true(end > r->at);
		r->at = end;
		r->x = r->command == 'M' ? a : r->x + a;
		r->y = r->command == 'M' ? b : r->y + b;
		r->start_x = r->x;
		r->start_y = r->y;
		break;
	}
	case 'h':
		r->x += a;
		break;
	case 'H':
		r->x = a;
		break;
	case 'v':
		r->y += a;
		break;
	case 'V':
		r->y = a;
		break;
	default:
		fail_msg("command %c", r->command);
	}
	return true;
}

/* The y of the outline above (or below) place x, y0 where nothing is drawn there. */
static double outline_at(const char *d, double x, double y0, bool above)
{
	struct reader r = {.at = d};
	double found = y0, before = 0;

	if (!d)
		return y0;
	while (read_command(&r)) {
		if (r.command == 'H' && before < x && x < r.x)
			found = above ? fmin(found, r.y) : fmax(found, r.y);
		before = r.x;
	}
	return found;
}

/* The y of the dash over place x. */
static double dash_at(const char *d, double x)
{
	struct reader r = {.at = d};
	double before = 0;

	while (d && read_command(&r)) {
		if (r.command == 'h' && before < x && x < r.x)
			return r.y;
		before = r.x;
	}
	return NAN;
}

static size_t count_of(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

/* The line of value 0. */
static double zero_y(const char *svg)
{
	const char *d = path_of(svg, "axis", NULL);
	struct reader r = {.at = d};

	assert_non_null(d);
	assert_true(read_command(&r));
	return r.y - 0.5; /* lines are on whole pixels */
}

/* px of one ms, from the labels of the axis. */
static double px_per_ms(const char *svg, double y0)
{
	double most = 0, scale = 0;

	for (const char *at = svg; (at = strstr(at, "<text x=\"38\" y=\""));) {
		double y = strtod(at += 16, NULL), value;

		at = strchr(at, '>') + 1;
		value = strtod(at, NULL);
		if (value > most) {
			most = value;
			scale = (y0 + 4.5 - y) / value;
		}
	}
	return scale;
}

/* Markup is ours: known elements, known attributes, quoted values without < and quotes. */
static void assert_clean(const char *s)
{
	static const char *const elements[] = {
		"svg", "g", "path", "rect", "circle", "text", "title"};
	static const char *const attributes[] = {"width", "height", "viewBox",
		"preserveAspectRatio", "role", "aria-label", "class", "d", "x", "y", "cx", "cy",
		"r", "text-anchor", "fill", "pointer-events", "stroke-width", "data-t", "data-i",
		"data-r"};
	size_t depth = 0;

	while ((s = strchr(s, '<'))) {
		bool closing = *++s == '/', known = false, open = true;
		size_t n;

		s += closing;
		n = strspn(s, "abcdefghijklmnopqrstuvwxyz");
		for (size_t i = 0; i < COUNT(elements); i++)
			known = known || (strlen(elements[i]) == n && !strncmp(elements[i], s, n));
		assert_true(known);
		s += n;
		while (*s == ' ') {
			known = false;
			n = strcspn(++s, "=");
			for (size_t i = 0; i < COUNT(attributes); i++)
				known = known || (strlen(attributes[i]) == n &&
							 !strncmp(attributes[i], s, n));
			assert_true(known);
			s += n;
			assert_memory_equal(s, "=\"", 2);
			s += 2;
			n = strcspn(s, "\"<>");
			s += n;
			assert_int_equal(*s, '"');
			s++;
		}
		if (*s == '/') {
			open = false;
			s++;
		}
		assert_int_equal(*s, '>');
		if (closing)
			depth--;
		else if (open)
			depth++;
	}
	assert_int_equal(depth, 0);
}

static void plot_all(struct text *t, const struct web_page *page)
{
	plot_steps(t, page);
	plot_excess(t, page);
	plot_scatter(t, page);
	for (size_t d = 0; d < page->devices_count; d++)
		plot_parts(t, page, d);
	plot_ranks(t, page);
	plot_split(t, page);
	plot_scopes(t, page);
	for (size_t i = 0; i < page->rows[PAGE_NAME].count && i < 24; i++) {
		plot_row_mean(
			t, &page->rows[PAGE_NAME].row[i], page->rows[PAGE_NAME].row[0].number.mean);
		plot_row_steps(t, page, &page->rows[PAGE_NAME].row[i]);
	}
}

static double value_in(const struct page_row *row, size_t step)
{
	return isnan(row->value[step]) ? 0 : row->value[step];
}

static const struct page_row *layer(
	const struct web_page *page, const struct plot_layers *layers, size_t l)
{
	return &page->rows[layers->kind].row[layers->row[l]];
}

/* ---- tests */

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

			for (size_t l = 0; l < 6; l++) {
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
		cmocka_unit_test(layers_are_even_and_large),
		cmocka_unit_test(columns_are_the_op_times),
		cmocka_unit_test(excess_adds_up),
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
		cmocka_unit_test(names_never_become_markup),
		cmocka_unit_test(pages_without_data_have_no_plots),
		cmocka_unit_test(what_is_not_known_is_not_drawn),
		cmocka_unit_test(large_pages_stay_small),
	};

	return cmocka_run_group_tests_name("plots", tests, NULL, NULL);
}
