/*
 * Kinds of step: training, evaluation, initialiser. Two steps are of one kind when the ops that
 * both have carry most of the time of both. It looks at names and times only, never at step
 * numbers.
 */
#ifndef STEPSTAT_ANALYSIS_STEP_KINDS_H
#define STEPSTAT_ANALYSIS_STEP_KINDS_H

#include "model/cube.h"

struct kinds {
	uint32_t *of_step; /* kind of each step of the cube, 1-based */
	size_t count;
	size_t *steps; /* of kind k: steps[k - 1]; kinds are numbered by it, largest first */
};

/* In the arena. */
void kinds_find(const struct cube *cube, struct arena *arena, struct kinds *out);

#endif
