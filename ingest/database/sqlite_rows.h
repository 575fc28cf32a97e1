/* The rows of one table, in the order of their ids. Large tables are read in windows of ids, by
 * several threads where there are some; the rows are the same for any number of them. */
#pragma once

#include "base/text.h"
#include "ingest/database/sqlite_connection.h"

struct sqlite_row_query {
	struct sqlite_connection *connection; /* of the caller's thread */
	const char *table;		      /* for messages; outlives the rows */
	const char *sql_name;		      /* of the table, in quotes */
	const char *key;		      /* the name of its rowid; NULL: none is free */
	const char *select;		      /* statement for all rows; the table is `row` in it */
	size_t columns, threads;
};

struct source_rows *sqlite_rows_new(const struct sqlite_row_query *query, struct error *err);

/* Functions of a row_source. */
int sqlite_rows_next(struct source_rows *rows, struct error *err);
void sqlite_rows_value(const struct source_rows *rows, size_t column, struct source_value *out);
void sqlite_rows_close(struct source_rows *rows);
