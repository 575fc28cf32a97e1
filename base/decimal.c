/*
 * Long multiplication and division by ten. The grammar is checked by hand, so that no locale can
 * change what is read.
 */
#include "base/decimal.h"

#include <assert.h>
#include <string.h>

#define EXPONENT_MOST 1000000000000000
#define WORD_DIGITS 18 /* any number of them fits 64 bits */
#define WORD_SCALE UINT64_C(1000000000000000000)
#define SCALED_MOST ((__int128)1 << 126)

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

bool decimal_parse(struct decimal_text *d, const char *s, size_t n, bool lenient)
{
	if (n == 0)
		return false;
	const char *end = s + n;

	*d = (struct decimal_text){.negative = *s == '-'};
	if (*s == '-' || *s == '+')
		s++;
	d->whole = d->fraction = s;
	d->whole_digits = count_digits(s, end);
	s += d->whole_digits;
	if (d->whole_digits == 0 && !lenient)
		return false;
	if (s < end && *s == '.') {
		d->fraction = ++s;
		d->fraction_digits = count_digits(s, end);
		if (d->fraction_digits == 0 && !lenient)
			return false;
		s += d->fraction_digits;
	}
	if (decimal_digits(d) == 0)
		return false;
	if (s < end && (*s == 'e' || *s == 'E'))
		return parse_exponent(s + 1, end, &d->exponent);
	return s == end;
}

int decimal_digit(const struct decimal_text *d, size_t index)
{
	return index < d->whole_digits ? d->whole[index] - '0'
				       : d->fraction[index - d->whole_digits] - '0';
}

/* Digits after the point of a long division: enough to round to nearest. */
struct remainder {
	int first; /* first digit after the point */
	bool more; /* anything but 0 after it */
};

static void divide_by_ten(__int128 *value, struct remainder *rest)
{
	rest->more = rest->more || rest->first != 0;
	if (*value <= INT64_MAX) { /* as a rule; 128 bits are slow to divide */
		const uint64_t small = (uint64_t)*value;

		rest->first = (int)(small % 10);
		*value = (__int128)(small / 10);
		return;
	}
	rest->first = (int)(*value % 10);
	*value /= 10;
}

/*
 * The digits from `point` on are 0.d1d2d3... times 10^-zeros. Multiplied by factor by Horner's rule
 * from the last digit: each step divides by 10, and what falls out is the next digit after the
 * point of the product. The integer part never passes 10 * factor, whatever the number of digits.
 */
static __int128 scale_fraction(const struct decimal_text *d, size_t point, uint64_t zeros,
	int64_t factor, struct remainder *rest)
{
	__int128 value = 0;

	*rest = (struct remainder){0, false};
	for (size_t i = decimal_digits(d); i > point; i--) {
		value += (__int128)decimal_digit(d, i - 1) * factor;
		divide_by_ten(&value, rest);
	}
	for (; zeros > 0 && (value != 0 || rest->first != 0); zeros--)
		divide_by_ten(&value, rest);
	return value;
}

/* The digits before `point` and `zeros` zeros as an integer; false above `most`. */
static bool whole_part(
	const struct decimal_text *d, size_t point, uint64_t zeros, __int128 most, __int128 *out)
{
	__int128 value = 0;

	for (size_t i = 0; i < point; i++) {
		if (value > most / 10)
			return false;
		value = value * 10 + decimal_digit(d, i);
	}
	for (; zeros > 0 && value != 0; zeros--) {
		if (value > most / 10)
			return false;
		value *= 10;
	}
	*out = value;
	return value <= most;
}

/* The usual case, a few digits that the factor makes whole, without long division: this runs for
 * each number of a table. */
static bool scale_short(const struct decimal_text *d, int64_t factor, __int128 *out)
{
	size_t digits = decimal_digits(d);
	int64_t value = 0;

	if (d->exponent != 0 || digits > WORD_DIGITS)
		return false;
	for (size_t i = 0; i < d->fraction_digits; i++) {
		if (factor % 10 != 0)
			return false;
		factor /= 10;
	}
	for (size_t i = 0; i < digits; i++)
		value = value * 10 + decimal_digit(d, i);
	*out = (__int128)(d->negative ? -value : value) * factor;
	return true;
}

bool decimal_scale(const struct decimal_text *d, int64_t factor, __int128 *out, bool *inexact)
{
	struct remainder rest;
	__int128 value;

	assert(factor > 0);
	if (inexact)
		*inexact = false;
	if (scale_short(d, factor, out))
		return true;
	/* The exponent moves the point; beyond the digits there are zeros, before or after. */
	int64_t place = (int64_t)d->whole_digits + d->exponent;
	size_t digits = decimal_digits(d);
	size_t point = place < 0 ? 0 : (uint64_t)place > digits ? digits : (size_t)place;
	uint64_t zeros = place < 0 ? (uint64_t)-place : 0;
	uint64_t trailing = place > 0 && (uint64_t)place > digits ? (uint64_t)place - digits : 0;

	if (!whole_part(d, point, trailing, (SCALED_MOST - 1) / factor - 1, &value))
		return false;
	value = value * factor + scale_fraction(d, point, zeros, factor, &rest);
	if (rest.first >= 5)
		value++;
	*out = d->negative ? -value : value;
	if (inexact)
		*inexact = rest.first != 0 || rest.more;
	return true;
}

/* The digits of the value end at `to`, at least `least` of them. Returns where they begin. */
static char *put_digits(char *to, uint64_t value, int least)
{
	for (; value > 0 || least > 0; least--) {
		*--to = (char)('0' + value % 10);
		value /= 10;
	}
	return to;
}

/* Long form of put_digits: whole words of digits first, because 128 bits are slow to divide. */
static char *put_long_digits(char *to, unsigned __int128 value, int least)
{
	for (; value > UINT64_MAX; least -= WORD_DIGITS) {
		to = put_digits(to, (uint64_t)(value % WORD_SCALE), WORD_DIGITS);
		value /= WORD_SCALE;
	}
	return put_digits(to, (uint64_t)value, least);
}

size_t decimal_format(char out[DECIMAL_TEXT_SIZE], __int128 value, int decimals)
{
	char digits[DECIMAL_TEXT_SIZE], *end = digits + sizeof(digits), *at;
	unsigned __int128 size = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
	size_t n = 0, whole;

	assert(decimals >= 0 && decimals <= 20);
	at = put_long_digits(end, size, decimals + 1);
	whole = (size_t)(end - at) - (size_t)decimals;
	if (value < 0)
		out[n++] = '-';
	memcpy(out + n, at, whole);
	n += whole;
	if (decimals > 0) {
		out[n++] = '.';
		memcpy(out + n, at + whole, (size_t)decimals);
		n += (size_t)decimals;
	}
	out[n] = '\0';
	return n;
}

size_t decimal_format_short(char out[DECIMAL_TEXT_SIZE], __int128 value, int decimals)
{
	size_t n = decimal_format(out, value, decimals);

	if (decimals == 0)
		return n;
	while (out[n - 1] == '0')
		n--;
	n -= out[n - 1] == '.';
	out[n] = '\0';
	return n;
}
