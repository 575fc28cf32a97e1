/*
 * Which run of one side was recorded together with which of the other: rounds of --method=paired.
 */
#ifndef STEPSTAT_CLI_ROUNDS_H
#define STEPSTAT_CLI_ROUNDS_H

#include "analysis/comparison.h"
#include "cli/settings.h"

/* round[i] is the run of `next` that belongs to run i of `base`; in the arena. NULL: ERROR_INPUT,
 * the sides do not have the same rounds. */
const size_t *rounds_find(const struct compare_side *base, const struct compare_side *next,
	const struct settings *settings, struct arena *arena, struct error *err);

#endif
