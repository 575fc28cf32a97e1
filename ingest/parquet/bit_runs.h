/*
 * Small numbers as Parquet packs them: runs of one value and groups of eight, bit by bit (its
 * "RLE/bit-packing hybrid"), for levels and for places in a dictionary.
 */
#ifndef STEPSTAT_INGEST_PARQUET_BIT_RUNS_H
#define STEPSTAT_INGEST_PARQUET_BIT_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BIT_RUNS_WIDTH_MOST 32

struct bit_runs {
	const unsigned char *at, *end;
	unsigned width;	    /* bits of a value, 0 to BIT_RUNS_WIDTH_MOST */
	uint64_t same_left; /* of the run of one value */
	uint32_t same;
	uint64_t packed_left;	     /* of the groups */
	const unsigned char *packed; /* where they begin, and at which bit we are */
	uint64_t bit;
};

void bit_runs_init(struct bit_runs *runs, const unsigned char *bytes, size_t size, unsigned width);
/* A run begins; false when there is none, or it is damaged. */
bool bit_runs_more(struct bit_runs *runs);
uint32_t bit_runs_packed(struct bit_runs *runs);

/* The next value; in the header, as it is called for each. False past the end, or where the runs
 * are damaged. */
static inline bool bit_runs_next(struct bit_runs *runs, uint32_t *value)
{
	if (!runs->same_left && !runs->packed_left && !bit_runs_more(runs))
		return false;
	if (runs->same_left) {
		runs->same_left--;
		*value = runs->same;
		return true;
	}
	*value = bit_runs_packed(runs);
	return true;
}

#endif
