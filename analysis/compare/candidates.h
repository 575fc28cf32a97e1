/*
 * Names out of many that are worth comparing with one, found in time that does not grow with how
 * many there are.
 */
#ifndef STEPSTAT_ANALYSIS_COMPARE_CANDIDATES_H
#define STEPSTAT_ANALYSIS_COMPARE_CANDIDATES_H

#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"

#define CANDIDATES_MOST 144

struct candidates;

/* The names are sorted (strcmp) and stay where they are; at least one. In the arena. */
struct candidates *candidates_new(const char *const *name, size_t count, struct arena *arena);

/* Indexes of those that share the rarest three characters with `name`, that are beside it in the
 * order of names and in that of names read from their ends, and that are about as far down the list
 * as `name` is: number `rank` of `ranks`. Each once, ascending; returns how many (at least one, at
 * most CANDIDATES_MOST). */
size_t candidates_find(struct candidates *candidates, const char *name, size_t rank, size_t ranks,
	uint32_t out[CANDIDATES_MOST]);

#endif
