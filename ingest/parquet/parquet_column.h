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
/* Frees what the column holds of a group. */
void parquet_column_clear(struct parquet_column *column);
/* Frees the page whose values were all read. For all columns before the next one of any is read:
 * what is in memory then depends on the row alone, wherever reading began. */
void parquet_column_turn(struct parquet_column *column);
uint32_t parquet_column_left(const struct parquet_column *column); /* values of the page */

/* A place in the values of a group. */
struct parquet_place {
	struct parquet_chunk chunk;
	uint32_t group;
	uint64_t at, left;	/* of the page, and the values from its first one on */
	uint64_t skip;		/* values behind that */
	uint64_t dictionary_at; /* of its page, where that lies before; else 0 */
	uint64_t values, next;	/* of this page, and where the next one is; 0: not known */
};

/* The beginning of the values of the group, after parquet_group_next. */
int parquet_place_begin(const struct parquet_file *file, const struct parquet_field *field,
	uint64_t rows, struct parquet_place *place, struct error *err);
/* The place so many rows on, by the heads of pages alone. */
int parquet_place_move(
	struct parquet_file *file, struct parquet_place *place, uint64_t rows, struct error *err);
/* Begins the values from this place on. */
int parquet_column_begin_at(
	struct parquet_column *column, const struct parquet_place *place, struct error *err);
/* The next value of the group, valid until the next call; null is not given. As many calls as the
 * group has rows. */
int parquet_column_next(struct parquet_column *column, struct table_cell *cell, struct error *err);
