/*
 * The steps as stacked columns.
 */
#include "report/html/plots.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "report/html/html_text.h"
#include "report/html/panels.h"
#include "report/html/plot_layers.h"

#define NAMED_STEPS 4
#define NAMED_ROOM 260.0 /* px of a panel, less has no room for names of steps */

struct steps_plot {
	const struct web_page *page;
	struct plot_layers layers;
	struct panels panels;
	const struct unit *unit;
	struct text body;
	double *longest; /* by which a column is chosen */
	double *top;	 /* [column] */
};

static double known(double x)
{
	return isnan(x) ? 0 : x;
}

static const struct page_run *only_run(const struct steps_plot *s, size_t panel)
{
	return s->page->run_count > PANEL_RUNS ? NULL : &s->page->run[s->panels.panel[panel].run];
}

/* Sum of the first layers of a step; of all and the rest where `layer` is their count. */
static double sum_to(const struct steps_plot *s, size_t step, size_t layer)
{
	double sum = 0;

	if (layer >= s->layers.count)
		return known(s->page->step[step].op_time);
	for (size_t l = 0; l <= layer; l++)
		sum += plot_value(plot_layer(s->page, &s->layers, l), step);
	return sum;
}

static void scale(struct steps_plot *s)
{
	const struct web_page *page = s->page;
	bool one = s->panels.count == 1;
	double most = one ? known(page->total.number.high) : 0, wall = 0;

	for (size_t t = 0; t < page->step_count; t++) {
		most = fmax(most, known(page->step[t].op_time));
		wall = fmax(wall, known(plot_step_time(page, t)));
	}
	/* Step time that is far above the ops would make columns too low to read; where it decides
	 * it has more room. */
	double limit = most > 0 ? most * (plot_has_step_time(page) ? 4 : 1.3) : wall;

	s->panels.high = fmin(fmax(wall, most), limit) * 1.02;
}

/* The columns of steps that are kept, or left out: layer by layer from the sum of all down, each
 * over the one before. */
static void add_columns(struct steps_plot *s, size_t panel, bool kept)
{
	static const char *const classes[] = {"l0", "l1", "l2", "l3", "l4", "l5"};
	const struct panels *p = &s->panels;
	double y0 = panels_y(p, panel, 0);
	bool any = false;
	struct text d;

	for (size_t c = 0; c < p->column_count; c++)
		any = any || s->page->step[p->column[c].step].kept == kept;
	if (!any)
		return;
	if (!kept)
		text_add(&s->body, "<g class=\"leftout\">");
	text_init(&d);
	for (size_t l = s->layers.count + 1; l-- > 0;) {
		for (size_t c = 0; c < p->column_count; c++) {
			size_t t = p->column[c].step;

			s->top[c] = s->page->step[t].kept == kept
					    ? panels_y(p, panel, sum_to(s, t, l))
					    : y0;
		}
		text_clear(&d);
		panels_add_outline(&d, p, y0, s->top);
		svg_path(&s->body, classes[l == s->layers.count ? 5 : l], text_string(&d));
	}
	text_release(&d);
	if (!kept)
		text_add(&s->body, "</g>");
}

static void add_up_mark(struct steps_plot *s, size_t panel, const struct plot_column *column)
{
	double x = column->x + column->width / 2,
	       y = panels_line(&s->panels, panel) + s->panels.top;
	struct text d;

	text_init(&d);
	svg_move(&d, x - 4, y + 7);
	text_add(&d, "h8l-4 -7z");
	svg_path_of(&s->body, "up", "data-t", column->step, text_string(&d));
	if (column->room > 60) {
		text_clear(&d);
		svg_add_quantity(&d, s->page->step[column->step].time, s->unit);
		svg_label(&s->body, x + 7, y + 8, SVG_START, NULL, text_string(&d));
	}
	text_release(&d);
}

static void add_step_times(struct steps_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	struct text d;

	text_init(&d);
	for (size_t c = 0; c < p->column_count; c++) {
		const struct plot_column *column = &p->column[c];
		double time = plot_step_time(s->page, column->step);

		if (isnan(time))
			continue;
		if (time > p->high)
			add_up_mark(s, panel, column);
		else {
			svg_move(&d, column->x, round(panels_y(p, panel, time)));
			text_add_char(&d, 'h');
			svg_number(&d, column->width);
		}
	}
	if (p->column_count && p->column[0].width > 2)
		svg_path(&s->body, "wallt u", text_string(&d));
	svg_path(&s->body, "wallt", text_string(&d));
	text_release(&d);
}

/* The step times as numbers over their lines. */
static void add_values(struct steps_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	struct text number;

	if (!p->column_count || p->column[0].room < SVG_VALUE_ROOM)
		return;
	text_init(&number);
	for (size_t c = 0; c < p->column_count; c++) {
		const struct plot_column *column = &p->column[c];
		double time = plot_step_time(s->page, column->step);

		if (isnan(time) || time > p->high)
			continue;
		text_clear(&number);
		svg_add_tick(&number, round(10 * time / (double)s->unit->factor) / 10);
		svg_label(&s->body, column->x + column->width / 2, panels_y(p, panel, time) - 5,
			SVG_MIDDLE, "note b h", text_string(&number));
	}
	text_release(&number);
}

/* The hatching lies over each row of left-out columns. */
static void add_left_out(struct steps_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	double y = panels_line(p, panel) + p->top - 4;

	for (size_t c = 0; c < p->column_count;) {
		size_t from = c;

		while (c < p->column_count && !s->page->step[p->column[c].step].kept)
			c++;
		if (c == from) {
			c++;
			continue;
		}
		double x = p->column[from].place_x, room = p->column[0].room * (double)(c - from);

		svg_rect(&s->body, "hatch", x, y, room, p->bottom - p->top + 4);
		if (room > 40)
			svg_label(&s->body, x + 2, y - 4, SVG_START, NULL,
				s->page->step[p->column[from].step].fate);
	}
}

/* The mean, and without small multiples its interval. */
static void add_mean(struct steps_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	const struct page_run *run = only_run(s, panel);
	const struct page_numbers *total = &s->page->total.number;
	double mean = run ? run->op_mean : total->mean, x = panels_x(p, panel);

	if (p->count == 1 && total->high > total->low) {
		double y = panels_y(p, panel, total->high);

		svg_rect(&s->body, "band", x, y, p->width,
			fmax(panels_y(p, panel, fmax(total->low, 0)) - y, 1));
	}
	size_t c = 0; /* it is of the kept ones, which begin here */

	while (c + 1 < p->column_count && !s->page->step[p->column[c].step].kept)
		c++;
	if (!isnan(mean))
		svg_line_across(&s->body, "mean", p->column[c].place_x, panels_y(p, panel, mean),
			x + p->width - p->column[c].place_x);
}

static void add_outliers(struct steps_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	struct text d;

	text_init(&d);
	for (size_t c = 0; c < p->column_count; c++) {
		const struct plot_column *column = &p->column[c];

		/* Also one that is not the longest of its place. */
		for (size_t t = column->first; t < column->after; t++) {
			const struct page_step *step = &s->page->step[t];

			if (!step->outlier || !step->kept)
				continue;
			double value =
				fmin(fmax(known(step->op_time), known(plot_step_time(s->page, t))),
					p->high);

			text_clear(&d);
			svg_move(&d, column->x + column->width / 2 - 4.5,
				panels_y(p, panel, value) - 11);
			text_add(&d, "h9l-4.5 7z");
			svg_path_of(&s->body, "o", "data-t", t, text_string(&d));
			break;
		}
	}
	text_release(&d);
}

struct tall {
	const struct plot_column *column;
	double over;
};

static int compare_tall(const void *a, const void *b)
{
	const struct tall *x = a, *y = b;

	if (x->over != y->over)
		return x->over < y->over ? 1 : -1;
	return x->column->step < y->column->step ? -1 : 1;
}

/* Adds the name of a tall step at its place; false where another name has the room. */
static bool add_name(struct steps_plot *s, size_t panel, const struct tall *tall, double *taken,
	size_t taken_count)
{
	const struct panels *p = &s->panels;
	const struct plot_column *column = tall->column;
	const struct page_step *step = &s->page->step[column->step];
	double x0 = panels_x(p, panel);
	struct page_cause cause;
	struct text first, second;

	text_init(&first);
	text_init(&second);
	text_printf(&first, "step %s: ", step->label);
	svg_add_change(&first, tall->over, s->unit);
	if (!page_cause_of(s->page, column->step, &cause)) {
		text_add(&second, "no single cause");
	} else {
		if (cause.row)
			plot_add_name(&second, cause.row, 28);
		else
			text_add(&second, cause.part->name);
		text_add_char(&second, ' ');
		svg_add_change(&second, cause.value - cause.usual, s->unit);
	}
	double half = fmax((double)text_width(text_string(&first)) * 3.2,
			      (double)text_width(text_string(&second)) * 2.9) +
		      4;
	double x = fmax(x0 + half, fmin(column->x + column->width / 2, x0 + p->width - half));
	double y = panels_y(p, panel,
			   fmin(fmax(known(step->op_time),
					known(plot_step_time(s->page, column->step))),
				   p->high)) -
		   (step->outlier ? 16 : 6) -
		   (known(plot_step_time(s->page, column->step)) >= known(step->op_time) ? 14 : 0) -
		   panels_line(p, panel);
	bool free = true;

	y = panels_line(p, panel) + fmax(y, p->count > 1 ? 32 : 20);
	for (size_t i = 0; i < taken_count; i++)
		free = free && fabs(taken[2 * i] - x) >= half + taken[2 * i + 1];
	if (free) {
		taken[2 * taken_count] = x;
		taken[2 * taken_count + 1] = half;
		svg_label(&s->body, x, y - 12, SVG_MIDDLE, "note b h", text_string(&first));
		svg_label(&s->body, x, y, SVG_MIDDLE, "note h", text_string(&second));
	}
	text_release(&first);
	text_release(&second);
	return free;
}

static void add_names(struct steps_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	bool step_time = plot_has_step_time(s->page);
	const struct page_numbers *whole = step_time ? &s->page->step_time : &s->page->total.number;
	double median = s->page->median, taken[2 * NAMED_STEPS];
	double least = fmax(known(whole->sd) * 0.8, median * 0.08);
	size_t count = 0, named = 0;

	if (isnan(median) || p->width < NAMED_ROOM)
		return;
	struct tall *tall = memory_alloc(memory_product(p->column_count + 1, sizeof(*tall)));

	for (size_t c = 0; c < p->column_count; c++) {
		const struct page_step *step = &s->page->step[p->column[c].step];
		double over = s->longest[p->column[c].step] - median;

		if (step->kept && over > 0 &&
			(step->outlier || p->column[c].step == s->page->longest ||
				(p->count == 1 && over > least)))
			tall[count++] = (struct tall){&p->column[c], over};
	}
	qsort(tall, count, sizeof(*tall), compare_tall);
	for (size_t i = 0; i < count && i < NAMED_STEPS; i++)
		named += add_name(s, panel, &tall[i], taken, named);
	memory_free(tall);
}

static void add_panel(struct steps_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	const struct page_run *run = only_run(s, panel);
	struct text mean;

	text_init(&mean);
	if (run)
		svg_add_quantity(&mean, run->op_mean, s->unit);
	panels_columns(&s->panels, panel, s->longest);
	panels_add_grid(&s->body, p, panel, s->unit, text_string(&mean));
	add_columns(s, panel, false);
	add_columns(s, panel, true);
	add_left_out(s, panel);
	add_mean(s, panel);
	add_step_times(s, panel);
	add_values(s, panel);
	panels_add_numbers(&s->body, p, panel);
	add_outliers(s, panel);
	add_names(s, panel);
	text_release(&mean);
}

static void describe(struct text *label, const struct steps_plot *s)
{
	const struct web_page *page = s->page;
	size_t longest = page->longest;

	text_printf(label, "%s of each step",
		page->dimension == DIMENSION_TIME ? "Op time" : page->measure);
	if (s->layers.count)
		text_printf(label, ", stacked by %s", page->rows[s->layers.kind].noun);
	text_printf(label, ": %zu steps, %zu kept, mean ", page->step_count, page->kept_count);
	svg_add_quantity(label, page->total.number.mean, s->unit);
	if (longest == page->step_count)
		return;
	text_printf(label, ", longest step %s", page->step[longest].label);
	if (page->run_count > 1)
		text_printf(label, " of %s", page->run[page->step[longest].run].name);
	text_add(label, " with ");
	svg_add_quantity(label, s->longest[longest], s->unit);
}

static void add_legend(struct steps_plot *s, double *height)
{
	struct svg_legend legend = {
		s->panels.left, SVG_BESIDE_LEGEND, s->panels.left, *height + 14};
	struct text rest;

	text_init(&rest);
	plot_layers_rest(&rest, s->page, &s->layers);
	plot_layers_legend(
		&s->body, s->page, &s->layers, rest.size ? text_string(&rest) : NULL, &legend);
	*height = legend.y + 6;
	text_release(&rest);
}

/* One step alone: split from left to right. */
static void add_one(struct steps_plot *s, size_t step)
{
	static const char *const classes[] = {"l0", "l1", "l2", "l3", "l4", "l5"};
	double total = sum_to(s, step, PLOT_LAYERS), before = 0;
	struct text t;

	text_init(&t);
	for (size_t l = 0; l <= s->layers.count && total > 0; l++) {
		double value = sum_to(s, step, l) - before, x = before / total * SVG_BESIDE_LEGEND;
		double width = value / total * SVG_BESIDE_LEGEND;
		size_t room = (size_t)fmax(width / 6.3, 0);

		before += value;
		if (!(width > 0.5))
			continue;
		svg_rect(&s->body, classes[l == s->layers.count ? 5 : l], x, 20,
			fmax(width - 1, 0.5), 26);
		if (room < 8)
			continue;
		text_clear(&t);
		if (l < s->layers.count)
			plot_add_name(&t, plot_layer(s->page, &s->layers, l), room);
		else
			text_add(&t, s->layers.count ? "others" : s->page->total.label);
		svg_label(&s->body, x, 14, SVG_START, "k", text_string(&t));
		text_clear(&t);
		svg_add_quantity(&t, value, s->unit);
		svg_label(&s->body, x, 60, SVG_START, NULL, text_string(&t));
	}
	text_release(&t);
}

void plot_steps(struct text *out, const struct web_page *page)
{
	static const double heights[] = {310, 250, 160, 120};
	struct steps_plot s = {.page = page};
	struct text label;
	double height = 66;

	if (!page->step_count || !page->kept_count)
		return;
	text_init(&label);
	text_init(&s.body);
	plot_layers_choose(page, &s.layers);
	panels_init(&s.panels, page, SVG_BESIDE_LEGEND, heights);
	s.unit = svg_unit(page->dimension,
		isnan(page->total.number.mean) ? page->step_time.mean : page->total.number.mean);
	s.longest = memory_alloc(memory_product(page->step_count, sizeof(*s.longest)));
	s.top = memory_alloc(memory_product((size_t)s.panels.width + 1, sizeof(*s.top)));
	for (size_t t = 0; t < page->step_count; t++)
		s.longest[t] = plot_first_series(page, t);
	describe(&label, &s);
	if (page->kept_count == 1) {
		size_t t = 0;

		while (t + 1 < page->step_count && !page->step[t].kept)
			t++;
		add_one(&s, t);
	} else {
		scale(&s);
		for (size_t k = 0; k < s.panels.count; k++)
			add_panel(&s, k);
		height = s.panels.height * (double)s.panels.lines;
		add_legend(&s, &height);
	}
	svg_wrap(out, SVG_BESIDE_LEGEND, height, text_string(&label), text_string(&s.body));
	memory_free(s.longest);
	memory_free(s.top);
	panels_release(&s.panels);
	text_release(&s.body);
	text_release(&label);
}
