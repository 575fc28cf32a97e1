/* Tables of one side, for `export` and `sql`. */
#pragma once

#include "cli/options/settings.h"
#include "pipeline/one_side.h"
#include "export/event_source.h"
#include "export/tables.h"

#define EXPORT_PROGRAM "stepstat " PACKAGE_VERSION

enum target_kind {
	TARGET_NONE,
	TARGET_CSV,
	TARGET_PARQUET,
	TARGET_OBS,
	TARGET_NDJSON_TABLES,
	TARGET_CSV_TABLES,
	TARGET_PARQUET_TABLES,
	TARGET_SQLITE,
	TARGET_SQL
};

/* A format of the writers as a file and a folder of `export`, and of `events`; 0: it is none. */
struct target_form {
	const char *name;
	enum target_kind file, folder;
	enum stream_form events;
};

struct target_form target_of(const char *writer);

/* The JSON files with steps on this side (other files have no events, or repeat those of
 * another file); NULL: none. In the side's arena. */
const struct event_files *export_events(const struct settings *settings, struct side *side);
/* Source of the tables: all measures of steps that the side has, or those of --measures; in the
 * side's arena. */
int export_source(
	struct settings *settings, struct side *side, struct table_source *out, struct error *err);
/* Fills the tables, or with --layout=flat the table `flat` alone. */
int export_fill(const struct settings *settings, const struct table_source *source,
	struct table_sink *sink, struct error *err);
/* A database file through its temporary name; the caller commits the outfile. */
int export_sqlite(const struct settings *settings, const struct table_source *source,
	struct outfile *out, struct error *err);

/* Everything that a report of the source can show, unless measures, ops or groups were chosen. It
 * lives as long as the side. */
int export_observations(
	struct settings *s, struct side *side, struct observation_set *set, struct error *err);
