/* Rows of a table, whatever file they are read from, one at a time: cells that are texts or
 * numbers, and the place of each for messages. What the cells mean is read from them in one place
 * for all (ingest/table/table_read.h); a source of rows knows nothing of it. Also cells as numbers:
 * decimal text to whole base units, and why a text is not a number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/number.h"
#include "base/unit.h"

enum table_cell_kind { TABLE_TEXT, TABLE_INTEGER, TABLE_REAL };

/* Numbers may be texts in any column; of other kinds they are only in a column that was asked for
 * as TABLE_NUMBERS. */
struct table_cell {
	const char *text; /* of a TABLE_TEXT: ends in 0 */
	size_t size;
	bool given;	 /* false: the cell is empty, or null; a text of no bytes is given */
	bool is_checked; /* a source knows that no byte of the text is 0 */
	enum table_cell_kind kind;
	/* The source has the text in a dictionary of this number, at this place + 1; 0: in none. */
	uint32_t dictionary, entry;
	union {
		int64_t integer;
		double real;
	};
};

static inline bool table_cell_is_entry(
	const struct table_cell *cell, uint32_t dictionary, uint32_t entry)
{
	return entry && cell->entry == entry && cell->dictionary == dictionary;
}

/* Values for the texts of a column, by their places in the dictionary. */
struct cell_memo {
	uint32_t dictionary, *value; /* value + 1 of each place; 0: not known */
	size_t room;
};

static inline bool cell_memo_find(
	const struct cell_memo *memo, const struct table_cell *cell, uint32_t *value)
{
	if (!cell->entry || cell->dictionary != memo->dictionary || cell->entry > memo->room ||
		!memo->value[cell->entry - 1])
		return false;
	*value = memo->value[cell->entry - 1] - 1;
	return true;
}
void cell_memo_keep(struct cell_memo *memo, const struct table_cell *cell, uint32_t value);
void cell_memo_release(struct cell_memo *memo);

struct cell_row {
	uint64_t line; /* where it begins, or its number: the first is 1 */
	const struct table_cell *field;
	size_t count;
};

/* The values that are wanted of a column. */
enum table_use { TABLE_UNUSED, TABLE_TEXTS, TABLE_NUMBERS };

struct cell_rows {
	const char *path;
	bool all_measures;  /* the user named the columns: none is a remark */
	bool has_lines;	    /* rows are lines of a text; else they are numbered */
	uint64_t rows_said; /* how many there are, as the file says; 0: it does not */
	bool unended;	    /* the last line, which has been read, has no end */
	/* The next row (valid until the next call), of which one cell is given at least: 1, 0 at
	 * the end, -1. The first row is the header. */
	int (*next)(struct cell_rows *rows, struct cell_row *row, struct error *err);
	/* The place of a cell of the last row. */
	void (*place)(struct cell_rows *rows, size_t index, char *out, size_t size);
	/* After the header: columns that are unused may be left empty. NULL: all are read. */
	int (*use)(struct cell_rows *rows, const enum table_use *use, struct error *err);
	/* After the header and `use`: takes the next rows, many, as rows of their own without a
	 * header, which another thread may read (`free`). NULL: they cannot be taken, or
	 * there are none; `next` goes on with them. NULL: no rows can be taken. */
	struct cell_rows *(*part)(struct cell_rows *rows);
	/* Goes back to the first one of such rows, before they are read, too. The caller's thread
	 * reads the first ones of the table, and what is gone back to again. */
	void (*rewind)(struct cell_rows *rows);
	void (*free)(struct cell_rows *rows);
};

/* An error at cell `index` of the last row. Always -1. */
int cell_rows_error(struct cell_rows *rows, size_t index, struct error *err, const char *format,
	...) __attribute__((format(printf, 4, 5)));
/* Gives the error the place of cell `index` of the last row. Always -1. */
int cell_rows_at(struct cell_rows *rows, size_t index, struct error *err);
/* "FILE:12" or "FILE: row 12", of line 0 "FILE"; the word alone: "line" or "row". */
void cell_rows_place(const struct cell_rows *rows, uint64_t line, char *out, size_t size);
const char *cell_rows_word(const struct cell_rows *rows);

/* The cell as a text, for messages; a number is written into `digits`. */
const char *table_cell_text(const struct table_cell *cell, char digits[NUMBER_TEXT_SIZE]);
/* False of NaN, null and the like: nothing was measured. */
bool table_cell_is_measured(const struct table_cell *cell);
/* As number_parse_scaled of the text that the cell has, or would have: a real number means the
 * shortest decimal number that it is nearest to. */
bool table_cell_scaled(const struct table_cell *cell, int64_t factor, int64_t *out, bool *inexact);

struct csv_number {
	int64_t value; /* in base units */
	bool rounded;  /* the text is not a whole number of base units */
};

/* Base units in one of the unit (NULL: 1); KB, MB, GB and TB by powers of `kilobyte`. */
int64_t csv_number_factor(const struct unit *unit, int64_t kilobyte);
/* The number in a field of the row, times the factor. -1 with the place of the field. */
int csv_number_read(struct cell_rows *rows, const struct cell_row *row, size_t field,
	int64_t factor, struct csv_number *out, struct error *err);
