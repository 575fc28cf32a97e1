/*
 * Tables of one side, for `export` and `sql`.
 */
#ifndef STEPSTAT_CLI_EXPORT_TABLES_H
#define STEPSTAT_CLI_EXPORT_TABLES_H

#include "cli/options/settings.h"
#include "pipeline/one_side.h"
#include "export/tables.h"

#define EXPORT_PROGRAM "stepstat " PACKAGE_VERSION

/* The files that are JSON and have steps here (others hold no events, or those of another file once
 * more); NULL: there are none. In the side's arena. */
const struct event_files *export_events(const struct settings *settings, struct side *side);
/* What goes into the tables: all measures of a step that the side has, or those of --measures; all
 * in the side's arena. */
int export_source(
	struct settings *settings, struct side *side, struct table_source *out, struct error *err);
/* Fills the tables, or with --layout=flat the one. */
int export_fill(const struct settings *settings, const struct table_source *source,
	struct table_sink *sink, struct error *err);
/* A database file through its temporary name; the caller commits the outfile. */
int export_sqlite(const struct settings *settings, const struct table_source *source,
	struct outfile *out, struct error *err);

#endif
