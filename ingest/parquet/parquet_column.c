/* Levels say which values are null; values are plain, or places in the dictionary. Texts get the 0
 * that they end in from the length of the text behind them, which was read before. */
#include "ingest/parquet/parquet_column.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/day.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/packed_number.h"
#include "base/text.h"
#include "ingest/parquet/parquet_page.h"

#define DECIMAL_BYTES_MOST 16
#define LENGTH_BYTES 4

/* Values in a row, as they stand in a page. */
struct plain_values {
	unsigned char *at, *end;
	size_t text_size; /* of byte arrays: the length before the next one was read */
	bool text_known;
	unsigned bit; /* of truth values */
};

struct dictionary_text {
	uint32_t at, size; /* in the page */
};

struct dictionary {
	struct parquet_buffer buffer;
	struct parquet_buffer texts; /* struct dictionary_text, of byte arrays */
	size_t count;
	uint32_t number;	/* of the group */
	bool known, is_checked; /* is_checked: no byte of its texts is 0 */
};

struct parquet_column {
	struct parquet_file *file;
	const struct parquet_field *field;
	enum table_use use;
	struct parquet_chunk chunk;
	uint64_t at;	     /* of the next page */
	uint64_t page_at;    /* of this one, for messages */
	uint64_t chunk_left; /* values in pages to come */
	uint32_t page_left;  /* values of this page */
	struct parquet_buffer page;
	struct dictionary dictionary;
	struct bit_runs levels, places; /* places: in the dictionary, or truth values */
	enum parquet_encoding encoding;
	struct plain_values plain;
	char digits[NUMBER_TEXT_SIZE > DECIMAL_TEXT_SIZE ? NUMBER_TEXT_SIZE : DECIMAL_TEXT_SIZE];
};

static const size_t type_bytes[PARQUET_TYPES] = {
	[PARQUET_INT32] = 4, [PARQUET_INT64] = 8, [PARQUET_FLOAT] = 4, [PARQUET_DOUBLE] = 8};

/* ---- errors ---- */

/* "FILE: column "time_us"" */
static void column_place(
	const struct parquet_file *file, const struct parquet_field *field, char *out, size_t size)
{
	struct text text;

	text_init(&text);
	text_printf(&text, "%s: column \"", file->span->path);
	text_add_visible(&text, field->name);
	text_add(&text, "\"");
	snprintf(out, size, "%s", text_string(&text));
	text_release(&text);
}

static int field_error(const struct parquet_file *file, const struct parquet_field *field,
	struct error *err, const char *format, ...) __attribute__((format(printf, 4, 5)));

static int field_error(const struct parquet_file *file, const struct parquet_field *field,
	struct error *err, const char *format, ...)
{
	char place[sizeof(err->place)], message[sizeof(err->message)];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	column_place(file, field, place, sizeof(place));
	return error_set(err, ERROR_INPUT, place, "%s", message);
}

#define column_error(c, err, ...) field_error((c)->file, (c)->field, err, __VA_ARGS__)

static int damaged(const struct parquet_column *c, struct error *err)
{
	column_error(c, err, "the page at byte %" PRIu64 " is damaged", c->page_at);
	return error_hint(err, "the file was changed on its way, or its writer is not sound");
}

static int bad_encoding(const struct parquet_column *c, int32_t encoding, struct error *err)
{
	static const char *const names[PARQUET_ENCODINGS] = {"PLAIN", "of an unknown kind",
		"PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED",
		"DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY",
		"BYTE_STREAM_SPLIT"};

	column_error(c, err, "its encoding is %s, which is not read",
		encoding >= 0 && encoding < PARQUET_ENCODINGS ? names[encoding] : names[1]);
	return error_hint(err, "write it plain or with a dictionary, as pyarrow, pandas, polars "
			       "and DuckDB do unless they are told otherwise");
}

/* ---- cells ---- */

static void put_text(struct table_cell *cell, const char *text, size_t size)
{
	*cell = (struct table_cell){.text = text, .size = size, .given = true};
}

static void put_integer(struct parquet_column *c, struct table_cell *cell, int64_t value)
{
	if (c->use == TABLE_NUMBERS) {
		*cell = (struct table_cell){.given = true, .kind = TABLE_INTEGER, .integer = value};
		return;
	}
	put_text(cell, number_format_int(c->digits, value), 0);
	cell->size = strlen(c->digits);
}

static void put_unsigned(struct parquet_column *c, struct table_cell *cell, uint64_t value)
{
	if (value <= INT64_MAX) {
		put_integer(c, cell, (int64_t)value);
		return;
	}
	snprintf(c->digits, sizeof(c->digits), "%" PRIu64, value);
	put_text(cell, c->digits, strlen(c->digits));
}

static void put_real(struct parquet_column *c, struct table_cell *cell, double value)
{
	if (c->use == TABLE_NUMBERS) {
		*cell = (struct table_cell){.given = true, .kind = TABLE_REAL, .real = value};
		return;
	}
	put_text(cell, number_format_shortest(c->digits, value), 0);
	cell->size = strlen(c->digits);
}

static void put_decimal(struct parquet_column *c, struct table_cell *cell, __int128 value)
{
	put_text(cell, c->digits, decimal_format_short(c->digits, value, c->field->scale));
}

static void put_whole(struct parquet_column *c, struct table_cell *cell, int64_t value)
{
	int64_t ns;

	switch (c->field->meaning) {
	case MEANING_UNSIGNED:
		put_unsigned(c, cell,
			c->field->type == PARQUET_INT32 ? (uint32_t)value : (uint64_t)value);
		return;
	case MEANING_DECIMAL:
		put_decimal(c, cell, value);
		return;
	case MEANING_DATE:
		day_to_text(c->digits, (int32_t)value);
		put_text(cell, c->digits, strlen(c->digits));
		return;
	case MEANING_TIMESTAMP:
		*cell = (struct table_cell){.text = ""};
		if (number_multiply(value, c->field->scale, &ns))
			put_text(cell, moment_to_text(c->digits, ns), MOMENT_TEXT_SIZE - 1);
		return;
	default:
		put_integer(c, cell, value);
	}
}

static void put_bool(struct table_cell *cell, bool value)
{
	put_text(cell, value ? "true" : "false", value ? 4 : 5);
}

/* A number as it stands in the file. */
static void put_fixed(struct parquet_column *c, struct table_cell *cell, const unsigned char *bytes)
{
	union {
		uint32_t bits;
		float real;
	} four;
	union {
		uint64_t bits;
		double real;
	} eight;

	switch (c->field->type) {
	case PARQUET_INT32:
	case PARQUET_FLOAT:
		memcpy(&four.bits, bytes, sizeof(four));
		four.bits = little_32(four.bits);
		if (c->field->type == PARQUET_FLOAT) {
			/* A real number of 32 bits is the decimal number of few digits that it was,
			 * which a wider one would not be. */
			put_text(cell, number_format_shortest_float(c->digits, four.real), 0);
			cell->size = strlen(c->digits);
		} else
			put_whole(c, cell, (int32_t)four.bits);
		return;
	default:
		memcpy(&eight.bits, bytes, sizeof(eight));
		eight.bits = little_64(eight.bits);
		if (c->field->type == PARQUET_DOUBLE)
			put_real(c, cell, eight.real);
		else
			put_whole(c, cell, (int64_t)eight.bits);
	}
}

/* ---- plain values ---- */

static void plain_init(struct plain_values *plain, unsigned char *at, unsigned char *end)
{
	*plain = (struct plain_values){.at = at, .end = end};
}

static bool read_length(struct plain_values *plain)
{
	uint32_t length;

	if (plain->end - plain->at < LENGTH_BYTES)
		return false;
	memcpy(&length, plain->at, LENGTH_BYTES);
	plain->at += LENGTH_BYTES;
	plain->text_size = little_32(length);
	plain->text_known = true;
	return true;
}

/* A byte array; behind the last one is the byte that every buffer has more. */
static bool plain_text(struct plain_values *plain, struct table_cell *cell)
{
	unsigned char *after;

	if (!plain->text_known && !read_length(plain))
		return false;
	if (plain->text_size > (size_t)(plain->end - plain->at))
		return false;
	put_text(cell, (const char *)plain->at, plain->text_size);
	after = plain->at += plain->text_size;
	plain->text_known = false;
	read_length(plain);
	*after = '\0';
	return true;
}

static bool plain_next(
	struct parquet_column *c, struct plain_values *plain, struct table_cell *cell)
{
	size_t bytes = type_bytes[c->field->type];

	if (c->field->type == PARQUET_BYTE_ARRAY)
		return plain_text(plain, cell);
	if (c->field->type == PARQUET_BOOLEAN) {
		if (plain->at == plain->end)
			return false;
		put_bool(cell, *plain->at >> plain->bit & 1);
		plain->bit = (plain->bit + 1) % 8;
		plain->at += plain->bit == 0;
		return true;
	}
	if (c->field->type == PARQUET_FIXED)
		bytes = c->field->fixed_bytes;
	if (bytes > (size_t)(plain->end - plain->at))
		return false;
	if (c->field->type == PARQUET_FIXED)
		put_text(cell, (const char *)plain->at, bytes);
	else
		put_fixed(c, cell, plain->at);
	plain->at += bytes;
	return true;
}

/* ---- the dictionary ---- */

static size_t fixed_bytes(const struct parquet_field *field)
{
	return field->type == PARQUET_FIXED ? field->fixed_bytes : type_bytes[field->type];
}

/* Texts are found once; numbers stay as they are. */
static int dictionary_texts(struct parquet_column *c, size_t count, struct error *err)
{
	struct dictionary *d = &c->dictionary;
	struct plain_values plain;
	struct dictionary_text *text;
	struct table_cell cell;

	plain_init(&plain, d->buffer.bytes, d->buffer.bytes + d->buffer.size);
	/* A text is a length at least, so that their number is bounded by the page. */
	if (count > d->buffer.size / LENGTH_BYTES)
		return damaged(c, err);
	if (parquet_buffer_room(c->file, &d->texts, count * sizeof(*text), err) < 0)
		return -1;
	text = (struct dictionary_text *)d->texts.bytes;
	d->is_checked = true;
	for (size_t i = 0; i < count; i++) {
		if (!plain_text(&plain, &cell))
			return damaged(c, err);
		text[i].at = (uint32_t)((const unsigned char *)cell.text - d->buffer.bytes);
		text[i].size = (uint32_t)cell.size;
		d->is_checked &= memchr(cell.text, 0, cell.size) == NULL;
	}
	return 0;
}

static int read_dictionary(
	struct parquet_column *c, const struct parquet_page_head *head, struct error *err)
{
	struct dictionary *d = &c->dictionary;

	if (d->known || c->field->type == PARQUET_BOOLEAN)
		return damaged(c, err);
	if (head->encoding != PARQUET_PLAIN && head->encoding != PARQUET_PLAIN_DICTIONARY)
		return bad_encoding(c, head->encoding, err);
	if (parquet_page_read(c->file, &c->chunk, &c->at, head, &d->buffer, err) < 0)
		return -1;
	d->known = true;
	d->count = head->values;
	if (c->field->type == PARQUET_BYTE_ARRAY)
		return dictionary_texts(c, d->count, err);
	return d->count > d->buffer.size / fixed_bytes(c->field) ? damaged(c, err) : 0;
}

/* ---- pages ---- */

static bool take_length(unsigned char **at, const unsigned char *end, size_t *length)
{
	uint32_t bytes;

	if (end - *at < LENGTH_BYTES)
		return false;
	memcpy(&bytes, *at, LENGTH_BYTES);
	*at += LENGTH_BYTES;
	*length = little_32(bytes);
	return *length <= (size_t)(end - *at);
}

/* The levels that say which values are null; *at is moved to the values. */
static bool begin_levels(struct parquet_column *c, const struct parquet_page_head *head,
	unsigned char **at, const unsigned char *end)
{
	size_t size = head->definition_bytes;

	*at += head->repetition_bytes;
	if (!c->field->optional) {
		*at += size;
		return true;
	}
	if (head->type == PARQUET_DATA_PAGE && !take_length(at, end, &size))
		return false;
	bit_runs_init(&c->levels, *at, size, 1);
	*at += size;
	return true;
}

static int begin_values(struct parquet_column *c, const struct parquet_page_head *head,
	unsigned char *at, unsigned char *end, struct error *err)
{
	size_t size;

	switch (head->encoding) {
	case PARQUET_PLAIN:
		plain_init(&c->plain, at, end);
		break;
	case PARQUET_PLAIN_DICTIONARY:
	case PARQUET_RLE_DICTIONARY:
		if (!c->dictionary.known || (at<end && * at> BIT_RUNS_WIDTH_MOST))
			return damaged(c, err);
		bit_runs_init(&c->places, at < end ? at + 1 : at,
			at < end ? (size_t)(end - at) - 1 : 0, at < end ? *at : 0);
		break;
	case PARQUET_RLE:
		if (c->field->type != PARQUET_BOOLEAN)
			return bad_encoding(c, head->encoding, err);
		if (!take_length(&at, end, &size))
			return damaged(c, err);
		bit_runs_init(&c->places, at, size, 1);
		break;
	default:
		return bad_encoding(c, head->encoding, err);
	}
	c->encoding = (enum parquet_encoding)head->encoding;
	return 0;
}

static int begin_page(
	struct parquet_column *c, const struct parquet_page_head *head, struct error *err)
{
	unsigned char *at, *end;

	if (head->values > c->chunk_left)
		return damaged(c, err);
	/* Levels of bits alone (BIT_PACKED), as the first writers had them, are rejected: readers
	 * disagree about them. */
	if (c->field->optional && head->definition_encoding != PARQUET_RLE)
		return bad_encoding(c, head->definition_encoding, err);
	if (parquet_page_read(c->file, &c->chunk, &c->at, head, &c->page, err) < 0)
		return -1;
	c->chunk_left -= head->values;
	c->page_left = head->values;
	at = c->page.bytes;
	end = at + c->page.size;
	if (!begin_levels(c, head, &at, end))
		return damaged(c, err);
	return begin_values(c, head, at, end, err);
}

/* The next page that has values. */
static int next_page(struct parquet_column *c, struct error *err)
{
	struct parquet_page_head head;

	while (c->page_left == 0) {
		c->page_at = c->at;
		if (c->chunk_left == 0 || c->at == c->chunk.end) {
			column_error(c, err, "its values end too early");
			return error_hint(err, "the file is cut off or damaged: copy it again");
		}
		if (parquet_page_head_read(c->file, &c->chunk, &c->at, &head, err) < 0)
			return -1;
		if (head.packed_bytes > c->chunk.end - c->at)
			return damaged(c, err);
		if (head.type == PARQUET_DICTIONARY_PAGE) {
			if (read_dictionary(c, &head, err) < 0)
				return -1;
		} else if (head.type == PARQUET_DATA_PAGE || head.type == PARQUET_DATA_PAGE_V2) {
			if (begin_page(c, &head, err) < 0)
				return -1;
		} else {
			c->at += head.packed_bytes;
		}
	}
	return 0;
}

/* ---- the column ---- */

static int refuse(
	const struct parquet_file *file, const struct parquet_field *field, struct error *err)
{
	char place[sizeof(err->place)];

	column_place(file, field, place, sizeof(place));
	error_set(err, ERROR_INPUT, place, "its values are %s, expected numbers or texts",
		field->word);
	return error_hint(err, "write plain numbers or texts, durations as integers whose unit is "
			       "in the name of the column: time_us");
}

struct parquet_column *parquet_column_new(struct parquet_file *file,
	const struct parquet_field *field, enum table_use use, struct error *err)
{
	struct parquet_column *c;

	if (field->meaning == MEANING_OTHER ||
		(field->meaning == MEANING_TIMESTAMP && use == TABLE_NUMBERS)) {
		refuse(file, field, err);
		return NULL;
	}
	c = memory_alloc(sizeof(*c));
	c->file = file;
	c->field = field;
	c->use = use;
	return c;
}

void parquet_column_clear(struct parquet_column *c)
{
	c->page_left = 0;
	parquet_column_turn(c);
	parquet_buffer_release(c->file, &c->dictionary.buffer);
	parquet_buffer_release(c->file, &c->dictionary.texts);
	c->dictionary = (struct dictionary){0};
}

void parquet_column_turn(struct parquet_column *c)
{
	if (c->page_left == 0)
		parquet_buffer_release(c->file, &c->page);
}

uint32_t parquet_column_left(const struct parquet_column *c)
{
	return c->page_left;
}

void parquet_column_free(struct parquet_column *c)
{
	if (!c)
		return;
	parquet_column_clear(c);
	memory_free(c);
}

int parquet_place_begin(const struct parquet_file *file, const struct parquet_field *field,
	uint64_t rows, struct parquet_place *place, struct error *err)
{
	const struct parquet_chunk *chunk = &file->chunk[field->chunk];

	*place = (struct parquet_place){.chunk = *chunk,
		.group = file->group_number,
		.at = chunk->at,
		.left = chunk->values};
	if (chunk->type != field->type || chunk->values != rows)
		return field_error(file, field, err,
			"it has another type or another number of values than the file says");
	if (parquet_codec_known(chunk->codec))
		return 0;
	field_error(file, field, err, "compressed with %s, which is not read",
		parquet_codec_name(chunk->codec));
	return error_hint(err, "write the file with zstd, snappy, gzip or without compression");
}

/* The page at the place, with values: its head. */
static int find_page(struct parquet_file *file, struct parquet_place *place, struct error *err)
{
	struct parquet_page_head head;

	while (!place->next) {
		uint64_t at = place->at;

		if (!place->left || at == place->chunk.end)
			return -1;
		if (parquet_page_head_read(file, &place->chunk, &at, &head, err) < 0)
			return -1;
		if (head.packed_bytes > place->chunk.end - at)
			return -1;
		if (head.type == PARQUET_DATA_PAGE || head.type == PARQUET_DATA_PAGE_V2) {
			if (head.values > place->left)
				return -1;
			place->values = head.values;
			place->next = at + head.packed_bytes;
			return 0;
		}
		if (head.type == PARQUET_DICTIONARY_PAGE)
			place->dictionary_at = place->at;
		place->at = at + head.packed_bytes;
	}
	return 0;
}

int parquet_place_move(
	struct parquet_file *file, struct parquet_place *place, uint64_t rows, struct error *err)
{
	place->skip += rows;
	while (place->skip) {
		if (find_page(file, place, err) < 0)
			return -1;
		if (place->skip < place->values)
			return 0;
		place->skip -= place->values;
		place->left -= place->values;
		place->at = place->next;
		place->next = 0;
	}
	return 0;
}

/* Skips values of this page. False: it is damaged. */
static bool skip_values(struct parquet_column *c, uint64_t count)
{
	struct plain_values *plain = &c->plain;
	struct table_cell cell;
	uint64_t ones;
	bool good = true;

	c->page_left -= (uint32_t)count;
	if (c->field->optional) {
		if (!bit_runs_skip(&c->levels, count, &ones))
			return false;
		count = ones;
	}
	if (c->encoding != PARQUET_PLAIN)
		return bit_runs_skip(&c->places, count, &ones);
	if (c->field->type == PARQUET_BYTE_ARRAY || c->field->type == PARQUET_BOOLEAN) {
		while (count-- && good)
			good = plain_next(c, plain, &cell);
		return good;
	}
	if (count * fixed_bytes(c->field) > (uint64_t)(plain->end - plain->at))
		return false;
	plain->at += count * fixed_bytes(c->field);
	return true;
}

int parquet_column_begin_at(
	struct parquet_column *c, const struct parquet_place *place, struct error *err)
{
	struct parquet_page_head head;
	uint64_t skip = place->skip;

	parquet_column_clear(c);
	c->chunk = place->chunk;
	c->dictionary.number = place->group;
	if (place->dictionary_at) {
		c->at = c->page_at = place->dictionary_at;
		if (parquet_page_head_read(c->file, &c->chunk, &c->at, &head, err) < 0 ||
			read_dictionary(c, &head, err) < 0)
			return -1;
	}
	c->at = c->page_at = place->at;
	c->chunk_left = place->left;
	while (skip) {
		uint64_t count = skip;

		if (c->page_left == 0 && next_page(c, err) < 0)
			return -1;
		count = count < c->page_left ? count : c->page_left;
		if (!skip_values(c, count))
			return damaged(c, err);
		skip -= count;
	}
	return 0;
}

static bool read_value(struct parquet_column *c, struct table_cell *cell)
{
	uint32_t truth;

	if (c->encoding == PARQUET_PLAIN)
		return plain_next(c, &c->plain, cell);
	if (c->encoding != PARQUET_RLE) {
		struct dictionary *d = &c->dictionary;
		const unsigned char *bytes;
		uint32_t place;

		if (!bit_runs_next(&c->places, &place) || place >= d->count)
			return false;
		if (c->field->type == PARQUET_BYTE_ARRAY) {
			const struct dictionary_text *text =
				(const struct dictionary_text *)d->texts.bytes + place;

			put_text(cell, (const char *)d->buffer.bytes + text->at, text->size);
			cell->is_checked = d->is_checked;
			cell->dictionary = d->number;
			cell->entry = place + 1;
			return true;
		}
		bytes = d->buffer.bytes + place * fixed_bytes(c->field);
		if (c->field->type == PARQUET_FIXED)
			put_text(cell, (const char *)bytes, c->field->fixed_bytes);
		else
			put_fixed(c, cell, bytes);
		return true;
	}
	if (!bit_runs_next(&c->places, &truth))
		return false;
	put_bool(cell, truth & 1);
	return true;
}

int parquet_column_next(struct parquet_column *c, struct table_cell *cell, struct error *err)
{
	uint32_t level = 1;

	if (c->page_left == 0 && next_page(c, err) < 0)
		return -1;
	c->page_left--;
	if (c->field->optional && (!bit_runs_next(&c->levels, &level) || level > 1))
		return damaged(c, err);
	if (!level) {
		*cell = (struct table_cell){.text = ""};
		return 0;
	}
	if (!read_value(c, cell))
		return damaged(c, err);
	if (c->field->meaning == MEANING_DECIMAL &&
		(c->field->type == PARQUET_FIXED || c->field->type == PARQUET_BYTE_ARRAY)) {
		/* Two's complement, the highest byte first. */
		const unsigned char *bytes = (const unsigned char *)cell->text;
		size_t size = cell->size;
		unsigned __int128 value = size && bytes[0] & 0x80 ? ~(unsigned __int128)0 : 0;

		if (size > DECIMAL_BYTES_MOST)
			return column_error(c, err, "a decimal number of more than %d bytes",
				DECIMAL_BYTES_MOST);
		for (size_t i = 0; i < size; i++)
			value = value << 8 | bytes[i];
		put_decimal(c, cell, (__int128)value);
	}
	return 0;
}
