/* Settings that SQLite's documentation recommends for files of strangers ("Defense Against The Dark
 * Arts", sqlite.org/security.html), and bounds: of the rows by the size of the file, of the work
 * for one row by a count. A tree of pages whose links lead to each other could be walked for ever.
 * The disk as SQLite sees it is one file, which can only be read: no path, journal or lock leads
 * anywhere else. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "ingest/database/row_source.h"
#include "ingest/input/span_file.h"

#define HEADER_BYTES 100
#define ROW_BYTES_LEAST 4	 /* of a row in a page: length, id, size of its head, place in it */
#define TABLES_MOST 10000	 /* Nsight Systems writes 50 to 150 */
#define COLUMNS_MOST 2000	 /* SQLite's own limit */
#define SQL_BYTES_MOST (1 << 20) /* of the text that describes a table */
#define STEP_OPERATIONS 1000
#define STEPS_PER_ROW 20000 /* 2 * 10^7 operations: a second or two for one row */
#define FINDERS 4	    /* statements kept for `find` */
#define BLOCK_BYTES ((size_t)64 << 10)
#define BLOCKS 8

struct block {
	uint64_t offset;
	size_t size;
	uint64_t used; /* when; 0: it holds nothing */
	unsigned char bytes[BLOCK_BYTES];
};

struct span_vfs {
	sqlite3_vfs vfs; /* first: SQLite hands it back */
	const struct span_file *file;
	char name[32];
	uint64_t now;
	struct block block[BLOCKS];
};

struct open_file {
	sqlite3_file base; /* first */
	struct span_vfs *of;
};

/* ---- the file ---- */

static int file_close(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

/* The block that has this offset, read when it is not there; NULL: it cannot be read. */
static const struct block *block_at(struct span_vfs *v, uint64_t offset)
{
	const uint64_t begin = offset - offset % BLOCK_BYTES;
	const uint64_t left = v->file->size - begin;
	struct block *oldest = &v->block[0];
	struct error ignored;

	v->now++;
	for (size_t i = 0; i < BLOCKS; i++) {
		struct block *b = &v->block[i];

		if (b->used && b->offset == begin) {
			b->used = v->now;
			return b;
		}
		if (b->used < oldest->used)
			oldest = b;
	}
	oldest->used = 0;
	oldest->offset = begin;
	oldest->size = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
	if (span_file_read(v->file, begin, oldest->bytes, oldest->size, "a page", &ignored) != 0)
		return NULL;
	oldest->used = v->now;
	return oldest;
}

static int file_read(sqlite3_file *file, void *to, int amount, sqlite3_int64 offset)
{
	struct span_vfs *v = ((struct open_file *)file)->of;
	size_t size = amount > 0 ? (size_t)amount : 0;
	unsigned char *out = to;
	uint64_t at = (uint64_t)offset;

	while (size > 0 && offset >= 0 && at < v->file->size) {
		const struct block *b = block_at(v, at);
		size_t from, n;

		if (!b)
			return SQLITE_IOERR_READ;
		from = (size_t)(at - b->offset);
		n = b->size - from < size ? b->size - from : size;
		memcpy(out, b->bytes + from, n);
		out += n;
		at += n;
		size -= n;
	}
	if (size == 0)
		return SQLITE_OK;
	memset(out, 0, size); /* as SQLite asks */
	return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *file, const void *from, int amount, sqlite3_int64 offset)
{
	(void)file;
	(void)from;
	(void)amount;
	(void)offset;
	return SQLITE_READONLY;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	(void)file;
	(void)size;
	return SQLITE_READONLY;
}

static int file_flags(sqlite3_file *file, int flags) /* sync, lock, unlock: there is no other */
{
	(void)file;
	(void)flags;
	return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	*size = (sqlite3_int64)((struct open_file *)file)->of->file->size;
	return SQLITE_OK;
}

static int file_reserved(sqlite3_file *file, int *is_reserved)
{
	(void)file;
	*is_reserved = 0;
	return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int op, void *argument)
{
	(void)file;
	(void)op;
	(void)argument;
	return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *file)
{
	(void)file;
	return 4096;
}

static int file_characteristics(sqlite3_file *file)
{
	(void)file;
	return SQLITE_IOCAP_IMMUTABLE;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = file_close,
	.xRead = file_read,
	.xWrite = file_write,
	.xTruncate = file_truncate,
	.xSync = file_flags,
	.xFileSize = file_size,
	.xLock = file_flags,
	.xUnlock = file_flags,
	.xCheckReservedLock = file_reserved,
	.xFileControl = file_control,
	.xSectorSize = file_sector,
	.xDeviceCharacteristics = file_characteristics,
};

/* ---- the file system ---- */

/* Only the database itself: SQLite keeps what is temporary in memory. */
static int vfs_open(
	sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags)
{
	struct open_file *f = (struct open_file *)file;

	f->base.pMethods = NULL;
	if (!name || !(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	f->of = (struct span_vfs *)vfs;
	f->base.pMethods = &methods;
	if (out_flags)
		*out_flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
	(void)vfs;
	(void)name;
	(void)sync_folder;
	return SQLITE_READONLY;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
	(void)vfs;
	(void)name;
	(void)flags;
	*result = 0;
	return SQLITE_OK;
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int room, char *out)
{
	(void)vfs;
	return snprintf(out, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int vfs_random(sqlite3_vfs *vfs, int size, char *out) /* nothing read depends on it */
{
	(void)vfs;
	memset(out, 0, (size_t)size);
	return size;
}

static int vfs_sleep(sqlite3_vfs *vfs, int us)
{
	(void)vfs;
	return us;
}

static int vfs_time(sqlite3_vfs *vfs, double *day)
{
	(void)vfs;
	*day = 0;
	return SQLITE_OK;
}

static int vfs_error(sqlite3_vfs *vfs, int size, char *out)
{
	(void)vfs;
	(void)size;
	(void)out;
	return 0;
}

/* File system for connections to this file, which must outlive it. NULL: SQLite has no memory for
 * it. */
static struct span_vfs *span_vfs_new(const struct span_file *file)
{
	struct span_vfs *v = memory_alloc(sizeof(*v));

	v->file = file;
	snprintf(v->name, sizeof(v->name), "stepstat %p", (void *)v);
	v->vfs = (sqlite3_vfs){
		.iVersion = 1,
		.szOsFile = sizeof(struct open_file),
		.mxPathname = 64,
		.zName = v->name,
		.xOpen = vfs_open,
		.xDelete = vfs_delete,
		.xAccess = vfs_access,
		.xFullPathname = vfs_path,
		.xRandomness = vfs_random,
		.xSleep = vfs_sleep,
		.xCurrentTime = vfs_time,
		.xGetLastError = vfs_error,
	};
	if (sqlite3_vfs_register(&v->vfs, 0) == SQLITE_OK)
		return v;
	memory_free(v);
	return NULL;
}

/* ---- the database ---- */

struct sqlite_table {
	const char *name, *sql_name; /* the second in quotes */
	bool known;		     /* the columns are */
	bool has_key;		     /* its `id` is a key */
	const char **column;
	size_t columns;
};

struct id_finder {
	const char *table, *column;
	sqlite3_stmt *statement;
};

struct sqlite_source {
	struct row_source base; /* first */
	const struct span_file *file;
	struct span_vfs *vfs;
	sqlite3 *db;
	struct arena *arena;
	struct sqlite_table *table;
	size_t tables, table_room;
	size_t max_value_bytes;
	unsigned steps; /* since the last row */
	struct id_finder finder[FINDERS];
	size_t next_finder;
};

struct source_rows {
	struct sqlite_source *source;
	sqlite3_stmt *statement;
	const char *table;
	uint64_t rows, rows_most;
};

/* ---- errors ---- */

static int fail(struct sqlite_source *s, const char *table, uint64_t rows, struct error *err)
{
	const int code = sqlite3_errcode(s->db);
	char place[sizeof(err->place)];

	if (table)
		snprintf(place, sizeof(place), "%s: table %s", s->file->path, table);
	else
		snprintf(place, sizeof(place), "%s", s->file->path);
	switch (code) {
	case SQLITE_NOMEM: /* it says so of sizes that a damaged file asks for, too */
		error_set(
			err, ERROR_LIMIT, place, "SQLite has no memory for what the file asks for");
		break;
	case SQLITE_TOOBIG:
		error_set(err, ERROR_LIMIT, place, "a value of more than %zu bytes",
			s->max_value_bytes);
		return error_hint(
			err, "allow more with max-record in stepstat.yaml, if the file is sound");
	case SQLITE_INTERRUPT:
		error_set(err, ERROR_INPUT, place,
			"reading does not come to an end after %llu rows: a damaged database",
			(unsigned long long)rows);
		break;
	case SQLITE_AUTH:
		error_set(err, ERROR_INPUT, place,
			"a database whose tables want to run functions of SQL: not read");
		break;
	default:
		error_set(err, ERROR_INPUT, place, "damaged database after %llu rows: %s",
			(unsigned long long)rows, sqlite3_errmsg(s->db));
		break;
	}
	return error_hint(err, "the file is cut off or damaged: copy, export or record it again");
}

static int count_steps(void *context)
{
	struct sqlite_source *s = context;

	return ++s->steps > STEPS_PER_ROW;
}

/* Reading, and nothing else. */
static int authorise(void *context, int action, const char *first, const char *second,
	const char *database, const char *inside)
{
	(void)context;
	(void)first;
	(void)second;
	(void)database;
	(void)inside;
	return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_PRAGMA
		       ? SQLITE_OK
		       : SQLITE_DENY;
}

/* ---- statements ---- */

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

static sqlite3_stmt *prepare(
	struct sqlite_source *s, const char *table, const char *sql, struct error *err)
{
	sqlite3_stmt *statement = NULL;

	s->steps = 0;
	if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK) {
		fail(s, table, 0, err);
		return NULL;
	}
	return statement;
}

/* 1, 0, -1 as next. */
static int step(struct sqlite_source *s, sqlite3_stmt *statement, const char *table, uint64_t rows,
	struct error *err)
{
	int code;

	s->steps = 0;
	code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		return 1;
	return code == SQLITE_DONE ? 0 : fail(s, table, rows, err);
}

/* ---- tables and columns ---- */

static struct sqlite_table *find_table(struct sqlite_source *s, const char *name)
{
	for (size_t i = 0; i < s->tables; i++)
		if (text_equal(s->table[i].name, name))
			return &s->table[i];
	return NULL;
}

static const char *column_text(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text ? (const char *)text : "";
}

/* Columns that are computed are not among these, and so are not read. */
static void read_columns(struct sqlite_source *s, struct sqlite_table *t)
{
	struct text sql;
	struct error ignored;
	sqlite3_stmt *statement;

	t->known = true;
	t->column = arena_array(s->arena, COLUMNS_MOST + 1, sizeof(*t->column));
	text_init(&sql);
	text_printf(&sql, "PRAGMA table_info(%s)", t->sql_name);
	statement = prepare(s, t->name, text_string(&sql), &ignored);
	while (statement && t->columns < COLUMNS_MOST &&
		step(s, statement, t->name, t->columns, &ignored) == 1) {
		t->column[t->columns] = arena_strdup(s->arena, column_text(statement, 1));
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
	snprintf(place, sizeof(place), "%s: table %s", s->file->path, name);
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

static struct source_rows *source_open(struct row_source *source, const char *name,
	const struct table_column *columns, size_t count, struct error *err)
{
	struct sqlite_source *s = (struct sqlite_source *)source;
	const struct sqlite_table *t = find_table(s, name);
	struct source_rows *rows = NULL;
	sqlite3_stmt *statement = NULL;
	struct text sql;
	int status = 0;

	text_init(&sql);
	for (size_t i = 0; i < count && status == 0; i++) {
		text_add(&sql, i ? "," : "SELECT ");
		status = add_column(s, &sql, &columns[i], err);
	}
	text_printf(&sql, " FROM %s AS row NOT INDEXED", t->sql_name);
	if (status == 0)
		statement = prepare(s, t->name, text_string(&sql), err);
	text_release(&sql);
	if (!statement)
		return NULL;
	rows = memory_alloc(sizeof(*rows));
	*rows = (struct source_rows){.source = s,
		.statement = statement,
		.table = t->name,
		.rows_most = s->file->size / ROW_BYTES_LEAST};
	return rows;
}

static int rows_next(struct source_rows *r, struct error *err)
{
	const int status = step(r->source, r->statement, r->table, r->rows, err);

	if (status == 1 && r->rows++ == r->rows_most) {
		char place[sizeof(err->place)];

		snprintf(place, sizeof(place), "%s: table %s", r->source->file->path, r->table);
		return error_set(err, ERROR_INPUT, place,
			"more rows than the file has room for: a damaged database");
	}
	return status;
}

static void value_of(sqlite3_stmt *statement, int i, struct source_value *out)
{
	*out = (struct source_value){0};
	switch (sqlite3_column_type(statement, i)) {
	case SQLITE_INTEGER:
		out->kind = VALUE_INTEGER;
		out->integer = sqlite3_column_int64(statement, i);
		break;
	case SQLITE_FLOAT:
		out->kind = VALUE_REAL;
		out->real = sqlite3_column_double(statement, i);
		break;
	case SQLITE_TEXT:
		out->kind = VALUE_TEXT;
		out->text = column_text(statement, i);
		out->size = (size_t)sqlite3_column_bytes(statement, i);
		break;
	case SQLITE_BLOB:
		out->kind = VALUE_BYTES;
		break;
	default:
		break;
	}
}

static void rows_value(const struct source_rows *r, size_t column, struct source_value *out)
{
	value_of(r->statement, (int)column, out);
}

static void rows_close(struct source_rows *r)
{
	if (!r)
		return;
	sqlite3_finalize(r->statement);
	memory_free(r);
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
		prepare(s, name, text_string(&sql), err)};
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
		return fail(s, name, 0, err);
	status = step(s, f->statement, name, 0, err);
	if (status == 1)
		value_of(f->statement, 0, out);
	return status;
}

/* ---- opening ---- */

static void source_free(struct row_source *source)
{
	struct sqlite_source *s = (struct sqlite_source *)source;

	for (size_t i = 0; i < FINDERS; i++)
		sqlite3_finalize(s->finder[i].statement);
	sqlite3_close(s->db);
	if (s->vfs)
		sqlite3_vfs_unregister(&s->vfs->vfs);
	memory_free(s->vfs);
	memory_free(s->table);
	arena_free(s->arena);
	memory_free(s);
}

/* SQLite itself looks at a page only when it is read. */
static int check_header(struct sqlite_source *s, struct error *err)
{
	unsigned char head[HEADER_BYTES];
	uint64_t page_bytes, pages;

	if (s->file->size < HEADER_BYTES)
		return error_set(err, ERROR_INPUT, s->file->path,
			"an SQLite database that ends inside its head");
	if (span_file_read(s->file, 0, head, sizeof(head), "the head", err) != 0)
		return -1;
	page_bytes = (uint64_t)head[16] << 8 | head[17];
	page_bytes = page_bytes == 1 ? 65536 : page_bytes;
	pages = (uint64_t)head[28] << 24 | (uint64_t)head[29] << 16 | (uint64_t)head[30] << 8 |
		head[31];
	/* The count of pages is true when who changed the file last knew of it. */
	if (memcmp(head + 24, head + 92, 4) != 0 || pages * page_bytes <= s->file->size)
		return 0;
	error_set(err, ERROR_INPUT, s->file->path,
		"an SQLite database of %llu bytes that ends after %llu",
		(unsigned long long)(pages * page_bytes), (unsigned long long)s->file->size);
	return error_hint(err, "the file is cut off: copy, export or record it again");
}

static void set_limits(struct sqlite_source *s)
{
	static const struct {
		int id, value;
	} limits[] = {
		{SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES_MOST},
		{SQLITE_LIMIT_COLUMN, COLUMNS_MOST},
		{SQLITE_LIMIT_EXPR_DEPTH, 100},
		{SQLITE_LIMIT_COMPOUND_SELECT, 1},
		{SQLITE_LIMIT_VDBE_OP, 100000},
		{SQLITE_LIMIT_FUNCTION_ARG, 8},
		{SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
		{SQLITE_LIMIT_WORKER_THREADS, 0},
	};
	static const int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
		SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL,
		SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_WRITABLE_SCHEMA};

	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH,
		s->max_value_bytes < SQL_BYTES_MOST ? SQL_BYTES_MOST
		: s->max_value_bytes < INT32_MAX    ? (int)s->max_value_bytes
						    : INT32_MAX);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(s->db, limits[i].id, limits[i].value);
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		sqlite3_db_config(s->db, off[i], 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_progress_handler(s->db, STEP_OPERATIONS, count_steps, s);
}

/* Tables with pages of their own: others are made of code. */
static int list_tables(struct sqlite_source *s, struct error *err)
{
	sqlite3_stmt *statement = prepare(s, NULL,
		"SELECT name, sql FROM sqlite_master WHERE type='table' AND rootpage>0", err);
	struct text quoted;
	uint64_t rows = 0;
	int status = statement ? 0 : -1;

	text_init(&quoted);
	while (statement && s->tables < TABLES_MOST &&
		(status = step(s, statement, "sqlite_master", rows++, err)) == 1) {
		struct sqlite_table *t;

		if (strncasecmp(column_text(statement, 1), "CREATE TABLE", 12) != 0)
			continue;
		t = memory_push(&s->table, &s->tables, &s->table_room, sizeof(*t));
		text_clear(&quoted);
		sqlite_add_name(&quoted, column_text(statement, 0));
		*t = (struct sqlite_table){
			.name = arena_strdup(s->arena, column_text(statement, 0)),
			.sql_name = arena_strdup(s->arena, text_string(&quoted))};
	}
	sqlite3_finalize(statement);
	text_release(&quoted);
	return status < 0 ? -1 : 0;
}

static int open_database(struct sqlite_source *s, struct error *err)
{
	const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;

	s->vfs = span_vfs_new(s->file);
	if (!s->vfs || sqlite3_open_v2("database", &s->db, flags, s->vfs->name) != SQLITE_OK)
		return s->db ? fail(s, NULL, 0, err)
			     : error_set(
				       err, ERROR_INPUT, s->file->path, "SQLite cannot be started");
	set_limits(s);
	if (sqlite3_exec(s->db,
		    "PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON; PRAGMA query_only=ON;"
		    "PRAGMA mmap_size=0",
		    NULL, NULL, NULL) != SQLITE_OK)
		return fail(s, NULL, 0, err);
	sqlite3_set_authorizer(s->db, authorise, NULL);
	return list_tables(s, err);
}

struct row_source *sqlite_source_new(
	const struct span_file *file, size_t max_value_bytes, struct error *err)
{
	static const struct row_source_functions functions = {
		.has = source_has,
		.column_name = source_column,
		.open = source_open,
		.next = rows_next,
		.value = rows_value,
		.close = rows_close,
		.find = source_find,
		.free = source_free,
	};
	struct sqlite_source *s = memory_alloc(sizeof(*s));

	*s = (struct sqlite_source){.base = {&functions},
		.file = file,
		.arena = arena_new(),
		.max_value_bytes = max_value_bytes};
	if (check_header(s, err) == 0 && open_database(s, err) == 0)
		return &s->base;
	source_free(&s->base);
	return NULL;
}

const char *sqlite_source_table(struct row_source *source, size_t i)
{
	struct sqlite_source *s = (struct sqlite_source *)source;

	return i < s->tables ? s->table[i].name : NULL;
}
