/*
 * Other ways to divide the runs of a comparison into two sides of the same sizes. It knows counts
 * only.
 */
#ifndef STEPSTAT_STATS_SPLITS_H
#define STEPSTAT_STATS_SPLITS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Runs 0 .. base - 1 are of base, base .. base + new - 1 of new. Fills of_new[i * (base + new) +
 * run], one row for each other split, and returns how many: all, when they are at most `most`; else
 * `most` that are drawn with a fixed seed, where one may come twice. Not among them are the split
 * itself and, with sides of equal size, the one that exchanges them; of two splits that are each
 * other's exchange there is one.
 */
size_t splits_fill(size_t base, size_t new, size_t most, bool *of_new);

/*
 * The same of rounds with a run of each side: in other splits some rounds have their sides
 * exchanged. Fills exchanged[i * rounds + round]; the first round keeps its sides, as exchanging
 * all is the split that was observed.
 */
size_t splits_fill_rounds(size_t rounds, size_t most, bool *exchanged);

#endif
