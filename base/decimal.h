/*
 * Exact decimals: text to integers at a scale, and back, without a double between them. It does not
 * know units.
 */
#ifndef STEPSTAT_BASE_DECIMAL_H
#define STEPSTAT_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
int decimal_digit(const struct decimal_text *d, size_t index);

/* The value times `factor`, rounded half away from 0; *inexact says whether it was rounded. Any
 * number of digits is exact. False from 2^126 on. inexact may be NULL. */
bool decimal_scale(const struct decimal_text *d, int64_t factor, __int128 *out, bool *inexact);

/* value / 10^decimals with all its decimals: "-1.250" for -1250 and 3. Returns the length. */
size_t decimal_format(char out[DECIMAL_TEXT_SIZE], __int128 value, int decimals);
/* The same without zeros at the end of the fraction: "-1.25". */
size_t decimal_format_short(char out[DECIMAL_TEXT_SIZE], __int128 value, int decimals);

#endif
