/*
 * The steps of a job of several ranks: their times, and what devices did in them. Internal to
 * model/.
 */
#ifndef STEPSTAT_MODEL_RANK_STEPS_H
#define STEPSTAT_MODEL_RANK_STEPS_H

#include "model/ranks.h"
#include "model/cube.h"

/* Counts sums over ranks that are too large as a loss. */
void rank_sums_note(struct cube *cube, size_t count, const char *place);
/* Sums of the records of all sources about the steps of the cube, in its arena. */
struct step_sums *rank_steps_sum(struct cube *cube, const struct ranks *ranks);
/* Steps and series of the cube from them: times of the slowest rank, of its devices the mean. */
void rank_steps_fill(struct cube *cube, const struct step_sums *sums);

#endif
