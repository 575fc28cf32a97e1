/*
 * Numbers to text and back. The grammar is checked here by hand; strtod only ever sees digits and
 * an exponent, never a decimal point, so that no locale can change what it reads.
 */
#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

#define EXPONENT_MOST 1000000000000000 /* beyond this more digits of an exponent say nothing */

/* A decimal text taken apart; its value is (whole)(fraction) * 10^(exponent - fraction digits). */
struct decimal_text {
	bool negative;
	const char *whole, *fraction;
	size_t whole_digits, fraction_digits;
	int64_t exponent;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t count_digits(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && is_digit(*p))
		p++;
	return (size_t)(p - s);
}

static bool parse_exponent(const char *s, const char *end, int64_t *out)
{
	bool negative = s < end && *s == '-';

	if (s < end && (*s == '-' || *s == '+'))
		s++;
	if (s == end || count_digits(s, end) != (size_t)(end - s))
		return false;
	int64_t exponent = 0;

	for (; s < end; s++)
		if (exponent < EXPONENT_MOST)
			exponent = exponent * 10 + (*s - '0');
	*out = negative ? -exponent : exponent;
	return true;
}

static bool decimal_parse(struct decimal_text *d, const char *s, size_t n)
{
	if (n == 0)
		return false;
	const char *end = s + n;

	*d = (struct decimal_text){.negative = *s == '-'};
	if (*s == '-' || *s == '+')
		s++;
	d->whole = d->fraction = s;
	d->whole_digits = count_digits(s, end);
	if (d->whole_digits == 0)
		return false;
	s += d->whole_digits;
	if (s < end && *s == '.') {
		d->fraction = ++s;
		d->fraction_digits = count_digits(s, end);
		if (d->fraction_digits == 0)
			return false;
		s += d->fraction_digits;
	}
	if (s < end && (*s == 'e' || *s == 'E'))
		return parse_exponent(s + 1, end, &d->exponent);
	return s == end;
}

static size_t decimal_digits(const struct decimal_text *d)
{
	return d->whole_digits + d->fraction_digits;
}

static int decimal_digit(const struct decimal_text *d, size_t index)
{
	return index < d->whole_digits ? d->whole[index] - '0'
				       : d->fraction[index - d->whole_digits] - '0';
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

	if (!decimal_parse(&d, s, n))
		return false;
	int64_t exponent = d.exponent - (int64_t)d.fraction_digits;

	if (!decimal_small(&d, exponent, &value))
		value = decimal_any(&d, exponent);
	if (!isfinite(value))
		return false;
	*out = d.negative ? -value : value;
	return true;
}

/* What stands behind the point of a long division: enough to round to nearest. */
struct remainder {
	int first; /* first digit behind the point */
	bool more; /* anything but 0 behind it */
};

/*
 * The digits from `point` on are 0.d1d2d3... times 10^-zeros. Multiplied by factor by Horner's rule
 * from the last digit: each step divides by 10, and what falls out is the next digit behind the
 * point of the product. The integer part never passes 10 * factor, whatever the number of digits.
 */
static __int128 scale_fraction(const struct decimal_text *d, size_t point, uint64_t zeros,
	int64_t factor, struct remainder *rest)
{
	__int128 value = 0;

	*rest = (struct remainder){0, false};
	for (size_t i = decimal_digits(d); i > point; i--) {
		value += (__int128)decimal_digit(d, i - 1) * factor;
		rest->more = rest->more || rest->first != 0;
		rest->first = (int)(value % 10);
		value /= 10;
	}
	for (; zeros > 0 && (value != 0 || rest->first != 0); zeros--) {
		rest->more = rest->more || rest->first != 0;
		rest->first = (int)(value % 10);
		value /= 10;
	}
	return value;
}

/* The digits before `point` and `zeros` zeros as an integer; false above 2^63. */
static bool whole_part(const struct decimal_text *d, size_t point, uint64_t zeros, __int128 *out)
{
	const __int128 most = (__int128)1 << 63;
	__int128 value = 0;

	for (size_t i = 0; i < point; i++) {
		value = value * 10 + decimal_digit(d, i);
		if (value > most)
			return false;
	}
	for (; zeros > 0 && value != 0; zeros--) {
		value *= 10;
		if (value > most)
			return false;
	}
	*out = value;
	return true;
}

/* The usual case, a few digits that the factor makes whole, without long division: this runs twice
 * for each event of a trace. */
static bool scale_short(const struct decimal_text *d, int64_t factor, int64_t *out)
{
	int64_t value = 0;

	if (d->exponent != 0 || decimal_digits(d) > 18)
		return false;
	for (size_t i = 0; i < d->fraction_digits; i++) {
		if (factor % 10 != 0)
			return false;
		factor /= 10;
	}
	for (size_t i = 0; i < decimal_digits(d); i++)
		value = value * 10 + decimal_digit(d, i);
	return number_multiply(d->negative ? -value : value, factor, out);
}

bool number_parse_scaled(const char *s, size_t n, int64_t factor, int64_t *out, bool *inexact)
{
	struct decimal_text d;
	struct remainder rest;
	__int128 value;

	assert(factor > 0);
	if (inexact)
		*inexact = false;
	if (!decimal_parse(&d, s, n))
		return false;
	if (scale_short(&d, factor, out))
		return true;
	/* The exponent moves the point; beyond the digits there are zeros, before or behind. */
	int64_t place = (int64_t)d.whole_digits + d.exponent;
	size_t digits = decimal_digits(&d);
	size_t point = place < 0 ? 0 : (uint64_t)place > digits ? digits : (size_t)place;
	uint64_t zeros = place < 0 ? (uint64_t)-place : 0;
	uint64_t trailing = place > 0 && (uint64_t)place > digits ? (uint64_t)place - digits : 0;

	if (!whole_part(&d, point, trailing, &value))
		return false;
	value = value * factor + scale_fraction(&d, point, zeros, factor, &rest);
	if (rest.first >= 5)
		value++;
	if (d.negative)
		value = -value;
	if (value > INT64_MAX || value < INT64_MIN)
		return false;
	*out = (int64_t)value;
	if (rest.first == 0 && !rest.more)
		return true;
	if (inexact)
		*inexact = true;
	return false;
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
	const int ps_per_us = 1000000;
	__int128 sum = (__int128)us * ps_per_us + ps;
	unsigned __int128 size = sum < 0 ? -(unsigned __int128)sum : (unsigned __int128)sum;
	unsigned fraction = (unsigned)(size % ps_per_us);
	int n = snprintf(out, NUMBER_TEXT_SIZE, "%s%llu", sum < 0 ? "-" : "",
		(unsigned long long)(size / ps_per_us));

	if (fraction == 0)
		return out;
	n += snprintf(out + n, NUMBER_TEXT_SIZE - (size_t)n, ".%06u", fraction);
	while (out[n - 1] == '0')
		out[--n] = '\0';
	return out;
}
