/*
 * Part of each row in the change of the step from base to new.
 */
#include "report/html/plots_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "report/html/html_text.h"
#include "report/html/svg.h"

#define WIDTH 689.0
#define NAMES 230.0
#define NAME_COLUMNS 35
#define NUMBERS 80.0
#define ROW 23.0
#define AXIS 18.0
#define LEAST 0.012 /* of all changes: smaller ones are among the others */

/* ---- which bars ---- */

static int by_size(const void *a, const void *b)
{
	const struct page_compared_row *const *x = a, *const *y = b;
	const double p = fabs((*x)->measure->difference), q = fabs((*y)->measure->difference);

	if (p != q)
		return p > q ? -1 : 1;
	return *x < *y ? -1 : *x > *y; /* as they come */
}

static int by_difference(const void *a, const void *b)
{
	const struct page_compared_row *const *x = a, *const *y = b;

	if ((*x)->measure->difference != (*y)->measure->difference)
		return (*x)->measure->difference > (*y)->measure->difference ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

/* The rows that get a bar of their own. */
static size_t choose(const struct page_compare *compare, const struct page_compared_row **top)
{
	const struct page_compared_row **row =
		memory_alloc(memory_product(compare->count + 1, sizeof(*row)));
	size_t n = 0, count = 0;
	double all = 0;

	for (size_t i = 0; i < compare->count; i++) {
		if (isnan(compare->row[i].measure->difference))
			continue;
		all += fabs(compare->row[i].measure->difference);
		if (!compare->row[i].small)
			row[n++] = &compare->row[i];
	}
	qsort(row, n, sizeof(*row), by_size);
	for (; count < n && count < WATERFALL_ROWS; count++) {
		if (!(fabs(row[count]->measure->difference) > all * LEAST))
			break;
		top[count] = row[count];
	}
	qsort(top, count, sizeof(*top), by_difference);
	memory_free(row);
	return count;
}

static void add_bar(
	struct waterfall *w, const struct page_compared_row *row, double from, double to)
{
	w->bar[w->count++] = (struct waterfall_bar){row, from, to};
}

bool waterfall_make(struct waterfall *w, const struct page_compare *compare)
{
	const struct page_compared *total;
	const struct page_compared_row *top[WATERFALL_ROWS];
	size_t count;
	double at;

	*w = (struct waterfall){.count = 0};
	if (!compare->adds_up || !compare->measure_count)
		return false;
	total = &compare->measure[0].total;
	if (!isfinite(total->mean[PAGE_BASE]) || !isfinite(total->mean[PAGE_NEW]) ||
		!(fmax(total->mean[PAGE_BASE], total->mean[PAGE_NEW]) > 0))
		return false;
	count = choose(compare, top);
	at = total->mean[PAGE_BASE];
	add_bar(w, NULL, 0, at);
	for (size_t i = 0; i < count; i++) {
		add_bar(w, top[i], at, at + top[i]->measure->difference);
		at += top[i]->measure->difference;
	}
	w->others = compare->count - count;
	if (w->others)
		add_bar(w, NULL, at, total->mean[PAGE_NEW]);
	add_bar(w, NULL, 0, total->mean[PAGE_NEW]);

	/* Axis from 0, or torn where 0 would leave the changes less than a quarter of the room. */
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < w->count; i++) {
		low = fmin(low, w->bar[i].to);
		high = fmax(high, w->bar[i].to);
	}
	w->high = high;
	w->low = high > low && low >= (high - low) * 4 ? low - (high - low) / 4 : fmin(low, 0);
	return true;
}

/* ---- drawing ---- */

struct waterfall_drawing {
	struct text *body;
	const struct waterfall *w;
	const struct page_compare *compare;
	const struct unit *unit;
};

static double place(const struct waterfall *w, double value)
{
	return NAMES + (value - w->low) / (w->high - w->low) * (WIDTH - NAMES - NUMBERS);
}

static const char *bar_class(const struct waterfall *w, size_t i)
{
	const struct waterfall_bar *bar = &w->bar[i];

	if (!i || i + 1 == w->count)
		return "tot";
	if (!bar->row || !verdict_look_of(bar->row->measure->verdict)->decided)
		return "pu";
	return bar->to > bar->from ? "pw" : "pb";
}

static void draw_bar(const struct waterfall_drawing *d, size_t i)
{
	const struct waterfall_bar *bar = &d->w->bar[i];
	const double y = (double)i * ROW + 3;
	const bool end = !i || i + 1 == d->w->count;
	const double from = end ? NAMES : place(d->w, fmin(bar->from, bar->to));
	const double to = place(d->w, fmax(bar->from, bar->to));
	struct text number;

	text_init(&number);
	if (bar->row) {
		text_printf(d->body, "<g class=\"row\" data-i=\"%zu\"><title>",
			(size_t)(bar->row - d->compare->row));
		html_add(d->body, bar->row->name);
		text_add(d->body, "</title>");
	}

	const struct page_compared_row *row = d->w->bar[i].row;
	struct text name;

	text_init(&name);
	if (row)
		text_add_shortened(&name, row->short_name, NAME_COLUMNS);
	else if (!i)
		text_add(&name, "base");
	else if (i + 1 == d->w->count)
		text_add(&name, "new");
	else
		text_printf(&name, "%zu other %s", d->w->others,
			d->w->others == 1 ? d->compare->noun : d->compare->nouns);
	svg_label(d->body, 0, y + 13, SVG_START, "k", text_string(&name));
	text_release(&name);
	svg_rect(d->body, bar_class(d->w, i), from, y + 2, fmax(to - from, 1), ROW - 9);
	if (end && d->w->low > 0) {
		text_add(d->body, "<path class=\"tear\" d=\"");
		svg_move(d->body, NAMES + 9, y);
		text_add(d->body, "l-3 5l4 5l-3 5l2 4\"/>");
	}
	if (end)
		svg_add_quantity(&number, bar->to, d->unit);
	else
		svg_add_change(&number, bar->to - bar->from, d->unit);
	svg_label(d->body, to + 5, y + 13, SVG_START, "k", text_string(&number));
	if (i + 1 < d->w->count)
		svg_line_down(d->body, "axis", place(d->w, bar->to), y + ROW - 7, 9);
	if (bar->row)
		text_add(d->body, "</g>");
	text_release(&number);
}

void plot_waterfall(struct text *out, const struct web_page *page)
{
	const struct page_compare *compare = page->compare;
	struct waterfall w;
	struct text body;

	if (!waterfall_make(&w, compare))
		return;
	text_init(&body);
	const struct waterfall_drawing d = {
		&body, &w, compare, svg_unit(page->dimension, fmax(fabs(w.high), fabs(w.low)))};
	const double height = (double)w.count * ROW + AXIS;
	const double factor = (double)d.unit->factor;
	struct svg_ticks ticks;
	struct text t;

	text_init(&t);
	svg_ticks_find(&ticks, d.w->low / factor, d.w->high / factor, 4);
	for (size_t i = 0; i < ticks.count; i++) {
		const double x = place(d.w, ticks.at[i] * factor);

		text_clear(&t);
		svg_line_down(d.body, "gridl", x, 0, height - AXIS);
		svg_add_tick(&t, ticks.at[i]);
		svg_label(d.body, x, height - 4, SVG_MIDDLE, NULL, text_string(&t));
	}
	svg_label(d.body, WIDTH, height - 4, SVG_END, NULL, svg_unit_name(d.unit));
	text_release(&t);
	for (size_t i = 0; i < w.count; i++)
		draw_bar(&d, i);
	svg_wrap(out, WIDTH, height,
		"From base to new: what each row adds to the total of a step; the table has the "
		"numbers",
		text_string(&body));
	text_release(&body);
}
