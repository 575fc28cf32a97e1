/*
 * The scopes as an icicle from left to right.
 */
#include "report/html/plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "report/html/html_text.h"
#include "report/html/plot_layers.h"

#define HEIGHT 420.0
#define LEAST 1.0  /* px, what is lower is not drawn */
#define NAMED 12.0 /* px, what is lower has no label */
#define DEEPEST 14 /* columns */
#define WIDEST 300.0
#define CV_CLASSES 6

#define NO_SCOPE SIZE_MAX

struct scope {
	const struct page_row *row; /* NULL: all ops */
	const char *label;	    /* a part of the row's name */
	double mean, cv;
	size_t up, first, last, next; /* children are a list in order of mean */
};

struct scopes_plot {
	const struct web_page *page;
	struct scope *scope; /* [count]; the last one is all ops */
	size_t count, deepest;
	double width; /* of a column */
	struct text body, small[CV_CLASSES];
};

static int compare_names(const void *a, const void *b)
{
	const struct page_row *x = *(const struct page_row *const *)a;
	const struct page_row *y = *(const struct page_row *const *)b;

	return strcmp(x->name, y->name);
}

struct prefix {
	const char *name;
	size_t size;
};

static int compare_prefix(const void *a, const void *b)
{
	const struct prefix *x = a;
	const struct page_row *y = *(const struct page_row *const *)b;
	int order = strncmp(x->name, y->name, x->size);

	return order ? order : y->name[x->size] ? -1 : 0;
}

/* The nearest scope around a row, `last` where there is none. */
static size_t around(const struct scopes_plot *s, const struct page_row **sorted,
	const struct page_row *row, size_t last)
{
	struct prefix prefix = {row->name, strlen(row->name)};

	while (prefix.size > 0) {
		while (prefix.size > 0 && row->name[--prefix.size] != '/')
			;
		if (!prefix.size)
			break;
		const struct page_row **found =
			bsearch(&prefix, sorted, last, sizeof(*sorted), compare_prefix);

		if (found)
			return (size_t)(*found - s->page->rows[PAGE_SCOPE].row);
	}
	return last;
}

static void make_tree(struct scopes_plot *s)
{
	const struct page_rows *rows = &s->page->rows[PAGE_SCOPE];
	const struct page_row **sorted =
		memory_alloc(memory_product(rows->count + 1, sizeof(*sorted)));

	s->count = rows->count + 1;
	s->scope = memory_alloc(memory_product(s->count, sizeof(*s->scope)));
	for (size_t i = 0; i < s->count; i++)
		s->scope[i] = (struct scope){
			.up = NO_SCOPE, .first = NO_SCOPE, .last = NO_SCOPE, .next = NO_SCOPE};
	s->scope[rows->count].label = s->page->total.label ? s->page->total.label : "all ops";
	s->scope[rows->count].mean = s->page->total.number.mean;
	s->scope[rows->count].cv = s->page->total.number.cv;
	for (size_t i = 0; i < rows->count; i++)
		sorted[i] = &rows->row[i];
	qsort(sorted, rows->count, sizeof(*sorted), compare_names);
	/* Rows have the largest mean first, and so have the lists. */
	for (size_t i = 0; i < rows->count; i++) {
		struct scope *scope = &s->scope[i], *up;

		scope->row = &rows->row[i];
		scope->mean = rows->row[i].number.mean;
		scope->cv = rows->row[i].number.cv;
		scope->up = around(s, sorted, scope->row, rows->count);
		up = &s->scope[scope->up];
		scope->label = rows->row[i].name + (up->row ? strlen(up->row->name) + 1 : 0);
		if (up->last == NO_SCOPE)
			up->first = i;
		else
			s->scope[up->last].next = i;
		up->last = i;
	}
	memory_free(sorted);
}

static size_t cv_class(double cv)
{
	static const double limits[] = {0.05, 0.15, 0.5, 1.5};
	size_t class = 0;

	if (isnan(cv))
		return CV_CLASSES - 1;
	while (class < 4 && cv >= limits[class])
		class ++;
	return class;
}

static const char *const box_class[CV_CLASSES] = {"g0", "g1", "g2", "g3", "g4", "gx"};
static const char *const label_class[CV_CLASSES] = {"n0", "n1", "n2", "n3", "n4", "nx"};

struct box {
	size_t scope, end; /* first and last of the chain */
	double y, height;
	size_t depth;
};

static void add_title(struct scopes_plot *s, const struct scope *end, const char *value)
{
	text_add(&s->body, "<title>");
	html_add_cut(&s->body, end->row ? end->row->name : end->label, 120);
	text_add(&s->body, ": ");
	text_add(&s->body, value);
	text_add(&s->body, ", CV ");
	svg_add_percent(&s->body, end->cv);
	text_add(&s->body, "</title>");
}

static void add_box(struct scopes_plot *s, const struct box *box)
{
	const struct scope *scope = &s->scope[box->scope], *end = &s->scope[box->end];
	size_t class = cv_class(end->cv), room = (size_t)((s->width - 8) / SVG_EM);
	double x = (double)box->depth * s->width;
	struct text value, label;

	if (box->height < NAMED / 2) {
		svg_box(&s->small[class], x, box->y, s->width, box->height);
		return;
	}
	text_init(&value);
	text_init(&label);
	svg_add_quantity(&value, end->mean, svg_unit(s->page->dimension, end->mean));
	text_add(&s->body, "<g>");
	add_title(s, end, text_string(&value));
	svg_rect(&s->body, box_class[class], x, box->y, s->width, box->height);
	if (box->height >= NAMED) {
		double y = box->y + fmin(box->height / 2 + 4, 14);
		size_t taken = text_width(text_string(&value)) + 2;
		/* The label of a chain goes down to its end. */
		const char *whole = scope->row ? end->row->name + (scope->label - scope->row->name)
					       : scope->label;

		if (room > taken + 4) {
			text_add_shortened(&label, whole, room - taken);
			svg_label(&s->body, x + 5, y, SVG_START, label_class[class],
				text_string(&label));
		}
		if (room >= taken)
			svg_label(&s->body, x + s->width - 5, y, SVG_END, label_class[class],
				text_string(&value));
	}
	text_add(&s->body, "</g>");
	text_release(&value);
	text_release(&label);
}

/* Calls itself for at most DEEPEST columns; without `draw` it only finds how many there are. */
static void place(struct scopes_plot *s, struct box box, bool draw)
{
	const struct scope *end = &s->scope[box.end];
	double y = box.y;

	if (box.depth + 1 > s->deepest)
		s->deepest = box.depth + 1;
	if (draw)
		add_box(s, &box);
	if (box.depth + 1 == DEEPEST || !(end->mean > 0))
		return;
	for (size_t k = end->first; k != NO_SCOPE; k = s->scope[k].next) {
		double height =
			fmin(s->scope[k].mean / end->mean * box.height, box.y + box.height - y);

		/* The largest are first. */
		if (!(height >= LEAST))
			break;

		/* The end of a chain of single children that are all there is: one box. */
		size_t i = k;

		while (s->scope[i].row && s->scope[i].first != NO_SCOPE &&
			s->scope[i].first == s->scope[i].last &&
			s->scope[s->scope[i].first].mean >= s->scope[i].mean * 0.995)
			i = s->scope[i].first;
		place(s, (struct box){k, i, y, height, box.depth + 1}, draw);
		y += height;
	}
}

void plot_scopes(struct text *out, const struct web_page *page)
{
	const size_t all = page->rows[PAGE_SCOPE].count;
	struct box top = {all, all, 0, HEIGHT, 0};
	struct scopes_plot s = {.page = page};
	struct text label, body;

	if (!all || !(page->total.number.mean > 0))
		return;
	text_init(&label);
	text_init(&s.body);
	for (size_t k = 0; k < CV_CLASSES; k++)
		text_init(&s.small[k]);
	make_tree(&s);
	place(&s, top, false);
	s.width = fmin(SVG_WIDTH / (double)s.deepest, WIDEST);
	place(&s, top, true);
	text_printf(&label, "%zu %s: height is the mean per step, colour is the CV; %s ", all,
		all == 1 ? page->rows[PAGE_SCOPE].noun : page->rows[PAGE_SCOPE].nouns,
		s.scope[all].label);
	svg_add_quantity(&label, page->total.number.mean,
		svg_unit(page->dimension, page->total.number.mean));
	text_init(&body);
	text_add(&body, "<g class=\"icicle\">");
	for (size_t k = 0; k < CV_CLASSES; k++)
		svg_path(&body, box_class[k], text_string(&s.small[k]));
	text_add(&body, text_string(&s.body));
	text_add(&body, "</g>");
	svg_wrap(out, SVG_WIDTH, HEIGHT, text_string(&label), text_string(&body));
	text_release(&body);
	for (size_t k = 0; k < CV_CLASSES; k++)
		text_release(&s.small[k]);
	memory_free(s.scope);
	text_release(&s.body);
	text_release(&label);
}
