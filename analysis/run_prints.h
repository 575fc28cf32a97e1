/*
 * When two runs are one run recorded twice: a print of the times of a run, op by op and step by
 * step. It knows no sides and no files; what is done about such runs is up to its callers.
 */
#ifndef STEPSTAT_ANALYSIS_RUN_PRINTS_H
#define STEPSTAT_ANALYSIS_RUN_PRINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/cube.h"

/* The measured values by which two runs are compared. */
struct run_print {
	uint64_t hash; /* of ops, places of steps and times; a sum: in any order */
	size_t steps;
	size_t moves;	/* values that differ from those of the op in the step before */
	size_t telling; /* ops whose first value has many ticks of the clock */
	double telling_ps;
};

/* Ops of a run that are enough to tell it from the others, and to read the rest of a few. */
enum { RUN_PRINT_FIRST_OPS = 16 };

/* resolution_ps: grid of the times; 0: not known, then only values that move tell. */
struct run_print run_print_new(size_t steps, double resolution_ps);
/* A time of an op, a number that both runs give it, in step `at` of the run; CELL_ABSENT: not
 * known, which tells nothing. before: its time in the step before in which it ran, NULL in the
 * first. */
void run_print_add(
	struct run_print *print, uint32_t op, uint32_t at, int64_t ps, const int64_t *before);
/* The step times of a run where they decide (model/step_series.h): runs with equal ops are not the
 * same when their steps took other times. step[0 .. count): its steps in the cube. */
void run_print_add_step_times(
	struct run_print *print, const struct cube *cube, const uint32_t *step, size_t count);
/* The same times, be it by chance. */
bool run_print_equal(const struct run_print *a, const struct run_print *b);
/* True if these are so many equal times that chance does not make them: 3 that moved, or those of
 * 10 ops that have 100 ticks of the clock or more? Of one run, or added up over several. */
bool run_print_tells(size_t moves, size_t telling);

#endif
