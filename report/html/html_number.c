/*
 * The rules of numbers, one function for each kind.
 */
#include "report/html/html_number.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "report/html/html_data.h"

#define MINUS "\xe2\x88\x92"
#define THIN "\xe2\x80\x89"
#define BLANK "\xc2\xa0" /* no break */
#define UNDEFINED "\xe2\x80\x93"
#define TIMES "\xc3\x97"

#define DIGITS_MOST 4
#define WHOLE_PERCENT 10 /* shares and CVs: no decimal from here on */
#define DECIMALS_MOST 3
#define ROUNDS_UP 0.9995    /* so much of a unit is shown as one of it */
#define GROUPS_FROM 5	    /* digits before the point from which thousands stand apart */
#define WHOLE_FROM 0.9995   /* changes: no decimal from here on */
#define FACTORS_FROM 4	    /* changes: factors from here on */
#define FACTORS_WHOLE 9	    /* and these without a decimal */
#define DIGITS_OF_SMALL 0.1 /* probabilities below it have three decimals */

const char *html_unit_name(const struct unit *unit)
{
	return text_equal(unit->name, "us") ? "\xc2\xb5s" : unit->name;
}

/* Nobody records ps. */
static const struct unit *unit_of(enum dimension dimension, double largest)
{
	const struct unit *unit =
		unit_choose(dimension, isfinite(largest) ? largest / ROUNDS_UP : 0);

	return text_equal(unit->name, "ps") ? unit_lookup("ns") : unit;
}

/* Digits before the point of a value as it is shown. */
static int whole_digits(double value)
{
	const double size = fabs(value);

	return size >= 10 ? (int)floor(log10(size)) + 1 : 1;
}

static int decimals_of(double value)
{
	const int decimals = DIGITS_MOST - whole_digits(value);

	return decimals < 0 ? 0 : decimals > DECIMALS_MOST ? DECIMALS_MOST : decimals;
}

/* Bytes and counts are whole. */
static int decimals_in(const struct unit *unit, double value)
{
	const double shown = value / (double)unit->factor;
	const bool is_count = !*unit->name || text_equal(unit->name, "B");

	return !isfinite(shown) || (is_count && shown == floor(shown)) ? 0 : decimals_of(shown);
}

struct html_scale html_scale_of(enum dimension dimension, double largest)
{
	const struct unit *unit = unit_of(dimension, largest);

	return (struct html_scale){unit, decimals_in(unit, largest)};
}

void html_add_fixed(struct text *out, double value, int decimals, bool always_sign)
{
	char number[NUMBER_TEXT_SIZE];

	if (!isfinite(value)) {
		text_add(out, UNDEFINED);
		return;
	}
	number_format_fixed(number, fabs(value), decimals);
	if (number[strspn(number, "0.")] && (value < 0 || always_sign))
		text_add(out, value < 0 ? MINUS : "+");

	const size_t whole = strcspn(number, ".");

	for (size_t i = 0; number[i]; i++) {
		if (whole >= GROUPS_FROM && i && i < whole && (whole - i) % 3 == 0)
			text_add(out, THIN);
		text_add_char(out, number[i]);
	}
}

double html_rounded(double value)
{
	char number[NUMBER_TEXT_SIZE];
	double rounded = value;

	number_format_real(number, value, HTML_DIGITS);
	number_parse_real(number, strlen(number), &rounded);
	return rounded;
}

void html_add_percent(struct text *out, double fraction)
{
	const double percent = html_rounded(100 * fraction);

	html_add_fixed(out, percent, fabs(percent) >= WHOLE_PERCENT ? 0 : 1, false);
}

void html_add_scaled(
	struct text *out, const struct html_scale *scale, double value, bool always_sign)
{
	/* The script has the value in the base of the data. */
	const double base = data_unit_of(scale->unit->dimension);
	const double rounded = html_rounded(value / base), per = (double)scale->unit->factor / base;

	html_add_fixed(out,
		per < 1 ? rounded * (base / (double)scale->unit->factor) : rounded / per,
		scale->decimals, always_sign);
}

void html_add_quantity(struct text *out, enum dimension dimension, double value, bool always_sign)
{
	const struct html_scale scale = html_scale_of(dimension, fabs(value));

	html_add_scaled(out, &scale, value, always_sign);
	if (!isfinite(value) || !*scale.unit->name)
		return;
	text_add(out, BLANK);
	text_add(out, html_unit_name(scale.unit));
}

static void add_factor(struct text *out, double change)
{
	text_add(out, TIMES BLANK);
	html_add_fixed(
		out, 1 + html_rounded(100 * change) / 100, change < FACTORS_WHOLE ? 1 : 0, false);
}

void html_add_change(struct text *out, double change)
{
	if (change >= FACTORS_FROM && isfinite(change))
		add_factor(out, change);
	else
		html_add_fixed(
			out, html_rounded(100 * change), fabs(change) >= WHOLE_FROM ? 0 : 1, true);
}

void html_add_interval(struct text *out, double low, double high)
{
	const bool factors = high >= FACTORS_FROM && isfinite(high);

	if (isnan(low) || isnan(high))
		return;
	text_add_char(out, '[');
	(factors ? add_factor : html_add_change)(out, low);
	text_add(out, ", ");
	(factors ? add_factor : html_add_change)(out, high);
	text_add_char(out, ']');
}

void html_add_probability(struct text *out, double p)
{
	char number[NUMBER_TEXT_SIZE];

	if (isnan(p))
		return;
	text_add(out, p < 0.001 ? "&lt;0.001"
				: number_format_fixed(
					  number, html_rounded(p), p < DIGITS_OF_SMALL ? 3 : 2));
}
