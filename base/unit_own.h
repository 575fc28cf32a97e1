/*
 * Units that files bring along ("tokens/s", "%", "points"): each word is a dimension of its own.
 * Words are interned for the process, as readers work in threads; an entry never changes.
 */
#ifndef STEPSTAT_BASE_UNIT_OWN_H
#define STEPSTAT_BASE_UNIT_OWN_H

#include <stdbool.h>
#include "base/unit.h"

#define UNITS_OWN_MOST 64
#define UNIT_NUMBER "number" /* the word of plain numbers, shown without a unit */
#define UNIT_OWN_SIZE 32     /* bytes of a word with its final zero */

/* Unit of this word: one of unit_table, else one of its own, made when new. Values are whole
 * multiples of 1e-9 of it (1e-6 of what counts elements, items or operations in a second), so that
 * 9.2e9 (9.2e12) is the largest. NULL: the word is empty, too long or has control characters, or
 * there are UNITS_OWN_MOST already. */
const struct unit *unit_own(const char *word);
/* The same, of measures of which nobody knows which values are better: its dimension is another. */
const struct unit *unit_own_unjudged(const char *word);
/* False of the dimension of such a unit. */
bool dimension_is_judged(enum dimension dimension);
/* The unit of unit_own without making one: NULL where it is new. */
const struct unit *unit_own_lookup(const char *word);
/* The unit of a dimension from DIMENSION_OWN on. */
const struct unit *unit_of_own(enum dimension dimension);
/* True if values of the dimension are something in a second. */
bool dimension_is_rate(enum dimension dimension);
/* Forgets all of them, between two command lines of one process. No thread may read then. */
void unit_own_reset(void);

#endif
