/*
 * Numbers as the pages have them. templates/script/lib/format.mjs has the same rules for what the
 * script writes anew: a table is the same with and without script. Undefined is U+2013.
 */
#ifndef STEPSTAT_REPORT_HTML_HTML_NUMBER_H
#define STEPSTAT_REPORT_HTML_HTML_NUMBER_H

#include "base/text.h"
#include "base/unit.h"

/* Unit and decimals of a column of one quantity, by its largest value. */
struct html_scale {
	const struct unit *unit;
	int decimals;
};
struct html_scale html_scale_of(enum dimension dimension, double largest);
/* "µs" of us. */
const char *html_unit_name(const struct unit *unit);

/* Thin spaces in thousands from 10 000 on, U+2212 as minus, which 0 never has. */
void html_add_fixed(struct text *out, double value, int decimals, bool always_sign);
/* A value in base units, without the unit. */
void html_add_scaled(
	struct text *out, const struct html_scale *scale, double value, bool always_sign);
/* The same with the unit of its own size, in four digits: "174.8 ms". */
void html_add_quantity(struct text *out, enum dimension dimension, double value, bool always_sign);
/* A fraction as percent without its sign: one decimal below 10 %, else none. */
void html_add_percent(struct text *out, double fraction);
/* Digits of numbers in the data of a page; the number that these say. */
#define HTML_DIGITS 6
double html_rounded(double value);
/* Fractions as percent without its sign: one decimal, none from 100 % on, factors from 400 % on. */
void html_add_change(struct text *out, double change);
/* "[-1.2, +3.4]"; nothing where it is not known. */
void html_add_interval(struct text *out, double low, double high);
/* Markup: "&lt;0.001", "0.012", "0.40"; nothing where it is not known. */
void html_add_probability(struct text *out, double p);

#endif
