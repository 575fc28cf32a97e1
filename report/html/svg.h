/*
 * Pieces of inline SVG: coordinates with at most one decimal, paths, labels, ticks, quantities with
 * their unit. It knows no data of a page.
 *
 * A plot is drawn into a text of its own and wrapped at the end (svg_wrap), when its height and the
 * figures of its description are known.
 */
#ifndef STEPSTAT_REPORT_HTML_SVG_H
#define STEPSTAT_REPORT_HTML_SVG_H

#include <stddef.h>
#include "base/text.h"
#include "base/unit.h"

/* Width of a plot in user units, which are pixels on a wide window; it scales with the page. */
#define SVG_WIDTH 1344.0
/* Width of the plot that stands beside the legend. */
#define SVG_BESIDE_LEGEND 974.0
/* Mean width of a character of 11 px. */
#define SVG_EM 6.1
/* Width of a column; less has no room for its value. */
#define SVG_VALUE_ROOM 34.0

#define SVG_MINUS "\xe2\x88\x92"
#define SVG_BLANK "\xc2\xa0" /* no break */
#define SVG_UNDEFINED "\xe2\x80\x93"

/* Adds the element <svg> around `body`; `label` says what is plotted. */
void svg_wrap(struct text *out, double width, double height, const char *label, const char *body);

/* Adds a coordinate: at most one decimal, no "-0". */
void svg_number(struct text *out, double value);
/* Parts of the attribute d of a path. */
void svg_move(struct text *d, double x, double y);
void svg_box(struct text *d, double x, double y, double width, double height);
/* Adds `svg_path(class, d)` as an element, nothing where d is empty. */
void svg_path(struct text *out, const char *class_name, const char *d);
/* The same with ` KEY="index"`: "data-t", "data-i", "data-r". */
void svg_path_of(
	struct text *out, const char *class_name, const char *key, size_t index, const char *d);
/* One box as an element. */
void svg_rect(
	struct text *out, const char *class_name, double x, double y, double width, double height);
/* Horizontal or vertical line, on whole pixels. */
void svg_line_across(struct text *out, const char *class_name, double x, double y, double width);
void svg_line_down(struct text *out, const char *class_name, double x, double y, double height);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };
/* A label; `class_name` may be NULL. */
void svg_label(struct text *out, double x, double y, enum svg_anchor anchor, const char *class_name,
	const char *s);

/* Areas that the script links: they show nothing. */
void svg_hits_begin(struct text *out);
void svg_hit(
	struct text *out, const char *key, size_t index, double x, double y, double w, double h);
void svg_hits_end(struct text *out);

/* A legend in lines from `left` to `right`: a swatch and its text one after the other. */
struct svg_legend {
	double left, right, x, y;
};
#define SVG_LEGEND_LINE 18.0
void svg_legend_add(
	struct text *out, struct svg_legend *legend, const char *class_name, const char *s);

/* About n round numbers from lo to hi. */
#define SVG_TICKS 24
struct svg_ticks {
	double at[SVG_TICKS];
	size_t count;
};
void svg_ticks_find(struct svg_ticks *ticks, double lo, double hi, int n);

/* The unit of a plot whose typical value is `typical` base units. */
const struct unit *svg_unit(enum dimension dimension, double typical);
const char *svg_unit_name(const struct unit *unit); /* "us" as µs */
/* Adds a number of ticks: 6 digits. */
void svg_add_tick(struct text *t, double value);
/* Adds a value in base units with its unit; "-" is U+2212, NaN the sign for undefined. */
void svg_add_quantity(struct text *t, double value, const struct unit *unit);
/* The same with a sign, but for what rounds to 0. */
void svg_add_change(struct text *t, double value, const struct unit *unit);
/* Adds a fraction as percent: whole from 10 % on, else one decimal, below 0.1 % two digits. */
void svg_add_percent(struct text *t, double fraction);

#endif
