/*
 * Writes pieces of inline SVG.
 */
#include "report/html/svg.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "report/html/html_text.h"

void svg_number(struct text *out, double value)
{
	char text[NUMBER_TEXT_SIZE];

	/* Nothing of a plot is farther away; a number that is none must not reach the markup. */
	if (isnan(value))
		value = 0;
	value = fmin(fmax(value, -1e6), 1e6);
	text_add(out, number_format_real(text, round(value * 10) / 10, 9));
}

void svg_wrap(struct text *out, double width, double height, const char *label, const char *body)
{
	text_add(out, "<svg width=\"100%\" viewBox=\"0 0 ");
	svg_number(out, width);
	text_add_char(out, ' ');
	svg_number(out, ceil(height));
	text_add(out, "\" preserveAspectRatio=\"xMinYMin meet\" role=\"img\"");
	html_add_attribute(out, "aria-label", label);
	text_add_char(out, '>');
	text_add(out, body);
	text_add(out, "</svg>\n");
}

void svg_move(struct text *d, double x, double y)
{
	text_add_char(d, 'M');
	svg_number(d, x);
	text_add_char(d, ' ');
	svg_number(d, y);
}

void svg_box(struct text *d, double x, double y, double width, double height)
{
	svg_move(d, x, y);
	text_add_char(d, 'h');
	svg_number(d, width);
	text_add_char(d, 'v');
	svg_number(d, height);
	text_add_char(d, 'h');
	svg_number(d, -width);
	text_add_char(d, 'z');
}

void svg_path(struct text *out, const char *class_name, const char *d)
{
	if (*d)
		text_printf(out, "<path class=\"%s\" d=\"%s\"/>", class_name, d);
}

void svg_path_of(
	struct text *out, const char *class_name, const char *key, size_t index, const char *d)
{
	if (*d)
		text_printf(
			out, "<path class=\"%s\" %s=\"%zu\" d=\"%s\"/>", class_name, key, index, d);
}

void svg_rect(
	struct text *out, const char *class_name, double x, double y, double width, double height)
{
	text_printf(out, "<rect class=\"%s\" x=\"", class_name);
	svg_number(out, x);
	text_add(out, "\" y=\"");
	svg_number(out, y);
	text_add(out, "\" width=\"");
	svg_number(out, fmax(width, 0));
	text_add(out, "\" height=\"");
	svg_number(out, fmax(height, 0));
	text_add(out, "\"/>");
}

void svg_line_across(struct text *out, const char *class_name, double x, double y, double width)
{
	text_printf(out, "<path class=\"%s\" d=\"", class_name);
	svg_move(out, x, round(y) + 0.5);
	text_add_char(out, 'h');
	svg_number(out, width);
	text_add(out, "\"/>");
}

void svg_line_down(struct text *out, const char *class_name, double x, double y, double height)
{
	text_printf(out, "<path class=\"%s\" d=\"", class_name);
	svg_move(out, round(x) + 0.5, y);
	text_add_char(out, 'v');
	svg_number(out, height);
	text_add(out, "\"/>");
}

void svg_label(struct text *out, double x, double y, enum svg_anchor anchor, const char *class_name,
	const char *s)
{
	static const char *const anchors[] = {
		[SVG_START] = "",
		[SVG_MIDDLE] = " text-anchor=\"middle\"",
		[SVG_END] = " text-anchor=\"end\"",
	};

	text_add(out, "<text x=\"");
	svg_number(out, x);
	text_add(out, "\" y=\"");
	svg_number(out, y);
	text_add_char(out, '"');
	text_add(out, anchors[anchor]);
	if (class_name)
		text_printf(out, " class=\"%s\"", class_name);
	text_add_char(out, '>');
	html_add(out, s);
	text_add(out, "</text>");
}

void svg_hits_begin(struct text *out)
{
	text_add(out, "<g fill=\"none\" pointer-events=\"all\">");
}

void svg_hit(
	struct text *out, const char *key, size_t index, double x, double y, double w, double h)
{
	text_printf(out, "<path %s=\"%zu\" d=\"", key, index);
	svg_box(out, round(x), round(y), round(w), round(h));
	text_add(out, "\"/>");
}

void svg_hits_end(struct text *out)
{
	text_add(out, "</g>");
}

void svg_legend_add(
	struct text *out, struct svg_legend *legend, const char *class_name, const char *s)
{
	double width = 15 + (double)text_width(s) * SVG_EM;

	if (legend->x > legend->left && legend->x + width > legend->right) {
		legend->x = legend->left;
		legend->y += SVG_LEGEND_LINE;
	}
	svg_rect(out, class_name, legend->x, legend->y - 9, 10, 10);
	svg_label(out, legend->x + 15, legend->y, SVG_START, NULL, s);
	legend->x += width + 16;
}

void svg_ticks_find(struct svg_ticks *ticks, double lo, double hi, int n)
{
	double raw = (hi - lo) / n;

	ticks->count = 0;
	if (!(raw > 0) || isinf(raw))
		return;
	double power = pow(10, floor(log10(raw))), q = raw / power;
	double step = (q > 5 ? 10 : q > 2 ? 5 : q > 1 ? 2 : 1) * power;
	double first = ceil(lo / step - 1e-9);

	if (!(step > 0))
		return;
	for (; ticks->count < SVG_TICKS; ticks->count++) {
		double v = (first + (double)ticks->count) * step;

		if (v > hi + step * 1e-9)
			break;
		ticks->at[ticks->count] = v;
	}
}

const struct unit *svg_unit(enum dimension dimension, double typical)
{
	const struct unit *unit = unit_choose(dimension, typical);

	/* Units as in the script: below 2 s ms read better, and nobody records ps. */
	if (dimension == DIMENSION_TIME && unit == unit_lookup("s") && fabs(typical) < 2e12)
		return unit_lookup("ms");
	if (unit == unit_lookup("ps"))
		return unit_lookup("ns");
	return unit;
}

const char *svg_unit_name(const struct unit *unit)
{
	return text_equal(unit->name, "us") ? "\xc2\xb5s" : unit->name;
}

static void add_fixed(struct text *t, double value, int decimals, bool always_sign)
{
	char text[NUMBER_TEXT_SIZE];

	number_format_fixed(text, fabs(value), decimals);
	if (text[strspn(text, "0.")] && (value < 0 || always_sign))
		text_add(t, value < 0 ? SVG_MINUS : "+");
	text_add(t, text);
}

void svg_add_tick(struct text *t, double value)
{
	char text[NUMBER_TEXT_SIZE];

	if (value < 0)
		text_add(t, SVG_MINUS);
	text_add(t, number_format_real(text, fabs(value), 6));
}

static void add_quantity(struct text *t, double value, const struct unit *unit, bool always_sign)
{
	double shown = value / (double)unit->factor;

	if (isnan(value)) {
		text_add(t, SVG_UNDEFINED);
		return;
	}
	add_fixed(t, shown,
		unit->factor == 1 && value == floor(value) ? 0
		: fabs(shown) >= 100			   ? 1
							   : 2,
		always_sign);
	if (*unit->name) {
		text_add(t, SVG_BLANK);
		text_add(t, svg_unit_name(unit));
	}
}

void svg_add_quantity(struct text *t, double value, const struct unit *unit)
{
	add_quantity(t, value, unit, false);
}

void svg_add_change(struct text *t, double value, const struct unit *unit)
{
	add_quantity(t, value, unit, true);
}

void svg_add_percent(struct text *t, double fraction)
{
	double percent = fraction * 100;

	if (isnan(fraction)) {
		text_add(t, SVG_UNDEFINED);
		return;
	}
	if (percent != 0 && fabs(percent) < 0.095) {
		char text[NUMBER_TEXT_SIZE];

		if (percent < 0)
			text_add(t, SVG_MINUS);
		text_add(t, number_format_real(text, fabs(percent), 1));
	} else
		add_fixed(t, percent, fabs(percent) >= 9.95 ? 0 : 1, false);
	text_add(t, SVG_BLANK "%");
}
