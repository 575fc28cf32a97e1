/* Numbers to text and back. base/number.h checks the grammar; strtod only ever sees digits and an
 * exponent, never a decimal point, so that no locale can change what it reads. */
#include "base/number.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

bool number_parse_int(const char *s, size_t n, int64_t *out)
{
	size_t i = n > 0 && (*s == '-' || *s == '+');
	bool negative = i && *s == '-';
	int64_t value = 0;

	if (i == n)
		return false;
	for (; i < n; i++) {
		if (!text_is_digit(s[i]))
			return false;
		int digit = negative ? -(s[i] - '0') : s[i] - '0';

		if (!number_multiply(value, 10, &value) || !number_add(value, digit, &value))
			return false;
	}
	*out = value;
	return true;
}

static int decimal_digit(const struct decimal_text *d, size_t index)
{
	return index < d->whole_digits ? d->whole[index] - '0'
				       : d->fraction[index - d->whole_digits] - '0';
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

bool number_parse_real(const char *s, size_t n, double *out)
{
	struct decimal_text d;
	double value;

	if (!decimal_parse(&d, s, n, false))
		return false;
	int64_t exponent = d.exponent - (int64_t)d.fraction_digits;

	if (!decimal_small(&d, exponent, &value)) {
		char small[128];
		size_t digits = decimal_digits(&d), size = digits + 32;
		char *copy = size <= sizeof(small) ? small : memory_alloc(size);

		memcpy(copy, d.whole, d.whole_digits);
		memcpy(copy + d.whole_digits, d.fraction, d.fraction_digits);
		snprintf(copy + digits, size - digits, "e%" PRId64, exponent);
		value = strtod(copy, NULL);

		if (copy != small)
			memory_free(copy);
	}
	if (!isfinite(value))
		return false;
	*out = d.negative ? -value : value;
	return true;
}

/* The usual case, a few digits that the factor makes whole: this runs for each number of a table.
 * False: it is another one. */
static bool parse_short(const char *s, size_t n, int64_t factor, int64_t *out)
{
	static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000, 1000000000, 10000000000, 100000000000, 1000000000000};
	const bool negative = n && *s == '-';
	size_t i = negative;
	int64_t value = 0;

	if (n > 18)
		return false;
	for (; i < n && text_is_digit(s[i]); i++)
		value = value * 10 + (s[i] - '0');
	if (i == negative)
		return false;
	if (i < n) {
		const size_t point = i;

		if (s[i++] != '.')
			return false;
		for (; i < n && text_is_digit(s[i]); i++)
			value = value * 10 + (s[i] - '0');
		const size_t decimals = i - point - 1;

		if (i < n || !decimals || decimals >= sizeof(powers) / sizeof(*powers) ||
			factor % powers[decimals])
			return false;
		factor /= powers[decimals];
	}
	return number_multiply(negative ? -value : value, factor, out);
}

bool number_parse_scaled(const char *s, size_t n, int64_t factor, int64_t *out, bool *inexact)
{
	struct decimal_text d;
	__int128 value;
	bool rounded;

	if (inexact)
		*inexact = false;
	if (parse_short(s, n, factor, out))
		return true;
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
		if (text_is_digit(*from) || *from == '-' || *from == '+' || *from == 'e') {
			*to++ = *from++;
			continue;
		}
		while (*from && !text_is_digit(*from))
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

#define MILLION 1000000
#define FIXED_LEAST 100	      /* millionths: smaller numbers have an exponent */
#define FIXED_MOST 1000000000 /* a double of so much holds six decimals */

/* Digits of a number of whole millionths, as printf rounds them, without printf, which takes ten
 * times as long; false: it is none, has an exponent, or lies between two roundings. */
static bool format_millionths(char *out, double value, int digits)
{
	static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
		100000000000000, 1000000000000000};
	char reversed[NUMBER_TEXT_SIZE];
	size_t n = 0;

	if (!(fabs(value) < FIXED_MOST) || digits < 1 || digits > DBL_DIG)
		return false;

	uint64_t of = (uint64_t)llrint(fabs(value) * MILLION);
	int least = digits;

	if ((double)of / MILLION != fabs(value) || (of && of < FIXED_LEAST))
		return false;
	while (least < DBL_DIG && of >= powers[least])
		least++;

	const uint64_t power = powers[least - digits], rest = of % power;

	if (rest && rest == power / 2)
		return false;
	of = of - rest + (rest > power / 2 ? power : 0);
	if (of / MILLION >= powers[digits])
		return false;
	for (int decimals = 6; of || decimals >= 0; of /= 10, decimals--) {
		if (!decimals && n)
			reversed[n++] = '.';
		if (n || of % 10 || decimals <= 0)
			reversed[n++] = (char)('0' + of % 10);
	}
	if (value < 0)
		*out++ = '-';
	while (n)
		*out++ = reversed[--n];
	*out = '\0';
	return true;
}

const char *number_format_real(char *out, double value, int digits)
{
	out[0] = '\0';
	if (!isfinite(value) || format_millionths(out, value, digits))
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

/* Limbs of 64 bits, with 128 bits for what is carried. */

struct wide wide_plus(struct wide a, struct wide b)
{
	wide_half carry = 0;

	for (int i = 0; i < WIDE_LIMBS; i++) {
		carry += (wide_half)a.limb[i] + b.limb[i];
		a.limb[i] = (uint64_t)carry;
		carry >>= 64;
	}
	return a;
}

struct wide wide_minus(struct wide a, struct wide b)
{
	uint64_t borrow = 0;

	for (int i = 0; i < WIDE_LIMBS; i++) {
		const wide_half less = (wide_half)b.limb[i] + borrow;

		borrow = a.limb[i] < less;
		a.limb[i] -= (uint64_t)less;
	}
	return a;
}

struct wide wide_times(struct wide a, uint64_t b)
{
	wide_half carry = 0;

	for (int i = 0; i < WIDE_LIMBS; i++) {
		carry += (wide_half)a.limb[i] * b;
		a.limb[i] = (uint64_t)carry;
		carry >>= 64;
	}
	return a;
}

struct wide wide_product(wide_half a, wide_half b)
{
	const wide_half short_product = (wide_half)(uint64_t)a * (uint64_t)b;

	if (!(a >> 64) && !(b >> 64))
		return (struct wide){{(uint64_t)short_product, (uint64_t)(short_product >> 64)}};

	const struct wide low = {{(uint64_t)a, (uint64_t)(a >> 64)}};
	const struct wide at_high = wide_times(low, (uint64_t)(b >> 64));
	const struct wide high = {{0, at_high.limb[0], at_high.limb[1], at_high.limb[2]}};

	return wide_plus(wide_times(low, (uint64_t)b), high);
}

bool wide_less(struct wide a, struct wide b)
{
	for (int i = WIDE_LIMBS - 1; i >= 0; i--)
		if (a.limb[i] != b.limb[i])
			return a.limb[i] < b.limb[i];
	return false;
}

double wide_distance(struct wide a, struct wide b, bool *negative)
{
	*negative = wide_less(a, b);
	return wide_double(*negative ? wide_minus(b, a) : wide_minus(a, b));
}

double wide_double(struct wide a)
{
	static const double unit[WIDE_LIMBS] = {1, 0x1p64, 0x1p128, 0x1p192};
	double value = 0;

	for (int i = 0; i < WIDE_LIMBS; i++) /* the large ones last: less is rounded away */
		value += (double)a.limb[i] * unit[i];
	return value;
}

double wide_half_double(wide_half a)
{
	return (double)(uint64_t)a + ldexp((double)(uint64_t)(a >> 64), 64);
}

/* Long multiplication and division by ten. The grammar is checked by hand, so that no locale can
 * change what is read. */

#define EXPONENT_MOST 1000000000000000
#define WORD_DIGITS 18 /* any number of them fits 64 bits */
#define WORD_SCALE UINT64_C(1000000000000000000)
#define SCALED_MOST ((__int128)1 << 126)

static size_t count_digits(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && text_is_digit(*p))
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

/* The digits from `point` on are 0.d1d2d3... times 10^-zeros. Multiplied by factor by Horner's rule
 * from the last digit: each step divides by 10, and what falls out is the next digit after the
 * point of the product. The integer part never passes 10 * factor, whatever the number of
 * digits. */
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

bool decimal_scale(const struct decimal_text *d, int64_t factor, __int128 *out, bool *inexact)
{
	struct remainder rest;
	__int128 value;

	assert(factor > 0);
	if (inexact)
		*inexact = false;
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
