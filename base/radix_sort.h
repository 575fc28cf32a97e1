/*
 * Sorting of many small records by a 64-bit key, in time that grows with the bytes in which the
 * keys differ. It is stable and compares only the key.
 */
#ifndef STEPSTAT_BASE_RADIX_SORT_H
#define STEPSTAT_BASE_RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

struct keyed {
	int64_t key;
	int64_t value; /* the caller's */
};

/* Ascending. `spare` has room for as many and is overwritten. */
void order_by_key(struct keyed *item, struct keyed *spare, size_t count);

#endif
