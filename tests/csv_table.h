/* A CSV file in memory, for the check programs of the golden tests. It does not know what the
 * columns mean. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct csv_table {
	const char *path;
	bool has_header; /* then row 0 is the header */
	char **cell;	 /* row after row */
	size_t rows, columns;
	size_t cells, room; /* of cell */
	size_t row_start;   /* first cell of the row that is being read */
	const char *wrong;  /* what is wrong with the file; NULL: nothing */
};

/* Reads a file in RFC 4180; ends the program with a message when it cannot, or when the rows do not
 * have the same number of fields. */
void csv_table_read(struct csv_table *table, const char *path, bool has_header);
/* Index of the column with that name (without a header: its number from 1); ends the program when
 * there is none. */
size_t csv_table_column(const struct csv_table *table, const char *name);
const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column);
size_t csv_table_first(
	const struct csv_table *table); /* index of the first row that is no header */
void csv_table_release(struct csv_table *table);
