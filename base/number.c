/*
 * Numbers to text and back. base/decimal.h checks the grammar; strtod only ever sees digits and an
 * exponent, never a decimal point, so that no locale can change what it reads.
 */
#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/order.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool number_parse_int(const char *s, size_t n, int64_t *out)
{
	size_t i = n > 0 && (*s == '-' || *s == '+');
	bool negative = i && *s == '-';
	int64_t value = 0;

	if (i == n)
		return false;
	for (; i < n; i++) {
		if (!is_digit(s[i]))
			return false;
		int digit = negative ? -(s[i] - '0') : s[i] - '0';

		if (!number_multiply(value, 10, &value) || !number_add(value, digit, &value))
			return false;
	}
	*out = value;
	return true;
}

/* A double holds up to 2^53 and 10^22 without rounding, so one multiplication rounds correctly. */
static bool decimal_small(const struct decimal_text *d, int64_t exponent, double *out)
{
	static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
		1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	size_t digits = decimal_digits(d);
	uint64_t value = 0;

	if (FLT_EVAL_METHOD != 0 || digits > 18 || exponent < -22 || exponent > 22)
		return false;
	for (size_t i = 0; i < digits; i++)
		value = value * 10 + (uint64_t)decimal_digit(d, i);
	if (value > (uint64_t)1 << 53)
		return false;
	*out = exponent < 0 ? (double)value / powers[-exponent] : (double)value * powers[exponent];
	return true;
}

static double decimal_any(const struct decimal_text *d, int64_t exponent)
{
	char small[128];
	size_t digits = decimal_digits(d), size = digits + 32;
	char *copy = size <= sizeof(small) ? small : memory_alloc(size);

	memcpy(copy, d->whole, d->whole_digits);
	memcpy(copy + d->whole_digits, d->fraction, d->fraction_digits);
	snprintf(copy + digits, size - digits, "e%" PRId64, exponent);
	double value = strtod(copy, NULL);

	if (copy != small)
		memory_free(copy);
	return value;
}

bool number_parse_real(const char *s, size_t n, double *out)
{
	struct decimal_text d;
	double value;

	if (!decimal_parse(&d, s, n, false))
		return false;
	int64_t exponent = d.exponent - (int64_t)d.fraction_digits;

	if (!decimal_small(&d, exponent, &value))
		value = decimal_any(&d, exponent);
	if (!isfinite(value))
		return false;
	*out = d.negative ? -value : value;
	return true;
}

bool number_parse_scaled(const char *s, size_t n, int64_t factor, int64_t *out, bool *inexact)
{
	struct decimal_text d;
	__int128 value;
	bool rounded;

	if (inexact)
		*inexact = false;
	if (!decimal_parse(&d, s, n, false) || !decimal_scale(&d, factor, &value, &rounded) ||
		value > INT64_MAX || value < INT64_MIN)
		return false;
	*out = (int64_t)value;
	if (inexact)
		*inexact = rounded;
	return !rounded;
}

/* Whatever the locale puts between whole and fraction (one or more bytes) becomes one '.'. */
static void set_point(char *s)
{
	char *to = s;

	for (const char *from = s; *from;) {
		if (is_digit(*from) || *from == '-' || *from == '+' || *from == 'e') {
			*to++ = *from++;
			continue;
		}
		while (*from && !is_digit(*from))
			from++;
		*to++ = '.';
	}
	*to = '\0';
}

static void drop_minus_of_zero(char *s)
{
	if (s[0] == '-' && !s[1 + strspn(s + 1, "0.")])
		memmove(s, s + 1, strlen(s));
}

static int clamp(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

const char *number_format_real(char *out, double value, int digits)
{
	out[0] = '\0';
	if (!isfinite(value))
		return out;
	snprintf(out, NUMBER_TEXT_SIZE, "%.*g", clamp(digits, 1, 17), value);
	set_point(out);
	drop_minus_of_zero(out);
	return out;
}

static bool format_infinite(char *out, double value)
{
	if (isfinite(value))
		return false;
	snprintf(out, NUMBER_TEXT_SIZE, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
	return true;
}

const char *number_format_shortest(char *out, double value)
{
	double again;

	for (int digits = DBL_DIG; !format_infinite(out, value) && digits <= DBL_DECIMAL_DIG;
		digits++) {
		number_format_real(out, value, digits);
		if (number_parse_real(out, strlen(out), &again) && again == value)
			break;
	}
	return out;
}

const char *number_format_shortest_float(char *out, float value)
{
	double again;

	for (int digits = FLT_DIG; !format_infinite(out, value) && digits <= FLT_DECIMAL_DIG;
		digits++) {
		number_format_real(out, value, digits);
		if (number_parse_real(out, strlen(out), &again) && (float)again == value)
			break;
	}
	return out;
}

const char *number_format_int(char *out, int64_t value)
{
	snprintf(out, NUMBER_TEXT_SIZE, "%" PRId64, value);
	return out;
}

const char *number_format_fixed(char *out, double value, int decimals)
{
	out[0] = '\0';
	if (!isfinite(value))
		return out;
	if (fabs(value) >= 1e30) /* hundreds of digits say nothing and do not fit */
		return number_format_real(out, value, 15);
	snprintf(out, NUMBER_TEXT_SIZE, "%.*f", clamp(decimals, 0, 20), value);
	set_point(out);
	drop_minus_of_zero(out);
	return out;
}

const char *number_format_micros(char *out, int64_t us, int64_t ps)
{
	decimal_format_short(out, (__int128)us * 1000000 + ps, 6);
	return out;
}

void number_sort(double *x, size_t n)
{
	if (n)
		qsort(x, n, sizeof(*x), order_doubles);
}

const char *number_ordinal_ending(size_t n)
{
	const size_t last = n % 10;

	if (n / 10 % 10 == 1)
		return "th";
	return last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
}
