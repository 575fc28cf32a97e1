/*
 * Sums of decimal texts as integers of a common power of ten.
 */
#include "timeline/time_shift.h"

#define PS_DECIMALS 6 /* of a microsecond */
#define DIGITS_MOST 36
#define DECIMALS_MOST 18

struct exact_decimal {
	__int128 digits;
	int decimals;
};

static bool read_exponent(const char *at, const char *end, int *exponent)
{
	bool minus = false;
	int sum = 0;

	if (at < end && (*at == '-' || *at == '+'))
		minus = *at++ == '-';
	if (at == end)
		return false;
	for (; at < end; at++) {
		if (*at < '0' || *at > '9' || sum > 99)
			return false;
		sum = sum * 10 + (*at - '0');
	}
	*exponent = minus ? -sum : sum;
	return true;
}

static bool scale(struct exact_decimal *d, int decimals)
{
	for (; d->decimals < decimals; d->decimals++)
		if (__builtin_mul_overflow(d->digits, 10, &d->digits))
			return false;
	return true;
}

static bool read_decimal(const char *text, size_t size, struct exact_decimal *out)
{
	const char *at = text, *end = text + size;
	bool minus = false, fraction = false;
	int count = 0, exponent = 0;

	*out = (struct exact_decimal){0};
	if (at < end && (*at == '-' || *at == '+'))
		minus = *at++ == '-';
	for (; at < end; at++) {
		if (*at == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (*at < '0' || *at > '9')
			break;
		if (++count > DIGITS_MOST)
			return false;
		out->digits = out->digits * 10 + (*at - '0');
		out->decimals += fraction;
	}
	if (count == 0 ||
		(at < end && ((*at | 0x20) != 'e' || !read_exponent(at + 1, end, &exponent))))
		return false;
	out->digits = minus ? -out->digits : out->digits;
	out->decimals -= exponent;
	if (out->decimals < 0 && !scale(out, 0))
		return false;
	return out->decimals <= DECIMALS_MOST;
}

static void write_decimal(const struct exact_decimal *d, struct text *out)
{
	char digits[64];
	size_t at = sizeof(digits);
	unsigned __int128 rest =
		d->digits < 0 ? -(unsigned __int128)d->digits : (unsigned __int128)d->digits;
	int count = 0;

	do {
		if (count == d->decimals && count > 0)
			digits[--at] = '.';
		digits[--at] = (char)('0' + (int)(rest % 10));
		rest /= 10;
		count++;
	} while (rest || count <= d->decimals);
	if (d->digits < 0)
		digits[--at] = '-';
	text_add_bytes(out, digits + at, sizeof(digits) - at);
}

/* The fewest decimals that hold the shift. */
static struct exact_decimal of_shift(picoseconds shift)
{
	struct exact_decimal d = {shift, PS_DECIMALS};

	while (d.decimals > 0 && d.digits % 10 == 0) {
		d.digits /= 10;
		d.decimals--;
	}
	return d;
}

bool time_shift(const char *text, size_t size, picoseconds shift, struct text *out)
{
	struct exact_decimal time, by = of_shift(shift);

	if (!read_decimal(text, size, &time) || !scale(&time, by.decimals) ||
		!scale(&by, time.decimals) ||
		__builtin_add_overflow(time.digits, by.digits, &time.digits))
		return false;
	write_decimal(&time, out);
	return true;
}

void time_add_text(picoseconds time, struct text *out)
{
	struct exact_decimal d = of_shift(time);

	write_decimal(&d, out);
}
