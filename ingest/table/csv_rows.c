/* CSV rows: lines without quotes are cut at their separators; the others are given to libcsv, line
 * by line, so that an error knows its line. The text of the present row is kept, so that it knows
 * its column too. */
#include "ingest/table/csv_rows.h"

#include <csv.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"

#define FIELDS_MOST ((size_t)100000)
#define GZIP_FIRST 0x1f /* of gzip, which an input would unpack */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct field_span {
	size_t at, size;
	bool given;
};

#define FIELD_BLOCK_BYTES ((size_t)1 << 20)
#define PART_BYTES ((size_t)1 << 20)	   /* of lines, which another thread reads */
#define FIRST_PART_BYTES ((size_t)1 << 16) /* which shows what is in the others */

struct csv_rows {
	struct cell_rows rows; /* first: it is what callers hold */
	struct input *in;
	char separator;
	size_t max_record_bytes;
	struct csv_parser parser;
	struct text raw;   /* of the current row, as in the file */
	struct text value; /* its fields, each followed by 0 */
	struct field_span *span;
	struct table_cell *field;
	size_t count, room;
	uint64_t line; /* of the next byte */
	uint64_t row_line;
	bool complete; /* a row has ended and was not handed out yet */
	bool is_split; /* without libcsv: its fields are made */
	bool begun, ended, after_return;
	/* Bytes of a part, and the line of the first of them. */
	char *part;
	size_t part_bytes;
	uint64_t part_line;
	bool is_divided; /* of the whole: parts were taken */
};

static void make_field_room(struct csv_rows *rows)
{
	if (rows->count < rows->room)
		return;
	rows->room = memory_next_room(rows->room, 1);
	rows->span = memory_resize(rows->span, memory_product(rows->room, sizeof(*rows->span)));
	rows->field = memory_resize(rows->field, memory_product(rows->room, sizeof(*rows->field)));
}

static void add_field(void *bytes, size_t size, void *context)
{
	struct csv_rows *rows = context;

	make_field_room(rows);
	rows->span[rows->count++] = (struct field_span){rows->value.size, size, bytes != NULL};
	if (size)
		text_add_bytes(&rows->value, bytes, size);
	text_add_char(&rows->value, '\0');
}

static void end_row(int ended_by, void *context)
{
	struct csv_rows *rows = context;

	(void)ended_by;
	rows->complete = true;
}

/* ---- places ---- */

/* Line and column of byte `at` of the row's text. Columns count characters. */
static void find_place(const struct csv_rows *rows, size_t at, uint64_t *line, uint64_t *column)
{
	const char *raw = text_string(&rows->raw);

	*line = rows->row_line;
	*column = 1;
	for (size_t i = 0; i < at && i < rows->raw.size; i++) {
		bool line_feed = raw[i] == '\n' && !(i > 0 && raw[i - 1] == '\r');

		if (raw[i] == '\r' || line_feed) {
			++*line;
			*column = 1;
		} else if (raw[i] != '\n' && ((unsigned char)raw[i] & 0xc0) != 0x80) {
			++*column;
		}
	}
}

static void place_of_byte(const struct csv_rows *rows, size_t at, char *out, size_t size)
{
	uint64_t line, column;

	find_place(rows, at, &line, &column);
	snprintf(out, size, "%s:%llu:%llu", input_path(rows->in), (unsigned long long)line,
		(unsigned long long)column);
}

static int fail_byte(struct csv_rows *rows, size_t at, struct error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static int fail_byte(struct csv_rows *rows, size_t at, struct error *err, const char *format, ...)
{
	char place[512], message[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	place_of_byte(rows, at, place, sizeof(place));
	return error_set(err, ERROR_INPUT, place, "%s", message);
}

static void csv_place(struct cell_rows *of, size_t index, char *out, size_t size)
{
	const struct csv_rows *rows = (const struct csv_rows *)of;

	/* Where field `index` begins in the row's text. */
	const char *raw = text_string(&rows->raw);
	bool quoted = false;
	size_t i = 0;

	for (; i < rows->raw.size && index > 0; i++) {
		if (raw[i] == '"')
			quoted = !quoted;
		else if (raw[i] == rows->separator && !quoted)
			index--;
	}
	while (i < rows->raw.size && (raw[i] == ' ' || raw[i] == '\t') && raw[i] != rows->separator)
		i++;
	place_of_byte(rows, i, out, size);
}

static int unclosed(struct csv_rows *rows, struct error *err)
{
	/* The quote that is still open at the end. */
	const char *raw = text_string(&rows->raw);
	size_t at = 0;
	bool quoted = false;

	for (size_t i = 0; i < rows->raw.size; i++) {
		if (raw[i] != '"')
			continue;
		/* A doubled quote closes and opens again: the field began earlier. */
		if (!quoted && !(i > 0 && raw[i - 1] == '"' && i - 1 > at))
			at = i;
		quoted = !quoted;
	}
	fail_byte(rows, at, err, "a quoted field that is not closed");
	return error_hint(err, "a quote inside a quoted field is written twice");
}

/* ---- rows ---- */

/* How many of the bytes belong to the present line, its end included. */
static size_t line_length(const unsigned char *bytes, size_t size, bool *ended)
{
	const unsigned char *feed = memchr(bytes, '\n', size);
	size_t length = feed ? (size_t)(feed - bytes) + 1 : size;
	const unsigned char *back = memchr(bytes, '\r', length);

	*ended = feed || back;
	if (back && back + 1 < bytes + length && back[1] != '\n')
		return (size_t)(back - bytes) + 1;
	return length;
}

static int feed(struct csv_rows *rows, const unsigned char *bytes, size_t size, struct error *err)
{
	size_t before = rows->raw.size, used;

	text_add_bytes(&rows->raw, (const char *)bytes, size);
	used = csv_parse(&rows->parser, bytes, size, add_field, end_row, rows);
	if (used != size) {
		size_t at = before + used;
		bool quote = at < rows->raw.size && rows->raw.data[at] == '"';

		if (csv_error(&rows->parser) != CSV_EPARSE)
			return fail_byte(
				rows, at, err, "%s", csv_strerror(csv_error(&rows->parser)));
		fail_byte(rows, at, err,
			quote ? "a quote inside a field that is not quoted"
			      : "text after a closing quote");
		return error_hint(
			err, "quote the whole field, and write each quote inside it twice");
	}
	if (rows->raw.size > rows->max_record_bytes) {
		size_t most = rows->max_record_bytes;

		if (rows->parser.quoted)
			unclosed(rows, err);
		else
			fail_byte(rows, 0, err, "a row of more than %zu bytes", most);
		if (err)
			err->kind = ERROR_LIMIT;
		return error_hint(err,
			"rows may have %zu bytes; allow more with max-record in stepstat.yaml",
			most);
	}
	if (rows->count > FIELDS_MOST)
		return fail_byte(rows, 0, err, "a row of more than %zu fields", FIELDS_MOST);
	return 0;
}

/* A whole line without quotes becomes the row, as libcsv would make it: blanks around a field are
 * no part of it. False: the line is left to libcsv. */
static bool split_line(struct csv_rows *rows, const unsigned char *bytes, size_t size)
{
	const unsigned char *feed = memchr(bytes, '\n', size);
	size_t n = feed ? (size_t)(feed - bytes) : SIZE_MAX, at = 0, end;
	const char *text;

	if (n >= FIELDS_MOST || n >= rows->max_record_bytes)
		return false;
	n -= n && bytes[n - 1] == '\r';
	if (strspn((const char *)bytes, " \t") >= n || memchr(bytes, '"', n) ||
		memchr(bytes, '\r', n) || memchr(bytes, '\0', n))
		return false;
	text_add_bytes(&rows->raw, (const char *)bytes, n);
	text_add_bytes(&rows->value, (const char *)bytes, n);
	text = rows->raw.data;
	for (; at <= n; at = end + 1) {
		const char *stop = memchr(text + at, rows->separator, n - at);
		size_t to = end = stop ? (size_t)(stop - text) : n;

		while (at < to && (text[at] == ' ' || text[at] == '\t'))
			at++;
		while (to > at && (text[to - 1] == ' ' || text[to - 1] == '\t'))
			to--;
		rows->value.data[to] = '\0';
		make_field_room(rows);
		rows->field[rows->count++] = (struct table_cell){
			.text = rows->value.data + at, .size = to - at, .given = to > at};
	}
	rows->complete = rows->is_split = true;
	rows->line++;
	input_skip(rows->in, (size_t)(feed - bytes) + 1);
	return true;
}

static void row_begin(struct csv_rows *rows)
{
	text_clear(&rows->raw);
	text_clear(&rows->value);
	rows->count = 0;
	rows->complete = rows->is_split = false;
	rows->row_line = rows->line;
}

/* One line, or the part of it that was read. */
static int next_line(struct csv_rows *rows, struct error *err)
{
	const unsigned char *bytes;
	size_t size;
	bool ended;

	if (input_peek(rows->in, 1, &bytes, &size, err) < 0)
		return -1;
	if (size == 0) {
		rows->ended = true;
		if (csv_fini(&rows->parser, add_field, end_row, rows) < 0)
			return unclosed(rows, err);
		rows->rows.unended = rows->complete;
		return 0;
	}
	if (rows->after_return && bytes[0] == '\n') { /* CR LF, cut between two windows */
		rows->after_return = false;
		if (rows->parser.quoted && feed(rows, bytes, 1, err) < 0)
			return -1;
		input_skip(rows->in, 1);
		return 0;
	}
	if (!rows->after_return && !rows->raw.size && split_line(rows, bytes, size))
		return 0;
	size = line_length(bytes, size, &ended);
	rows->after_return = bytes[size - 1] == '\r';
	if (feed(rows, bytes, size, err) < 0)
		return -1;
	input_skip(rows->in, size);
	rows->line += ended;
	/* Blank lines begin no row. */
	if (ended && !rows->complete && rows->count == 0 && !rows->parser.quoted)
		row_begin(rows);
	return 0;
}

static bool is_blank(const struct csv_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->field[i].given)
			return false;
	return true;
}

static int check_zeros(struct csv_rows *rows, struct error *err)
{
	const char *zero = memchr(text_string(&rows->raw), '\0', rows->raw.size);

	if (!zero)
		return 0;
	fail_byte(rows, (size_t)(zero - rows->raw.data), err, "a byte 0, which no text has");
	return error_hint(err, "save the table as UTF-8 (UTF-16 has such bytes)");
}

static int csv_next(struct cell_rows *of, struct cell_row *row, struct error *err)
{
	struct csv_rows *rows = (struct csv_rows *)of;

	if (!rows->begun) {
		const unsigned char *bytes;
		size_t size;

		rows->begun = true;
		if (input_peek(rows->in, 3, &bytes, &size, err) < 0)
			return -1;
		if (size >= 3 && memcmp(bytes, BYTE_ORDER_MARK, 3) == 0)
			input_skip(rows->in, 3);
	}
	do {
		row_begin(rows);
		while (!rows->complete && !rows->ended)
			if (next_line(rows, err) < 0)
				return -1;
		if (!rows->complete)
			return 0;
		for (size_t i = 0; !rows->is_split && i < rows->count; i++)
			rows->field[i] =
				(struct table_cell){.text = rows->value.data + rows->span[i].at,
					.size = rows->span[i].size,
					.given = rows->span[i].given};
	} while (is_blank(rows));
	if (!rows->is_split && check_zeros(rows, err) < 0)
		return -1;
	*row = (struct cell_row){rows->row_line, rows->field, rows->count};
	return 1;
}

static void parser_init(struct csv_rows *rows)
{
	csv_init(&rows->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL);
	csv_set_delim(&rows->parser, (unsigned char)rows->separator);
	csv_set_realloc_func(&rows->parser, memory_resize);
	csv_set_free_func(&rows->parser, memory_free);
	/* A block of our own: libcsv by itself grows a long field by 128 bytes at a time. */
	csv_set_blk_size(&rows->parser, FIELD_BLOCK_BYTES);
}

static struct csv_rows *rows_new(
	struct input *in, const char *path, char separator, size_t max_record_bytes)
{
	struct csv_rows *rows = memory_alloc(sizeof(*rows));

	rows->rows = (struct cell_rows){
		.path = path, .has_lines = true, .next = csv_next, .place = csv_place};
	rows->in = in;
	rows->separator = separator;
	rows->max_record_bytes = max_record_bytes;
	rows->line = 1;
	text_init(&rows->raw);
	text_init(&rows->value);
	parser_init(rows);
	return rows;
}

/* ---- parts ---- */

/* The bytes of whole rows among these, which begin with one: lines, of which no quoted field goes
 * on in the next one. */
static size_t whole_rows(const char *bytes, size_t size)
{
	const char *at = bytes, *const end = bytes + size;
	size_t whole = 0;

	while (at < end) {
		const char *open = memchr(at, '"', (size_t)(end - at)), *close;
		const char *stop = open ? open : end;

		while (stop > at && stop[-1] != '\n')
			stop--;
		if (stop > at)
			whole = (size_t)(stop - bytes);
		if (!open)
			break;
		close = memchr(open + 1, '"', (size_t)(end - open - 1));
		if (!close)
			break;
		at = close + 1;
	}
	return whole;
}

/* Line ends of these bytes; false where one is not LF or CR LF. */
static bool count_lines(const char *bytes, size_t size, uint64_t *count)
{
	const char *const end = bytes + size;

	for (const char *at = bytes; (at = memchr(at, '\r', (size_t)(end - at))); at++)
		if (at + 1 == end || at[1] != '\n')
			return false;
	for (const char *at = bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
		++*count;
	return true;
}

static void part_rewind(struct cell_rows *of)
{
	struct csv_rows *part = (struct csv_rows *)of;

	input_close(part->in);
	part->in = input_memory(part->part, part->part_bytes, part->rows.path);
	csv_free(&part->parser);
	parser_init(part);
	part->line = part->part_line;
	part->begun = true;
	part->ended = part->after_return = false;
}

static void part_free(struct cell_rows *of)
{
	struct csv_rows *part = (struct csv_rows *)of;

	if (!part)
		return;
	input_close(part->in);
	memory_free(part->part);
	csv_rows_free(of);
}

static struct cell_rows *csv_part(struct cell_rows *of)
{
	struct csv_rows *rows = (struct csv_rows *)of, *part;
	const unsigned char *bytes;
	size_t size;
	uint64_t lines = 0;

	/* Little is left to a reader of its own. */
	if (rows->after_return || input_peek(rows->in, PART_BYTES, &bytes, &size, NULL) < 0 ||
		size < PART_BYTES)
		return NULL;
	size = whole_rows((const char *)bytes, rows->is_divided ? PART_BYTES : FIRST_PART_BYTES);
	if (!size || *bytes == GZIP_FIRST || !count_lines((const char *)bytes, size, &lines))
		return NULL;
	part = rows_new(NULL, rows->rows.path, rows->separator, rows->max_record_bytes);
	part->rows.rewind = part_rewind;
	part->rows.free = part_free;
	part->part = memory_resize(NULL, size);
	memcpy(part->part, bytes, size);
	part->part_bytes = size;
	part->part_line = rows->line;
	input_skip(rows->in, size);
	rows->line += lines;
	rows->is_divided = true;
	return &part->rows;
}

struct cell_rows *csv_rows_new(struct input *in, char separator, size_t max_record_bytes)
{
	struct csv_rows *rows = rows_new(in, input_path(in), separator, max_record_bytes);

	rows->rows.part = csv_part;
	return &rows->rows;
}

void csv_rows_free(struct cell_rows *of)
{
	struct csv_rows *rows = (struct csv_rows *)of;

	if (!rows)
		return;
	csv_free(&rows->parser);
	text_release(&rows->raw);
	text_release(&rows->value);
	memory_free(rows->span);
	memory_free(rows->field);
	memory_free(rows);
}

char csv_separator(const unsigned char *bytes, size_t size)
{
	static const char separators[] = ",;\t";
	size_t most = 0;
	char best = 0;

	for (size_t k = 0; separators[k]; k++) {
		size_t count = 0;
		bool quoted = false;

		for (size_t i = 0; i < size && (quoted || !strchr("\r\n", bytes[i])); i++) {
			quoted ^= bytes[i] == '"';
			count += !quoted && bytes[i] == (unsigned char)separators[k];
		}
		if (count > most) {
			most = count;
			best = separators[k];
		}
	}
	return best;
}
