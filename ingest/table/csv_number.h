/*
 * Numbers in the fields of a table: decimal text to whole base units, and why a text is not a
 * number. It does not know what a number means.
 */
#ifndef STEPSTAT_INGEST_TABLE_CSV_NUMBER_H
#define STEPSTAT_INGEST_TABLE_CSV_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include "base/unit.h"
#include "ingest/table/cell_rows.h"

struct csv_number {
	int64_t value; /* in base units */
	bool rounded;  /* the text is not a whole number of base units */
};

/* Base units in one of the unit (NULL: 1); KB, MB, GB and TB by powers of `kilobyte`. */
int64_t csv_number_factor(const struct unit *unit, int64_t kilobyte);
/* The number in a field of the row, times the factor. -1 with the place of the field. */
int csv_number_read(struct cell_rows *rows, const struct cell_row *row, size_t field,
	int64_t factor, struct csv_number *out, struct error *err);

#endif
