/* The observations of one profile in little memory, for jobs of many ranks: sorted by op and step,
 * the values of an op as differences to the least of them, with no more bits than these need.
 * Constant columns take a few bytes. Any op can be read without the others. */
#pragma once

#include "base/packed_number.h"
#include "model/profile.h"

/* The first row of an op, which is its place in `calls`, and its first byte. */
struct packed_place {
	size_t row, byte;
};

struct packed_rows {
	size_t count;		       /* observations */
	size_t op_count;	       /* of the profile */
	size_t most;		       /* observations of the op that has most: room for reading */
	bool have[MEASURE_STEP_COUNT]; /* columns that there are */
	struct call_sums *calls[CALL_KINDS]; /* as in the observations, in the order of the rows */
	struct packed_place *first;	     /* of each op, and the end */
	unsigned char *bytes;
};

/* Takes the observations out of the profile, which has none then unless it is kept. Those of
 * profile->totals stay. */
struct packed_rows *packed_rows_of(struct profile *profile);
void packed_rows_free(struct packed_rows *rows); /* NULL is fine */

/* The steps of an op, ascending, and the values of each measure for which there is a place, in the
 * same order; CELL_ABSENT where the source does not have the measure. Each array has room for
 * `most`. Returns their number. */
size_t packed_rows_read(const struct packed_rows *rows, uint32_t op, uint32_t *step,
	int64_t *const value[MEASURE_STEP_COUNT]);

/* A column of an op: its values are numbers of so many bits, times the factor, above the least. */
struct packed_column {
	const unsigned char *bytes;
	unsigned width;
	uint64_t factor, least;
};

static inline int64_t packed_column_at(const struct packed_column *column, size_t i)
{
	return (int64_t)(packed_bits_at(column->bytes, i * column->width, column->width) *
				 column->factor +
			 column->least);
}

/* Rows of an op in steps that follow each other. */
struct packed_line {
	uint32_t step; /* the first */
	size_t count;
	struct packed_column column;
};

/* Finds the values of a measure without unpacking them. False where only packed_rows_read can: the
 * steps have gaps, or the values are not known, or too far apart. */
bool packed_rows_line(
	const struct packed_rows *rows, uint32_t op, size_t measure, struct packed_line *out);

/* Advice to the processor: the op is read soon. Its place has to be near by then. */
static inline void packed_rows_prefetch(const struct packed_rows *rows, uint32_t op)
{
	for (size_t at = rows->first[op].byte; at < rows->first[op + 1].byte; at += 64)
		__builtin_prefetch(rows->bytes + at);
}

/* Puts the observations back into the profile that they were taken from. */
void packed_rows_restore(const struct packed_rows *rows, struct profile *profile);
