/*
 * The rounds of --method=paired: which run of one side was recorded together with which run of the
 * other.
 */
#ifndef STEPSTAT_PIPELINE_RUN_PAIRS_H
#define STEPSTAT_PIPELINE_RUN_PAIRS_H

#include "analysis/compare/comparison.h"
#include "pipeline/settings.h"

/* round[i] is the run of `new_side` that belongs to run i of `base`; in the arena. NULL:
 * ERROR_INPUT, the sides do not have the same rounds. */
const size_t *run_pairs_find(const struct compare_side *base, const struct compare_side *new_side,
	const struct job_settings *settings, struct arena *arena, struct error *err);

#endif
