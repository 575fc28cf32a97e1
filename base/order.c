/* Radix sort from the lowest byte up, over the bytes in which the keys differ; insertion for a few,
 * and for what is nearly in order. */
#include "base/order.h"

#include <stdbool.h>
#include <string.h>

#define FEW 24
#define MOVES_MOST 4 /* for each record: what is nearly in order needs fewer */

/* False after so many moves: what is in the list by then is partly in order, equal keys are in
 * theirs. */
static bool insert_all(struct keyed *item, size_t count, size_t moves)
{
	for (size_t i = 1; i < count; i++) {
		struct keyed moving = item[i];
		size_t k = i;

		for (; k > 0 && item[k - 1].key > moving.key; k--)
			item[k] = item[k - 1];
		item[k] = moving;
		if (i - k > moves)
			return false;
		moves -= i - k;
	}
	return true;
}

void order_by_key(struct keyed *item, struct keyed *spare, size_t count)
{
	struct keyed *from = item, *to = spare;

	if (insert_all(item, count, count <= FEW ? SIZE_MAX : MOVES_MOST * count))
		return;
	int64_t least = item[0].key, most = item[0].key;

	for (size_t i = 1; i < count; i++) {
		least = item[i].key < least ? item[i].key : least;
		most = item[i].key > most ? item[i].key : most;
	}
	uint64_t range = (uint64_t)most - (uint64_t)least;

	for (unsigned shift = 0; shift < 64 && range >> shift; shift += 8) {
		struct keyed *other = from;
		size_t place[256] = {0}, sum = 0;

		for (size_t i = 0; i < count; i++)
			place[((uint64_t)from[i].key - (uint64_t)least) >> shift & 0xff]++;
		if (place[((uint64_t)from[0].key - (uint64_t)least) >> shift & 0xff] == count)
			continue;
		for (size_t i = 0; i < 256; i++) {
			size_t here = place[i];

			place[i] = sum;
			sum += here;
		}
		for (size_t i = 0; i < count; i++)
			to[place[((uint64_t)from[i].key - (uint64_t)least) >> shift & 0xff]++] =
				from[i];
		from = to;
		to = other;
	}
	if (from != item)
		memcpy(item, from, count * sizeof(*item));
}
