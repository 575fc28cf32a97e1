/* The rules of numbers, one function for each kind. */
#include "report/html/html_number.h"

#include <math.h>
#include <string.h>
#include "base/number.h"

#define MINUS "\xe2\x88\x92"
#define THIN "\xe2\x80\x89"
#define BLANK "\xc2\xa0" /* no break */
#define UNDEFINED "\xe2\x80\x93"

#define DIGITS_MOST 4
#define WHOLE_PERCENT 10 /* shares and CVs: no decimal from here on */
#define DECIMALS_MOST 3
#define ROUNDS_UP 0.9995 /* so much of a unit is shown as one of it */
#define GROUPS_FROM 5	 /* digits before the point from which thousands stand apart */

static const char *html_unit_name(const struct unit *unit)
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
static int decimals_in(const struct unit *unit, double shown)
{
	const bool is_count = !*unit->name || text_equal(unit->name, "B");

	return !isfinite(shown) || (is_count && shown == floor(shown)) ? 0 : decimals_of(shown);
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

void html_add_percent(struct text *out, double fraction)
{
	const double percent = 100 * fraction;

	html_add_fixed(out, percent, fabs(percent) >= WHOLE_PERCENT ? 0 : 1, false);
}

void html_add_quantity(struct text *out, enum dimension dimension, double value, bool always_sign)
{
	const struct unit *unit = unit_of(dimension, fabs(value));
	const double shown = value / (double)unit->factor;

	html_add_fixed(out, shown, decimals_in(unit, shown), always_sign);
	if (!isfinite(value) || !*unit->name)
		return;
	text_add(out, BLANK);
	text_add(out, html_unit_name(unit));
}
