/*
 * Parts of a device's time in each step, stacked to its window.
 */
#include "report/html/plots.h"

#include <math.h>
#include "base/memory.h"
#include "report/html/panels.h"

#define SHOWN 12 /* parts in a stack; a device has eight */

struct parts_plot {
	const struct web_page *page;
	const struct page_device *device;
	struct panels panels;
	const struct unit *unit;
	struct text body;
	size_t part[SHOWN]; /* from below: parts of the window, idle as its causes */
	size_t count, idle; /* idle: index in part of the first of idle */
	double *window, *top;
};

static double value_of(const struct parts_plot *s, size_t part, size_t step)
{
	double value = s->device->part[part].value[step];

	return value > 0 ? value : 0;
}

static bool is_idle(const struct page_part *part)
{
	return text_equal(part->name, "idle");
}

/* Sum of the stack up to this part. */
static double sum_to(const struct parts_plot *s, size_t step, size_t last)
{
	double sum = 0, causes = 0;

	for (size_t k = 0; k <= last; k++) {
		double value = value_of(s, s->part[k], step);

		if (s->device->part[s->part[k]].of_idle)
			causes += value;
		if (is_idle(&s->device->part[s->part[k]]))
			value = fmax(value - causes, 0);
		sum += value;
	}
	return sum;
}

static const char *class_of(const struct parts_plot *s, size_t k)
{
	static const char *const busy[] = {"l1", "l3", "l4", "l2"};
	static const char *const causes[] = {"pi0", "pi1", "pi2", "pi3"};

	if (k < s->idle)
		return busy[k % 4];
	return is_idle(&s->device->part[s->part[k]]) ? "pi4" : causes[(k - s->idle) % 4];
}

static void add_stack(struct parts_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	double y0 = panels_y(p, panel, 0);
	struct text d;

	text_init(&d);
	for (size_t k = s->count; k-- > 0;) {
		for (size_t c = 0; c < p->column_count; c++)
			s->top[c] = panels_y(p, panel, sum_to(s, p->column[c].step, k));
		text_clear(&d);
		panels_add_outline(&d, p, y0, s->top);
		/* The hatching of idle lies below what was busy. */
		svg_path(&s->body, class_of(s, k), text_string(&d));
		if (k == s->idle && s->count > s->idle) {
			for (size_t c = 0; c < p->column_count; c++)
				s->top[c] = panels_y(
					p, panel, sum_to(s, p->column[c].step, s->count - 1));
			text_clear(&d);
			panels_add_outline(&d, p, y0, s->top);
			svg_path(&s->body, "hatch", text_string(&d));
		}
	}
	text_release(&d);
}

/* Communication that is hidden is a part of compute: a line in its area. */
static void add_hidden(struct parts_plot *s, size_t panel)
{
	const struct panels *p = &s->panels;
	struct text d;

	text_init(&d);
	for (size_t k = 0; k < s->device->part_count; k++) {
		if (!s->device->part[k].of_compute)
			continue;
		text_clear(&d);
		for (size_t c = 0; c < p->column_count; c++) {
			double y = panels_y(p, panel, value_of(s, k, p->column[c].step));

			if (!c)
				svg_move(&d, p->column[c].place_x, y);
			else {
				text_add_char(&d, 'V');
				svg_number(&d, y);
			}
			text_add_char(&d, 'H');
			svg_number(&d, p->column[c].place_x + p->column[c].room);
		}
		svg_path(&s->body, "phid", text_string(&d));
	}
	text_release(&d);
}

static void add_legend(struct parts_plot *s, double *height)
{
	struct svg_legend legend = {s->panels.left, SVG_WIDTH, s->panels.left, *height + 14};
	struct text text;

	text_init(&text);
	for (size_t k = 0; k < s->count; k++) {
		const struct page_part *part = &s->device->part[s->part[k]];
		bool rest = is_idle(part) && k > s->idle;
		double mean = part->mean;

		for (size_t i = s->idle; rest && i < k; i++)
			mean -= s->device->part[s->part[i]].mean;
		text_clear(&text);
		text_printf(&text, "%s%s ", part->name, rest ? ", no known cause" : "");
		svg_add_quantity(&text, rest ? fmax(mean, 0) : mean, s->unit);
		svg_legend_add(&s->body, &legend, class_of(s, k), text_string(&text));
	}
	for (size_t k = 0; k < s->device->part_count; k++) {
		if (!s->device->part[k].of_compute)
			continue;
		text_clear(&text);
		text_printf(&text, "line: %s ", s->device->part[k].name);
		svg_add_quantity(&text, s->device->part[k].mean, s->unit);
		svg_legend_add(&s->body, &legend, "up", text_string(&text));
	}
	*height = legend.y + 6;
	text_release(&text);
}

static void draw(struct text *out, struct parts_plot *s)
{
	double height = s->panels.height * (double)s->panels.lines;
	struct text label;

	text_init(&label);
	for (size_t k = 0; k < s->panels.count; k++) {
		panels_columns(&s->panels, k, s->window);
		panels_add_grid(&s->body, &s->panels, k, s->unit, "");
		add_stack(s, k);
		add_hidden(s, k);

		const struct panels *p = &s->panels;
		struct text d;

		text_init(&d);
		for (size_t c = 0; c < p->column_count; c++)
			if (!s->page->step[p->column[c].step].kept)
				svg_box(&d, p->column[c].place_x, panels_line(p, k) + p->top,
					p->column[c].room, p->bottom - p->top);
		svg_path(&s->body, "veil", text_string(&d));
		text_release(&d);
		panels_add_numbers(&s->body, &s->panels, k);
		panels_add_hits(&s->body, &s->panels, k);
	}
	add_legend(s, &height);
	text_printf(&label, "What %s did in each step, mean of its window ", s->device->name);
	svg_add_quantity(&label, s->device->window, s->unit);
	for (size_t k = 0; k < s->device->part_count; k++) {
		text_printf(&label, ", %s ", s->device->part[k].name);
		svg_add_quantity(&label, s->device->part[k].mean, s->unit);
	}
	svg_wrap(out, SVG_WIDTH, height, text_string(&label), text_string(&s->body));
	text_release(&label);
}

void plot_parts(struct text *out, const struct web_page *page, size_t device)
{
	static const double heights[] = {190, 180, 150, 120};
	struct parts_plot s = {.page = page, .device = &page->devices[device]};

	/* Choose the parts of the window: first all but idle, then the causes of idle, then idle
	 * itself: the others lie over it, so only idle time without a cause shows. */
	const struct page_part *part = s.device->part;

	for (size_t k = 0; k < s.device->part_count && s.count < SHOWN; k++)
		if (!part[k].of_idle && !part[k].of_compute && !is_idle(&part[k]))
			s.part[s.count++] = k;
	s.idle = s.count;
	for (size_t k = 0; k < s.device->part_count && s.count < SHOWN; k++)
		if (part[k].of_idle)
			s.part[s.count++] = k;
	for (size_t k = 0; k < s.device->part_count && s.count < SHOWN; k++)
		if (is_idle(&part[k]))
			s.part[s.count++] = k;
	if (!s.count || !page->step_count)
		return;
	text_init(&s.body);
	panels_init(&s.panels, page, SVG_WIDTH, heights);
	if (s.panels.count == 1)
		s.panels.top = 20;
	s.window = memory_alloc(memory_product(page->step_count, sizeof(*s.window)));
	s.top = memory_alloc(memory_product((size_t)s.panels.width + 1, sizeof(*s.top)));
	for (size_t t = 0; t < page->step_count; t++) {
		s.window[t] = sum_to(&s, t, s.count - 1);
		s.panels.high = fmax(s.panels.high, s.window[t] * 1.02);
	}
	s.unit = svg_unit(DIMENSION_TIME, s.device->window);
	if (s.panels.high > 0)
		draw(out, &s);
	memory_free(s.window);
	memory_free(s.top);
	panels_release(&s.panels);
	text_release(&s.body);
}
