/*
 * Split of the variance over ranks and steps.
 */
#include "report/html/plots.h"

#include <math.h>
#include "report/html/svg.h"

#define LEFT 300.0
#define ROW 24.0
#define MOST 24 /* rows */
#define PARTS 4

static void add_bar(struct text *body, const struct page_split *split, double y)
{
	static const char *const classes[PARTS] = {"sp0", "sp1", "sp2", "sp3"};
	static const char *const inside[PARTS] = {"n4", "n3", "n0", "n0"};
	const double part[PARTS] = {
		split->group, split->in_group, split->step, split->rank_by_step};
	double x = LEFT, width = SVG_WIDTH - LEFT;
	struct text t;

	if (isnan(split->step)) {
		svg_label(body, LEFT, y + 15, SVG_START, NULL, "not defined");
		return;
	}
	text_init(&t);
	for (size_t k = 0; k < PARTS; k++) {
		double w = fmin(fmax(part[k], 0) * width, SVG_WIDTH - x);

		if (!(w > 0))
			continue;
		svg_rect(body, classes[k], x, y + 3, fmax(w - 1, 0.5), ROW - 6);
		if (w > 44) {
			text_clear(&t);
			svg_add_percent(&t, part[k]);
			svg_label(body, x + 6, y + 16, SVG_START, inside[k], text_string(&t));
		}
		x += w;
	}
	text_release(&t);
}

void plot_split(struct text *out, const struct web_page *page)
{
	size_t count = page->split_count < MOST ? page->split_count : MOST;
	struct svg_legend legend = {LEFT, SVG_WIDTH, LEFT, 0};
	bool groups = false;
	struct text body, t, label;

	if (!count)
		return;
	text_init(&body);
	text_init(&t);
	text_init(&label);
	for (size_t i = 0; i < count; i++) {
		const struct page_split *split = &page->split[i];

		groups = groups || split->group > 0;
		text_clear(&t);
		text_add_shortened(&t, split->name, 46);
		svg_label(&body, LEFT - 10, (double)i * ROW + 16, SVG_END, i ? NULL : "note b",
			text_string(&t));
		add_bar(&body, split, (double)i * ROW);
	}
	legend.y = (double)count * ROW + 14;
	if (groups)
		svg_legend_add(&body, &legend, "sp0", "ranks: between groups, in all steps");
	svg_legend_add(&body, &legend, "sp1",
		groups ? "ranks: within their groups, in all steps" : "ranks: in all steps");
	svg_legend_add(&body, &legend, "sp2", "steps: all ranks together");
	svg_legend_add(&body, &legend, "sp3", "changing: one rank in one step");
	text_printf(
		&label, "Split of the variance over ranks and steps; %s: ", page->split[0].name);
	if (groups) {
		svg_add_percent(&label, page->split[0].group);
		text_add(&label, " between groups, ");
	}
	svg_add_percent(&label, page->split[0].in_group);
	text_add(&label, " ranks, ");
	svg_add_percent(&label, page->split[0].step);
	text_add(&label, " steps, ");
	svg_add_percent(&label, page->split[0].rank_by_step);
	text_add(&label, " changing");
	svg_wrap(out, SVG_WIDTH, legend.y + 8, text_string(&label), text_string(&body));
	text_release(&body);
	text_release(&t);
	text_release(&label);
}
