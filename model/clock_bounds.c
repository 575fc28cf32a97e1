/*
 * Bounds of the shift between two clocks, by intersection: the interval form of the bounds on clock
 * offsets that messages give (K. Marzullo, S. Owicki, Maintaining the time in a distributed system,
 * 1983).
 */
#include "model/clock_bounds.h"

struct clock_bounds clock_bounds_find(const struct clock_pair *pair, size_t count)
{
	struct clock_bounds bounds = {.low_ps = INT64_MIN, .high_ps = INT64_MAX};

	for (size_t i = 0; i < count; i++) {
		const int64_t low = pair[i].a_start_ps - pair[i].b_end_ps;
		const int64_t high = pair[i].a_end_ps - pair[i].b_start_ps;

		bounds.low_ps = low > bounds.low_ps ? low : bounds.low_ps;
		bounds.high_ps = high < bounds.high_ps ? high : bounds.high_ps;
	}
	bounds.contradicts = bounds.low_ps > bounds.high_ps;
	return bounds;
}

int64_t clock_bounds_apart_ps(const struct clock_bounds *bounds)
{
	if (bounds->low_ps > 0)
		return bounds->low_ps;
	return bounds->high_ps < 0 ? -bounds->high_ps : 0;
}
