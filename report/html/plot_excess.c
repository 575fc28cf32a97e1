/*
 * Excess of long and short steps over the median step, by rows.
 */
#include "report/html/plots.h"

#include <math.h>
#include "base/memory.h"
#include "base/number.h"
#include "report/html/panels.h"
#include "report/html/plot_layers.h"

struct excess_plot {
	const struct web_page *page;
	struct plot_layers layers;
	struct panels panels;
	const struct unit *unit;
	struct text body;
	double *excess;			      /* of each step; NaN: left out or not known */
	double layer_median[PLOT_LAYERS + 1]; /* the last: of all other rows together */
	size_t parts; /* layers, then the other rows, where there are any, then what is not in rows
		       */
	double *top, *low; /* [column] */
};

/* Value of a layer; of all other rows where `layer` is the number of layers. */
static double layer_value(const struct excess_plot *e, size_t step, size_t layer)
{
	double rest = e->page->step[step].op_time;

	if (layer < e->layers.count)
		return plot_value(plot_layer(e->page, &e->layers, layer), step);
	for (size_t l = 0; l < e->layers.count; l++)
		rest -= layer_value(e, step, l);
	return rest;
}

static double part_of(const struct excess_plot *e, size_t step, size_t part)
{
	double rest = e->excess[step];

	if (part + 1 < e->parts)
		return layer_value(e, step, part) - e->layer_median[part];
	for (size_t l = 0; l + 1 < e->parts; l++)
		rest -= part_of(e, step, l);
	return rest;
}

static double median_of(double *x, size_t n)
{
	if (!n)
		return NAN;
	number_sort(x, n);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* False where no step has an excess. */
static bool measure(struct excess_plot *e)
{
	const struct web_page *page = e->page;
	double *x = memory_alloc(memory_product(page->step_count, sizeof(*x)));
	size_t n = 0;

	for (size_t t = 0; t < page->step_count; t++) {
		e->excess[t] = page->step[t].kept ? plot_first_series(page, t) - page->median : NAN;
		n += !isnan(e->excess[t]);
	}
	for (size_t l = 0; l + 1 < e->parts; l++) {
		size_t count = 0;

		for (size_t t = 0; t < page->step_count; t++)
			if (!isnan(e->excess[t]))
				x[count++] = layer_value(e, t, l);
		e->layer_median[l] = median_of(x, count);
	}
	memory_free(x);
	return n > 1;
}

/* Adds columns from the outermost layer to the innermost, each over the one before. */
static void add_columns(struct excess_plot *e, size_t panel)
{
	static const char *const classes[] = {"l0", "l1", "l2", "l3", "l4", "l5", "l6"};
	const struct panels *p = &e->panels;
	double y0 = panels_y(p, panel, 0);
	struct text d;

	text_init(&d);
	for (size_t l = e->parts; l-- > 0;) {
		for (size_t c = 0; c < p->column_count; c++) {
			double above = 0, below = 0;

			for (size_t k = 0; k <= l && !isnan(e->excess[p->column[c].step]); k++) {
				double part = part_of(e, p->column[c].step, k);

				*(part > 0 ? &above : &below) += part;
			}
			e->top[c] = panels_y(p, panel, above);
			e->low[c] = panels_y(p, panel, below);
		}
		text_clear(&d);
		panels_add_outline(&d, p, y0, e->top);
		panels_add_outline(&d, p, y0, e->low);
		svg_path(&e->body,
			classes[l + 1 == e->parts      ? 6
				: l == e->layers.count ? 5
						       : l],
			text_string(&d));
	}
	text_release(&d);
}

/* The excess as a number, away from 0. */
static void add_values(struct excess_plot *e, size_t panel)
{
	const struct panels *p = &e->panels;
	struct text number;

	text_init(&number);
	for (size_t c = 0; c < p->column_count && p->column[0].room >= SVG_VALUE_ROOM; c++) {
		const double excess = e->excess[p->column[c].step];

		if (isnan(excess))
			continue;
		text_clear(&number);
		svg_add_tick(&number, round(10 * excess / (double)e->unit->factor) / 10);
		svg_label(&e->body, p->column[c].x + p->column[c].width / 2,
			panels_y(p, panel, excess) + (excess < 0 ? 14 : -5), SVG_MIDDLE, "note b h",
			text_string(&number));
	}
	text_release(&number);
}

static void add_outliers(struct excess_plot *e, size_t panel)
{
	const struct panels *p = &e->panels;
	struct text d;

	text_init(&d);
	for (size_t c = 0; c < p->column_count; c++)
		for (size_t t = p->column[c].first; t < p->column[c].after; t++) {
			if (!e->page->step[t].outlier || isnan(e->excess[t]))
				continue;
			double x = p->column[c].x + p->column[c].width / 2, above = 0;

			for (size_t l = 0; l < e->parts; l++)
				above += fmax(part_of(e, t, l), 0);
			text_clear(&d);
			svg_move(&d, x - 4.5, panels_y(p, panel, above) - 11);
			text_add(&d, "h9l-4.5 7z");
			svg_path_of(&e->body, "o", "data-t", t, text_string(&d));
			break;
		}
	text_release(&d);
}

static void describe(struct text *label, const struct excess_plot *e)
{
	const struct web_page *page = e->page;

	text_printf(label, "Excess of each step over the median of ");
	svg_add_quantity(label, page->median, e->unit);
	text_printf(label, ", split by %s; largest: step %s with ", page->rows[e->layers.kind].noun,
		page->step[page->longest].label);
	svg_add_change(label, e->excess[page->longest], e->unit);
}

static void add_legend(struct excess_plot *e, double *height)
{
	struct svg_legend legend = {e->panels.left, SVG_WIDTH, e->panels.left, *height + 14};
	struct text rest;

	text_init(&rest);
	plot_layers_rest(&rest, e->page, &e->layers);
	plot_layers_legend(
		&e->body, e->page, &e->layers, rest.size ? text_string(&rest) : NULL, &legend);
	/* The medians of parts do not add up to that of the whole. */
	svg_legend_add(&e->body, &legend, "l6",
		plot_has_step_time(e->page) ? "not in ops: idle, waiting; below 0: ops side by side"
					    : "what the medians leave over");
	svg_legend_add(&e->body, &legend, "up", "line: the excess, the sum of all parts");
	*height = legend.y + 6;
	text_release(&rest);
}

static void draw(struct text *out, struct excess_plot *e)
{
	struct text label;

	text_init(&label);

	double low = 0, high = 0;

	for (size_t t = 0; t < e->page->step_count; t++) {
		double above = 0, below = 0;

		if (isnan(e->excess[t]))
			continue;
		for (size_t l = 0; l < e->parts; l++) {
			double part = part_of(e, t, l);

			*(part > 0 ? &above : &below) += part;
		}
		high = fmax(high, above);
		low = fmin(low, below);
	}
	double margin = (high - low) * 0.03;

	e->panels.low = low - margin;
	e->panels.high = high + margin;
	for (size_t k = 0; k < e->panels.count; k++) {
		panels_columns(&e->panels, k, e->excess);
		panels_add_grid(&e->body, &e->panels, k, e->unit, "");
		add_columns(e, k);

		/* The excess itself: what parts above and below add up to. */
		const struct panels *p = &e->panels;
		struct text d;

		text_init(&d);
		for (size_t c = 0; c < p->column_count; c++) {
			double excess = e->excess[p->column[c].step];

			if (isnan(excess))
				continue;
			svg_move(&d, p->column[c].x, panels_y(p, k, excess));
			text_add_char(&d, 'h');
			svg_number(&d, p->column[c].width);
		}
		if (p->column_count && p->column[0].width > 2)
			svg_path(&e->body, "wallt u", text_string(&d));
		svg_path(&e->body, "wallt", text_string(&d));
		text_release(&d);
		add_values(e, k);
		panels_add_numbers(&e->body, &e->panels, k);
		add_outliers(e, k);
		panels_add_hits(&e->body, &e->panels, k);
	}
	double height = e->panels.height * (double)e->panels.lines;

	add_legend(e, &height);
	describe(&label, e);
	svg_wrap(out, SVG_WIDTH, height, text_string(&label), text_string(&e->body));
	text_release(&label);
}

void plot_excess(struct text *out, const struct web_page *page)
{
	static const double heights[] = {230, 210, 160, 130};
	struct excess_plot e = {.page = page};

	if (page->kept_count < 2)
		return;
	text_init(&e.body);
	plot_layers_choose(page, &e.layers);
	e.parts = e.layers.count + (page->rows[e.layers.kind].count > e.layers.count) + 1;
	panels_init(&e.panels, page, SVG_WIDTH, heights);
	if (e.panels.count == 1)
		e.panels.top = 20;
	e.excess = memory_alloc(memory_product(page->step_count, sizeof(*e.excess)));
	e.top = memory_alloc(memory_product((size_t)e.panels.width + 1, sizeof(*e.top)));
	e.low = memory_alloc(memory_product((size_t)e.panels.width + 1, sizeof(*e.low)));
	if (measure(&e)) {
		e.unit = svg_unit(page->dimension, page->median);
		draw(out, &e);
	}
	memory_free(e.excess);
	memory_free(e.top);
	memory_free(e.low);
	panels_release(&e.panels);
	text_release(&e.body);
}
