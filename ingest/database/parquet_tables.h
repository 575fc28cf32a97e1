/*
 * A folder of Parquet files, one for each table of a database, as that database: what nsys export
 * --type parquetdir writes.
 */
#ifndef STEPSTAT_INGEST_DATABASE_PARQUET_TABLES_H
#define STEPSTAT_INGEST_DATABASE_PARQUET_TABLES_H

#include "ingest/database/described.h"
#include "ingest/input/span_file.h"
#include "ingest/reader.h"

/* Copies the tables that are read into an SQLite database in a temporary file without a name, which
 * the caller closes. `path` is the folder's, for messages, and outlives it. */
int parquet_tables_copy(const char *folder, const struct database_description *is,
	const struct read_options *opt, struct span_file *out, struct error *err);

#endif
