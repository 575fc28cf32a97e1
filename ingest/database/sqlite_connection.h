/* A connection to an SQLite database that may be hostile: only plain tables are read, nothing of
 * the file runs (views, triggers, virtual tables, functions), nothing is written, and damage ends
 * in a message. One thread uses it at a time; a file may have several. */
#pragma once

#include <sqlite3.h>
#include "ingest/database/row_source.h"

#define SQLITE_COLUMNS_MOST 2000 /* its own limit */

struct sqlite_connection {
	const struct span_file *file;
	struct span_vfs *vfs;
	sqlite3 *db;
	size_t max_value_bytes;
	unsigned steps; /* since the last row */
};

/* The file must outlive it. Also after an error it is to be disconnected. */
int sqlite_connect(struct sqlite_connection *c, const struct span_file *file,
	size_t max_value_bytes, struct error *err);
/* After its statements. All zeroes are fine. */
void sqlite_disconnect(struct sqlite_connection *c);

/* The error of the connection, after so many rows of the table; NULL: of the file. -1. */
int sqlite_fail(struct sqlite_connection *c, const char *table, uint64_t rows, struct error *err);
/* NULL with err. */
sqlite3_stmt *sqlite_prepare(
	struct sqlite_connection *c, const char *table, const char *sql, struct error *err);
/* 1: there is a next row, 0: there is none, -1. */
int sqlite_next(struct sqlite_connection *c, sqlite3_stmt *statement, const char *table,
	uint64_t rows, struct error *err);
/* Valid until the next row. */
void sqlite_value(sqlite3_stmt *statement, int column, struct source_value *out);
const char *sqlite_column_text(sqlite3_stmt *statement, int column); /* "": none */
