/* Settings that SQLite's documentation recommends for files of strangers ("Defense Against The Dark
 * Arts", sqlite.org/security.html), and bounds: of the work for one row by a count. A tree of pages
 * whose links lead to each other could be walked for ever. The disk as SQLite sees it is one file,
 * which can only be read: no path, journal or lock leads anywhere else. */
#include "ingest/database/sqlite_connection.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"

#define HEADER_BYTES 100
#define SQL_BYTES_MOST (1 << 20) /* of the text that describes a table */
#define STEP_OPERATIONS 1000
#define STEPS_PER_ROW 20000 /* 2 * 10^7 operations: a second or two for one row */
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

/* ---- errors ---- */

int sqlite_fail(struct sqlite_connection *c, const char *table, uint64_t rows, struct error *err)
{
	const int code = sqlite3_errcode(c->db);
	char place[sizeof(err->place)];

	if (table)
		snprintf(place, sizeof(place), "%s: table %s", c->file->path, table);
	else
		snprintf(place, sizeof(place), "%s", c->file->path);
	switch (code) {
	case SQLITE_NOMEM: /* it says so of sizes that a damaged file asks for, too */
		error_set(
			err, ERROR_LIMIT, place, "SQLite has no memory for what the file asks for");
		break;
	case SQLITE_TOOBIG:
		error_set(err, ERROR_LIMIT, place, "a value of more than %zu bytes",
			c->max_value_bytes);
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
			(unsigned long long)rows, sqlite3_errmsg(c->db));
		break;
	}
	return error_hint(err, "the file is cut off or damaged: copy, export or record it again");
}

static int count_steps(void *context)
{
	struct sqlite_connection *c = context;

	return ++c->steps > STEPS_PER_ROW;
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

sqlite3_stmt *sqlite_prepare(
	struct sqlite_connection *c, const char *table, const char *sql, struct error *err)
{
	sqlite3_stmt *statement = NULL;

	c->steps = 0;
	if (sqlite3_prepare_v2(c->db, sql, -1, &statement, NULL) != SQLITE_OK) {
		sqlite_fail(c, table, 0, err);
		return NULL;
	}
	return statement;
}

int sqlite_next(struct sqlite_connection *c, sqlite3_stmt *statement, const char *table,
	uint64_t rows, struct error *err)
{
	int code;

	c->steps = 0;
	code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		return 1;
	return code == SQLITE_DONE ? 0 : sqlite_fail(c, table, rows, err);
}

/* ---- values ---- */

const char *sqlite_column_text(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text ? (const char *)text : "";
}

void sqlite_value(sqlite3_stmt *statement, int i, struct source_value *out)
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
		out->text = sqlite_column_text(statement, i);
		out->size = (uint32_t)sqlite3_column_bytes(statement, i);
		break;
	case SQLITE_BLOB:
		out->kind = VALUE_BYTES;
		break;
	default:
		break;
	}
}

/* ---- opening ---- */

/* SQLite itself looks at a page only when it is read. */
static int check_header(struct sqlite_connection *c, struct error *err)
{
	unsigned char head[HEADER_BYTES];
	uint64_t page_bytes, pages;

	if (c->file->size < HEADER_BYTES)
		return error_set(err, ERROR_INPUT, c->file->path,
			"an SQLite database whose header is cut off");
	if (span_file_read(c->file, 0, head, sizeof(head), "the head", err) != 0)
		return -1;
	page_bytes = (uint64_t)head[16] << 8 | head[17];
	page_bytes = page_bytes == 1 ? 65536 : page_bytes;
	pages = (uint64_t)head[28] << 24 | (uint64_t)head[29] << 16 | (uint64_t)head[30] << 8 |
		head[31];
	/* The count of pages is true when who changed the file last knew of it. */
	if (memcmp(head + 24, head + 92, 4) != 0 || pages * page_bytes <= c->file->size)
		return 0;
	error_set(err, ERROR_INPUT, c->file->path,
		"an SQLite database of %llu bytes that ends after %llu",
		(unsigned long long)(pages * page_bytes), (unsigned long long)c->file->size);
	return error_hint(err, "the file is cut off: copy, export or record it again");
}

static void set_limits(struct sqlite_connection *c)
{
	static const struct {
		int id, value;
	} limits[] = {
		{SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES_MOST},
		{SQLITE_LIMIT_COLUMN, SQLITE_COLUMNS_MOST},
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

	sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH,
		c->max_value_bytes < SQL_BYTES_MOST ? SQL_BYTES_MOST
		: c->max_value_bytes < INT32_MAX    ? (int)c->max_value_bytes
						    : INT32_MAX);
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(c->db, limits[i].id, limits[i].value);
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		sqlite3_db_config(c->db, off[i], 0, NULL);
	sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_progress_handler(c->db, STEP_OPERATIONS, count_steps, c);
}

static int open_database(struct sqlite_connection *c, struct error *err)
{
	const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;

	c->vfs = span_vfs_new(c->file);
	if (!c->vfs || sqlite3_open_v2("database", &c->db, flags, c->vfs->name) != SQLITE_OK)
		return c->db ? sqlite_fail(c, NULL, 0, err)
			     : error_set(
				       err, ERROR_INPUT, c->file->path, "SQLite cannot be started");
	set_limits(c);
	if (sqlite3_exec(c->db,
		    "PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON; PRAGMA query_only=ON;"
		    "PRAGMA mmap_size=0",
		    NULL, NULL, NULL) != SQLITE_OK)
		return sqlite_fail(c, NULL, 0, err);
	sqlite3_set_authorizer(c->db, authorise, NULL);
	return 0;
}

int sqlite_connect(struct sqlite_connection *c, const struct span_file *file,
	size_t max_value_bytes, struct error *err)
{
	*c = (struct sqlite_connection){.file = file, .max_value_bytes = max_value_bytes};
	return check_header(c, err) || open_database(c, err) ? -1 : 0;
}

void sqlite_disconnect(struct sqlite_connection *c)
{
	sqlite3_close(c->db);
	if (c->vfs)
		sqlite3_vfs_unregister(&c->vfs->vfs);
	memory_free(c->vfs);
}
