/*
 * Prints of runs, and when two of them are of one run.
 */
#include "analysis/run_prints.h"

/* A value of as many ticks of the clock would show the noise of a run: it does not repeat by
 * itself. */
#define TELLING_TICKS 100
/* How many values that moved from the step before, or how many ops, have to be equal before runs
 * are the same. */
#define EQUAL_MOVES_LEAST 3
#define EQUAL_OPS_LEAST 10

#define STEP_ITSELF UINT32_MAX /* in place of an op */

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 32;
}

struct run_print run_print_new(size_t steps, double resolution_ps)
{
	return (struct run_print){.steps = steps, .telling_ps = TELLING_TICKS * resolution_ps};
}

void run_print_add(
	struct run_print *print, uint32_t op, uint32_t at, int64_t ps, const int64_t *before)
{
	print->hash += mix(mix((uint64_t)op << 32 | at) ^ mix((uint64_t)ps));
	if (ps == CELL_ABSENT)
		return;
	print->moves += before && *before != CELL_ABSENT && *before != ps;
	print->telling += !before && print->telling_ps > 0 && (double)ps >= print->telling_ps;
}

void run_print_add_step_times(
	struct run_print *print, const struct cube *cube, const uint32_t *step, size_t count)
{
	const int64_t *time = cube->times.time_ps;

	for (size_t i = 0; i < count && cube->times.decides; i++)
		run_print_add(print, STEP_ITSELF, (uint32_t)i, time[step[i]],
			i ? &time[step[i - 1]] : NULL);
}

bool run_print_equal(const struct run_print *a, const struct run_print *b)
{
	return a->hash == b->hash && a->steps == b->steps && a->moves == b->moves;
}

bool run_print_tells(size_t moves, size_t telling)
{
	return moves >= EQUAL_MOVES_LEAST || telling >= EQUAL_OPS_LEAST;
}
