/* The columns of Parquet are flat and one after the other; names behind ids need looking up. So
 * rows go into a database, where ids are keys, and are read as the SQLite export is. */
#define _GNU_SOURCE /* mkostemp */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/temporary_file.h"
#include "base/text.h"
#include "ingest/database/database.h"
#include "ingest/database/row_source.h"
#include "ingest/parquet/parquet_format.h"
#include "ingest/parquet/parquet_rows.h"

#define SUFFIX ".parquet"
#define FILES_MOST ((size_t)10000)
#define PAGE_BYTES 4096
#define COLUMNS_MOST 500

/* A database that is being filled. */
struct table_copy {
	const char *folder;
	const struct read_options *opt;
	sqlite3 *db;
	int fd;
	struct arena *arena;
	size_t tables; /* as yet */
};

/* ---- which files ---- */

/* Names of tables that have a file, in order. */
static int list_tables(struct table_copy *c, struct vec *out, struct error *err)
{
	DIR *folder = opendir(c->folder);
	const struct dirent *entry;
	int status = 0;

	if (!folder)
		return error_set(err, ERROR_INPUT, c->folder, "cannot open: %s", strerror(errno));
	while (status == 0 && (entry = readdir(folder))) {
		const size_t n = strlen(entry->d_name);
		const char **name;

		if (n <= strlen(SUFFIX) || !text_ends(entry->d_name, SUFFIX) ||
			entry->d_name[0] == '.')
			continue;
		name = vec_push(out, err);
		if (name)
			*name = arena_strndup(c->arena, entry->d_name, n - strlen(SUFFIX));
		else
			status = -1;
	}
	closedir(folder);
	if (out->count)
		qsort(out->data, out->count, sizeof(const char *), order_texts);
	return status;
}

/* A recording has some hundred tables, of which a few are large and not read. */
static bool is_read(const struct database_description *is, const char *name)
{
	static const char *const small[] = {
		"META_DATA_CAPTURE", "DIAGNOSTIC_EVENT", "MPI_RANKS", NULL};

	for (size_t i = 0; i < is->tables; i++)
		if (text_equal(is->table[i].name, name))
			return true;
	for (size_t i = 0; small[i]; i++)
		if (text_equal(small[i], name))
			return true;
	return text_equal(is->text_table, name) || text_equal(is->process_table, name) ||
	       text_equal(is->thread_table, name) || text_starts(name, "TARGET_INFO_");
}

/* ---- the database ---- */

static const char *temporary_folder(const struct table_copy *c)
{
	return c->opt->trace.spill_folder ? c->opt->trace.spill_folder : "/tmp";
}

static int cannot(const struct table_copy *c, const char *doing, const char *why, struct error *err)
{
	error_set(err, ERROR_OUTPUT, temporary_folder(c),
		"cannot %s a temporary file for the tables of %s: %s", doing, c->folder, why);
	return error_hint(err, "set TMPDIR to a folder that can be written and has room");
}

/* SQLite has one answer for a full disk and for its own limit, and no count of pages after it: the
 * disk is asked for one page more. The error of that, or 0. The file is of no use any more. */
static int disk_error(const struct table_copy *c)
{
	static const unsigned char page[PAGE_BYTES];
	struct stat status;

	if (fstat(c->fd, &status) == 0 &&
		temporary_file_write(c->fd, page, sizeof(page), (uint64_t)status.st_size) == 0)
		return 0;
	return errno;
}

static int fail(const struct table_copy *c, struct error *err)
{
	const bool is_full = sqlite3_errcode(c->db) == SQLITE_FULL;
	const int why = disk_error(c);

	if (!is_full || why)
		return cannot(c, "write", why ? strerror(why) : sqlite3_errmsg(c->db), err);
	error_set(err, ERROR_LIMIT, c->folder,
		"more than %llu bytes of temporary disk for its tables",
		(unsigned long long)c->opt->trace.max_spill_bytes);
	return error_hint(err, "allow more with spill-limit in stepstat.yaml");
}

static int execute(const struct table_copy *c, const char *sql, struct error *err)
{
	return sqlite3_exec(c->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(c, err);
}

/* The file has a name until SQLite has it open. */
static int open_database(struct table_copy *c, struct error *err)
{
	char *path = arena_printf(c->arena, "%s/stepstat-XXXXXX", temporary_folder(c));
	int status = 0;

	c->fd = mkostemp(path, O_CLOEXEC);
	if (c->fd < 0)
		return cannot(c, "make", strerror(errno), err);
	if (sqlite3_open_v2(path, &c->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
		SQLITE_OK)
		status = fail(c, err);
	else
		status = execute(c,
			arena_printf(c->arena,
				"PRAGMA page_size=%d; PRAGMA journal_mode=OFF; PRAGMA "
				"synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA "
				"cache_size=-4000; PRAGMA max_page_count=%llu; BEGIN EXCLUSIVE",
				PAGE_BYTES,
				(unsigned long long)(c->opt->trace.max_spill_bytes / PAGE_BYTES +
						     1)),
			err);
	unlink(path);
	return status;
}

/* ---- one table ---- */

struct source_table {
	struct parquet_file file;
	struct cell_rows *rows;
	const char *name;
	sqlite3_stmt *insert;
	size_t *field; /* of each column of the insert */
	size_t fields;
};

/* Columns that cannot be read (points in time, nested ones) are left out; none of these is used. */
static int choose_columns(struct table_copy *c, struct source_table *t, struct error *err)
{
	enum table_use *use = arena_array(c->arena, t->file.field_count, sizeof(*use));
	struct cell_row header;

	t->field = arena_array(c->arena, t->file.field_count, sizeof(*t->field));
	for (size_t i = 0; i < t->file.field_count; i++) {
		use[i] = t->file.field[i].meaning == MEANING_OTHER || t->fields == COLUMNS_MOST
				 ? TABLE_UNUSED
				 : TABLE_NUMBERS;
		if (use[i] != TABLE_UNUSED)
			t->field[t->fields++] = i;
	}
	if (t->rows->next(t->rows, &header, err) < 0)
		return -1;
	return t->fields ? t->rows->use(t->rows, use, err) : 0;
}

/* Names behind ids are found by `id`. */
static int create_table(struct table_copy *c, struct source_table *t, struct error *err)
{
	struct text sql;
	int status;

	text_init(&sql);
	text_add(&sql, "CREATE TABLE ");
	sqlite_add_name(&sql, t->name);
	for (size_t i = 0; i < t->fields; i++) {
		const char *name = t->file.field[t->field[i]].name;

		text_add(&sql, i ? "," : "(");
		sqlite_add_name(&sql, name);
		if (text_equal(name, "id") && text_equal(t->name, "StringIds"))
			text_add(&sql, " INTEGER PRIMARY KEY");
	}
	text_add(&sql, ")");
	status = execute(c, text_string(&sql), err);
	text_clear(&sql);
	text_add(&sql, "INSERT INTO ");
	sqlite_add_name(&sql, t->name);
	text_add(&sql, " VALUES(?");
	for (size_t i = 1; i < t->fields; i++)
		text_add(&sql, ",?");
	text_add(&sql, ")");
	if (status == 0 &&
		sqlite3_prepare_v2(c->db, text_string(&sql), -1, &t->insert, NULL) != SQLITE_OK)
		status = fail(c, err);
	text_release(&sql);
	return status;
}

static int insert_rows(const struct table_copy *c, struct source_table *t, struct error *err)
{
	struct cell_row row;
	int got;

	while ((got = t->rows->next(t->rows, &row, err)) > 0) {
		for (size_t i = 0; i < t->fields; i++) {
			int at = (int)i + 1;
			const struct table_cell *cell = &row.field[t->field[i]];

			if (!cell->given)
				sqlite3_bind_null(t->insert, at);
			else if (cell->kind == TABLE_INTEGER)
				sqlite3_bind_int64(t->insert, at, cell->integer);
			else if (cell->kind == TABLE_REAL)
				sqlite3_bind_double(t->insert, at, cell->real);
			else
				sqlite3_bind_text(
					t->insert, at, cell->text, (int)cell->size, SQLITE_STATIC);
		}
		if (sqlite3_step(t->insert) != SQLITE_DONE) {
			if (sqlite3_errcode(c->db) == SQLITE_CONSTRAINT)
				return cell_rows_error(t->rows, 0, err, "two rows of one id");
			return fail(c, err);
		}
		sqlite3_reset(t->insert);
	}
	return got;
}

static int copy_table(struct table_copy *c, const char *name, struct error *err)
{
	const char *path = arena_printf(c->arena, "%s/%s" SUFFIX, c->folder, name);
	struct source_table t = {.name = name};
	struct span_file span;
	int status;

	if (span_file_open(&span, path, err) < 0)
		return -1;
	status = parquet_file_open(&t.file, &span, c->opt->max_record_bytes, c->arena, err);
	if (status == 0) {
		t.rows = parquet_rows_new(&t.file);
		status = choose_columns(c, &t, err);
		if (status == 0 && t.fields)
			status = create_table(c, &t, err) < 0 || insert_rows(c, &t, err) < 0 ? -1
											     : 0;
	}
	sqlite3_finalize(t.insert);
	parquet_rows_free(t.rows);
	span_file_close(&span);
	c->tables += t.fields > 0;
	return status;
}

/* ---- all of them ---- */

static int copy_all(struct table_copy *c, const struct database_description *is, struct error *err)
{
	struct vec names;
	int status;

	vec_init(&names, sizeof(const char *), FILES_MOST, "tables in a folder");
	status = list_tables(c, &names, err) < 0 || open_database(c, err) < 0 ? -1 : 0;
	for (size_t i = 0; i < names.count && status == 0; i++) {
		const char *name = *(const char **)vec_at(&names, i);

		if (is_read(is, name))
			status = copy_table(c, name, err);
	}
	vec_release(&names);
	return status == 0 ? execute(c, "COMMIT", err) : -1;
}

int parquet_tables_copy(const char *folder, const struct database_description *is,
	const struct read_options *opt, struct span_file *out, struct error *err)
{
	struct table_copy c = {.folder = folder, .opt = opt, .fd = -1, .arena = arena_new()};
	struct stat status;
	int result = copy_all(&c, is, err);

	if (sqlite3_close(c.db) != SQLITE_OK && result == 0)
		result = error_set(err, ERROR_OUTPUT, folder, "a temporary file cannot be closed");
	if (result == 0 && fstat(c.fd, &status) != 0)
		result = error_set(err, ERROR_OUTPUT, folder, "%s", strerror(errno));
	if (result == 0)
		*out = (struct span_file){
			.path = folder, .fd = c.fd, .size = (uint64_t)status.st_size};
	else if (c.fd >= 0)
		close(c.fd);
	arena_free(c.arena);
	return result;
}
