/*
 * The tables of an SQLite database, which may be hostile: only plain tables are read, nothing of
 * the file runs (views, triggers, virtual tables, functions), nothing is written, and damage ends
 * in a message.
 */
#ifndef STEPSTAT_INGEST_DATABASE_SQLITE_SOURCE_H
#define STEPSTAT_INGEST_DATABASE_SQLITE_SOURCE_H

#include "base/text.h"
#include "ingest/database/row_source.h"
#include "ingest/input/span_file.h"

/* The file must outlive the source; values longer than `max_value_bytes` are ERROR_LIMIT. NULL with
 * err: it is no database, or damaged. */
struct row_source *sqlite_source_new(
	const struct span_file *file, size_t max_value_bytes, struct error *err);

/* The names of its plain tables, in the order of the file; NULL after the last. */
const char *sqlite_source_table(struct row_source *source, size_t i);
/* Does the file say that changes may lie in a journal beside it? */
bool sqlite_source_has_wal(const struct row_source *source);

/* A name of a table or column in a statement: in quotes, which are doubled inside. */
void sqlite_add_name(struct text *sql, const char *name);

#endif
