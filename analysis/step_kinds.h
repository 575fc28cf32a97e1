/* Kinds of step: training, evaluation, initialiser. They come from the steps of all inputs of a
 * command together, by which ops ran in them: never by how long, by step numbers, or by side. */
#pragma once

#include "model/cube.h"

#define KINDS_GAVE_UP                                                                              \
	"too many steps and ops to tell kinds of step from chance: all are taken for one kind"

struct kinds {
	uint32_t *of_step; /* kind of each step of the cube, 1-based */
	size_t count;	   /* the same for all cubes */
	const char **name; /* of kind k: name[k - 1], as the sources say; NULL: they say none */
	size_t *steps;	   /* of the cube, of kind k: steps[k - 1]; 0: it has none */
	uint32_t odd;	   /* the kind of odd steps (an initialiser); 0: there is none */
	uint32_t timeless; /* the kind of steps without any time; 0: there is none */
	bool gave_up;	   /* so many steps and ops that all steps are taken for one kind */
};

/* Finds the kinds of all cubes together, out[i] those of cube[i]; in the arena. They are the groups
 * of presence_split (stats/presence.h), and steps without any time where each cube has
 * others. Numbers: by the number of steps, largest first, first the kinds that all cubes have; odd
 * steps and those without time come last. Every cube has kind 1: where no group is in all cubes,
 * all are one. Repetitions of benchmarks are no steps: they have no kinds. */
void kinds_find(
	const struct cube *const *cube, size_t cubes, struct arena *arena, struct kinds *out);

/* All steps are kind 1. */
void kinds_none(const struct cube *cube, struct arena *arena, struct kinds *out);

/* Kinds of step that the sources name (struct step.kind), of all inputs of a command together. It
 * does not look at what the steps hold. */

/* The number of the kind of this name; 0: there is none. */
uint32_t kinds_number_of(const struct kinds *kinds, const char *name);

/* The name, else the number, as --kind takes it. In the arena. */
const char *kinds_word(const struct kinds *kinds, uint32_t kind, struct arena *arena);

/* "6 train, 3 eval": the steps of each kind. In the arena. */
const char *kinds_list(const struct kinds *kinds, struct arena *arena);
