/* stepstat export: the observations of a report, exactly as they are, as files to be read again
 * and as tables for databases; and the SQL over these tables. */
#include "base/output/outfolder.h"
#include "base/text.h"
#include "cli/explain.h"
#include "cli/export_tables.h"
#include "cli/options/command.h"
#include "cli/screen.h"
#include "config.h"
#include "export/observations.h"
#include "export/sink_files.h"
#include "pipeline/one_side.h"

/* One output. All are complete before the first is renamed. */
struct export_target {
	const char *path;
	enum target_kind kind;
	struct outfile *file;
	struct outfolder *folder;
};

struct target_list {
	struct export_target *target;
	size_t count;
	bool needs_input, has_sql, has_stdout;
};

/* ---- which outputs ---- */

static int need_folder(const char *place, const char *format, struct error *err)
{
	error_set(err, ERROR_USAGE, place, "%s is a folder of tables", format);
	return error_hint(err, "-o NAME/ names a folder, for instance --to=%s -o tables/", format);
}

static int folder_kind(const struct settings *s, enum target_kind *kind, struct error *err)
{
	const char *name = s->to ? s->to->name : "ndjson";

	*kind = target_of(name).folder;
	if (*kind)
		return 0;
	error_set(err, ERROR_USAGE, "--to", "a folder holds ndjson, csv or parquet, found \"%s\"",
		name);
	return error_hint(err, "-o FILE writes one file");
}

static int stream_kind(const struct settings *s, enum target_kind *kind, struct error *err)
{
	*kind = target_of(s->to ? s->to->name : s->queries ? "sql" : "csv").file;
	if (!*kind)
		return need_folder("--to", s->to->name, err);
	if (*kind != TARGET_SQLITE)
		return 0;
	error_set(err, ERROR_USAGE, "--to", "a database is a file, not a stream");
	return error_hint(err, "-o profile.sqlite");
}

/* `writer` is NULL where no suffix says what to write. */
static bool is_export(const struct writer *writer)
{
	const struct target_form of = writer ? target_of(writer->name) : (struct target_form){0};

	return of.file || of.folder;
}

static int file_kind(const char *path, enum target_kind *kind, struct error *err)
{
	const struct writer *writer = writer_for_path(path, NULL);

	if (!is_export(writer))
		return error_set(err, ERROR_USAGE, "-o",
			"export writes .csv, .parquet, .obs, .sqlite, .sql and folders of tables, "
			"found \"%s\"",
			path);
	*kind = target_of(writer->name).file;
	return *kind ? 0 : need_folder("-o", writer->name, err);
}

static int add_target(
	const struct settings *s, struct target_list *list, const char *path, struct error *err)
{
	struct export_target *t = &list->target[list->count++];
	int status;

	t->path = path;
	if (text_equal(path, "-"))
		status = stream_kind(s, &t->kind, err);
	else if (output_is_folder(path))
		status = folder_kind(s, &t->kind, err);
	else
		status = file_kind(path, &t->kind, err);
	list->has_stdout |= text_equal(path, "-");
	list->has_sql |= t->kind == TARGET_SQL;
	list->needs_input |= t->kind != TARGET_SQL;
	return status;
}

static bool is_folder(enum target_kind kind)
{
	return kind == TARGET_NDJSON_TABLES || kind == TARGET_CSV_TABLES ||
	       kind == TARGET_PARQUET_TABLES;
}

static bool is_tables(enum target_kind kind)
{
	return kind == TARGET_SQLITE || is_folder(kind);
}

static int check_table(const struct settings *s, struct error *err)
{
	if (!s->table)
		return 0;
	if (!s->queries) {
		error_set(err, ERROR_USAGE, "--table", "chooses what --queries computes");
		return error_hint(err, "-o NAME/ writes all tables");
	}
	if (s->layout == LAYOUT_FLAT)
		return error_set(
			err, ERROR_USAGE, "--table", "--layout=flat has a query of its own");
	if (text_equal(s->table, "ops") || text_equal(s->table, "totals"))
		return 0;
	return error_set(
		err, ERROR_USAGE, "--table", "SQL computes ops or totals, found \"%s\"", s->table);
}

static int choose_targets(struct settings *s, struct target_list *list, struct error *err)
{
	list->target = arena_array(s->arena, s->output.count + 2, sizeof(*list->target));
	if (s->to && !is_export(s->to)) {
		error_set(err, ERROR_USAGE, "--to",
			"export writes csv, parquet, obs, ndjson, sqlite and sql, found \"%s\"",
			s->to->name);
		return -1;
	}
	for (size_t i = 0; i < s->output.count; i++)
		if (add_target(s, list, *(const char **)vec_at(&s->output, i), err) < 0)
			return -1;
	if (!list->count && add_target(s, list, "-", err) < 0)
		return -1;
	/* The SQL goes to standard output unless a file or something else is there. */
	if (s->queries && !list->has_sql && !list->has_stdout) {
		list->target[list->count++] =
			(struct export_target){.path = "-", .kind = TARGET_SQL};
		list->has_sql = true;
	}
	if (check_table(s, err) < 0)
		return -1;
	if (s->layout == LAYOUT_NOTEBOOK)
		return error_set(err, ERROR_USAGE, "--layout", "notebook is a layout of reports");
	for (size_t i = 0; s->layout == LAYOUT_FLAT && i < list->count; i++) {
		if (is_tables(list->target[i].kind) || list->target[i].kind == TARGET_SQL)
			continue;
		error_set(err, ERROR_USAGE, "--layout", "flat is a table: not in %s",
			list->target[i].path);
		return error_hint(err, "-o NAME/ or -o FILE.sqlite");
	}
	if (list->has_sql && !s->queries) {
		error_set(err, ERROR_USAGE, "-o", "SQL is written for one engine");
		return error_hint(err, "--queries=bigquery, duckdb, sqlite, clickhouse or spark");
	}

	/* An option for tables is an error where no output is a table. */
	bool tables = false, lines = false;

	for (size_t i = 0; i < list->count; i++) {
		enum target_kind kind = list->target[i].kind;

		tables |= is_tables(kind);
		lines |= kind == TARGET_NDJSON_TABLES || kind == TARGET_CSV_TABLES;
	}
	if (s->gzip && !lines) {
		error_set(err, ERROR_USAGE, "--gzip",
			"is for the files of a folder of tables as ndjson or csv");
		return error_hint(err, "-o NAME/");
	}
	if (s->events && !tables) {
		error_set(err, ERROR_USAGE, "--events", "is a table");
		return error_hint(err, "-o NAME/ or -o FILE.sqlite");
	}
	return 0;
}

/* ---- writing ---- */

static int write_observations(
	struct settings *s, struct side *side, const struct export_target *t, struct error *err)
{
	struct observations_options opt = {.time_unit = s->job.time_unit,
		.bytes_unit = s->job.bytes_unit,
		.wide = s->shape == SHAPE_WIDE,
		.parquet = t->kind == TARGET_PARQUET,
		.program = EXPORT_PROGRAM};
	struct observation_set set;

	if (export_observations(s, side, &set, err) < 0)
		return -1;
	if (t->kind == TARGET_OBS)
		return observations_write_obs(&set, NULL, t->file, err);
	return observations_write_table(&set, &opt, t->file, err);
}

static enum query_table query_table(const struct settings *s)
{
	if (s->layout == LAYOUT_FLAT)
		return QUERY_FLAT;
	return s->table && text_equal(s->table, "totals") ? QUERY_TOTALS : QUERY_OPS;
}

static void write_sql(const struct settings *s, const struct export_target *t)
{
	struct query_options opt = {.dialect = s->queries,
		.skip_absent = s->job.skip_absent,
		.table = query_table(s),
		.program = EXPORT_PROGRAM};
	struct text sql;

	text_init(&sql);
	queries_write(&opt, &sql);
	outfile_puts(t->file, text_string(&sql));
	text_release(&sql);
}

/* side NULL: SQL alone. */
static int write_target(
	struct settings *s, struct side *side, struct export_target *t, struct error *err)
{
	struct table_source source;

	if (is_folder(t->kind))
		t->folder = outfolder_open(t->path, file_sink_made, err);
	else
		t->file = outfile_open(t->path, err);
	if (!t->file && !t->folder)
		return -1;
	if (t->kind == TARGET_SQL) {
		write_sql(s, t);
		return outfile_finish(t->file, err);
	}
	if (!is_tables(t->kind)) {
		if (write_observations(s, side, t, err) < 0)
			return -1;
		return outfile_finish(t->file, err);
	}
	if (export_source(s, side, &source, err) < 0)
		return -1;
	if (!t->folder)
		return export_sqlite(s, &source, t->file, err);

	struct file_options opt = {.csv = t->kind == TARGET_CSV_TABLES,
		.gzip = s->gzip,
		.shard_bytes = s->shard_bytes};
	const bool parquet = t->kind == TARGET_PARQUET_TABLES;
	struct table_sink *sink = parquet ? parquet_sink_new(t->folder, EXPORT_PROGRAM)
					  : file_sink_new(t->folder, &opt);
	int status = export_fill(s, &source, sink, err);

	if (parquet)
		parquet_sink_free(sink);
	else
		file_sink_free(sink);
	return status;
}

static int write_all(
	struct settings *s, struct side *side, struct target_list *list, struct error *err)
{
	int status = 0;

	for (size_t i = 0; i < list->count && !status; i++)
		status = write_target(s, side, &list->target[i], err);
	for (size_t i = 0; i < list->count && !status; i++) {
		struct export_target done = list->target[i];

		list->target[i].file = NULL;
		list->target[i].folder = NULL;
		status = done.folder ? outfolder_commit(done.folder, err)
				     : outfile_commit(done.file, err);
	}
	for (size_t i = 0; i < list->count; i++) {
		outfile_discard(list->target[i].file);
		outfolder_discard(list->target[i].folder);
	}
	return status;
}

static int run(struct settings *s, struct error *err)
{
	struct target_list list = {0};
	struct side *side;
	int status = -1;

	if (choose_targets(s, &list, err) < 0)
		return -1;
	if (list.needs_input && !s->job.input.count) {
		error_set(err, ERROR_USAGE, NULL, "no input is given");
		return error_hint(err, "stepstat export FILE... -o obs.csv");
	}
	if (!list.needs_input && s->job.input.count) {
		error_set(err, ERROR_USAGE, "--queries", "the SQL does not depend on inputs");
		return error_hint(err, "leave out the inputs, or write their tables too: -o NAME/");
	}
	if (!list.needs_input)
		return write_all(s, NULL, &list, err);
	s->job.ranks_apart = true;
	side = side_load(&s->job, s->job.input.data, s->job.input.count, err);
	if (!side)
		return -1;
	if (s->explain_inputs)
		status = explain_inputs(s, side, err);
	else if (side_select(side, &s->job, err) == 0) {
		diagnostic_issue(&side->self->issues, "steps-unknown");
		status = write_all(s, side, &list, err);
	}
	side_free(side);
	return status;
}

const struct command command_export = {
	.name = "export",
	.letter = 'E',
	.arguments = "INPUT...",
	.summary = "the observations behind a report, as files, tables for databases, SQL",
	.about = "CSV: run, step, op, measure, value, unit; --shape=wide: a column per measure. "
		 ".parquet: the\n"
		 "same table, typed. .obs: small and fast to read. A report on any of them is the "
		 "report on the\n"
		 "source; values are exact. NAME/: tables as NDJSON with BigQuery schemas, or "
		 "--to=csv, parquet;\n"
		 ".sqlite: the same as a database.",
	.examples = "  stepstat export profile_100 -o run1.obs -o obs.csv\n"
		    "  stepstat export runs/ -o tables/ -o report.sql --queries=bigquery\n",
	.run = run,
	.shows_all_rows = true,
	.output_help = "write a file (repeatable; .csv .parquet .obs .sqlite .sql; NAME/: tables; "
		       "- is standard output)",
};
