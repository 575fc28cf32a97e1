/*
 * Places panels and columns.
 */
#include "report/html/panels.h"

#include <math.h>
#include "base/memory.h"

#define LEFT 44.0
#define GAP 16.0
#define LEAST_WIDTH 150.0

static void make_panels(struct panels *p)
{
	const struct web_page *page = p->page;

	p->panel = memory_alloc(memory_product(page->run_count + 1, sizeof(*p->panel)));
	if (page->run_count > PANEL_RUNS) {
		p->panel[p->count++] = (struct panel){.count = page->step_count};
		return;
	}
	for (size_t r = 0; r < page->run_count; r++)
		if (page->run[r].count)
			p->panel[p->count++] = (struct panel){
				page->run[r].name, r, page->run[r].first, page->run[r].count};
	if (p->count == 1)
		p->panel[0].name = NULL;
}

void panels_init(
	struct panels *p, const struct web_page *page, double width, const double height[static 4])
{
	*p = (struct panels){.page = page, .left = LEFT, .gap = GAP};
	make_panels(p);
	size_t most = (size_t)(width / LEAST_WIDTH);

	p->lines = p->count ? (p->count + most - 1) / most : 1;
	p->per_line = p->count ? (p->count + p->lines - 1) / p->lines : 1;
	p->width = floor((width - LEFT - GAP * (double)(p->per_line - 1)) / (double)p->per_line);
	p->height = height[p->count <= 1 ? 0 : p->lines < 3 ? p->lines : 3];
	p->top = p->count > 1 ? 48 : 44;
	p->bottom = p->height - 22;
	p->column = memory_alloc(memory_product((size_t)p->width + 1, sizeof(*p->column)));
}

void panels_release(struct panels *p)
{
	memory_free(p->panel);
	memory_free(p->column);
}

double panels_x(const struct panels *p, size_t panel)
{
	return p->left + (double)(panel % p->per_line) * (p->width + p->gap);
}

double panels_line(const struct panels *p, size_t panel)
{
	return (double)(panel / p->per_line) * p->height;
}

double panels_y(const struct panels *p, size_t panel, double value)
{
	double part = p->high > p->low ? (value - p->low) / (p->high - p->low) : 0;

	return panels_line(p, panel) + p->bottom - (p->bottom - p->top) * part;
}

void panels_columns(struct panels *p, size_t panel, const double *longest)
{
	const struct panel *of = &p->panel[panel];
	size_t most = PANEL_COLUMNS / p->count;

	if ((double)most > p->width)
		most = (size_t)p->width;
	p->column_count = of->count < most ? of->count : most;
	double room = p->width / (double)p->column_count;
	double width = fmin(room - (room > 14 ? 3 : room > 5 ? 1 : 0), 54);

	for (size_t c = 0; c < p->column_count; c++) {
		struct plot_column *column = &p->column[c];

		column->first = of->first + of->count * c / p->column_count;
		column->after = of->first + of->count * (c + 1) / p->column_count;
		column->step = column->first;
		for (size_t t = column->first + 1; t < column->after; t++)
			if (longest[t] > longest[column->step] || isnan(longest[column->step]))
				column->step = t;
		/* Columns side by side begin and end on whole pixels. */
		double begin = (double)c * room, end = begin + room;

		if (room <= 5) {
			begin = round(begin);
			end = round(end);
		}
		column->place_x = panels_x(p, panel) + begin;
		column->room = end - begin;
		column->width = room <= 5 ? column->room : width;
		column->x = column->place_x + (column->room - column->width) / 2;
	}
}

void panels_add_grid(struct text *out, const struct panels *p, size_t panel,
	const struct unit *unit, const char *figure)
{
	double x = panels_x(p, panel), line = panels_line(p, panel);
	double factor = (double)unit->factor;
	struct svg_ticks ticks;
	struct text text;

	text_init(&text);
	svg_ticks_find(&ticks, p->low / factor, p->high / factor,
		p->bottom - p->top < 120 ? 3
		: p->low < 0		 ? 5
					 : 4);
	for (size_t i = 0; i < ticks.count; i++) {
		double y = panels_y(p, panel, ticks.at[i] * factor);

		svg_line_across(out, ticks.at[i] == 0 ? "axis" : "gridl", x, y, p->width);
		if (panel % p->per_line)
			continue;
		text_clear(&text);
		svg_add_tick(&text, ticks.at[i]);
		svg_label(out, p->left - 6, round(y) + 4.5, SVG_END, NULL, text_string(&text));
	}
	if (!panel && *unit->name)
		svg_label(out, p->left - 6, 10, SVG_END, NULL, svg_unit_name(unit));
	if (p->panel[panel].name) {
		size_t room = (size_t)(p->width / SVG_EM), taken = text_width(figure) + 2;

		text_clear(&text);
		text_add_shortened(
			&text, p->panel[panel].name, room > taken + 8 ? room - taken : 8);
		text_add(&text, SVG_BLANK " ");
		text_add(&text, figure);
		svg_label(out, x, line + 10, SVG_START, "runname", text_string(&text));
	}
	text_release(&text);
}

void panels_add_numbers(struct text *out, const struct panels *p, size_t panel)
{
	double room = p->column_count ? p->width / (double)p->column_count : 1;
	size_t every = (size_t)ceil(34 / room);
	double y = panels_line(p, panel) + p->bottom + 14;
	struct text text;

	text_init(&text);
	for (size_t c = 0; c < p->column_count; c += every ? every : 1) {
		const struct page_step *step = &p->page->step[p->column[c].step];

		text_clear(&text);
		text_add(&text, step->label);
		/* A long number is left out where it has no room. */
		if (text_width(text_string(&text)) * 6 > (size_t)(room * (double)every) && c)
			continue;
		svg_label(out, p->column[c].x + p->column[c].width / 2, y, SVG_MIDDLE, NULL,
			text_string(&text));
	}
	text_release(&text);
}

void panels_add_hits(struct text *out, const struct panels *p, size_t panel)
{
	double y = panels_line(p, panel) + p->top - 4;

	svg_hits_begin(out);
	for (size_t c = 0; c < p->column_count; c++)
		svg_hit(out, "data-t", p->column[c].step, p->column[c].place_x, y,
			p->column[c].room, p->bottom - p->top + 4);
	svg_hits_end(out);
}

void panels_add_outline(struct text *d, const struct panels *p, double y0, const double *top)
{
	/* A subpath for each row of columns beside one another: most of a plot is one. */
	for (size_t c = 0; c < p->column_count;) {
		const struct plot_column *first = &p->column[c];

		if (fabs(top[c] - y0) < 0.05) {
			c++;
			continue;
		}
		svg_move(d, first->x, y0);
		for (;;) {
			const struct plot_column *at = &p->column[c];

			text_add_char(d, 'V');
			svg_number(d, top[c]);
			text_add_char(d, 'H');
			/* Equal neighbours are one line. */
			while (c + 1 < p->column_count && at[1].x - at->x - at->width < 0.05 &&
				fabs(top[c + 1] - top[c]) < 0.05) {
				c++;
				at++;
			}
			svg_number(d, at->x + at->width);
			c++;
			if (c == p->column_count || at[1].x - at->x - at->width > 0.05 ||
				fabs(top[c] - y0) < 0.05)
				break;
		}
		text_add_char(d, 'V');
		svg_number(d, y0);
		text_add_char(d, 'z');
	}
}
