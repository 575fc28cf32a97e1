/*
 * The cell of a row in the table of a comparison.
 */
#include "report/html/plots_compare.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "report/html/html_text.h"
#include "report/html/svg.h"

#define WIDTH 400.0
#define HEIGHT 34.0
#define MIDDLE 17.0
#define BASE_Y 6.0
#define NEW_Y 28.0
#define BEYOND 64.0	  /* factors that no scale shows */
#define LEAST_SHARE 0.002 /* of rows that the scale is made for */

static const struct verdict_look looks[] = {
	{"REGRESSED", "up", "worse", true},
	{"MORE", "up", "worse", true},
	{"SLOWER", "upo", "worse", true},
	{"WORSE", "upo", "worse", true},
	{"LOST", "gone", "worse", true},
	{"IMPROVED", "down", "better", true},
	{"LESS", "down", "better", true},
	{"FASTER", "downo", "better", true},
	{"BETTER", "downo", "better", true},
	{"NEW", "new", "", true},
	{"GONE", "gone", "", true},
	{"SAME", "same", "same", false},
	{"RARE", "none", "dim", false},
	{"INCONCLUSIVE", "maybe", "dim", false},
};

const struct verdict_look *verdict_look_of(const char *verdict)
{
	static const struct verdict_look none = {"no verdict", "none", "dim", false};

	for (size_t i = 0; verdict && i < sizeof(looks) / sizeof(*looks); i++)
		if (strcmp(looks[i].word, verdict) == 0)
			return &looks[i];
	return &none;
}

const struct verdict_look *verdict_look_at(size_t index)
{
	return index < sizeof(looks) / sizeof(*looks) ? &looks[index] : NULL;
}

/* ---- the scale ---- */

static double stretch(const struct forest_scale *scale, double factor)
{
	return asinh(log(factor) / scale->c);
}

static void widen(struct forest_scale *scale, double change)
{
	if (!isfinite(change))
		return;
	scale->low = fmin(scale->low, 1 + change);
	scale->high = fmax(scale->high, 1 + change);
}

static bool has_factor(const struct page_compared *v)
{
	return v->on_side[PAGE_BASE] && v->on_side[PAGE_NEW] && v->mean[PAGE_BASE] > 0 &&
	       v->mean[PAGE_NEW] > 0;
}

void forest_scale_make(struct forest_scale *scale, const struct page_compare *compare)
{
	const double total = compare->measure_count ? compare->measure[0].total.mean[PAGE_BASE] : 0;

	/* The median of the standard errors, at least half of the margin. */
	double *se = memory_alloc(memory_product(compare->count + 1, sizeof(*se)));
	double c = 0.05;
	size_t n = 0;

	for (size_t i = 0; i < compare->count; i++) {
		const struct page_compared_row *row = &compare->row[i];

		if (!row->small && has_factor(row->measure) && row->measure->log_se > 0)
			se[n++] = row->measure->log_se;
	}
	number_sort(se, n);
	if (n)
		c = se[n / 2];
	memory_free(se);
	*scale = (struct forest_scale){.low = 1,
		.high = 1,
		.c = fmin(
			fmax(c, fmax(compare->margin > 0 ? log1p(compare->margin) / 2 : 0, 0.002)),
			0.5),
		.width = WIDTH,
		.margin = compare->margin};
	for (size_t i = 0; i < compare->count; i++) {
		const struct page_compared *v = compare->row[i].measure;
		const bool large = fabs(v->difference) > total * LEAST_SHARE;

		if (compare->row[i].small || !has_factor(v) ||
			!(large || verdict_look_of(v->verdict)->decided))
			continue;
		widen(scale, v->change);
		widen(scale, v->low);
		widen(scale, v->high);
	}
	scale->low = fmin(fmax(scale->low, 1 / BEYOND), exp(-2.5 * scale->c));
	scale->high = fmin(fmax(scale->high, exp(2.5 * scale->c)), BEYOND);
	scale->from = stretch(scale, scale->low) - 0.1;
	scale->to = stretch(scale, scale->high) + 0.1;
}

double forest_x(const struct forest_scale *scale, double factor)
{
	const double at = factor > 0 ? (stretch(scale, factor) - scale->from) /
					       (scale->to - scale->from) * scale->width
				     : 0;

	return fmin(fmax(at, 0), scale->width);
}

static void open_cell(struct text *out, double height, const char *class_name, const char *label)
{
	text_add(out, "<svg width=\"");
	svg_number(out, WIDTH);
	text_add(out, "\" height=\"");
	svg_number(out, height);
	text_add(out, "\" viewBox=\"0 0 ");
	svg_number(out, WIDTH);
	text_add_char(out, ' ');
	svg_number(out, height);
	text_printf(out, "\" class=\"f-%s\"", class_name);
	if (label) {
		text_add(out, " role=\"img\"");
		html_add_attribute(out, "aria-label", label);
	} else {
		text_add(out, " aria-hidden=\"true\"");
	}
	text_add_char(out, '>');
}

void plot_forest_axis(struct text *out, const struct forest_scale *scale)
{
	/* The most telling first: what finds no room is left out. */
	static const struct {
		double factor;
		const char *name;
	} tick[] = {{1, "no change"}, {2, "2\u00d7"}, {0.5, "\u00bd"}, {1.1, "+10%"},
		{0.9, SVG_MINUS "10%"}, {8, "8\u00d7"}, {32, "32\u00d7"}, {0.125, "\u215b"},
		{4, "4\u00d7"}, {0.25, "\u00bc"}, {16, "16\u00d7"}, {1.02, "+2%"},
		{0.98, SVG_MINUS "2%"}, {1.3, "+30%"}, {0.7, SVG_MINUS "30%"}, {64, "64\u00d7"},
		{1.05, "+5%"}, {0.95, SVG_MINUS "5%"}, {1.01, "+1%"}, {0.99, SVG_MINUS "1%"},
		{1.005, "+0.5%"}, {0.995, SVG_MINUS "0.5%"}};
	double at[sizeof(tick) / sizeof(*tick)], half[sizeof(tick) / sizeof(*tick)];
	size_t n = 0;

	open_cell(out, 13, "axis", NULL);
	for (size_t i = 0; i < sizeof(tick) / sizeof(*tick); i++) {
		const double x = forest_x(scale, tick[i].factor);
		const double room = (double)text_width(tick[i].name) * 2.9 + 5;
		bool taken = tick[i].factor < scale->low * 0.97 ||
			     tick[i].factor > scale->high * 1.03 || x - room < -12 ||
			     x + room > scale->width + 12;

		for (size_t k = 0; k < n; k++)
			taken = taken || fabs(at[k] - x) < half[k] + room;
		if (taken)
			continue;
		at[n] = x;
		half[n++] = room;
		svg_label(out, x, 10, SVG_MIDDLE, i ? NULL : "k", tick[i].name);
	}
	text_add(out, "</svg>");
}

/* ---- a cell ---- */

/* Both against the mean of base. */
static void add_runs(
	struct text *out, const struct forest_scale *scale, const struct page_compared_row *row)
{
	const double base = row->measure->mean[PAGE_BASE];

	if (!(base > 0))
		return;
	for (enum page_side_id side = 0; side < PAGE_SIDES; side++)
		for (size_t r = 0; row->run[side] && r < row->runs[side]; r++)
			if (!isnan(row->run[side][r])) {
				double x = forest_x(scale, row->run[side][r] / base);
				double y = side == PAGE_BASE ? BASE_Y : NEW_Y;

				text_printf(out, "<circle class=\"%s\" cx=\"",
					side == PAGE_BASE ? "rb" : "rn");
				svg_number(out, x);
				text_add(out, "\" cy=\"");
				svg_number(out, y);
				text_add(out, "\" r=\"2.3\"/>");
			}
}

static void add_estimate(
	struct text *out, const struct forest_scale *scale, const struct page_compared *v)
{
	const double x = forest_x(scale, 1 + v->change);
	const bool exact = v->evidence && strcmp(v->evidence, "exact") == 0;
	struct text d;

	if (!isfinite(v->change))
		return;
	text_init(&d);
	if (exact) {
		svg_move(&d, x, MIDDLE - 5);
		text_add(&d, "l5 5l-5 5l-5 -5z");
	} else {
		svg_box(&d, x - 3.5, MIDDLE - 3.5, 7, 7);
	}
	svg_path(out, "est", text_string(&d));
	text_release(&d);
}

void plot_forest(struct text *out, const struct forest_scale *scale,
	const struct page_compared_row *row, const struct page_compared *value)
{
	const bool both = value->on_side[PAGE_BASE] && value->on_side[PAGE_NEW];
	const double one = forest_x(scale, 1);
	struct text label;

	text_init(&label);
	text_add(&label, "change ");
	svg_add_percent(&label, value->change);
	if (!isnan(value->low) && !isnan(value->high)) {
		text_add(&label, ", interval ");
		svg_add_percent(&label, value->low);
		text_add(&label, " to ");
		svg_add_percent(&label, value->high);
	}
	text_printf(&label, ", %s", value->verdict ? value->verdict : "no verdict");
	open_cell(out, HEIGHT, verdict_look_of(value->verdict)->class_name, text_string(&label));
	text_release(&label);
	if (scale->margin > 0) {
		const double from = forest_x(scale, 1 / (1 + scale->margin));
		const double to = forest_x(scale, 1 + scale->margin);

		svg_rect(out, "margin", from, 0, fmax(to - from, 2), HEIGHT);
	}
	svg_line_down(out, "zero", one, 0, HEIGHT);
	if (both) {
		const double low = forest_x(scale, 1 + value->low),
			     high = forest_x(scale, 1 + value->high);
		const bool below = (1 + value->low) < scale->low * 0.98;
		const bool above = (1 + value->high) > scale->high * 1.02;
		struct text d;

		/* A line between two ends, each with a bar, or an arrow where it leaves the
		 * scale. */
		if (!isnan(value->low) && !isnan(value->high)) {
			text_init(&d);
			svg_move(&d, low, MIDDLE);
			text_add_char(&d, 'H');
			svg_number(&d, high);
			svg_move(&d, low + (below ? 4 : 0), MIDDLE - (below ? 3.5 : 3));
			text_add(&d, below ? "l-4 3.5l4 3.5" : "v6");
			svg_move(&d, high - (above ? 4 : 0), MIDDLE - (above ? 3.5 : 3));
			text_add(&d, above ? "l4 3.5l-4 3.5" : "v6");
			svg_path(out, "iv", text_string(&d));
			text_release(&d);
		}
		if (row)
			add_runs(out, scale, row);
		add_estimate(out, scale, value);
	} else {
		svg_label(out, one + 8, MIDDLE + 4, SVG_START, NULL,
			value->on_side[PAGE_NEW] ? "only in new" : "only in base");
	}
	text_add(out, "</svg>");
}
