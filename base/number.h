/*
 * Numbers to text and back, the same in every locale. It does not know units.
 */
#ifndef STEPSTAT_BASE_NUMBER_H
#define STEPSTAT_BASE_NUMBER_H

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

#endif
