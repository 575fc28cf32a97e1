/*
 * The further kinds of step of a comparison: rows are of one kind, and the steps of each other kind
 * are judged as a whole, so that a slower evaluation is seen. It decides no rows.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_COMPARED_KINDS_H
#define STEPSTAT_ANALYSIS_COMPARE_COMPARED_KINDS_H

#include "analysis/compare/comparison.h"

/* Fills kind and kind_count of the comparison, in its arena. */
void compared_kinds_find(const struct comparison_input *input, struct comparison *out);

/* The kind of each step of the side, where both sides have it in enough steps of each run to be
 * judged, else 1: rows of a few steps could not be. In the arena. */
uint32_t *compared_kinds_of_steps(
	const struct run_side *side, const struct run_side *other, struct arena *arena);

#endif
