/* Rows of tables, wherever they lie: what the reader of databases asks of SQLite, and could ask of
 * a folder of tables. It does not know what a table means. Whoever makes a source fills in the
 * functions; one is the tables of an SQLite database. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"
#include "ingest/input/span_file.h"

#define COLUMN_HOPS 3

enum value_kind { VALUE_NONE, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BYTES };

struct source_value {
	enum value_kind kind;
	uint32_t size; /* of the text */
	union {
		int64_t integer;
		double real;
		const char *text; /* valid until the next row; may hold zero bytes */
	};
};

/* A column of a table, or what lies behind it: the value is the `id` of a row in the table of the
 * first hop, of which the hop's column is taken, and so on. */
struct table_column {
	const char *name;
	struct table_hop {
		const char *table, *column; /* NULL table: no further hop */
	} hop[COLUMN_HOPS];
};

struct row_source;
struct source_rows;

struct row_source_functions {
	/* True if there is such a table and, unless column is NULL, if it has this column. */
	bool (*has)(struct row_source *source, const char *table, const char *column);
	/* The names of a table's columns, one after the other; NULL after the last. Valid as long
	 * as the source. */
	const char *(*column_name)(struct row_source *source, const char *table, size_t i);
	/* All rows of the table with these columns, all of which it has. */
	struct source_rows *(*open)(struct row_source *source, const char *table,
		const struct table_column *columns, size_t count, struct error *err);
	/* 1: there is a next row, 0: there is none, -1. */
	int (*next)(struct source_rows *rows, struct error *err);
	void (*value)(const struct source_rows *rows, size_t column, struct source_value *out);
	void (*close)(struct source_rows *rows); /* NULL is fine */
	/* The value of this column in the row of this id. 1, 0: there is none, -1. Valid until the
	 * next call. */
	int (*find)(struct row_source *source, const char *table, const char *column, int64_t id,
		struct source_value *out, struct error *err);
	void (*free)(struct row_source *source);
};

struct row_source {
	const struct row_source_functions *functions;
};

static inline bool table_has(struct row_source *s, const char *table, const char *column)
{
	return s->functions->has(s, table, column);
}

/* ---- SQLite ---- */

/* The file must outlive the source; values longer than `max_value_bytes` are ERROR_LIMIT. Large
 * tables are read by so many threads, the caller's own included. NULL with err: it is no database,
 * or damaged. */
struct row_source *sqlite_source_new(
	const struct span_file *file, size_t max_value_bytes, size_t threads, struct error *err);

/* The names of its plain tables, in the order of the file; NULL after the last. */
const char *sqlite_source_table(struct row_source *source, size_t i);

/* A name of a table or column in a statement: in quotes, which are doubled inside. */
void sqlite_add_name(struct text *sql, const char *name);
