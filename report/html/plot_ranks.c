/*
 * Ranks x steps as a heat map.
 */
#include "report/html/plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "report/html/html_text.h"
#include "report/html/svg.h"

#define LEFT 150.0
#define RIGHT 96.0 /* for the mean of each row */
#define TOP 24.0
#define ALL_ROWS 64   /* ranks up to which each has its row */
#define LARGEST 40    /* of more ranks those with the largest mean excess */
#define BINS 24	      /* of the others */
#define CELLS 15000   /* rows x columns, or the plot would be too large */
#define LEAST_WIDTH 3 /* px of a column */
#define CLASSES 5     /* either side; each begins at twice the one before */

struct line {
	size_t *rank; /* in the list of all */
	size_t count;
};

struct rank_plot {
	const struct web_page *page;
	size_t *order; /* ranks in natural order, those with a row of their own first */
	struct line *line;
	size_t line_count, single; /* single: lines of one rank, before those of bins */
	size_t *kept;		   /* steps in page->step */
	size_t columns;
	double cell, height, width, limit; /* limit: where the last class begins */
	const struct unit *unit;
	struct text body;
};

struct ranked {
	size_t rank;
	double mean;
	bool culprit;
};

static int compare_mean(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->culprit != y->culprit)
		return x->culprit ? -1 : 1;
	if (x->mean != y->mean)
		return x->mean < y->mean ? 1 : -1;
	return x->rank < y->rank ? -1 : 1;
}

static int compare_index(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x < y ? -1 : x > y;
}

/* Ranks with a row of their own stand by group, the groups in the order of their first ranks. */
static void sort_by_group(struct rank_plot *s)
{
	const struct page_rank *rank = s->page->rank;
	size_t done = 0;

	if (!s->page->grouped)
		return;
	while (done < s->single) {
		const char *group = rank[s->order[done++]].group;

		for (size_t i = done; i < s->single; i++) {
			const char *other = rank[s->order[i]].group;
			size_t r = s->order[i];

			if (!group || !other ? group != other : strcmp(group, other) != 0)
				continue;
			memmove(&s->order[done + 1], &s->order[done],
				(i - done) * sizeof(*s->order));
			s->order[done++] = r;
		}
	}
}

/* Lines of one rank each, then bins of the others. */
static void make_lines(struct rank_plot *s)
{
	const struct web_page *page = s->page;
	size_t n = page->rank_count, bins, done;
	struct ranked *ranked = memory_alloc(memory_product(n, sizeof(*ranked)));

	s->order = memory_alloc(memory_product(n, sizeof(*s->order)));
	s->line = memory_alloc(memory_product(ALL_ROWS + 1, sizeof(*s->line)));
	s->single = n <= ALL_ROWS ? n : LARGEST;
	for (size_t r = 0; r < n; r++) {
		double mean = page->rank[r].excess_mean;

		ranked[r] = (struct ranked){r, isnan(mean) ? 0 : fabs(mean), page->rank[r].culprit};
	}
	qsort(ranked, n, sizeof(*ranked), compare_mean);
	for (size_t r = 0; r < n; r++)
		s->order[r] = ranked[r].rank;
	qsort(s->order, s->single, sizeof(*s->order), compare_index);
	qsort(s->order + s->single, n - s->single, sizeof(*s->order), compare_index);
	sort_by_group(s);
	for (size_t r = 0; r < s->single; r++)
		s->line[s->line_count++] = (struct line){&s->order[r], 1};
	bins = n - s->single < BINS ? n - s->single : BINS;
	done = s->single;
	for (size_t b = 0; b < bins; b++) {
		size_t end = s->single + (n - s->single) * (b + 1) / bins;

		s->line[s->line_count++] = (struct line){&s->order[done], end - done};
		done = end;
	}
	memory_free(ranked);
}

static size_t column_begin(const struct rank_plot *s, size_t column)
{
	return s->page->kept_count * column / s->columns;
}

/* The largest by amount of a line in a column; NaN: none of its ranks was there. */
static double cell_value(const struct rank_plot *s, size_t line, size_t column)
{
	double found = NAN;

	for (size_t i = 0; i < s->line[line].count; i++) {
		const double *excess = s->page->rank[s->line[line].rank[i]].excess;

		for (size_t k = column_begin(s, column); k < column_begin(s, column + 1); k++)
			if (isnan(found) || fabs(excess[k]) > fabs(found))
				found = excess[k];
	}
	return found;
}

/* The last class begins at what 1 in 100 values is above, rounded up to 1, 2 or 5: one wild value
 * does not turn all others pale. */
static void scale(struct rank_plot *s)
{
	size_t n = 0, room = memory_product(s->page->rank_count, s->page->kept_count);
	size_t every = room / 200000 + 1;
	double *x = memory_alloc(memory_product(room / every + 2, sizeof(*x)));
	double limit, power, most = 0;

	for (size_t r = 0, i = 0; r < s->page->rank_count; r++)
		for (size_t k = 0; k < s->page->kept_count; k++, i++) {
			double excess = fabs(s->page->rank[r].excess[k]);

			if (isnan(excess))
				continue;
			most = fmax(most, excess);
			if (i % every == 0)
				x[n++] = excess;
		}
	number_sort(x, n);
	limit = n ? x[(n - 1) * 99 / 100] : 0;
	if (!(limit > 0))
		limit = most;
	power = limit > 0 ? pow(10, floor(log10(limit))) : 1;
	s->limit = (limit > 5 * power ? 10 : limit > 2 * power ? 5 : limit > power ? 2 : 1) * power;
	s->unit = svg_unit(DIMENSION_TIME, s->limit);
	memory_free(x);
}

/* 0: as the others; 1 to CLASSES: slower; negative: faster. */
static int class_of(const struct rank_plot *s, double excess)
{
	int class = 0;

	if (isnan(excess))
		return 0;
	while (class < CLASSES && fabs(excess) >= ldexp(s->limit, class - CLASSES + 1))
		class ++;
	return excess < 0 ? -class : class;
}

static double line_y(const struct rank_plot *s, size_t line)
{
	return TOP + (double)line * s->height + (line >= s->single && s->single ? 8 : 0);
}

static double column_x(const struct rank_plot *s, size_t column)
{
	return LEFT + (double)column * s->cell;
}

/* A path for each class: strokes as wide as a line, equal neighbours are one. */
static void add_cells(struct rank_plot *s)
{
	static const char *const classes[] = {
		"hf5", "hf4", "hf3", "hf2", "hf1", NULL, "hs1", "hs2", "hs3", "hs4", "hs5"};
	struct text d[2 * CLASSES + 1];

	for (size_t k = 0; k < 2 * CLASSES + 1; k++)
		text_init(&d[k]);
	for (size_t l = 0; l < s->line_count; l++) {
		size_t drawn[2 * CLASSES + 1] = {0}; /* up to which column */

		for (size_t c = 0; c < s->columns;) {
			int class = class_of(s, cell_value(s, l, c));
			size_t from = c++, k = (size_t)(class + CLASSES);

			while (c < s->columns && class_of(s, cell_value(s, l, c)) == class)
				c++;
			if (!class)
				continue;
			if (!drawn[k])
				svg_move(&d[k], column_x(s, from), line_y(s, l) + s->height / 2);
			else
				text_printf(&d[k], "m%g 0", (double)(from - drawn[k]) * s->cell);
			text_printf(&d[k], "h%g", (double)(c - from) * s->cell);
			drawn[k] = c;
		}
	}
	text_printf(&s->body, "<g class=\"heat\" stroke-width=\"%g\">", s->height - 1);
	for (size_t k = 0; k < 2 * CLASSES + 1; k++) {
		if (classes[k])
			svg_path(&s->body, classes[k], text_string(&d[k]));
		text_release(&d[k]);
	}
	text_add(&s->body, "</g>");
}

static void add_line_label(struct rank_plot *s, size_t line)
{
	const struct line *of = &s->line[line];
	const struct page_rank *rank = &s->page->rank[of->rank[0]];
	double y = line_y(s, line), mean = rank->excess_mean;
	bool culprit = of->count == 1 && rank->culprit;
	struct text t;

	text_init(&t);
	if (of->count > 1) {
		struct text first;

		text_init(&first);
		text_add_shortened(&first, rank->name, 12);
		text_printf(&t, "%zu from %s", of->count, text_string(&first));
		text_release(&first);
	} else
		text_add_shortened(&t, rank->name, s->page->grouped ? 8 : 22);
	svg_label(&s->body, LEFT - 8, y + s->height / 2 + 4, SVG_END, culprit ? "note b" : NULL,
		text_string(&t));
	for (size_t i = 1; i < of->count; i++) {
		double other = s->page->rank[of->rank[i]].excess_mean;

		if (isnan(mean) || fabs(other) > fabs(mean))
			mean = other;
	}
	text_clear(&t);
	svg_add_change(&t, mean, s->unit);
	svg_label(&s->body, LEFT + s->width + 8, y + s->height / 2 + 4, SVG_START,
		culprit ? "note b" : NULL, text_string(&t));
	if (culprit) {
		text_clear(&t);
		svg_move(&t, LEFT - 1, y - 0.5);
		text_add_char(&t, 'h');
		svg_number(&t, s->width + 2);
		text_add_char(&t, 'v');
		svg_number(&t, s->height);
		text_add_char(&t, 'h');
		svg_number(&t, -s->width - 2);
		text_add_char(&t, 'z');
		svg_path_of(&s->body, "culprit", "data-r", of->rank[0], text_string(&t));
	}
	text_release(&t);
}

/* The name of each group before its first line, and a rule above it. */
static void add_groups(struct rank_plot *s)
{
	const char *before = NULL;
	struct text t;

	if (!s->page->grouped)
		return;
	text_init(&t);
	for (size_t l = 0; l < s->single; l++) {
		const char *group = s->page->rank[s->line[l].rank[0]].group;

		if (l && (!group || !before ? group == before : strcmp(group, before) == 0))
			continue;
		before = group;
		if (l)
			svg_line_across(&s->body, "axis", 0, line_y(s, l), LEFT + s->width + RIGHT);
		if (!group)
			continue;
		text_clear(&t);
		text_add_shortened(&t, group, 14);
		svg_label(&s->body, 0, line_y(s, l) + s->height / 2 + 4, SVG_START, "runname",
			text_string(&t));
	}
	text_release(&t);
}

/* Numbers of steps below, and where a run begins its name. */
static void add_steps(struct rank_plot *s, double y)
{
	size_t every = (size_t)ceil(38 / s->cell), run = SIZE_MAX;
	double named = -1e9;
	struct text t;

	text_init(&t);
	for (size_t c = 0; c < s->columns; c++) {
		const struct page_step *step = &s->page->step[s->kept[column_begin(s, c)]];
		double x = column_x(s, c);

		if (s->page->run_count > 1 && step->run != run) {
			run = step->run;
			if (c)
				svg_line_down(&s->body, "axis", x, TOP - 4, y - TOP + 4);
			if (x - named > 70) {
				text_clear(&t);
				text_add_shortened(&t, s->page->run[run].name, 14);
				svg_label(&s->body, x, TOP - 10, SVG_START, "runname",
					text_string(&t));
				named = x;
			}
		}
		if (c % every)
			continue;
		text_clear(&t);
		text_add(&t, step->label);
		svg_label(&s->body, x + s->cell / 2, y + 14, SVG_MIDDLE, NULL, text_string(&t));
	}
	text_release(&t);
}

static void add_legend(struct rank_plot *s, double *height)
{
	static const char *const slower[] = {"hs1", "hs2", "hs3", "hs4", "hs5"};
	struct svg_legend legend = {LEFT, SVG_WIDTH, LEFT, *height + 16};
	struct text t;

	text_init(&t);
	for (size_t k = 0; k < CLASSES; k++) {
		text_clear(&t);
		text_add(&t, "from ");
		svg_add_change(&t, ldexp(s->limit, (int)k - CLASSES + 1), s->unit);
		svg_legend_add(&s->body, &legend, slower[k], text_string(&t));
	}
	svg_legend_add(&s->body, &legend, "hf3",
		s->page->grouped ? "blue: faster than the median rank of the group by as much"
				 : "blue: faster than the median rank by as much");
	if (s->line_count > s->single) {
		legend.x = legend.left;
		legend.y += SVG_LEGEND_LINE;
		text_clear(&t);
		text_printf(&t,
			"Rows are the %zu of %zu ranks with the largest mean excess; the %zu "
			"others share %zu rows, each with its largest excess.",
			s->single, s->page->rank_count, s->page->rank_count - s->single,
			s->line_count - s->single);
		svg_label(&s->body, LEFT, legend.y, SVG_START, NULL, text_string(&t));
	}
	if (s->columns < s->page->kept_count) {
		legend.y += SVG_LEGEND_LINE;
		svg_label(&s->body, LEFT, legend.y, SVG_START, NULL,
			"A cell is the largest excess of several steps.");
	}
	*height = legend.y + 8;
	text_release(&t);
}

static void draw(struct text *out, struct rank_plot *s)
{
	size_t most = CELLS / s->line_count;
	struct text label;

	text_init(&label);
	scale(s);
	s->width = SVG_WIDTH - LEFT - RIGHT;
	if (most > (size_t)(s->width / LEAST_WIDTH))
		most = (size_t)(s->width / LEAST_WIDTH);
	s->columns = s->page->kept_count < most ? s->page->kept_count : most;
	s->cell = floor(fmin(s->width / (double)s->columns, 60));
	s->width = s->cell * (double)s->columns;
	s->height = s->line_count <= 16 ? 16 : 12;
	double bottom = line_y(s, s->line_count - 1) + s->height, height = bottom + 22;

	svg_label(&s->body, LEFT + s->width + 8, TOP - 10, SVG_START, NULL,
		s->line_count > s->single ? "mean, largest" : "mean");
	svg_rect(&s->body, "hnone", LEFT, TOP, s->width, s->height * (double)s->single);
	if (s->line_count > s->single)
		svg_rect(&s->body, "hnone", LEFT, line_y(s, s->single), s->width,
			s->height * (double)(s->line_count - s->single));
	add_cells(s);
	for (size_t l = 0; l < s->line_count; l++)
		add_line_label(s, l);
	add_groups(s);
	add_steps(s, bottom);
	svg_hits_begin(&s->body);
	for (size_t l = 0; l < s->single; l++)
		svg_hit(&s->body, "data-r", s->line[l].rank[0], 0, line_y(s, l),
			LEFT + s->width + RIGHT, s->height);
	for (size_t c = 0; c < s->columns; c++)
		svg_hit(&s->body, "data-t", s->kept[column_begin(s, c)], column_x(s, c), bottom,
			s->cell, 18);
	svg_hits_end(&s->body);
	add_legend(s, &height);

	size_t culprits = 0, largest = 0;

	for (size_t r = 0; r < s->page->rank_count; r++) {
		culprits += s->page->rank[r].culprit;
		if (fabs(s->page->rank[r].excess_mean) > fabs(s->page->rank[largest].excess_mean))
			largest = r;
	}
	text_printf(&label,
		"Excess of %zu ranks over the median rank%s in %zu steps; farthest from it on "
		"average: %s with ",
		s->page->rank_count, s->page->grouped ? " of the group" : "", s->page->kept_count,
		s->page->rank[largest].name);
	svg_add_change(&label, s->page->rank[largest].excess_mean, s->unit);
	text_printf(&label, "; %zu named as slow", culprits);
	svg_wrap(out, SVG_WIDTH, height, text_string(&label), text_string(&s->body));
	text_release(&label);
}

void plot_ranks(struct text *out, const struct web_page *page)
{
	struct rank_plot s = {.page = page};
	size_t n = 0;

	if (!page->rank_count || !page->kept_count)
		return;
	text_init(&s.body);
	make_lines(&s);
	s.kept = memory_alloc(memory_product(page->kept_count, sizeof(*s.kept)));
	for (size_t t = 0; t < page->step_count && n < page->kept_count; t++)
		if (page->step[t].kept)
			s.kept[n++] = t;
	draw(out, &s);
	memory_free(s.kept);
	memory_free(s.order);
	memory_free(s.line);
	text_release(&s.body);
}
