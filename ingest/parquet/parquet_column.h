/* The values of a flat column, one after another, as cells of a table. One page is in memory, and
 * the dictionary of the group of rows. */
#pragma once

#include "ingest/parquet/parquet_file.h"
#include "ingest/table/cell_rows.h"

struct parquet_column;

/* A column of the file, which outlives it. use: TABLE_NUMBERS returns numbers as numbers,
 * TABLE_TEXTS returns all as text. NULL: values of this kind cannot be read (ERROR_INPUT with the
 * column, its kind of values, the remedy). */
struct parquet_column *parquet_column_new(struct parquet_file *file,
	const struct parquet_field *field, enum table_use use, struct error *err);
void parquet_column_free(struct parquet_column *column); /* NULL is fine */

/* Begins the values of a group, after parquet_group_next. */
int parquet_column_begin(struct parquet_column *column, uint64_t rows, struct error *err);
/* The next value of the group, valid until the next call; null is not given. As many calls as the
 * group has rows. */
int parquet_column_next(struct parquet_column *column, struct table_cell *cell, struct error *err);
