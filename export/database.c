/*
 * Connection, tables, loading.
 */
#include "export/database.h"

#include <sqlite3.h>
#include "base/memory.h"
#include "base/output/outfile.h"
#include "base/text.h"
#include "base/unit.h"
#include "export/aggregates.h"
#include "export/database_handle.h"

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

static void bind(struct database *db, size_t i, const struct table_value *value)
{
	int at = (int)i + 1;

	if (!value->known)
		sqlite3_bind_null(db->insert, at);
	else if (db->form->field[i].kind == FIELD_TEXT)
		sqlite3_bind_text(db->insert, at, value->text, -1, SQLITE_STATIC);
	else if (db->form->field[i].kind == FIELD_MICROS)
		sqlite3_bind_double(db->insert, at, table_micros(value));
	else
		sqlite3_bind_int64(db->insert, at, value->integer);
}

static int row(struct table_sink *sink, const struct table_value *value, struct error *err)
{
	struct database *db = (struct database *)sink;

	for (size_t i = 0; i < db->form->field_count; i++)
		bind(db, i, &value[i]);
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
