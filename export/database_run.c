/*
 * Statements and their answers, as reports.
 */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "report/build.h"
#include "export/database_handle.h"
#include "export/tables.h"

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
			? ": FROM obs AS o JOIN steps AS s ON s.run = o.run "
			  "AND s.rank IS o.rank AND s.step = o.step"
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
		error_hint(err,
			"columns of obs: run, step, op, measure, value, rank, rank_group; of all: "
			"SELECT name, sql FROM sqlite_schema");
}

/* `start`: the statement, for errors that SQLite gives no place. */
static int fail(const struct database *db, const struct script *script, const char *start,
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

static void add_columns(struct report *report, sqlite3_stmt *statement)
{
	struct table *table = &report->display;
	int count = sqlite3_column_count(statement);

	for (int i = 0; i < count; i++) {
		const char *name = sqlite3_column_name(statement, i);
		struct column *column = report_add_column(report, table);

		name = arena_strdup(report->arena, name ? name : "");
		column->stat = column->title = unlike_others(report->arena, table, (size_t)i, name);
	}
}

/* Texts are aligned left, and may be shortened on a terminal. */
static void align_columns(struct table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		for (size_t r = 0; r < table->row_count; r++) {
			enum cell_kind kind = table->row[r].cell[i].kind;

			if (kind == CELL_BLANK)
				continue;
			table->column[i].align = kind == CELL_TEXT ? ALIGN_LEFT : ALIGN_RIGHT;
			table->column[i].shorten = kind == CELL_TEXT;
			break;
		}
	}
}

static int limit(const struct script *script, const char *start, struct error *err)
{
	char place[64];

	place_of(script, start + strspn(start, " \t\r\n"), place, sizeof(place));
	error_set(
		err, ERROR_LIMIT, place, "the answer has more than %d cells", DATABASE_CELLS_MOST);
	return error_hint(err, "LIMIT 1000 shortens it; -o FILE.sqlite saves tables");
}

static int read_rows(const struct database *db, sqlite3_stmt *statement,
	const struct script *script, const char *start, struct report *report, struct error *err)
{
	struct table *table = &report->display;
	int status;

	while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
		struct row *row;

		if ((table->row_count + 1) * table->column_count > DATABASE_CELLS_MOST)
			return limit(script, start, err);
		row = report_add_row(report, table);
		for (size_t i = 0; i < table->column_count; i++)
			row->cell[i] = cell_of(report->arena, statement, (int)i);
	}
	return status == SQLITE_DONE ? 0 : fail(db, script, start, err);
}

static int run_statement(const struct database *db, sqlite3_stmt *statement,
	const struct script *script, const char *start, struct report **report, struct error *err)
{
	struct report *made = report_new("sql");

	made->display.name = made->data.name = "answer";
	add_columns(made, statement);
	if (read_rows(db, statement, script, start, made, err) < 0) {
		report_free(made);
		return -1;
	}
	if (!made->display.column_count) {
		report_free(made);
		return 1;
	}
	align_columns(&made->display);
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
			return fail(db, script, start, err);
		script->at = tail;
	} while (!statement);
	if (sqlite3_stmt_isexplain(statement) == 1) /* not of a plan */
		status = fail_explain(script, start, err);
	else
		status = run_statement(db, statement, script, start, report, err);
	sqlite3_finalize(statement);
	return status;
}
