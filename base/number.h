/* Numbers to text and back, the same in every locale, decimal fractions that stay exact, and whole
 * numbers wider than 64 bits. It does not know units. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_TEXT_SIZE 64 /* enough for every number_format_* */

bool number_parse_int(const char *s, size_t n, int64_t *out); /* whole text, decimal, in range */
/* Whole text is a decimal number: [+-]digits[.digits][e[+-]digits]; no inf, nan, hex, blanks. */
bool number_parse_real(const char *s, size_t n, double *out);
/* A decimal text times `factor` as an exact integer: "1.25" with factor 1000 is 1250. False when it
 * is not decimal, does not fit, or is not whole (then *inexact is set and *out is rounded to
 * nearest, halves away from 0). */
bool number_parse_scaled(const char *s, size_t n, int64_t factor, int64_t *out, bool *inexact);

/* Shortest of `digits` significant digits (as %.15g, but always with '.', never "-0"; large and
 * small numbers as 1e+20, 1.5e-07). Returns out. Non-finite: "" (callers print nothing). */
const char *number_format_real(char *out, double value, int digits);
/* Text of the fewest digits that are read as this number; "nan", "inf", "-inf". */
const char *number_format_shortest(char *out, double value);
const char *number_format_shortest_float(char *out, float value); /* read as a float */
const char *number_format_int(char *out, int64_t value);
/* us + ps / 10^6 as an exact decimal without zeros at its end: "-0.25". */
const char *number_format_micros(char *out, int64_t us, int64_t ps);
const char *number_format_fixed(char *out, double value, int decimals); /* as %.2f; no "-0.00" */

/* The greatest whole number that divides both; of 0 and b, b. Neither is negative. In the header:
 * called for each value. */
static inline int64_t number_common_divisor(int64_t a, int64_t b)
{
	while (b) {
		const int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The greatest power of ten that divides a number above 0. */
static inline int64_t number_power_of_ten(int64_t value)
{
	int64_t power = 1;

	while (value % 10 == 0) {
		value /= 10;
		power *= 10;
	}
	return power;
}

/* Ascending. */
void number_sort(double *x, size_t n);

/* False on overflow, then the result is untouched. In the header: called for each observation. */
static inline bool number_add(int64_t a, int64_t b, int64_t *sum)
{
	int64_t result;

	if (__builtin_add_overflow(a, b, &result))
		return false;
	*sum = result;
	return true;
}

static inline bool number_multiply(int64_t a, int64_t b, int64_t *product)
{
	int64_t result;

	if (__builtin_mul_overflow(a, b, &result))
		return false;
	*product = result;
	return true;
}

/* "st" of 1st, "nd" of 2nd, "th" of 11th. */
const char *number_ordinal_ending(size_t n);

/* Whole numbers from 0 to 2^256 - 1: sums of squares that stay exact whatever the order of adding.
 * It checks no overflow; the callers' values and counts keep sums far below 2^256. */

#define WIDE_LIMBS 4

/* 128 bits: sums of products of two 64-bit numbers are wider, sums of 64-bit numbers are not. */
__extension__ typedef unsigned __int128 wide_half;

struct wide {
	uint64_t limb[WIDE_LIMBS]; /* least first */
};

/* a + b, and a - b, which is not below 0. */
struct wide wide_plus(struct wide a, struct wide b);
struct wide wide_minus(struct wide a, struct wide b);
struct wide wide_product(wide_half a, wide_half b);
/* Product; `a` is below 2^192. */
struct wide wide_times(struct wide a, uint64_t b);
bool wide_less(struct wide a, struct wide b);
/* |a - b| as a double; *negative: a < b. */
double wide_distance(struct wide a, struct wide b, bool *negative);
/* The nearest double, but for the last bit. */
double wide_double(struct wide a);
double wide_half_double(wide_half a);

/* Exact decimals: text to integers at a scale, and back, without a double between them. It does not
 * know units. */

#define DECIMAL_TEXT_SIZE 64 /* enough for decimal_format with up to 20 decimals */

/* A decimal text taken apart; its value is (whole)(fraction) * 10^(exponent - fraction_digits). */
struct decimal_text {
	bool negative;
	const char *whole, *fraction;
	size_t whole_digits, fraction_digits;
	int64_t exponent; /* held within 10^15 or so: beyond, more digits make no difference */
};

/* The whole text is [+-]digits[.digits][e[+-]digits]. Lenient: "5." and ".5", too. */
bool decimal_parse(struct decimal_text *d, const char *s, size_t n, bool lenient);
static inline size_t decimal_digits(const struct decimal_text *d)
{
	return d->whole_digits + d->fraction_digits;
}

/* The value times `factor`, rounded half away from 0; *inexact says whether it was rounded. Any
 * number of digits is exact. False from 2^126 on. inexact may be NULL. */
bool decimal_scale(const struct decimal_text *d, int64_t factor, __int128 *out, bool *inexact);

/* value / 10^decimals with all its decimals: "-1.250" for -1250 and 3. Returns the length. */
size_t decimal_format(char out[DECIMAL_TEXT_SIZE], __int128 value, int decimals);
/* The same without zeros at the end of the fraction: "-1.25". */
size_t decimal_format_short(char out[DECIMAL_TEXT_SIZE], __int128 value, int decimals);
