/* Groups of rows, read from the end of the file. The footer stays in memory as it is: groups are
 * taken from it one by one. */
#include "ingest/parquet/parquet_file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/memory.h"
#include "base/packed_number.h"
#include "base/text.h"
#include "ingest/parquet/thrift_compact.h"

#define ARROW_SCHEMA_KEY "ARROW:schema"

#define CONTINUES 0xffffffffu /* stands before the length since format version 0.15 */
#define TYPE_SCHEMA 1	      /* MessageHeader */
#define TYPE_DURATION 18      /* Type */

enum message_field { MESSAGE_HEADER_TYPE = 1, MESSAGE_HEADER };
enum schema_field { SCHEMA_FIELDS = 1 };
enum field_field { FIELD_TYPE_TYPE = 2 };

struct buffer {
	unsigned char *at;
	size_t size;
};

/* A number of up to 4 bytes, the lowest first. */
static uint32_t number_at(const struct buffer *b, size_t at, size_t bytes)
{
	uint32_t value = 0;

	if (at > b->size || bytes > b->size - at)
		return 0;
	for (size_t i = 0; i < bytes; i++)
		value |= (uint32_t)b->at[at + i] << 8 * i;
	return value;
}

/* Place of the field; 0: the table does not have it. */
static size_t field_at(const struct buffer *b, size_t table, unsigned field)
{
	const size_t vtable = table - (size_t)(int32_t)number_at(b, table, 4);
	const uint32_t bytes = number_at(b, vtable, 2);
	const uint32_t at =
		4 + 2 * field + 2 <= bytes ? number_at(b, vtable + 4 + 2 * field, 2) : 0;

	return at ? table + at : 0;
}

/* Target of an offset; 0: none. */
static size_t target(const struct buffer *b, size_t at)
{
	const uint32_t distance = at ? number_at(b, at, 4) : 0;

	return distance && distance < b->size - at ? at + distance : 0;
}

static int digit(unsigned char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (text_is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Flags for those of the `count` columns that are durations: in Parquet plain integers of a unit
 * that only this schema has. All false where the schema cannot be read, or is not of so many
 * columns. The flags are the caller's. */
static void arrow_schema_durations(
	const unsigned char *text, size_t size, bool *is_duration, size_t count)
{
	struct buffer b;
	size_t message, schema, fields, start;

	for (size_t i = 0; i < count; i++)
		is_duration[i] = false;

	/* Base64 (RFC 4648); ends at the first byte that is none of its digits. */
	uint32_t bits = 0;

	b.at = memory_alloc(size / 4 * 3 + 3);
	b.size = 0;
	for (size_t i = 0; i < size && digit(text[i]) >= 0; i++) {
		bits = bits << 6 | (uint32_t)digit(text[i]);
		if (i % 4)
			b.at[b.size++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
	}
	start = number_at(&b, 0, 4) == CONTINUES ? 8 : 4;
	message = target(&b, start);
	schema = number_at(&b, field_at(&b, message, MESSAGE_HEADER_TYPE), 1) == TYPE_SCHEMA
			 ? target(&b, field_at(&b, message, MESSAGE_HEADER))
			 : 0;
	fields = schema ? target(&b, field_at(&b, schema, SCHEMA_FIELDS)) : 0;
	for (size_t i = 0; fields && number_at(&b, fields, 4) == count && i < count; i++) {
		const size_t field = target(&b, fields + 4 + 4 * i);

		is_duration[i] = field && number_at(&b, field_at(&b, field, FIELD_TYPE_TYPE), 1) ==
						  TYPE_DURATION;
	}
	memory_free(b.at);
}

#define FIELDS_MOST ((size_t)100000)
#define SCALE_MOST 20	/* what decimal_format can */
#define BUFFERS_MOST 16 /* times the bytes of a page */
#define CUT_OFF "the file is cut off or damaged: copy it again; a writer has to be closed"

struct schema_element {
	bool has_type;
	int32_t type, length, repetition, children, converted, scale;
	struct thrift_text name;
	int32_t logical; /* field of the union; 0: none */
	int32_t unit;	 /* of points in time: field of the union */
	bool is_signed;
};

/* A row of a list of members. */
#define MEMBER(of, number, kind, member)                                                           \
	{                                                                                          \
		number, THRIFT_INTO_##kind, offsetof(struct of, member), NULL                      \
	}
#define ELEMENT(number, kind, member) MEMBER(schema_element, number, kind, member)
#define INSIDE(number, members)                                                                    \
	{                                                                                          \
		number, THRIFT_INTO_MEMBERS, 0, members                                            \
	}

static int damaged(const struct parquet_file *file, const char *what, struct error *err)
{
	error_set(err, ERROR_INPUT, file->span->path, "%s of the Parquet file is damaged", what);
	return error_hint(err, "%s", CUT_OFF);
}

/* ---- the schema ---- */

static const struct thrift_member integer_members[] = {ELEMENT(2, BOOL, is_signed), {0}};
static const struct thrift_member decimal_members[] = {ELEMENT(1, INT32, scale), {0}};
static const struct thrift_member unit_members[] = {ELEMENT(0, NUMBER, unit), {0}};
static const struct thrift_member timestamp_members[] = {INSIDE(2, unit_members), {0}};
static const struct thrift_member logical_members[] = {ELEMENT(0, NUMBER, logical),
	INSIDE(LOGICAL_INTEGER, integer_members), INSIDE(LOGICAL_DECIMAL, decimal_members),
	INSIDE(LOGICAL_TIMESTAMP, timestamp_members), {0}};
static const struct thrift_member element_members[] = {ELEMENT(SCHEMA_TYPE, SEEN, has_type),
	ELEMENT(SCHEMA_TYPE, INT32, type), ELEMENT(SCHEMA_LENGTH, INT32, length),
	ELEMENT(SCHEMA_REPETITION, INT32, repetition), ELEMENT(SCHEMA_NAME, TEXT, name),
	ELEMENT(SCHEMA_CHILDREN, INT32, children), ELEMENT(SCHEMA_CONVERTED, INT32, converted),
	ELEMENT(SCHEMA_SCALE, INT32, scale), INSIDE(SCHEMA_LOGICAL, logical_members), {0}};

static void read_element(struct thrift *t, struct schema_element *element)
{
	*element = (struct schema_element){
		.name = {(const unsigned char *)"", 0}, .converted = -1, .is_signed = true};
	thrift_read(t, element_members, element);
}

/* Word for a type that cannot be read: it is an error only where the column is needed. */
static const char *other_word(const struct schema_element *e)
{
	switch (e->logical) {
	case LOGICAL_TIME:
		return "a time of day";
	case LOGICAL_TIMESTAMP:
		return "a point in time";
	case LOGICAL_UUID:
		return "a UUID";
	case LOGICAL_FLOAT16:
		return "a real number of 16 bits";
	default:
		break;
	}
	if (e->converted == CONVERTED_TIME_MILLIS || e->converted == CONVERTED_TIME_MICROS)
		return "a time of day";
	if (e->converted == CONVERTED_TIMESTAMP_MILLIS ||
		e->converted == CONVERTED_TIMESTAMP_MICROS || e->type == PARQUET_INT96)
		return "a point in time";
	if (e->converted == CONVERTED_INTERVAL)
		return "an interval of the calendar";
	return NULL;
}

static int32_t unit_ns(const struct schema_element *e)
{
	static const int32_t ns[] = {0, 1000000, 1000, 1};

	return e->logical == LOGICAL_TIMESTAMP ? ns[e->unit >= 1 && e->unit <= 3 ? e->unit : 0]
	       : e->converted == CONVERTED_TIMESTAMP_MILLIS ? 1000000
	       : e->converted == CONVERTED_TIMESTAMP_MICROS ? 1000
							    : 0;
}

static void find_meaning(const struct schema_element *e, struct parquet_field *field)
{
	const bool decimal = e->logical == LOGICAL_DECIMAL || e->converted == CONVERTED_DECIMAL;
	const bool integer = e->type == PARQUET_INT32 || e->type == PARQUET_INT64;

	field->word = other_word(e);
	field->meaning = MEANING_OTHER;
	if (e->type == PARQUET_INT64 && unit_ns(e)) {
		field->meaning = MEANING_TIMESTAMP;
		field->scale = unit_ns(e);
	}
	if (field->word)
		return;
	if (decimal && e->type != PARQUET_FLOAT && e->type != PARQUET_DOUBLE &&
		e->type != PARQUET_BOOLEAN && e->scale >= 0 && e->scale <= SCALE_MOST) {
		field->meaning = MEANING_DECIMAL;
		field->scale = e->scale;
	} else if (decimal) {
		field->word = "a decimal number of a kind that is not read";
	} else if (e->type == PARQUET_FIXED) {
		field->word = "bytes of fixed length";
	} else if (e->type == PARQUET_INT32 &&
		   (e->logical == LOGICAL_DATE || e->converted == CONVERTED_DATE)) {
		field->meaning = MEANING_DATE;
	} else if (integer && (!e->is_signed || (e->converted >= CONVERTED_UINT_8 &&
							e->converted <= CONVERTED_UINT_64))) {
		field->meaning = MEANING_UNSIGNED;
	} else {
		field->meaning = MEANING_PLAIN;
	}
}

static const char *element_name(const struct parquet_file *file, const struct schema_element *e)
{
	return arena_strndup(file->arena, (const char *)e->name.at, e->name.size);
}

/* A leaf that is a child of the root and not repeated. */
static int add_field(struct parquet_file *file, const struct schema_element *e, struct error *err)
{
	struct parquet_field *field = &file->field[file->field_count];

	if (!e->has_type || e->type < 0 || e->type >= PARQUET_TYPES ||
		(e->type == PARQUET_FIXED && e->length <= 0))
		return damaged(file, "the schema", err);
	*field = (struct parquet_field){.name = element_name(file, e),
		.type = (enum parquet_type)e->type,
		.fixed_bytes = (size_t)e->length,
		.optional = e->repetition == PARQUET_OPTIONAL,
		.chunk = file->chunk_count++};
	find_meaning(e, field);
	file->field_count++;
	return 0;
}

/* All below an element that has children. Counted, not walked down: no depth is too much. */
static int pass_children(struct parquet_file *file, struct thrift *t, size_t *elements,
	int32_t children, struct error *err)
{
	struct schema_element e;

	for (int64_t left = children; left > 0; left--) {
		if (*elements == 0)
			return damaged(file, "the schema", err);
		read_element(t, &e);
		if (t->bad || e.children < 0)
			return damaged(file, "the schema", err);
		left += e.children;
		file->chunk_count += e.children == 0;
		--*elements;
	}
	return 0;
}

static int read_schema(
	struct parquet_file *file, struct thrift *t, size_t elements, struct error *err)
{
	struct schema_element root, e;

	read_element(t, &root);
	if (t->bad || elements-- == 0 || root.children < 0)
		return damaged(file, "the schema", err);
	if (elements > FIELDS_MOST)
		return error_set(err, ERROR_LIMIT, file->span->path,
			"%zu columns, at most %zu are allowed", elements, FIELDS_MOST);
	file->field = arena_array(file->arena, elements, sizeof(*file->field));
	for (int32_t i = 0; i < root.children; i++) {
		if (elements-- == 0)
			return damaged(file, "the schema", err);
		read_element(t, &e);
		if (t->bad || e.children < 0)
			return damaged(file, "the schema", err);
		if (e.children == 0 && e.repetition != PARQUET_REPEATED) {
			if (add_field(file, &e, err) < 0)
				return -1;
			continue;
		}
		file->field[file->field_count++] =
			(struct parquet_field){.name = element_name(file, &e),
				.meaning = MEANING_OTHER,
				.word = "nested, lists or groups of columns"};
		file->chunk_count += e.children == 0;
		if (pass_children(file, t, &elements, e.children, err) < 0)
			return -1;
	}
	return elements ? damaged(file, "the schema", err) : 0;
}

/* ---- groups of rows ---- */

struct chunk_meta {
	int32_t type, codec;
	int64_t values, packed, data_at, dictionary_at;
	struct thrift_text path; /* of the file that it is in; empty: this one */
	bool present, encrypted;
};

#define CHUNK(number, kind, member) MEMBER(chunk_meta, number, kind, member)

static const struct thrift_member meta_members[] = {CHUNK(META_TYPE, INT32, type),
	CHUNK(META_CODEC, INT32, codec), CHUNK(META_VALUES, INT64, values),
	CHUNK(META_PACKED_BYTES, INT64, packed), CHUNK(META_DATA_OFFSET, INT64, data_at),
	CHUNK(META_DICTIONARY_OFFSET, INT64, dictionary_at), {0}};
static const struct thrift_member chunk_members[] = {CHUNK(CHUNK_META, SEEN, present),
	INSIDE(CHUNK_META, meta_members), CHUNK(CHUNK_PATH, TEXT, path),
	CHUNK(CHUNK_CRYPTO, SEEN, encrypted), CHUNK(CHUNK_ENCRYPTED_META, SEEN, encrypted), {0}};

/* A chunk begins with its dictionary, where it has one. */
static int locate_chunk(const struct parquet_file *file, const struct chunk_meta *m,
	struct parquet_chunk *out, struct error *err)
{
	int64_t at = m->data_at;

	if (m->encrypted || m->path.size)
		return error_set(err, ERROR_INPUT, file->span->path, "%s",
			m->encrypted ? "an encrypted Parquet file, which cannot be read"
				     : "a Parquet file whose columns are in other files");
	if (m->dictionary_at > 0 && m->dictionary_at < at)
		at = m->dictionary_at;
	if (m->values == 0) /* it has no page, and where it is means nothing */
		at = PARQUET_MAGIC_BYTES;
	if (!m->present || m->type < 0 || m->type >= PARQUET_TYPES || m->codec < 0 ||
		m->values < 0 || m->packed < 0 || at < PARQUET_MAGIC_BYTES ||
		(uint64_t)at > file->data_end ||
		(uint64_t)m->packed > file->data_end - (uint64_t)at)
		return damaged(file, "the list of columns", err);
	*out = (struct parquet_chunk){.type = (enum parquet_type)m->type,
		.codec = m->codec < PARQUET_CODECS ? (enum parquet_codec)m->codec : PARQUET_CODECS,
		.values = (uint64_t)m->values,
		.at = (uint64_t)at,
		.end = (uint64_t)at + (uint64_t)m->packed};
	return 0;
}

static int read_chunks(
	struct parquet_file *file, struct thrift *t, enum thrift_type type, struct error *err)
{
	enum thrift_type element;
	size_t count = thrift_list(t, type, &element);
	struct chunk_meta m;

	if (t->bad || element != THRIFT_STRUCT || count != file->chunk_count)
		return damaged(file, "the list of columns", err);
	for (size_t i = 0; i < count; i++) {
		m = (struct chunk_meta){.type = -1};
		thrift_read(t, chunk_members, &m);
		if (t->bad || locate_chunk(file, &m, &file->chunk[i], err) < 0)
			return t->bad ? damaged(file, "the list of columns", err) : -1;
	}
	return 0;
}

int parquet_group_next(struct parquet_file *file, uint64_t *rows, struct error *err)
{
	struct thrift t = {.at = file->group, .end = file->footer_end};
	struct thrift_field f = {0};
	bool chunks = false;

	*rows = 0;
	if (file->groups_left == 0)
		return 0;
	file->groups_left--;
	while (thrift_next(&t, &f)) {
		if (f.id == GROUP_COLUMNS) {
			if (read_chunks(file, &t, f.type, err) < 0)
				return -1;
			chunks = true;
		} else if (f.id == GROUP_ROWS) {
			*rows = (uint64_t)thrift_integer(&t, f.type);
		} else {
			thrift_skip(&t, f.type);
		}
	}
	if (t.bad || *rows > INT64_MAX || (!chunks && file->chunk_count))
		return damaged(file, "a group of rows", err);
	file->group = t.at;
	file->group_number++;
	return 1;
}

/* ---- the footer ---- */

static int no_parquet(
	const struct parquet_file *file, const unsigned char *magic, struct error *err)
{
	if (memcmp(magic, PARQUET_MAGIC_ENCRYPTED, PARQUET_MAGIC_BYTES) == 0)
		return error_set(err, ERROR_INPUT, file->span->path,
			"an encrypted Parquet file, which cannot be read");
	error_set(err, ERROR_INPUT, file->span->path, "the Parquet file does not end like one");
	return error_hint(err, "%s", CUT_OFF);
}

/* The bytes of the footer, in the arena. */
static int load_footer(
	struct parquet_file *file, unsigned char **footer, size_t *size, struct error *err)
{
	const struct span_file *span = file->span;
	unsigned char tail[PARQUET_TAIL_BYTES];
	uint32_t length;

	if (span->size < PARQUET_MAGIC_BYTES + PARQUET_TAIL_BYTES)
		return no_parquet(file, (const unsigned char *)"    ", err);
	if (span_file_read(span, span->size - sizeof(tail), tail, sizeof(tail), "the end", err) < 0)
		return -1;
	if (memcmp(tail + 4, PARQUET_MAGIC, PARQUET_MAGIC_BYTES) != 0)
		return no_parquet(file, tail + 4, err);
	memcpy(&length, tail, sizeof(length));
	length = little_32(length);
	if (length > span->size - PARQUET_MAGIC_BYTES - PARQUET_TAIL_BYTES)
		return damaged(file, "the end", err);
	if (length > file->page_most) {
		error_set(err, ERROR_LIMIT, span->path,
			"%" PRIu32 " bytes for the footer, at most %zu are allowed", length,
			file->page_most);
		return error_hint(
			err, "allow more with max-record in stepstat.yaml, if the file is sound");
	}
	*size = length;
	*footer = arena_alloc(file->arena, length);
	file->data_end = span->size - PARQUET_TAIL_BYTES - length;
	return span_file_read(span, file->data_end, *footer, length, "the footer", err);
}

struct key_value {
	struct thrift_text key, value;
};

/* The value of Arrow's key, if one of these has it. */
static void find_arrow_schema(struct thrift *t, enum thrift_type type, struct thrift_text *schema)
{
	static const struct thrift_member members[] = {
		MEMBER(key_value, 1, TEXT, key), MEMBER(key_value, 2, TEXT, value), {0}};
	enum thrift_type element;
	const size_t count = thrift_list(t, type, &element);

	if (count && element != THRIFT_STRUCT)
		t->bad = true;
	for (size_t i = 0; i < count && !t->bad; i++) {
		struct key_value pair = {0};

		thrift_read(t, members, &pair);
		if (text_is(pair.key.at, pair.key.size, ARROW_SCHEMA_KEY))
			*schema = pair.value;
	}
}

static int read_footer(struct parquet_file *file, struct thrift *t, struct error *err)
{
	struct thrift_field f = {0};
	enum thrift_type element = THRIFT_STOP;
	struct thrift_text arrow = {0};
	int64_t rows = -1;
	size_t elements;

	while (thrift_next(t, &f)) {
		switch (f.id) {
		case FILE_SCHEMA:
			elements = thrift_list(t, f.type, &element);
			if (t->bad || element != THRIFT_STRUCT || file->field)
				return damaged(file, "the schema", err);
			if (read_schema(file, t, elements, err) < 0)
				return -1;
			break;
		case FILE_ROWS:
			rows = thrift_integer(t, f.type);
			break;
		case FILE_GROUPS:
			file->groups_left = thrift_list(t, f.type, &element);
			file->group = t->at;
			if (file->groups_left && element != THRIFT_STRUCT)
				t->bad = true;
			for (size_t i = 0; i < file->groups_left && !t->bad; i++)
				thrift_skip(t, THRIFT_STRUCT);
			break;
		case FILE_KEY_VALUES:
			find_arrow_schema(t, f.type, &arrow);
			break;
		case FILE_ENCRYPTION:
			return no_parquet(
				file, (const unsigned char *)PARQUET_MAGIC_ENCRYPTED, err);
		default:
			thrift_skip(t, f.type);
		}
	}
	if (t->bad || rows < 0 || !file->field)
		return damaged(file, "the footer", err);
	file->rows = (uint64_t)rows;
	if (arrow.size) {
		/* Integers whose unit is not in the schema of Parquet. */
		bool *is_duration =
			arena_array(file->arena, file->field_count, sizeof(*is_duration));

		arrow_schema_durations(arrow.at, arrow.size, is_duration, file->field_count);
		for (size_t i = 0; i < file->field_count; i++)
			if (is_duration[i] && file->field[i].meaning != MEANING_OTHER) {
				file->field[i].meaning = MEANING_OTHER;
				file->field[i].word = "a duration of Arrow (timedelta)";
			}
	}
	return 0;
}

int parquet_file_open(struct parquet_file *file, const struct span_file *span, size_t page_most,
	struct arena *arena, struct error *err)
{
	unsigned char *footer = NULL;
	struct thrift t = {0};
	size_t size = 0;

	*file = (struct parquet_file){.span = span,
		.arena = arena,
		.page_most = page_most,
		.buffer_left = memory_product(page_most, BUFFERS_MOST)};
	if (load_footer(file, &footer, &size, err) < 0)
		return -1;
	t.at = footer;
	t.end = file->footer_end = footer + size;
	if (read_footer(file, &t, err) < 0)
		return -1;
	/* The groups have to agree with the whole; they are read a second time for their values. */
	const unsigned char *first = file->group;
	const size_t count = file->groups_left;
	uint64_t rows, sum = 0;
	int got;

	file->chunk = arena_array(file->arena, file->chunk_count, sizeof(*file->chunk));
	while ((got = parquet_group_next(file, &rows, err)) > 0)
		if (rows > file->rows || __builtin_add_overflow(sum, rows, &sum))
			return damaged(file, "the number of rows", err);
	if (got < 0)
		return -1;
	if (sum != file->rows)
		return damaged(file, "the number of rows", err);
	file->group = first;
	file->groups_left = count;
	file->group_number = 0;
	return 0;
}
