/*
 * Rows of a CSV stream, one at a time, with the place of each field: quoting by libcsv in its
 * strict mode, lines and columns counted here. It does not know what the fields mean.
 */
#ifndef STEPSTAT_INGEST_TABLE_CSV_ROWS_H
#define STEPSTAT_INGEST_TABLE_CSV_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "ingest/input/input.h"

struct csv_text {
	const char *text; /* ends in 0; blanks around it are gone unless it was quoted */
	size_t size;
	bool given; /* false: the field is empty; "" in quotes is given and empty */
};

struct csv_row {
	uint64_t line; /* where it begins; the first line of the input is 1 */
	const struct csv_text *field;
	size_t count;
};

struct csv_rows;

/* Separator: `,`, `;` or tab. A byte order mark at the start is passed over. */
struct csv_rows *csv_rows_new(struct input *in, char separator, size_t max_record_bytes);
void csv_rows_free(struct csv_rows *rows);

/* The next row that is not blank (valid until the next call): 1, 0 at the end, -1 with
 * FILE:LINE:COLUMN. A row whose fields are all missing is blank. */
int csv_rows_next(struct csv_rows *rows, struct csv_row *row, struct error *err);

/* An error at field `index` of the last row: FILE:LINE:COLUMN of its first character. Always -1. */
int csv_rows_error(struct csv_rows *rows, size_t index, struct error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The separator that the first line (of these bytes) has most of; 0 when it has none. */
char csv_separator(const unsigned char *bytes, size_t size);

#endif
