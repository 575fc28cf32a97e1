/* How the runs of two sides lie to each other, beside the values of their rows: the order in which
 * they were recorded, by the start times in the files alone; runs that are on both sides;
 * warm-up. */
#pragma once

#include "analysis/compare/comparison.h"

/* Fills *out, of the kept runs. A time counts from the year 2000 on: smaller ones are since the
 * start of a process or of a machine, and those of two files cannot be compared. Fewer than
 * RUN_ORDER_ROUNDS_LEAST rounds are RUN_ORDER_MIXED. Memory of `round` is in the arena. */
enum { RUN_ORDER_ROUNDS_LEAST = 3 };
/* Rounds to choose them by what the runs of few ops show: fewer choose by chance. */
#define RUN_ORDER_ROUNDS_OF_FEW 5
void run_order_find(const struct run_side *base, const struct run_side *new, struct arena *arena,
	struct run_order *out);

/* Tests whether new needs more steps to warm up than base. Both sides leave out what base needs
 * (step_options.alike), so that the rest of a longer warm-up is part of the change. */
void warmup_change_find(
	const struct step_set *base, const struct step_set *new_side, struct warmup_change *out);

/* Fills duplicates, duplicate_base and duplicate_new, and sets new_is_base where each run of new
 * has its twin. By the times of the ops that are on both sides; without times nothing is found. */
void shared_runs_find(const struct comparison_input *input, struct comparison *comparison);
