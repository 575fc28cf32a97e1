/*
 * Limbs of 64 bits, with 128 bits for what is carried.
 */
#include "base/wide.h"

#include <math.h>

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
	double value = 0;

	for (int i = 0; i < WIDE_LIMBS; i++) /* the large ones last: less is rounded away */
		value += ldexp((double)a.limb[i], 64 * i);
	return value;
}

double wide_half_double(wide_half a)
{
	return (double)(uint64_t)a + ldexp((double)(uint64_t)(a >> 64), 64);
}
