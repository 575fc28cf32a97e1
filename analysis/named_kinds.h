/*
 * Kinds of step that the sources name (struct step.kind), of all inputs of a command together. It
 * does not look at what the steps hold.
 */
#ifndef STEPSTAT_ANALYSIS_NAMED_KINDS_H
#define STEPSTAT_ANALYSIS_NAMED_KINDS_H

#include "analysis/step_kinds.h"

/* True: the sources name kinds; out[i] are those of cube[i], in the arena. They are numbered by
 * their number of steps, largest first, those that all cubes have before others; steps without a
 * name among others are the kind "step". False where no step has a name, where nearly each step has
 * a name of its own, and where the cubes have no name in common. */
bool kinds_find_named(
	const struct cube *const *cube, size_t cubes, struct arena *arena, struct kinds *out);

/* The number of the kind of this name; 0: there is none. */
uint32_t kinds_number_of(const struct kinds *kinds, const char *name);

/* The name, else the number, as --kind takes it. In the arena. */
const char *kinds_word(const struct kinds *kinds, uint32_t kind, struct arena *arena);

/* "6 train, 3 eval": the steps of each kind. In the arena. */
const char *kinds_list(const struct kinds *kinds, struct arena *arena);

#endif
