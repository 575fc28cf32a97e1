/*
 * The inside of a database, for export/database*.c only.
 */
#ifndef STEPSTAT_EXPORT_DATABASE_HANDLE_H
#define STEPSTAT_EXPORT_DATABASE_HANDLE_H

#include "export/database.h"

struct sqlite3;
struct sqlite3_stmt;

struct database {
	struct table_sink sink; /* first: it is what callers hold */
	struct sqlite3 *handle;
	struct sqlite3_stmt *insert; /* of the table that is begun */
	const struct table_form *form;
	const char *place; /* for messages */
	bool only_reads;   /* no statement opens another file */
	bool refused;	   /* the last statement asked for another file */
};

#endif
