/*
 * Numbers as tfprof prints them: decimal units, two digits, no carry into the next unit (999999 is
 * 1000.00k).
 */
#include "tfprof/view.h"

#include <stdio.h>
#include <string.h>

struct step_of_unit {
	int64_t below; /* for numbers less than this */
	int64_t divisor;
	const char *unit;
};

/* The last step has no end. */
static const struct step_of_unit number_steps[] = {
	{1000000, 1000, "k"}, {1000000000, 1000000, "m"}, {INT64_MAX, 1000000000, "b"}};
static const struct step_of_unit time_steps[] = {
	{1000000, 1000, "ms"}, {INT64_MAX, 1000000, "sec"}};
static const struct step_of_unit memory_steps[] = {
	{1000000, 1000, "KB"}, {INT64_MAX, 1000000, "MB"}};

#define QUICK_BELOW INT64_C(1000000000000) /* quotients of doubles are near enough below it */

/* A number that is not negative, with `digits` places at least; returns the end. */
static char *put_digits(char *to, int64_t n, size_t digits)
{
	char digit[24];
	size_t at = sizeof(digit);

	if (n < 10 && digits <= 1) {
		*to = (char)('0' + n);
		return to + 1;
	}
	while (n > 0 || digits > 0) {
		digit[--at] = (char)('0' + n % 10);
		n /= 10;
		digits -= digits > 0;
	}
	memcpy(to, digit + at, sizeof(digit) - at);
	return to + sizeof(digit) - at;
}

static char *put_word(char *to, const char *word)
{
	while (*word)
		*to++ = *word++;
	return to;
}

/* Quotient and rest; compilers divide by a constant without dividing. */
static int64_t divide(int64_t n, int64_t by, int64_t *rest)
{
	int64_t quotient = by == 10 ? n / 10 : by == 10000 ? n / 10000 : n / by;

	*rest = n - quotient * by;
	return quotient;
}

/* As %.2f of the quotient of doubles, which only halfway between two texts is not what integers
 * give: lines are mostly numbers, and printf is slow. */
static char *put_quotient(char *to, int64_t n, int64_t divisor)
{
	int64_t place = divisor / 100, rest, hundredths = divide(n, place, &rest);

	if (n >= QUICK_BELOW || 2 * rest == place)
		return to + snprintf(to, FORMAT_ROOM, "%.2f", (double)n / (double)divisor);
	hundredths += 2 * rest > place;
	to = put_digits(to, hundredths / 100, 1);
	*to++ = '.';
	return put_digits(to, hundredths % 100, 2);
}

/* Numbers below 1000, also all negative ones, are written whole with `unit`; the last step has no
 * end. */
static char *put_scaled(
	char *to, int64_t n, const char *unit, const struct step_of_unit *step, size_t steps)
{
	size_t i = 0;

	if (n < 1000) {
		if (n < 0)
			to += snprintf(to, FORMAT_ROOM, "%lld", (long long)n);
		else
			to = put_digits(to, n, 1);
		return put_word(to, unit);
	}
	while (i + 1 < steps && n >= step[i].below)
		i++;
	return put_word(put_quotient(to, n, step[i].divisor), step[i].unit);
}

char *scaled_number(char *to, int64_t n)
{
	return put_scaled(to, n, "", number_steps, 3);
}

char *scaled_time(char *to, int64_t micros)
{
	return put_scaled(to, micros, "us", time_steps, 2);
}

char *scaled_memory(char *to, int64_t bytes)
{
	return put_scaled(to, bytes, "B", memory_steps, 2);
}

static void format_by(struct text *out, int64_t n, char *(*put)(char *to, int64_t n))
{
	char *to = text_room(out, FORMAT_ROOM);

	text_extend(out, (size_t)(put(to, n) - to));
}

void format_number(struct text *out, int64_t n)
{
	format_by(out, n, scaled_number);
}

void format_time(struct text *out, int64_t micros)
{
	format_by(out, micros, scaled_time);
}

void format_memory(struct text *out, int64_t bytes)
{
	format_by(out, bytes, scaled_memory);
}

/* Means: always two places. */
static void format_mean(
	struct text *out, double n, const char *unit, const struct step_of_unit *step, size_t steps)
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
