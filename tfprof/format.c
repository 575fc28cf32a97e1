/*
 * Numbers as tfprof prints them: decimal units, two digits, no carry into the next unit (999999 is
 * 1000.00k).
 */
#include "tfprof/view.h"

struct step_of_unit {
	int64_t below; /* for numbers less than this */
	int64_t divisor;
	const char *unit;
};

/* The last step has no end. */
static const struct step_of_unit number_steps[] = {
	{1000000, 1000, "k"}, {1000000000, 1000000, "m"}, {INT64_MAX, 1000000000, "b"}};
static const struct step_of_unit time_steps[] = {{1000000, 1000, "ms"}, {INT64_MAX, 1000000, "sec"}};
static const struct step_of_unit memory_steps[] = {
	{1000000, 1000, "KB"}, {INT64_MAX, 1000000, "MB"}};

#define QUICK_BELOW INT64_C(1000000000000) /* quotients of doubles are near enough below it */

/* A number that is not negative, with `digits` places at least. */
static void add_digits(struct text *out, int64_t n, size_t digits)
{
	char digit[24];
	size_t at = sizeof(digit);

	while (n > 0 || digits > 0) {
		digit[--at] = (char)('0' + n % 10);
		n /= 10;
		digits -= digits > 0;
	}
	text_add_bytes(out, digit + at, sizeof(digit) - at);
}

/* As %.2f of the quotient of doubles, which only halfway between two texts is not what integers
 * give: lines are mostly numbers, and printf is slow. */
static void add_quotient(struct text *out, int64_t n, int64_t divisor)
{
	int64_t place = divisor / 100, hundredths = n / place, rest = n % place;

	if (n >= QUICK_BELOW || 2 * rest == place) {
		text_printf(out, "%.2f", (double)n / (double)divisor);
		return;
	}
	hundredths += 2 * rest > place;
	add_digits(out, hundredths / 100, 1);
	text_add_char(out, '.');
	add_digits(out, hundredths % 100, 2);
}

/* Numbers below 1000, also all negative ones, are written whole with `unit`; the last step has no
 * end. */
static void format_scaled(struct text *out, int64_t n, const char *unit,
	const struct step_of_unit *step, size_t steps)
{
	size_t i = 0;

	if (n < 1000) {
		if (n < 0)
			text_printf(out, "%lld", (long long)n);
		else
			add_digits(out, n, 1);
		text_add(out, unit);
		return;
	}
	while (i + 1 < steps && n >= step[i].below)
		i++;
	add_quotient(out, n, step[i].divisor);
	text_add(out, step[i].unit);
}

void format_number(struct text *out, int64_t n)
{
	format_scaled(out, n, "", number_steps, 3);
}

void format_time(struct text *out, int64_t micros)
{
	format_scaled(out, micros, "us", time_steps, 2);
}

void format_memory(struct text *out, int64_t bytes)
{
	format_scaled(out, bytes, "B", memory_steps, 2);
}

/* Means: always two places. */
static void format_mean(struct text *out, double n, const char *unit,
	const struct step_of_unit *step, size_t steps)
{
	size_t i = 0;

	if (n < 1000) {
		text_printf(out, "%.2f%s", n, unit);
		return;
	}
	while (i + 1 < steps && n >= (double)step[i].below)
		i++;
	text_printf(out, "%.2f%s", n / (double)step[i].divisor, step[i].unit);
}

void format_number_mean(struct text *out, double n)
{
	format_mean(out, n, "", number_steps, 3);
}

void format_time_mean(struct text *out, double micros)
{
	format_mean(out, micros, "us", time_steps, 2);
}

void format_memory_mean(struct text *out, double bytes)
{
	format_mean(out, bytes, "B", memory_steps, 2);
}

void format_shape(struct text *out, const int64_t *dim, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_printf(out, "%s%lld", i ? "x" : "", (long long)dim[i]);
}
