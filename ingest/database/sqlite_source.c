/* Tables of a database and their columns. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "ingest/database/sqlite_rows.h"

#define TABLES_MOST 10000 /* Nsight Systems writes 50 to 150 */
#define FINDERS 4	  /* statements kept for `find` */

/* ---- the database ---- */

struct sqlite_table {
	const char *name, *sql_name; /* the second in quotes */
	bool known;		     /* the columns are */
	bool has_key;		     /* its `id` is a key */
	unsigned taken_keys;	     /* bits of key_names that are names of its columns */
	const char **column;
	size_t columns;
};

struct id_finder {
	const char *table, *column;
	sqlite3_stmt *statement;
};

struct sqlite_source {
	struct row_source base; /* first */
	struct sqlite_connection main;
	struct arena *arena;
	size_t threads;
	struct sqlite_table *table;
	size_t tables, table_room;
	struct id_finder finder[FINDERS];
	size_t next_finder;
};

void sqlite_add_name(struct text *sql, const char *name)
{
	text_add_char(sql, '"');
	for (; *name; name++) {
		if (*name == '"')
			text_add_char(sql, '"');
		text_add_char(sql, *name);
	}
	text_add_char(sql, '"');
}

/* ---- tables and columns ---- */

static struct sqlite_table *find_table(struct sqlite_source *s, const char *name)
{
	for (size_t i = 0; i < s->tables; i++)
		if (text_equal(s->table[i].name, name))
			return &s->table[i];
	return NULL;
}

static const char *const key_names[] = {"rowid", "_rowid_", "oid"};

#define KEY_NAMES (sizeof(key_names) / sizeof(key_names[0]))

/* Columns that are computed are not among these, and so are not read. */
static void read_columns(struct sqlite_source *s, struct sqlite_table *t)
{
	struct text sql;
	struct error ignored;
	sqlite3_stmt *statement;

	t->known = true;
	t->column = arena_array(s->arena, SQLITE_COLUMNS_MOST + 1, sizeof(*t->column));
	text_init(&sql);
	text_printf(&sql, "PRAGMA table_xinfo(%s)", t->sql_name);
	statement = sqlite_prepare(&s->main, t->name, text_string(&sql), &ignored);
	while (statement && t->columns < SQLITE_COLUMNS_MOST &&
		sqlite_next(&s->main, statement, t->name, t->columns, &ignored) == 1) {
		const char *name = sqlite_column_text(statement, 1);

		for (size_t i = 0; i < KEY_NAMES; i++)
			if (strcasecmp(name, key_names[i]) == 0)
				t->taken_keys |= 1u << i;
		if (sqlite3_column_int(statement, 6)) /* computed or hidden */
			continue;
		t->column[t->columns] = arena_strdup(s->arena, name);
		if (text_equal(t->column[t->columns++], "id") &&
			sqlite3_column_int(statement, 5) == 1)
			t->has_key = true;
	}
	sqlite3_finalize(statement);
	text_release(&sql);
}

static bool source_has(struct row_source *source, const char *name, const char *column)
{
	struct sqlite_source *s = (struct sqlite_source *)source;
	struct sqlite_table *t = find_table(s, name);

	if (!t || !column)
		return t != NULL;
	if (!t->known)
		read_columns(s, t);
	for (size_t i = 0; i < t->columns; i++)
		if (text_equal(t->column[i], column))
			return true;
	return false;
}

static const char *source_column(struct row_source *source, const char *name, size_t i)
{
	struct sqlite_source *s = (struct sqlite_source *)source;
	struct sqlite_table *t = find_table(s, name);

	if (!t)
		return NULL;
	if (!t->known)
		read_columns(s, t);
	return i < t->columns ? t->column[i] : NULL;
}

/* Without a key each look would go over the whole table. */
static int check_key(struct sqlite_source *s, const char *name, struct error *err)
{
	char place[sizeof(err->place)];

	if (source_has(&s->base, name, "id") && find_table(s, name)->has_key)
		return 0;
	snprintf(place, sizeof(place), "%s: table %s", s->main.file->path, name);
	return error_set(err, ERROR_INPUT, place, "no column id that is a key, expected one");
}

/* (SELECT "c" FROM "t" WHERE "id" = (SELECT ... = "row"."name")) */
static int add_column(struct sqlite_source *s, struct text *sql, const struct table_column *column,
	struct error *err)
{
	size_t hops = 0;

	while (hops < COLUMN_HOPS && column->hop[hops].table)
		hops++;
	for (size_t i = hops; i-- > 0;) {
		if (check_key(s, column->hop[i].table, err) != 0)
			return -1;
		text_add(sql, "(SELECT ");
		sqlite_add_name(sql, column->hop[i].column);
		text_printf(sql,
			" FROM %s WHERE \"id\"=", find_table(s, column->hop[i].table)->sql_name);
	}
	text_add(sql, "row.");
	sqlite_add_name(sql, column->name);
	text_add_repeat(sql, ')', hops);
	return 0;
}

/* ---- rows ---- */

/* A name of its rowid that no column has; NULL: there is none. */
static const char *row_key(struct sqlite_source *s, struct sqlite_table *t)
{
	if (!t->known)
		read_columns(s, t);
	for (size_t i = 0; i < KEY_NAMES; i++)
		if (!(t->taken_keys >> i & 1))
			return key_names[i];
	return NULL;
}

static struct source_rows *source_open(struct row_source *source, const char *name,
	const struct table_column *columns, size_t count, struct error *err)
{
	struct sqlite_source *s = (struct sqlite_source *)source;
	struct sqlite_table *t = find_table(s, name);
	struct source_rows *rows = NULL;
	struct text sql;
	int status = 0;

	text_init(&sql);
	for (size_t i = 0; i < count && status == 0; i++) {
		text_add(&sql, i ? "," : "SELECT ");
		status = add_column(s, &sql, &columns[i], err);
	}
	text_printf(&sql, " FROM %s AS row NOT INDEXED", t->sql_name);
	if (status == 0)
		rows = sqlite_rows_new(&(struct sqlite_row_query){.connection = &s->main,
					       .table = t->name,
					       .sql_name = t->sql_name,
					       .key = row_key(s, t),
					       .select = text_string(&sql),
					       .columns = count,
					       .threads = s->threads},
			err);
	text_release(&sql);
	return rows;
}

static struct id_finder *finder_for(
	struct sqlite_source *s, const char *name, const char *column, struct error *err)
{
	struct id_finder *f;
	struct text sql;

	for (size_t i = 0; i < FINDERS; i++)
		if (s->finder[i].statement && text_equal(s->finder[i].table, name) &&
			text_equal(s->finder[i].column, column))
			return &s->finder[i];
	if (check_key(s, name, err) != 0)
		return NULL;
	f = &s->finder[s->next_finder++ % FINDERS];
	sqlite3_finalize(f->statement);
	text_init(&sql);
	text_add(&sql, "SELECT ");
	sqlite_add_name(&sql, column);
	text_printf(&sql, " FROM %s WHERE \"id\"=?", find_table(s, name)->sql_name);
	*f = (struct id_finder){find_table(s, name)->name, arena_strdup(s->arena, column),
		sqlite_prepare(&s->main, name, text_string(&sql), err)};
	text_release(&sql);
	return f->statement ? f : NULL;
}

static int source_find(struct row_source *source, const char *name, const char *column, int64_t id,
	struct source_value *out, struct error *err)
{
	struct sqlite_source *s = (struct sqlite_source *)source;
	struct id_finder *f = finder_for(s, name, column, err);
	int status;

	if (!f)
		return -1;
	sqlite3_reset(f->statement);
	if (sqlite3_bind_int64(f->statement, 1, id) != SQLITE_OK)
		return sqlite_fail(&s->main, name, 0, err);
	status = sqlite_next(&s->main, f->statement, name, 0, err);
	if (status == 1)
		sqlite_value(f->statement, 0, out);
	return status;
}

/* ---- opening ---- */

static void source_free(struct row_source *source)
{
	struct sqlite_source *s = (struct sqlite_source *)source;

	for (size_t i = 0; i < FINDERS; i++)
		sqlite3_finalize(s->finder[i].statement);
	sqlite_disconnect(&s->main);
	memory_free(s->table);
	arena_free(s->arena);
	memory_free(s);
}

/* Tables with pages of their own: others are made of code. */
static int list_tables(struct sqlite_source *s, struct error *err)
{
	sqlite3_stmt *statement = sqlite_prepare(&s->main, NULL,
		"SELECT name, sql FROM sqlite_master WHERE type='table' AND rootpage>0", err);
	struct text quoted;
	uint64_t rows = 0;
	int status = statement ? 0 : -1;

	text_init(&quoted);
	while (statement && s->tables < TABLES_MOST &&
		(status = sqlite_next(&s->main, statement, "sqlite_master", rows++, err)) == 1) {
		struct sqlite_table *t;

		if (strncasecmp(sqlite_column_text(statement, 1), "CREATE TABLE", 12) != 0)
			continue;
		t = memory_push(&s->table, &s->tables, &s->table_room, sizeof(*t));
		text_clear(&quoted);
		sqlite_add_name(&quoted, sqlite_column_text(statement, 0));
		*t = (struct sqlite_table){
			.name = arena_strdup(s->arena, sqlite_column_text(statement, 0)),
			.sql_name = arena_strdup(s->arena, text_string(&quoted))};
	}
	sqlite3_finalize(statement);
	text_release(&quoted);
	return status < 0 ? -1 : 0;
}

struct row_source *sqlite_source_new(
	const struct span_file *file, size_t max_value_bytes, size_t threads, struct error *err)
{
	static const struct row_source_functions functions = {
		.has = source_has,
		.column_name = source_column,
		.open = source_open,
		.next = sqlite_rows_next,
		.value = sqlite_rows_value,
		.close = sqlite_rows_close,
		.find = source_find,
		.free = source_free,
	};
	struct sqlite_source *s = memory_alloc(sizeof(*s));

	*s = (struct sqlite_source){.base = {&functions}, .arena = arena_new(), .threads = threads};
	if (sqlite_connect(&s->main, file, max_value_bytes, err) == 0 && list_tables(s, err) == 0)
		return &s->base;
	source_free(&s->base);
	return NULL;
}

const char *sqlite_source_table(struct row_source *source, size_t i)
{
	struct sqlite_source *s = (struct sqlite_source *)source;

	return i < s->tables ? s->table[i].name : NULL;
}
