/*
 * Sums of decimal texts as integers of a common power of ten.
 */
#include "timeline/merge/time_shift.h"

#include "base/number.h"

#define PS_DECIMALS 6 /* of a microsecond */
#define DECIMALS_MOST 18

static int64_t power_of_ten(int exponent)
{
	int64_t power = 1;

	while (exponent-- > 0)
		power *= 10;
	return power;
}

bool time_shift(const char *text, size_t size, picoseconds shift, struct text *out)
{
	char digits[DECIMAL_TEXT_SIZE];
	struct decimal_text d;
	__int128 time, by = shift;
	int64_t own;

	/* The fewest decimals of a microsecond that hold the shift. */
	int decimals = PS_DECIMALS;

	for (; decimals > 0 && shift % 10 == 0; decimals--)
		shift /= 10;

	if (!decimal_parse(&d, text, size, true))
		return false;
	own = (int64_t)d.fraction_digits - d.exponent;
	if (own > DECIMALS_MOST)
		return false;
	decimals = own > decimals ? (int)own : decimals;
	if (!decimal_scale(&d, power_of_ten(decimals), &time, NULL))
		return false;
	if (decimals < PS_DECIMALS)
		by /= power_of_ten(PS_DECIMALS - decimals);
	else if (__builtin_mul_overflow(by, power_of_ten(decimals - PS_DECIMALS), &by))
		return false;
	if (__builtin_add_overflow(time, by, &time))
		return false;
	text_add_bytes(out, digits, decimal_format(digits, time, decimals));
	return true;
}

void time_add_text(picoseconds time, struct text *out)
{
	char digits[DECIMAL_TEXT_SIZE];

	text_add_bytes(out, digits, decimal_format_short(digits, time, PS_DECIMALS));
}
