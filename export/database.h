/* An SQLite database of the tables, in memory or in a file, with the statistics that SQLite lacks:
 * stddev_samp, stddev_pop, cv, median, quantile(x, p). */
#pragma once

#include "report/report.h"
#include "export/table.h"

struct database;

struct outfile;

/* NULL: in memory; else in the outfile, which must be a file (else ERROR_USAGE), stays the caller's
 * and is whole after database_close only. */
struct database *database_open(const struct outfile *file, struct error *err);
void database_free(struct database *db); /* NULL is fine */
/* Ends the writing of a file; frees in every case. */
int database_close(struct database *db, struct error *err);

/* Rows go into tables of the database. Load between begin and end: whole or not at all. */
struct table_sink *database_sink(struct database *db);
int database_begin(struct database *db, struct error *err);
int database_end(struct database *db, struct error *err);

/* From now on no statement opens another file: ATTACH and VACUUM INTO are refused. What shows
 * addresses or loads code is refused in any case. */
void database_only_reads(struct database *db);

#define DATABASE_CELLS_MOST 5000000 /* of one answer */

/* Statements, one after the other. */
struct script {
	const char *text;
	const char *at; /* the next statement; begin with text */
};

/* Runs the next statement. *report is its answer, the caller's to free, or NULL where it has no
 * columns. Returns 1, or 0 when there was none left, or -1: ERROR_USAGE at "query:LINE:COLUMN" in
 * SQLite's words, ERROR_LIMIT for too large an answer. */
int database_run(
	struct database *db, struct script *script, struct report **report, struct error *err);
/* True if the text can be run as it is, false if it ends inside a statement. */
bool database_is_complete(const char *text);
