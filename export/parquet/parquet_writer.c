/*
 * Groups of rows one after another, then the footer, whose list of groups was made meanwhile.
 */
#include "export/parquet/parquet_writer.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/output/protobuf_writer.h"
#include "export/parquet/parquet_chunk.h"

/* Limits of a group, whichever is first. A page of integers is then a megabyte. */
#define GROUP_ROWS_MOST ((size_t)1 << 17)
#define GROUP_BYTES_MOST ((size_t)32 << 20)

struct parquet_writer {
	struct parquet_sink sink;
	struct arena *arena;
	char *program;
	struct parquet_chunk_writer *chunk;
	size_t count;
	size_t group_rows;
	uint64_t rows, groups;
	struct text group; /* one struct RowGroup after another */
};

struct parquet_writer *parquet_writer_new(
	struct outfile *out, const struct parquet_form *columns, size_t count, const char *program)
{
	struct parquet_writer *w = memory_alloc(sizeof(*w));

	w->arena = arena_new();
	w->sink.out = out;
	w->sink.zstd = ZSTD_createCCtx();
	w->sink.failed = !w->sink.zstd;
	text_init(&w->sink.page);
	text_init(&w->sink.packed);
	text_init(&w->sink.head);
	text_init(&w->group);
	w->program = arena_strdup(w->arena, program);
	w->count = count;
	w->chunk = arena_array(w->arena, count, sizeof(*w->chunk));
	for (size_t i = 0; i < count; i++) {
		struct parquet_form form = columns[i];

		form.name = arena_strdup(w->arena, columns[i].name);
		parquet_chunk_init(&w->chunk[i], &form);
	}
	parquet_sink_write(&w->sink, PARQUET_MAGIC, PARQUET_MAGIC_BYTES);
	return w;
}

void parquet_writer_free(struct parquet_writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->count; i++)
		parquet_chunk_release(&w->chunk[i]);
	ZSTD_freeCCtx(w->sink.zstd);
	text_release(&w->sink.page);
	text_release(&w->sink.packed);
	text_release(&w->sink.head);
	text_release(&w->group);
	arena_free(w->arena);
	memory_free(w);
}

void parquet_put_text(struct parquet_writer *w, size_t column, const char *text, size_t size)
{
	parquet_chunk_text(&w->chunk[column], text, size);
}

void parquet_put_integer(struct parquet_writer *w, size_t column, int64_t value)
{
	parquet_chunk_integer(&w->chunk[column], value);
}

void parquet_put_real(struct parquet_writer *w, size_t column, double value)
{
	parquet_chunk_real(&w->chunk[column], value);
}

static void write_group(struct parquet_writer *w)
{
	const uint64_t at = w->sink.at;
	struct thrift_writer meta;
	uint64_t bytes = 0;

	if (w->group_rows == 0)
		return;
	thrift_writer_init(&meta, &w->group);
	thrift_add_list(&meta, GROUP_COLUMNS, THRIFT_STRUCT, w->count);
	for (size_t i = 0; i < w->count; i++)
		bytes += parquet_chunk_write(&w->chunk[i], &w->sink, &meta);
	thrift_add_i64(&meta, GROUP_BYTES, (int64_t)bytes);
	thrift_add_i64(&meta, GROUP_ROWS, (int64_t)w->group_rows);
	thrift_add_i64(&meta, GROUP_OFFSET, (int64_t)at);
	thrift_add_i64(&meta, GROUP_PACKED_BYTES, (int64_t)(w->sink.at - at));
	thrift_end(&meta);
	w->groups++;
	w->rows += w->group_rows;
	w->group_rows = 0;
}

void parquet_end_row(struct parquet_writer *w)
{
	size_t bytes = 0;

	w->group_rows++;
	for (size_t i = 0; i < w->count; i++) {
		if (w->chunk[i].rows < w->group_rows)
			parquet_chunk_null(&w->chunk[i]);
		bytes += w->chunk[i].plain_bytes;
	}
	if (w->group_rows == GROUP_ROWS_MOST || bytes >= GROUP_BYTES_MOST)
		write_group(w);
}

/* ---- the footer ---- */

static void add_element(const struct parquet_chunk_writer *c, struct thrift_writer *footer)
{
	static const int32_t types[] = {[PARQUET_TEXTS] = PARQUET_BYTE_ARRAY,
		[PARQUET_INTEGERS] = PARQUET_INT64,
		[PARQUET_REALS] = PARQUET_DOUBLE};

	thrift_begin_element(footer);
	thrift_add_i32(footer, SCHEMA_TYPE, types[c->kind]);
	thrift_add_i32(
		footer, SCHEMA_REPETITION, c->required ? PARQUET_REQUIRED : PARQUET_OPTIONAL);
	thrift_add_string(footer, SCHEMA_NAME, c->name);
	if (c->kind == PARQUET_TEXTS) {
		thrift_add_i32(footer, SCHEMA_CONVERTED, CONVERTED_UTF8);
		thrift_begin(footer, SCHEMA_LOGICAL);
		thrift_begin(footer, LOGICAL_STRING);
		thrift_end(footer);
		thrift_end(footer);
	}
	thrift_end(footer);
}

/* Every column is ordered as its type is: without that, bounds of texts mean nothing. */
static void add_orders(const struct parquet_writer *w, struct thrift_writer *footer)
{
	thrift_add_list(footer, FILE_COLUMN_ORDERS, THRIFT_STRUCT, w->count);
	for (size_t i = 0; i < w->count; i++) {
		thrift_begin_element(footer);
		thrift_begin(footer, 1);
		thrift_end(footer);
		thrift_end(footer);
	}
}

/* "stepstat version 0.1.0": what readers look for. */
static void add_program(const struct parquet_writer *w, struct thrift_writer *footer)
{
	const char *blank = strchr(w->program, ' ');
	struct text text;

	text_init(&text);
	if (blank)
		text_printf(&text, "%.*s version%s", (int)(blank - w->program), w->program, blank);
	else
		text_add(&text, w->program);
	thrift_add_string(footer, FILE_CREATED_BY, text_string(&text));
	text_release(&text);
}

static void write_footer(struct parquet_writer *w)
{
	struct thrift_writer footer;
	struct text text;
	size_t size;

	text_init(&text);
	thrift_writer_init(&footer, &text);
	thrift_add_i32(&footer, FILE_VERSION, 1);
	thrift_add_list(&footer, FILE_SCHEMA, THRIFT_STRUCT, w->count + 1);
	thrift_begin_element(&footer);
	thrift_add_string(&footer, SCHEMA_NAME, "schema");
	thrift_add_i32(&footer, SCHEMA_CHILDREN, (int32_t)w->count);
	thrift_end(&footer);
	for (size_t i = 0; i < w->count; i++)
		add_element(&w->chunk[i], &footer);
	thrift_add_i64(&footer, FILE_ROWS, (int64_t)w->rows);
	thrift_add_list(&footer, FILE_GROUPS, THRIFT_STRUCT, w->groups);
	text_add_bytes(&text, text_string(&w->group), w->group.size);
	add_program(w, &footer);
	add_orders(w, &footer);
	thrift_end(&footer);
	size = text.size;
	protobuf_add_fixed(&text, size, PARQUET_TAIL_BYTES - PARQUET_MAGIC_BYTES);
	text_add(&text, PARQUET_MAGIC);
	parquet_sink_write(&w->sink, text_string(&text), text.size);
	text_release(&text);
}

int parquet_writer_finish(struct parquet_writer *w, struct error *err)
{
	write_group(w);
	if (w->sink.failed)
		return error_set(err, ERROR_OUTPUT, outfile_path(w->sink.out),
			"zstd could not pack a page: no memory");
	write_footer(w);
	return 0;
}
