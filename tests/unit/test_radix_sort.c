/* Sorting by key: against qsort on many shapes of keys, stable, any range. */
#include "base/order.h"
#include "tests/unit/test.h"

#define MOST 5000

static uint64_t next_random(uint64_t *state) /* xorshift64 (Marsaglia 2003) */
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

ORDERED(compare, struct keyed, ORDER(x->key, y->key) ?: ORDER(x->value, y->value));

static void check(size_t count, uint64_t mask, int64_t shift)
{
	static struct keyed item[MOST], spare[MOST], expected[MOST];
	uint64_t state = 88172645463325252u;

	for (size_t i = 0; i < count; i++) {
		item[i].key = (int64_t)((next_random(&state) & mask) + (uint64_t)shift);
		item[i].value = (int64_t)i;
		expected[i] = item[i];
	}
	qsort(expected, count, sizeof(expected[0]), compare);
	order_by_key(item, spare, count);
	for (size_t i = 0; i < count; i++) {
		assert_true(item[i].key == expected[i].key);
		assert_true(item[i].value == expected[i].value);
	}
}

TEST(equals_a_comparison_sort)
{
	const size_t counts[] = {0, 1, 2, 3, 24, 25, 200, MOST};
	const uint64_t masks[] = {0, 1, 0xff, 0x1ff, 0xffffff, UINT64_MAX};
	const int64_t shifts[] = {0, -100, 1795219702950521, INT64_MIN};

	for (size_t c = 0; c < 8; c++)
		for (size_t m = 0; m < 6; m++)
			for (size_t s = 0; s < 4; s++)
				check(counts[c], masks[m], shifts[s]);
}
