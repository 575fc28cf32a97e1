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
	/* Of kind k: steps[k - 1]. Kinds are numbered by it, largest first; those without any time
	 * come after those with. */
	size_t *steps;
	uint32_t *typical; /* of kind k: a step of median time, of the commonest set of ops */
};

/* In the arena. */
void kinds_find(const struct cube *cube, struct arena *arena, struct kinds *out);

/* Gives the kinds of a cube the numbers of those kinds of base that are alike, by the names of the
 * ops; kinds that base does not have come last, and those beyond the 32 largest of a side. The
 * first kind of base gets a partner in any case: the first one that is left. Kinds of base that
 * the cube does not have have no steps. */
void kinds_number_like(const struct cube *base_cube, const struct kinds *base,
	const struct cube *cube, struct arena *arena, struct kinds *kinds);

#endif
