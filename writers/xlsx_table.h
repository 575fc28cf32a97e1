/*
 * A table of a report as a sheet: real numbers in the units of the files, a header that stays, a
 * filter, widths, colours, formulas where a reader may want to check the arithmetic.
 */
#ifndef STEPSTAT_WRITERS_XLSX_TABLE_H
#define STEPSTAT_WRITERS_XLSX_TABLE_H

#include "report/report.h"
#include "writers/xlsx_book.h"

/* Place of a table, for charts. Its columns are those of the sheet from the first on. */
struct xlsx_written {
	const char *name; /* of the sheet; NULL: it is not there */
	const struct table *table;
	const size_t *row; /* of the table: those that are on the sheet, the first in line 1 */
	size_t rows, columns;
};

/* Writes the rows that are shown; below them those of `sums` that are no body (NULL: none), whose
 * columns are found by measure and statistic. Lists and numbers are in the arena. */
void xlsx_write_table(struct xlsx_book *book, const char *name, const struct table *table,
	const struct table *sums, bool complete, struct arena *arena, struct xlsx_written *out);

/* The number of a cell in the unit of its column, as files have it; NaN where there is none. */
double xlsx_cell_number(const struct column *column, const struct cell *cell);

#endif
