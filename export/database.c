/* A database: connection, tables, loading, aggregate functions, scripts. */
#include "export/database.h"

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "stats/moments.h"
#include "stats/sample.h"
#include "report/build.h"
#include "export/tables.h"

struct database {
	struct table_sink sink; /* first: it is what callers hold */
	struct sqlite3 *handle;
	struct sqlite3_stmt *insert; /* of the table that is begun */
	const struct table_form *form;
	const char *place; /* for messages */
	bool only_reads;   /* no statement opens another file */
	bool refused;	   /* the last statement asked for another file */
};

/* ---- Values are kept until the group is complete: the statistics of stats/ need two passes and
 * are right to the last digits, which sums of squares are not ---- */

#define VALUES_MOST 200000000

/* SQLite zeroes it; `begun` says that the vector is set up. */
struct collected {
	struct vec x;
	double p; /* of quantile */
	bool begun, failed;
};

static void release(struct collected *c)
{
	if (c && c->begun)
		vec_release(&c->x);
}

static void fail_aggregate(sqlite3_context *context, struct collected *c, const char *message)
{
	if (c->failed)
		return;
	c->failed = true;
	sqlite3_result_error(context, message, -1);
}

static struct collected *collect(sqlite3_context *context, sqlite3_value *value)
{
	struct collected *c = sqlite3_aggregate_context(context, sizeof(*c));
	struct error err;
	int type = sqlite3_value_numeric_type(value);
	double *slot;

	if (!c) {
		sqlite3_result_error_nomem(context);
		return NULL;
	}
	if (!c->begun)
		vec_init(&c->x, sizeof(double), VALUES_MOST, "values of an aggregate");
	c->begun = true;
	if (type == SQLITE_NULL)
		return c;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
		fail_aggregate(context, c, "a statistic needs numbers, found a text");
		return c;
	}
	slot = vec_push(&c->x, &err);
	if (slot)
		*slot = sqlite3_value_double(value);
	else
		fail_aggregate(context, c, "too many values for one aggregate");
	return c;
}

static void on_value(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	collect(context, argv[0]);
}

static void on_value_and_p(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct collected *c = collect(context, argv[0]);
	int type = sqlite3_value_numeric_type(argv[1]);
	double p = sqlite3_value_double(argv[1]);
	bool first;

	(void)argc;
	if (!c)
		return;
	first = c->p == 0;
	if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(p >= 0 && p <= 1))
		fail_aggregate(context, c, "quantile(x, p): p is a number from 0 to 1");
	else if (!first && c->p != p + 1)
		fail_aggregate(
			context, c, "quantile(x, p): p must be the same in all rows of a group");
	c->p = p + 1; /* 0 is "not yet" */
}

/* The values of the group; NULL where there are none or something failed. */
static struct collected *gathered(sqlite3_context *context)
{
	struct collected *c = sqlite3_aggregate_context(context, 0);

	return c && c->begun && !c->failed ? c : NULL;
}

static void answer(sqlite3_context *context, struct collected *c, double value)
{
	if (c && isfinite(value))
		sqlite3_result_double(context, value);
	else if (!sqlite3_aggregate_context(context, 0) || c)
		sqlite3_result_null(context);
	release(sqlite3_aggregate_context(context, 0));
}

static struct moments moments_of(const struct collected *c)
{
	struct moments m = {0};

	if (c)
		moments_compute(c->x.data, c->x.count, &m);
	return m;
}

static void on_stddev_samp(sqlite3_context *context)
{
	struct collected *c = gathered(context);
	struct moments m = moments_of(c);

	answer(context, c, moments_sd(&m, false));
}

static void on_stddev_pop(sqlite3_context *context)
{
	struct collected *c = gathered(context);
	struct moments m = moments_of(c);

	answer(context, c, moments_sd(&m, true));
}

static void on_cv(sqlite3_context *context)
{
	struct collected *c = gathered(context);
	struct moments m = moments_of(c);

	answer(context, c, moments_cv(&m, false));
}

static void on_median(sqlite3_context *context)
{
	struct collected *c = gathered(context);

	answer(context, c, c ? sample_quantile(c->x.data, c->x.count, 0.5) : NAN);
}

static void on_quantile(sqlite3_context *context)
{
	struct collected *c = gathered(context);

	answer(context, c, c ? sample_quantile(c->x.data, c->x.count, c->p - 1) : NAN);
}

/* stddev_samp(x), stddev_pop(x), cv(x) (sd with divisor n - 1 over the mean, a fraction),
 * median(x), quantile(x, p) (R type 7). Nulls are left out; undefined is null; a text is an error.
 * Returns an SQLite status. */
static int aggregates_define(sqlite3 *db)
{
	static const struct {
		const char *name;
		int arguments;
		void (*step)(sqlite3_context *, int, sqlite3_value **);
		void (*final)(sqlite3_context *);
	} functions[] = {
		{"stddev_samp", 1, on_value, on_stddev_samp},
		{"stddev_pop", 1, on_value, on_stddev_pop},
		{"cv", 1, on_value, on_cv},
		{"median", 1, on_value, on_median},
		{"quantile", 2, on_value_and_p, on_quantile},
	};
	int status = SQLITE_OK;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions) && status == SQLITE_OK; i++)
		status = sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
			SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, NULL,
			functions[i].step, functions[i].final, NULL);
	return status;
}

#define CELL_BYTES_MOST (64 << 20) /* as max-record */

static int fail(const struct database *db, struct error *err)
{
	return error_set(err, ERROR_OUTPUT, db->place, "%s", sqlite3_errmsg(db->handle));
}

static int execute(struct database *db, const char *sql, struct error *err)
{
	return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(db, err);
}

static void put_identifier(struct text *sql, const char *name)
{
	text_printf(sql, "\"%s\"", name); /* names of forms have no quotes */
}

static int create_table(
	struct database *db, const struct table_form *form, struct text *sql, struct error *err)
{
	static const char *const types[] = {
		[FIELD_TEXT] = "TEXT", [FIELD_INTEGER] = "INTEGER", [FIELD_MICROS] = "REAL"};

	text_add(sql, "CREATE TABLE ");
	put_identifier(sql, form->name);
	for (size_t i = 0; i < form->field_count; i++) {
		const struct table_field *field = &form->field[i];

		text_add(sql, i ? ", " : " (");
		put_identifier(sql, field->name);
		text_printf(sql, " %s%s", types[field->kind], field->required ? " NOT NULL" : "");
	}
	text_add(sql, ")");
	return execute(db, text_string(sql), err);
}

static int prepare_insert(
	struct database *db, const struct table_form *form, struct text *sql, struct error *err)
{
	text_clear(sql);
	text_add(sql, "INSERT INTO ");
	put_identifier(sql, form->name);
	for (size_t i = 0; i < form->field_count; i++)
		text_add(sql, i ? ",?" : " VALUES (?");
	text_add(sql, ")");
	if (sqlite3_prepare_v2(db->handle, text_string(sql), -1, &db->insert, NULL) == SQLITE_OK)
		return 0;
	return fail(db, err);
}

static int begin(struct table_sink *sink, const struct table_form *form, struct error *err)
{
	struct database *db = (struct database *)sink;
	struct text sql;
	int status;

	text_init(&sql);
	db->form = form;
	status = create_table(db, form, &sql, err);
	if (!status)
		status = prepare_insert(db, form, &sql, err);
	text_release(&sql);
	return status;
}

static int row(struct table_sink *sink, const struct table_value *value, struct error *err)
{
	struct database *db = (struct database *)sink;

	for (size_t i = 0; i < db->form->field_count; i++) {
		int at = (int)i + 1;

		if (!value[i].known)
			sqlite3_bind_null(db->insert, at);
		else if (db->form->field[i].kind == FIELD_TEXT)
			sqlite3_bind_text(db->insert, at, value[i].text, -1, SQLITE_STATIC);
		else if (db->form->field[i].kind == FIELD_MICROS)
			sqlite3_bind_double(db->insert, at, table_micros(&value[i]));
		else
			sqlite3_bind_int64(db->insert, at, value[i].integer);
	}
	if (sqlite3_step(db->insert) != SQLITE_DONE)
		return fail(db, err);
	sqlite3_reset(db->insert);
	return 0;
}

static int end(struct table_sink *sink, struct error *err)
{
	struct database *db = (struct database *)sink;

	(void)err;
	sqlite3_finalize(db->insert);
	db->insert = NULL;
	return 0;
}

/* Other databases are files, which a query must not write: ATTACH, and VACUUM INTO, which attaches
 * what it writes. In memory and for the time of a VACUUM they have no name. */
static int authorize(
	void *object, int action, const char *name, const char *b, const char *c, const char *d)
{
	struct database *db = object;

	(void)c;
	(void)d;
	if (action == SQLITE_FUNCTION) /* the first returns an address */
		return text_equal(b, "fts3_tokenizer") || text_equal(b, "load_extension")
			       ? SQLITE_DENY
			       : SQLITE_OK;
	if (!db->only_reads || action != SQLITE_ATTACH ||
		(name && (!*name || text_equal(name, ":memory:"))))
		return SQLITE_OK;
	db->refused = true;
	return SQLITE_DENY;
}

void database_only_reads(struct database *db)
{
	db->only_reads = true;
}

static int set_up(struct database *db, const char *path, struct error *err)
{
	sqlite3_set_authorizer(db->handle, authorize, db);
	sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, CELL_BYTES_MOST);
	if (aggregates_define(db->handle) != SQLITE_OK)
		return fail(db, err);
	/* The file is new and thrown away when anything fails: no journal, no waiting for the
	 * disk. */
	if (path && execute(db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF", err) < 0)
		return -1;
	return execute(db, "PRAGMA temp_store=MEMORY", err);
}

struct database *database_open(const struct outfile *file, struct error *err)
{
	const char *path = file ? outfile_temporary(file) : NULL;
	struct database *db;

	if (file && !path) {
		error_set(err, ERROR_USAGE, outfile_path(file),
			"a database is written to a file, not to a stream");
		return NULL;
	}
	db = memory_alloc(sizeof(*db));

	db->sink = (struct table_sink){.begin = begin, .row = row, .end = end};
	db->place = file ? outfile_path(file) : "database";
	if (sqlite3_open(path ? path : ":memory:", &db->handle) != SQLITE_OK)
		fail(db, err);
	else if (set_up(db, path, err) == 0)
		return db;
	database_free(db);
	return NULL;
}

void database_free(struct database *db)
{
	if (!db)
		return;
	sqlite3_finalize(db->insert);
	sqlite3_close(db->handle);
	memory_free(db);
}

int database_close(struct database *db, struct error *err)
{
	int status = sqlite3_get_autocommit(db->handle) ? 0 : execute(db, "COMMIT", err);

	if (!status && sqlite3_close(db->handle) != SQLITE_OK)
		status = fail(db, err);
	else if (!status)
		db->handle = NULL;
	database_free(db);
	return status;
}

struct table_sink *database_sink(struct database *db)
{
	return &db->sink;
}

int database_begin(struct database *db, struct error *err)
{
	return execute(db, "SAVEPOINT tables", err); /* also inside of a transaction of the user */
}

int database_end(struct database *db, struct error *err)
{
	return execute(db, "RELEASE tables", err);
}

bool database_is_complete(const char *text)
{
	return sqlite3_complete(text);
}

/* Line and column from 1, in characters. */
static void place_of(const struct script *script, const char *at, char *out, size_t size)
{
	size_t line = 1, column = 1;

	for (const char *c = script->text; c < at && *c; c++) {
		if (*c == '\n') {
			line++;
			column = 1;
		} else if (((unsigned char)*c & 0xc0) != 0x80) {
			column++;
		}
	}
	snprintf(out, size, "query:%zu:%zu", line, column);
}

/* Says which tables have the column; false: none. */
static bool hint_tables(const char *column, struct error *err)
{
	const char *found[8];
	struct text list;
	size_t count = 0;

	for (size_t t = 0; t <= table_form_count; t++) {
		const struct table_form *form = t < table_form_count ? table_forms[t] : &table_flat;

		for (size_t i = 0; i < form->field_count && count < 8; i++)
			if (text_equal(form->field[i].name, column))
				found[count++] =
					form == &table_events ? "events (--events)" : form->name;
	}
	if (!count)
		return false;
	text_init(&list);
	for (size_t i = 0; i < count; i++)
		text_printf(&list, "%s%s", !i ? "" : i + 1 < count ? ", " : " and ", found[i]);
	error_hint(err, "the column \"%s\" is in the table%s %s%s", column, count == 1 ? "" : "s",
		text_string(&list),
		text_equal(found[0], table_ops.name) ? ": FROM obs JOIN ops USING (op)"
		: text_equal(found[0], table_steps.name)
			? ": FROM obs AS o JOIN steps AS s ON s.run = o.run AND s.rank IS o.rank "
			  "AND s.step = o.step"
			: "");
	text_release(&list);
	return true;
}

/* The nearest name to that after "table: " or "column: t.", else the tables. */
static void hint_names(const char *message, struct error *err)
{
	const char *name[128], *word = strchr(message, ' ') + 1;
	bool tables = text_starts(message, "table");
	size_t count = 0;
	int nearest;

	if (strrchr(word, '.'))
		word = strrchr(word, '.') + 1;
	if (!tables && hint_tables(word, err))
		return;
	for (size_t t = 0; t < table_form_count; t++) {
		if (tables)
			name[count++] = table_forms[t]->name;
		for (size_t i = 0; !tables && i < table_forms[t]->field_count && count < 128; i++)
			name[count++] = table_forms[t]->field[i].name;
	}
	nearest = text_nearest(word, name, count);
	if (tables && text_equal(word, table_flat.name))
		error_hint(err, "it holds the events of traces, and none of the inputs is one");
	else if (tables && text_equal(word, table_events.name))
		error_hint(err, "it is there with --events");
	else if (nearest >= 0)
		error_hint(err, "did you mean \"%s\"?", name[nearest]);
	else if (tables)
		error_hint(err, "tables: obs, steps, ranks, step_series, ops, measures, meta; with "
				"--events: events");
	else
		error_hint(err, "columns of obs: run, step, op, measure, value, rank, rank_group; "
				"of all: SELECT name, sql FROM sqlite_schema");
}

/* `start`: the statement, for errors that SQLite gives no place. */
static int fail_script(const struct database *db, const struct script *script, const char *start,
	struct error *err)
{
	int offset = sqlite3_error_offset(db->handle);
	const char *message = sqlite3_errmsg(db->handle);
	char place[64];

	start += strspn(start, " \t\r\n");
	place_of(script, offset >= 0 ? script->at + offset : start, place, sizeof(place));
	if (db->refused) {
		error_set(err, ERROR_USAGE, place,
			"ATTACH and VACUUM INTO open another file, which may be written");
		return error_hint(err, "--write allows it; -o FILE.sqlite saves this database");
	}
	error_set(err, ERROR_USAGE, place, "%s", message);
	if (text_starts(message, "no such table: ") || text_starts(message, "no such column: "))
		hint_names(message + strlen("no such "), err);
	else if (sqlite3_errcode(db->handle) == SQLITE_TOOBIG)
		error_hint(err, "a cell has at most 64 MiB");
	else if (text_starts(message, "no such function"))
		error_hint(err, "in addition to SQLite's: stddev_samp, stddev_pop, cv, median, "
				"quantile(x, p)");
	return -1;
}

static const char *blob_text(struct arena *arena, const unsigned char *bytes, int n)
{
	struct text text;
	const char *out;

	text_init(&text);
	text_add(&text, "x'");
	for (int i = 0; i < n; i++)
		text_printf(&text, "%02x", bytes[i]);
	text_add(&text, "'");
	out = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return out;
}

static struct cell cell_of(struct arena *arena, sqlite3_stmt *statement, int i)
{
	double real;

	switch (sqlite3_column_type(statement, i)) {
	case SQLITE_INTEGER:
		return cell_integer(sqlite3_column_int64(statement, i));
	case SQLITE_FLOAT:
		real = sqlite3_column_double(statement, i);
		return isfinite(real) ? cell_real(real) : cell_text(real > 0 ? "inf" : "-inf");
	case SQLITE_TEXT:
		return cell_text(
			arena_strdup(arena, (const char *)sqlite3_column_text(statement, i)));
	case SQLITE_BLOB:
		return cell_text(blob_text(arena, sqlite3_column_blob(statement, i),
			sqlite3_column_bytes(statement, i)));
	default:
		return cell_blank();
	}
}

/* The name of a column, unlike those before it: a name twice would be a key twice in JSON. */
static const char *unlike_others(
	struct arena *arena, const struct table *table, size_t count, const char *name)
{
	const char *out = name;

	for (size_t n = 2;; n++) {
		size_t i = 0;

		while (i < count && !text_equal(table->column[i].stat, out))
			i++;
		if (i == count)
			return out;
		out = arena_printf(arena, "%s_%zu", name, n);
	}
}

static int read_rows(const struct database *db, sqlite3_stmt *statement,
	const struct script *script, const char *start, struct report *report, struct error *err)
{
	struct table *table = &report->display;
	int status;

	while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
		struct row *row;

		if ((table->row_count + 1) * table->column_count > DATABASE_CELLS_MOST) {
			char place[64];

			place_of(script, start + strspn(start, " \t\r\n"), place, sizeof(place));
			error_set(err, ERROR_LIMIT, place, "the answer has more than %d cells",
				DATABASE_CELLS_MOST);
			return error_hint(
				err, "LIMIT 1000 shortens it; -o FILE.sqlite saves tables");
		}
		row = report_add_row(report, table);
		for (size_t i = 0; i < table->column_count; i++)
			row->cell[i] = cell_of(report->arena, statement, (int)i);
	}
	return status == SQLITE_DONE ? 0 : fail_script(db, script, start, err);
}

static int run_statement(const struct database *db, sqlite3_stmt *statement,
	const struct script *script, const char *start, struct report **report, struct error *err)
{
	struct report *made = report_new("sql");

	made->display.name = made->data.name = "answer";

	struct table *table = &made->display;
	int count = sqlite3_column_count(statement);

	for (int i = 0; i < count; i++) {
		const char *name = sqlite3_column_name(statement, i);
		struct column *column = report_add_column(made, table);

		name = arena_strdup(made->arena, name ? name : "");
		column->stat = column->title = unlike_others(made->arena, table, (size_t)i, name);
	}
	if (read_rows(db, statement, script, start, made, err) < 0) {
		report_free(made);
		return -1;
	}
	if (!made->display.column_count) {
		report_free(made);
		return 1;
	}
	/* Texts are aligned left, and may be shortened on a terminal. */
	for (size_t i = 0; i < made->display.column_count; i++) {
		for (size_t r = 0; r < made->display.row_count; r++) {
			enum cell_kind kind = made->display.row[r].cell[i].kind;

			if (kind == CELL_BLANK)
				continue;
			made->display.column[i].align =
				kind == CELL_TEXT ? ALIGN_LEFT : ALIGN_RIGHT;
			made->display.column[i].shorten = kind == CELL_TEXT;
			break;
		}
	}
	made->data = made->display;
	*report = made;
	return 1;
}

/* Fails on EXPLAIN, whose answer has addresses of tables. */
static int fail_explain(const struct script *script, const char *start, struct error *err)
{
	char place[64];

	place_of(script, start + strspn(start, " \t\r\n"), place, sizeof(place));
	error_set(err, ERROR_USAGE, place, "EXPLAIN shows the inside of SQLite, not the data");
	return error_hint(err, "EXPLAIN QUERY PLAN shows in which order tables are read");
}

int database_run(
	struct database *db, struct script *script, struct report **report, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	const char *start, *tail;
	int status;

	*report = NULL;
	db->refused = false;
	do { /* comments and lone semicolons are not statements */
		start = script->at;
		if (!*start)
			return 0;
		if (sqlite3_prepare_v2(db->handle, start, -1, &statement, &tail) != SQLITE_OK)
			return fail_script(db, script, start, err);
		script->at = tail;
	} while (!statement);
	if (sqlite3_stmt_isexplain(statement) == 1) /* not of a plan */
		status = fail_explain(script, start, err);
	else
		status = run_statement(db, statement, script, start, report, err);
	sqlite3_finalize(statement);
	return status;
}
