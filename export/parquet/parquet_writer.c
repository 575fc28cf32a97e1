/* A Parquet file: column chunks, pages, the footer in Thrift's compact protocol. */
#include "export/parquet/parquet_writer.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>
#include "base/memory.h"
#include "base/output/protobuf_writer.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/checksum.h"
#include "ingest/parquet/parquet_format.h"

/* Sink of the bytes, and how they get there. */
struct parquet_sink {
	struct outfile *out;
	uint64_t at; /* bytes written */
	ZSTD_CCtx *zstd;
	struct text page, packed, head; /* of the page that is made */
	bool failed;			/* zstd did */
};

struct parquet_chunk_writer {
	const char *name;
	enum parquet_kind kind;
	bool required;
	uint32_t *given; /* of each row: 1 or 0 */
	size_t given_room, rows, nulls;
	union {
		int64_t *integer;
		double *real;
		uint32_t *text; /* numbers of the texts */
	} value;
	size_t value_room, count; /* values that are given */
	struct arena *arena;	  /* of the texts of this group */
	struct intern *texts;
	size_t last_size;   /* of the last text */
	size_t text_bytes;  /* of different texts, as a dictionary has them */
	size_t plain_bytes; /* of all values and levels, unpacked */
};

/* ---- Pages have about a megabyte of values. Texts stand in a dictionary unless that would be
 * longer than a page: then the whole chunk is plain ---- */

#define THRIFT_DEPTH_MOST 8

struct thrift_writer {
	struct text *out;
	int16_t last[THRIFT_DEPTH_MOST]; /* field of each open struct */
	size_t depth;
};

/* of the innermost struct, the outermost last */

/* ---- Heads of fields hold the difference to the field before where it fits into half a byte
 * ---- */

#define COUNT_SHORT 15 /* from here on a count has bytes of its own */

static void add_zigzag(struct thrift_writer *w, int64_t value)
{
	protobuf_add_varint(w->out, packed_zigzag((uint64_t)value));
}

static void add_head(struct thrift_writer *w, int16_t field, enum thrift_type type)
{
	int16_t *last = &w->last[w->depth - 1];
	const int difference = field - *last;

	if (difference > 0 && difference < COUNT_SHORT) {
		text_add_char(w->out, (char)(difference << 4 | (int)type));
	} else {
		text_add_char(w->out, (char)type);
		add_zigzag(w, field);
	}
	*last = field;
}

/* The outermost struct is open. */
static void thrift_writer_init(struct thrift_writer *w, struct text *out)
{
	*w = (struct thrift_writer){.out = out, .depth = 1};
}

static void thrift_add_i32(struct thrift_writer *w, int16_t field, int32_t value)
{
	add_head(w, field, THRIFT_I32);
	add_zigzag(w, value);
}

static void thrift_add_i64(struct thrift_writer *w, int16_t field, int64_t value)
{
	add_head(w, field, THRIFT_I64);
	add_zigzag(w, value);
}

static void add_bytes(struct thrift_writer *w, const void *bytes, size_t size)
{
	protobuf_add_varint(w->out, size);
	text_add_bytes(w->out, bytes, size);
}

static void thrift_add_binary(
	struct thrift_writer *w, int16_t field, const void *bytes, size_t size)
{
	add_head(w, field, THRIFT_BINARY);
	add_bytes(w, bytes, size);
}

static void thrift_add_string(struct thrift_writer *w, int16_t field, const char *s)
{
	thrift_add_binary(w, field, s, strlen(s));
}

/* `count` elements follow: numbers and texts by thrift_element_..., structs between
 * thrift_begin_element and thrift_end. */
static void thrift_add_list(
	struct thrift_writer *w, int16_t field, enum thrift_type element, size_t count)
{
	add_head(w, field, THRIFT_LIST);
	text_add_char(
		w->out, (char)((count < COUNT_SHORT ? count : COUNT_SHORT) << 4 | (size_t)element));
	if (count >= COUNT_SHORT)
		protobuf_add_varint(w->out, count);
}

static void thrift_element_i32(struct thrift_writer *w, int32_t value)
{
	add_zigzag(w, value);
}

static void thrift_begin_element(struct thrift_writer *w)
{
	assert(w->depth < THRIFT_DEPTH_MOST);
	w->last[w->depth++] = 0;
}

static void thrift_begin(struct thrift_writer *w, int16_t field)
{
	add_head(w, field, THRIFT_STRUCT);
	thrift_begin_element(w);
}

/* a struct, up to thrift_end */
static void thrift_end(struct thrift_writer *w)
{
	text_add_char(w->out, THRIFT_STOP);
	w->depth--;
}

#define PAGE_MOST ((size_t)1 << 20)
#define LENGTH_BYTES 4
#define ZSTD_LEVEL 3
#define BOUND_BYTES_MOST 256 /* longer texts are no bounds: the footer stays small */

/* The least and the greatest value, as they stand in a page. */
struct value_bounds {
	bool known;
	char number[2][sizeof(int64_t)];
	const char *bytes[2];
	size_t size[2];
};

/* Facts about a chunk for the footer. */
struct chunk_facts {
	uint64_t dictionary_at, data_at; /* dictionary_at 0: none */
	uint64_t bytes, packed_bytes;	 /* heads of pages included */
};

static void parquet_sink_write(struct parquet_sink *sink, const void *bytes, size_t size)
{
	outfile_write(sink->out, bytes, size);
	sink->at += size;
}

/* ---- collecting ---- */

static void mark(struct parquet_chunk_writer *c, uint32_t given)
{
	c->plain_bytes += sizeof(*c->given);
	c->given = memory_make_room(c->given, &c->given_room, c->rows + 1, sizeof(*c->given));
	c->given[c->rows++] = given;
}

static void parquet_chunk_integer(struct parquet_chunk_writer *c, int64_t value)
{
	assert(c->kind == PARQUET_INTEGERS);
	mark(c, 1);
	c->value.integer = memory_make_room(
		c->value.integer, &c->value_room, c->count + 1, sizeof(*c->value.integer));
	c->value.integer[c->count++] = value;
	c->plain_bytes += sizeof(value);
}

static void parquet_chunk_real(struct parquet_chunk_writer *c, double value)
{
	assert(c->kind == PARQUET_REALS);
	mark(c, 1);
	c->value.real = memory_make_room(
		c->value.real, &c->value_room, c->count + 1, sizeof(*c->value.real));
	c->value.real[c->count++] = value;
	c->plain_bytes += sizeof(value);
}

/* ---- pages ---- */

/* The page that was made, of so many values; the head has what data and dictionary pages share. */
static void write_page(
	struct parquet_sink *sink, enum parquet_page type, size_t values, struct chunk_facts *facts)
{
	const bool is_data = type == PARQUET_DATA_PAGE;
	struct thrift_writer head;
	const size_t room = ZSTD_compressBound(sink->page.size);
	size_t size;

	text_clear(&sink->packed);
	if (sink->failed)
		return;
	size = ZSTD_compressCCtx(sink->zstd, text_room(&sink->packed, room), room,
		text_string(&sink->page), sink->page.size, ZSTD_LEVEL);
	if (ZSTD_isError(size)) {
		sink->failed = true;
		return;
	}
	text_extend(&sink->packed, size);
	text_clear(&sink->head);
	thrift_writer_init(&head, &sink->head);
	thrift_add_i32(&head, PAGE_TYPE, (int32_t)type);
	thrift_add_i32(&head, PAGE_BYTES, (int32_t)sink->page.size);
	thrift_add_i32(&head, PAGE_PACKED_BYTES, (int32_t)sink->packed.size);
	thrift_add_i32(&head, PAGE_CRC,
		(int32_t)crc32_add(0, text_string(&sink->packed), sink->packed.size));
	thrift_begin(&head, is_data ? PAGE_DATA : PAGE_DICTIONARY);
	thrift_add_i32(&head, DATA_VALUES, (int32_t)values);
	thrift_add_i32(&head, DATA_ENCODING,
		is_data && facts->dictionary_at ? PARQUET_RLE_DICTIONARY : PARQUET_PLAIN);
	if (is_data) {
		thrift_add_i32(&head, DATA_DEFINITION_ENCODING, PARQUET_RLE);
		thrift_add_i32(&head, DATA_REPETITION_ENCODING, PARQUET_RLE);
	}
	thrift_end(&head);
	thrift_end(&head);
	facts->bytes += sink->head.size + sink->page.size;
	facts->packed_bytes += sink->head.size + sink->packed.size;
	parquet_sink_write(sink, text_string(&sink->head), sink->head.size);
	parquet_sink_write(sink, text_string(&sink->packed), sink->packed.size);
}

static void add_text(struct text *page, const char *text, size_t size)
{
	protobuf_add_fixed(page, size, LENGTH_BYTES);
	text_add_bytes(page, text, size);
}

static void add_plain(const struct parquet_chunk_writer *c, struct text *page, size_t i)
{
	const char *text;

	if (c->kind == PARQUET_TEXTS) {
		text = intern_name(c->texts, c->value.text[i]);
		add_text(page, text, strlen(text));
		return;
	}
	/* A real number is moved as its bits. */
	protobuf_add_fixed(page, (uint64_t)c->value.integer[i], sizeof(int64_t));
}

/* Rows of a page, and its part of the values that are given. */
struct page_span {
	size_t row, rows, value, values;
};

static void write_span(struct parquet_chunk_writer *c, const struct page_span *span, unsigned width,
	struct parquet_sink *sink, struct chunk_facts *facts)
{
	text_clear(&sink->page);
	const size_t at = sink->page.size;
	struct text length;

	if (!c->required) {
		protobuf_add_fixed(&sink->page, 0, LENGTH_BYTES);
		bit_runs_add(&sink->page, c->given + span->row, span->rows, 1);
		text_init(&length);
		protobuf_add_fixed(&length, sink->page.size - at - LENGTH_BYTES, LENGTH_BYTES);
		memcpy(sink->page.data + at, length.data, LENGTH_BYTES);
		text_release(&length);
	}
	if (facts->dictionary_at) {
		text_add_char(&sink->page, (char)width);
		bit_runs_add(&sink->page, c->value.text + span->value, span->values, width);
	} else {
		for (size_t i = 0; i < span->values; i++)
			add_plain(c, &sink->page, span->value + i);
	}
	write_page(sink, PARQUET_DATA_PAGE, span->rows, facts);
}

static size_t bytes_of(const struct parquet_chunk_writer *c, size_t value)
{
	if (c->kind != PARQUET_TEXTS)
		return sizeof(int64_t);
	return LENGTH_BYTES + strlen(intern_name(c->texts, c->value.text[value]));
}

/* ---- what the footer says ---- */

static void bound_number(struct value_bounds *bounds, size_t which, uint64_t bits)
{
	for (size_t i = 0; i < sizeof(bits); i++)
		bounds->number[which][i] = (char)(bits >> 8 * i);
	bounds->bytes[which] = bounds->number[which];
	bounds->size[which] = sizeof(bits);
}

/* Bounds of real numbers have rules for zeros and NaN that no reader of ours needs: none. */
static void find_bounds(const struct parquet_chunk_writer *c, struct value_bounds *bounds)
{
	if (c->count && c->kind == PARQUET_TEXTS) {
		const size_t count = intern_count(c->texts);
		const char *least = intern_name(c->texts, 0), *most = least;

		for (size_t i = 1; i < count; i++) {
			const char *text = intern_name(c->texts, (uint32_t)i);

			least = strcmp(text, least) < 0 ? text : least;
			most = strcmp(text, most) > 0 ? text : most;
		}
		bounds->bytes[0] = least;
		bounds->bytes[1] = most;
		bounds->size[0] = strlen(least);
		bounds->size[1] = strlen(most);
		bounds->known =
			bounds->size[0] <= BOUND_BYTES_MOST && bounds->size[1] <= BOUND_BYTES_MOST;
	} else if (c->count && c->kind == PARQUET_INTEGERS) {
		int64_t least = c->value.integer[0], most = least;

		for (size_t i = 1; i < c->count; i++) {
			const int64_t value = c->value.integer[i];

			least = value < least ? value : least;
			most = value > most ? value : most;
		}
		bound_number(bounds, 0, (uint64_t)least);
		bound_number(bounds, 1, (uint64_t)most);
		bounds->known = true;
	}
}

static void add_chunk(const struct parquet_chunk_writer *c, const struct chunk_facts *facts,
	struct thrift_writer *meta)
{
	static const int32_t types[] = {[PARQUET_TEXTS] = PARQUET_BYTE_ARRAY,
		[PARQUET_INTEGERS] = PARQUET_INT64,
		[PARQUET_REALS] = PARQUET_DOUBLE};

	thrift_begin_element(meta);
	thrift_add_i64(meta, CHUNK_OFFSET, 0); /* as it should be now: of no use */
	thrift_begin(meta, CHUNK_META);
	thrift_add_i32(meta, META_TYPE, types[c->kind]);
	thrift_add_list(meta, META_ENCODINGS, THRIFT_I32, facts->dictionary_at ? 3 : 2);
	thrift_element_i32(meta, PARQUET_PLAIN);
	thrift_element_i32(meta, PARQUET_RLE);
	if (facts->dictionary_at)
		thrift_element_i32(meta, PARQUET_RLE_DICTIONARY);
	thrift_add_list(meta, META_PATH, THRIFT_BINARY, 1);
	add_bytes(meta, c->name, strlen(c->name));
	thrift_add_i32(meta, META_CODEC, PARQUET_ZSTD);
	thrift_add_i64(meta, META_VALUES, (int64_t)c->rows);
	thrift_add_i64(meta, META_BYTES, (int64_t)facts->bytes);
	thrift_add_i64(meta, META_PACKED_BYTES, (int64_t)facts->packed_bytes);
	thrift_add_i64(meta, META_DATA_OFFSET, (int64_t)facts->data_at);
	if (facts->dictionary_at)
		thrift_add_i64(meta, META_DICTIONARY_OFFSET, (int64_t)facts->dictionary_at);

	struct value_bounds bounds = {0};

	find_bounds(c, &bounds);
	thrift_begin(meta, META_STATISTICS);
	thrift_add_i64(meta, STATISTICS_NULLS, (int64_t)c->nulls);
	if (bounds.known) {
		thrift_add_binary(meta, STATISTICS_MOST, bounds.bytes[1], bounds.size[1]);
		thrift_add_binary(meta, STATISTICS_LEAST, bounds.bytes[0], bounds.size[0]);
	}
	thrift_end(meta);
	thrift_end(meta);
	thrift_end(meta);
}

static void begin_anew(struct parquet_chunk_writer *c)
{
	c->rows = c->nulls = c->count = 0;
	c->text_bytes = c->plain_bytes = 0;
	if (!c->arena)
		return;
	arena_free(c->arena);
	c->arena = arena_new();
	c->texts = intern_new(c->arena);
}

/* Writes the pages, adds the chunk to the list of columns in `meta`, and begins anew. Returns the
 * unpacked size. */
static uint64_t parquet_chunk_write(
	struct parquet_chunk_writer *c, struct parquet_sink *sink, struct thrift_writer *meta)
{
	struct chunk_facts facts = {0};

	if (c->kind == PARQUET_TEXTS && c->count && c->text_bytes <= PAGE_MOST) {
		const size_t count = intern_count(c->texts);

		facts.dictionary_at = sink->at;
		text_clear(&sink->page);
		for (size_t i = 0; i < count; i++) {
			const char *text = intern_name(c->texts, (uint32_t)i);

			add_text(&sink->page, text, strlen(text));
		}
		write_page(sink, PARQUET_DICTIONARY_PAGE, count, &facts);
	}

	const size_t texts = c->kind == PARQUET_TEXTS ? intern_count(c->texts) : 0;
	const unsigned width = texts ? packed_bits(texts - 1) : 0;
	struct page_span span = {0};
	size_t bytes = 0;

	facts.data_at = sink->at;
	for (size_t row = 0; row < c->rows; row++) {
		span.rows++;
		if (c->given[row]) {
			bytes += facts.dictionary_at ? sizeof(uint32_t)
						     : bytes_of(c, span.value + span.values);
			span.values++;
		}
		if (bytes < PAGE_MOST && row + 1 < c->rows)
			continue;
		write_span(c, &span, width, sink, &facts);
		span = (struct page_span){.row = row + 1, .value = span.value + span.values};
		bytes = 0;
	}
	add_chunk(c, &facts, meta);
	begin_anew(c);
	return facts.bytes;
}

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

		struct parquet_chunk_writer *c = &w->chunk[i];

		*c = (struct parquet_chunk_writer){
			.name = form.name, .kind = form.kind, .required = form.required};
		if (c->kind != PARQUET_TEXTS)
			continue;
		c->arena = arena_new();
		c->texts = intern_new(c->arena);
	}
	parquet_sink_write(&w->sink, PARQUET_MAGIC, PARQUET_MAGIC_BYTES);
	return w;
}

void parquet_writer_free(struct parquet_writer *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->count; i++) {
		memory_free(w->chunk[i].given);
		memory_free(w->chunk[i].value.integer);
		if (w->chunk[i].arena)
			arena_free(w->chunk[i].arena);
	}
	ZSTD_freeCCtx(w->sink.zstd);
	text_release(&w->sink.page);
	text_release(&w->sink.packed);
	text_release(&w->sink.head);
	text_release(&w->group);
	arena_free(w->arena);
	memory_free(w);
}

static void put_word(struct parquet_chunk_writer *c, uint32_t word, size_t size)
{
	mark(c, 1);
	c->value.text = memory_make_room(
		c->value.text, &c->value_room, c->count + 1, sizeof(*c->value.text));
	c->value.text[c->count++] = word;
	c->plain_bytes += LENGTH_BYTES + size;
}

void parquet_put_text(struct parquet_writer *w, size_t column, const char *text, size_t size)
{
	struct parquet_chunk_writer *c = &w->chunk[column];
	const size_t before = intern_count(c->texts);

	assert(c->kind == PARQUET_TEXTS);
	put_word(c, intern_id(c->texts, text, size), size);
	c->last_size = size;
	if (intern_count(c->texts) > before)
		c->text_bytes += LENGTH_BYTES + size;
}

bool parquet_put_again(struct parquet_writer *w, size_t column)
{
	struct parquet_chunk_writer *c = &w->chunk[column];

	if (!c->count)
		return false;
	put_word(c, c->value.text[c->count - 1], c->last_size);
	return true;
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
		if (w->chunk[i].rows < w->group_rows) {
			/* A row without a value. */
			assert(!w->chunk[i].required);
			mark(&w->chunk[i], 0);
			w->chunk[i].nulls++;
		}
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
	/* Every column is ordered as its type is: without that, bounds of texts mean nothing. */
	thrift_add_list(&footer, FILE_COLUMN_ORDERS, THRIFT_STRUCT, w->count);
	for (size_t i = 0; i < w->count; i++) {
		thrift_begin_element(&footer);
		thrift_begin(&footer, 1);
		thrift_end(&footer);
		thrift_end(&footer);
	}
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

/* A run of one value is written as such from two groups on; what is between runs are groups, of
 * which only the last may be filled up with zeros. */

#define GROUP 8
#define RUN_LEAST ((size_t)2 * GROUP)

static size_t run_length(const uint32_t *value, size_t count)
{
	size_t n = 1;

	while (n < count && value[n] == value[0])
		n++;
	return n;
}

static void add_groups(struct text *out, const uint32_t *value, size_t count, unsigned width)
{
	const size_t groups = (count + GROUP - 1) / GROUP;
	uint64_t bits = 0;
	unsigned held = 0;

	if (count == 0)
		return;
	protobuf_add_varint(out, (uint64_t)groups << 1 | 1);
	for (size_t i = 0; i < groups * GROUP; i++) {
		bits |= (uint64_t)(i < count ? value[i] : 0) << held;
		for (held += width; held >= 8; held -= 8, bits >>= 8)
			text_add_char(out, (char)bits);
	}
}

void bit_runs_add(struct text *out, const uint32_t *value, size_t count, unsigned width)
{
	size_t first = 0, i = 0; /* groups from `first` up to `i` are not written yet */

	while (i < count) {
		const size_t same = run_length(value + i, count - i);

		if (same < RUN_LEAST) {
			i += GROUP < count - i ? GROUP : count - i;
			continue;
		}
		add_groups(out, value + first, i - first, width);
		protobuf_add_varint(out, (uint64_t)same << 1);
		protobuf_add_fixed(out, value[i], (width + 7) / 8);
		first = i += same;
	}
	add_groups(out, value + first, count - first, width);
}
