/*
 * Ranks whose steps are numbered by their place in the recording: one that began a step later has
 * number 0 for what is number 1 of the others. It does not look at steps that the source numbers.
 */
#ifndef STEPSTAT_MODEL_RUN_RANK_SHIFT_H
#define STEPSTAT_MODEL_RUN_RANK_SHIFT_H

#include "model/run/run_pieces.h"

/* Gives the pieces of one job the numbers of the member with the most steps, where all are numbered
 * by place: by numbers of collectives that both have in a step, else by starts. The steps of member
 * m are piece[first[m]] .. piece[first[m + 1] - 1], in order of time. Returns the number of members
 * for which neither decides; they keep their numbers. */
size_t rank_shift_steps(struct profile *const *profiles, struct run_piece *piece,
	const size_t *first, size_t members);

#endif
