/*
 * Rank by rank: those without any value first tell which steps count.
 */
#include "stats/job/rank_matrix.h"

#include <math.h>
#include "base/memory.h"

static bool has_any(const struct rank_matrix *m, size_t rank)
{
	for (size_t t = 0; t < m->steps; t++)
		if (!isnan(m->x[rank * m->steps + t]))
			return true;
	return false;
}

void rank_matrix_sums(const struct rank_matrix *m, struct row_sums *group, size_t groups)
{
	bool *const present = memory_alloc(m->ranks);
	size_t *const step = memory_alloc(memory_product(m->steps, sizeof(*step)));
	uint64_t *const x = memory_alloc(memory_product(m->steps, sizeof(*x)));
	size_t steps;

	for (size_t r = 0; r < m->ranks; r++)
		present[r] = has_any(m, r);

	/* The steps in which every rank has a value that has one at all; how many. */
	steps = 0;

	for (size_t t = 0; t < m->steps; t++) {
		bool whole = true;

		for (size_t r = 0; r < m->ranks && whole; r++)
			whole = !present[r] || !isnan(m->x[r * m->steps + t]);
		if (whole)
			step[steps++] = t;
	}
	for (size_t g = 0; g < groups; g++)
		row_sums_init(&group[g], steps);
	for (size_t r = 0; r < m->ranks; r++) {
		if (!present[r])
			continue;
		for (size_t t = 0; t < steps; t++)
			x[t] = (uint64_t)m->x[r * m->steps + step[t]];
		row_sums_add(&group[m->group ? m->group[r] : 0], (uint32_t)r, x);
	}
	memory_free(x);
	memory_free(step);
	memory_free(present);
}
