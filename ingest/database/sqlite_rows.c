/* A thread has a connection of its own and copies the rows of a window, which the caller takes in
 * order. A window that cannot be read, or has more than it should, is read by the caller, row by
 * row, as all of a table is that has no ids, few rows, or but one thread: so errors are the same
 * for any number of threads, and say the right row. */
#include "ingest/database/sqlite_rows.h"

#include <stdio.h>
#include "base/arena.h"
#include "base/memory.h"
#include "base/ordered_work.h"

#define ROW_BYTES_LEAST 4 /* of a row in a page: length, id, size of its head, place in it */
#define WINDOW_IDS 1024
#define WINDOWS_LEAST 4			   /* of a table that is read in windows */
#define TEXT_BYTES_MOST ((size_t)64 << 20) /* copies of texts in all windows */

struct row_window {
	const struct source_rows *of;
	int64_t from_id;
	struct arena *texts;
	size_t text_bytes;
	struct source_value *value; /* row by row */
	size_t room, count;	    /* count: of rows */
	bool is_whole;
};

/* Connection and statement of one thread. */
struct row_thread {
	struct sqlite_connection connection;
	sqlite3_stmt *statement;
};

struct source_rows {
	struct sqlite_connection *connection;
	const char *table, *sql;
	size_t columns;
	uint64_t rows, rows_most;
	sqlite3_stmt *statement;  /* of the caller, for a window at a time; before the first one
				   * nothing is bound, so that it has no row */
	int64_t next_id, last_id; /* next: of the window that begins next, unless is_over */
	bool is_over;
	/* Windows that threads read; NULL: the statement is at a row. */
	struct ordered_work *work;
	struct row_window *window, *now;
	size_t windows, taken; /* taken: rows of `now` */
	struct row_thread *thread;
	struct arena *arena;
};

/* ---- windows ---- */

static bool bind_window(const struct source_rows *r, sqlite3_stmt *statement, int64_t from_id)
{
	const int64_t left = r->last_id - from_id;

	sqlite3_reset(statement);
	return sqlite3_bind_int64(statement, 1, from_id) == SQLITE_OK &&
	       sqlite3_bind_int64(statement, 2,
		       from_id + (left < WINDOW_IDS ? left : WINDOW_IDS - 1)) == SQLITE_OK;
}

/* The next window's first id. False: there is none. */
static bool take_window(struct source_rows *r, int64_t *from_id)
{
	if (r->is_over)
		return false;
	*from_id = r->next_id;
	r->is_over = r->last_id - r->next_id < WINDOW_IDS;
	if (!r->is_over)
		r->next_id += WINDOW_IDS;
	return true;
}

static bool copy_row(struct row_window *w, sqlite3_stmt *statement, size_t columns)
{
	struct source_value *value;

	if (w->count == WINDOW_IDS)
		return false;
	w->value =
		memory_make_room(w->value, &w->room, (w->count + 1) * columns, sizeof(*w->value));
	value = &w->value[w->count++ * columns];
	for (size_t i = 0; i < columns; i++) {
		sqlite_value(statement, (int)i, &value[i]);
		if (value[i].kind != VALUE_TEXT)
			continue;
		w->text_bytes += value[i].size;
		if (w->text_bytes > TEXT_BYTES_MOST / w->of->windows)
			return false;
		value[i].text = arena_strndup(w->texts, value[i].text, value[i].size);
	}
	return true;
}

/* Work of any thread. */
static void read_window(void *item, size_t thread)
{
	struct row_window *w = item;
	const struct source_rows *r = w->of;
	struct row_thread *t = &r->thread[thread];
	struct error ignored; /* the caller has it once more */
	int status = 0;

	w->count = w->text_bytes = 0;
	w->is_whole = false;
	arena_reset(w->texts);
	if (!t->statement && !t->connection.file &&
		sqlite_connect(&t->connection, r->connection->file, r->connection->max_value_bytes,
			&ignored) == 0)
		t->statement = sqlite_prepare(&t->connection, r->table, r->sql, &ignored);
	if (!t->statement || !bind_window(r, t->statement, w->from_id))
		return;
	while ((status = sqlite_next(&t->connection, t->statement, r->table, 0, &ignored)) == 1)
		if (!copy_row(w, t->statement, r->columns))
			return;
	w->is_whole = status == 0;
}

static void *begin_window(void *context, size_t slot)
{
	struct source_rows *r = context;
	struct row_window *w = &r->window[slot];

	return take_window(r, &w->from_id) ? w : NULL;
}

static void begin_windows(struct source_rows *r, size_t threads)
{
	r->work = ordered_work_new(threads, read_window);
	r->windows = ordered_work_depth(r->work);
	r->window = memory_alloc(memory_product(r->windows, sizeof(*r->window)));
	for (size_t i = 0; i < r->windows; i++)
		r->window[i] = (struct row_window){.of = r, .texts = arena_new()};
	r->thread = memory_alloc(memory_product(ordered_work_threads(r->work), sizeof(*r->thread)));
}

static void end_windows(struct source_rows *r)
{
	const size_t threads = r->work ? ordered_work_threads(r->work) : 0;

	ordered_work_free(r->work);
	for (size_t i = 0; i < r->windows; i++) {
		arena_free(r->window[i].texts);
		memory_free(r->window[i].value);
	}
	for (size_t i = 0; i < threads; i++) {
		sqlite3_finalize(r->thread[i].statement);
		sqlite_disconnect(&r->thread[i].connection);
	}
	memory_free(r->window);
	memory_free(r->thread);
	r->work = NULL;
	r->window = r->now = NULL;
	r->thread = NULL;
	r->windows = 0;
}

/* ---- the rows ---- */

/* The lowest or the highest id of the table. 1, 0: it has no row, or no ids, -1. */
static int find_id(const struct sqlite_row_query *q, const char *order, int64_t *id)
{
	struct error ignored;
	struct text sql;
	sqlite3_stmt *statement;
	int status = 0;

	text_init(&sql);
	text_printf(&sql, "SELECT %s FROM %s NOT INDEXED ORDER BY 1 %s LIMIT 1", q->key,
		q->sql_name, order);
	statement = sqlite_prepare(q->connection, q->table, text_string(&sql), &ignored);
	if (statement)
		status = sqlite_next(q->connection, statement, q->table, 0, &ignored);
	if (status == 1)
		*id = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	text_release(&sql);
	return status;
}

/* Ids far apart would be windows without rows. */
static bool has_windows(struct source_rows *r, const struct sqlite_row_query *q)
{
	int64_t span;

	return q->key && find_id(q, "ASC", &r->next_id) == 1 &&
	       find_id(q, "DESC", &r->last_id) == 1 &&
	       !__builtin_sub_overflow(r->last_id, r->next_id, &span) &&
	       span >= WINDOWS_LEAST * WINDOW_IDS && (uint64_t)span <= r->rows_most;
}

struct source_rows *sqlite_rows_new(const struct sqlite_row_query *q, struct error *err)
{
	struct source_rows *r = memory_alloc(sizeof(*r));

	*r = (struct source_rows){.connection = q->connection,
		.table = q->table,
		.columns = q->columns,
		.rows_most = q->connection->file->size / ROW_BYTES_LEAST,
		.arena = arena_new()};
	r->is_over = !has_windows(r, q);
	r->sql = !r->is_over ? arena_printf(r->arena, "%s WHERE row.%s BETWEEN ? AND ?", q->select,
				       q->key)
			     : arena_strdup(r->arena, q->select);
	r->statement = sqlite_prepare(r->connection, r->table, r->sql, err);
	if (!r->statement) {
		sqlite_rows_close(r);
		return NULL;
	}
	if (!r->is_over && q->threads > 1 && sqlite3_threadsafe())
		begin_windows(r, q->threads);
	return r;
}

/* The caller's statement begins the next window. 1, 0: there is none, -1. */
static int step_window(struct source_rows *r, struct error *err)
{
	int64_t from_id;

	if (!take_window(r, &from_id))
		return 0;
	return bind_window(r, r->statement, from_id)
		       ? 1
		       : sqlite_fail(r->connection, r->table, r->rows, err);
}

/* 1, 0, -1 as next, of what the caller reads. */
static int step_row(struct source_rows *r, struct error *err)
{
	int status;

	for (;;) {
		status = sqlite_next(r->connection, r->statement, r->table, r->rows, err);
		if (status != 0)
			return status;
		status = step_window(r, err);
		if (status != 1)
			return status;
	}
}

/* True: there is a row in `now`. False: the statement goes on. */
static bool next_copied(struct source_rows *r)
{
	while (!r->now || r->taken == r->now->count) {
		r->now = ordered_work_next(r->work, begin_window, r);
		r->taken = 0;
		if (r->now && r->now->is_whole)
			continue;
		if (r->now) {
			r->next_id = r->now->from_id;
			r->is_over = false;
		}
		end_windows(r);
		return false;
	}
	r->taken++;
	return true;
}

int sqlite_rows_next(struct source_rows *r, struct error *err)
{
	const int status = r->work && next_copied(r) ? 1 : step_row(r, err);
	char place[sizeof(err->place)];

	if (status != 1 || r->rows++ < r->rows_most)
		return status;
	snprintf(place, sizeof(place), "%s: table %s", r->connection->file->path, r->table);
	return error_set(err, ERROR_INPUT, place,
		"more rows than the file has room for: a damaged database");
}

void sqlite_rows_value(const struct source_rows *r, size_t column, struct source_value *out)
{
	if (r->now)
		*out = r->now->value[(r->taken - 1) * r->columns + column];
	else
		sqlite_value(r->statement, (int)column, out);
}

void sqlite_rows_close(struct source_rows *r)
{
	if (!r)
		return;
	end_windows(r);
	sqlite3_finalize(r->statement);
	arena_free(r->arena);
	memory_free(r);
}
