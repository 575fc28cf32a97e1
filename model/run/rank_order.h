/* The order of the steps of a job in which each rank recorded its own. It looks at numbers, kinds
 * and the order on each rank. Clocks of ranks differ: they only decide where numbers that come
 * again leave several answers. */
#pragma once

#include "model/run/run_pieces.h"

/* Gives the pieces their place in the job and sorts them by it, then by rank. Pieces of one kind,
 * number and occurrence are one step; a rank that lacks some has the occurrences of the longest
 * common sequence. The steps of member m are piece[first[m]] .. piece[first[m +
 * 1] - 1], in its order; the member with the most steps says the order, and what it lacks comes
 * after what the next member has before it. */
void rank_order_steps(struct profile *const *profiles, struct run_piece *piece, const size_t *first,
	size_t members, struct arena *arena);

/* Ranks whose steps are numbered by their place in the recording: one that began a step later has
 * number 0 for what is number 1 of the others. It does not look at steps that the source numbers.
 */

/* Gives the pieces of one job the numbers of the member with the most steps, where all are numbered
 * by place: by numbers of collectives that both have in a step, else by starts. The steps of member
 * m are piece[first[m]] .. piece[first[m + 1] - 1], in order of time. Returns the number of members
 * for which neither decides; they keep their numbers. */
size_t rank_shift_steps(struct profile *const *profiles, struct run_piece *piece,
	const size_t *first, size_t members);
