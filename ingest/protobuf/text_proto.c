/* A scanner with one token of lookahead, and above it the fields. Open messages are a stack of
 * fixed size, so hostile nesting costs nothing. */
#include "ingest/protobuf/text_proto.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/output/protobuf_writer.h"
#include "ingest/reader.h"

#define NAME_MOST 63   /* longer names are not fields of a known message */
#define WORD_MOST 1000 /* names and numbers */
#define SHOWN_MOST 40
#define PEEK_BYTES 4096
#define NO_CHAR (-1)

enum token { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN };

/* A message that is open. */
struct message_level {
	char close;		  /* '}' or '>'; 0: the input itself */
	bool list;		  /* between the brackets of a list */
	char name[NAME_MOST + 1]; /* of the present field */
};

struct text_proto {
	struct input *in;
	size_t max_bytes;
	const unsigned char *window, *at, *end;
	unsigned long line, column; /* of the next character, from 1 */
	bool failed;		    /* reading failed: `cause` says why */
	struct error cause;

	enum token token;
	struct text text; /* of a string no more than max_bytes, and then long_string is set */
	bool long_string;
	char sign;
	unsigned long token_line, token_column;

	struct message_level level[TEXT_PROTO_DEPTH];
	size_t depth;
};

static int next_char(struct text_proto *t)
{
	size_t size;

	if (t->at < t->end)
		return *t->at;
	if (t->failed)
		return NO_CHAR;
	if (t->window)
		input_skip(t->in, (size_t)(t->end - t->window));
	if (input_peek(t->in, PEEK_BYTES, &t->window, &size, &t->cause)) {
		t->failed = true;
		t->window = NULL;
		return NO_CHAR;
	}
	t->at = t->window;
	t->end = t->window + size;
	return size ? *t->at : NO_CHAR;
}

static void read_char(struct text_proto *t)
{
	if (*t->at++ == '\n') {
		t->line++;
		t->column = 1;
	} else {
		t->column++;
	}
}

/* Sets the error of an earlier read, or a message at the token. Always -1. */
static int fail(struct text_proto *t, struct error *err, const char *message)
{
	char place[512];

	if (t->failed) {
		if (err)
			*err = t->cause;
		return -1;
	}
	snprintf(place, sizeof(place), "%s:%lu:%lu", input_path(t->in), t->token_line,
		t->token_column);
	return error_set(err, ERROR_INPUT, place, "%s", message);
}

static int expected(struct text_proto *t, const char *what, struct error *err)
{
	char message[300];
	struct text shown;

	text_init(&shown);
	if (t->token == TOKEN_SIGN) {
		char sign[2] = {t->sign, 0};

		text_add_visible(&shown, t->sign ? sign : "\\x00");
	} else if (t->token != TOKEN_STRING) {
		text_add_visible(&shown, text_string(&t->text));
	}
	if (t->token == TOKEN_END)
		snprintf(message, sizeof(message), "the text ends, expected %s", what);
	else if (t->token == TOKEN_STRING)
		snprintf(message, sizeof(message), "found a string, expected %s", what);
	else
		snprintf(message, sizeof(message), "found \"%.*s\", expected %s", SHOWN_MOST,
			text_string(&shown), what);
	text_release(&shown);
	return fail(t, err, message);
}

static int too_long(struct text_proto *t, const char *what, struct error *err)
{
	char place[512];

	snprintf(place, sizeof(place), "%s:%lu:%lu", input_path(t->in), t->token_line,
		t->token_column);
	error_set(err, ERROR_LIMIT, place, "%s of more than %zu bytes", what, t->max_bytes);
	return error_hint(err, "allow more with max-record in stepstat.yaml");
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_blanks(struct text_proto *t)
{
	int c;

	while ((c = next_char(t)) != NO_CHAR) {
		if (c == '#')
			while ((c = next_char(t)) != NO_CHAR && c != '\n')
				read_char(t);
		else if (c == ' ' || (c >= '\t' && c <= '\r'))
			read_char(t);
		else if (c == 0xef && t->line == 1 && t->end - t->at >= 3 &&
			 memcmp(t->at, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
			t->at += 3;
		else
			break;
	}
}

/* A word, or a number with its letters, points and the sign of an exponent: "0x1f", "1.5e-07f". */
static int scan_word(struct text_proto *t, bool number, struct error *err)
{
	int c, last = 0;

	t->token = number ? TOKEN_NUMBER : TOKEN_WORD;
	while ((c = next_char(t)) != NO_CHAR) {
		bool exponent = (last == 'e' || last == 'E') && (c == '+' || c == '-');

		if (!is_letter(c) && !text_is_digit((char)c) && !(number && (c == '.' || exponent)))
			break;
		if (t->text.size == WORD_MOST)
			return fail(t, err,
				number ? "a number that is too long" : "a name that is too long");
		text_add_char(&t->text, (char)c);
		read_char(t);
		last = c;
	}
	return 0;
}

/* Up to `most` digits of the base; -1 when there is none. */
static int64_t scan_digits(struct text_proto *t, unsigned base, int most)
{
	int64_t value = 0;
	int count = 0, c;

	while (count < most && (c = next_char(t)) != NO_CHAR && text_digit((char)c) < base) {
		value = value * base + text_digit((char)c);
		read_char(t);
		count++;
	}
	return count ? value : -1;
}

/* Reads the part of an escape after the backslash. */
static int scan_escape(struct text_proto *t, struct text *out, struct error *err)
{
	static const char letters[] = "abfnrtv\\'\"?", bytes[] = "\a\b\f\n\r\t\v\\'\"?";
	int c = next_char(t);
	const char *simple = c > 0 ? strchr(letters, c) : NULL;
	int64_t value;

	if (c >= '0' && c <= '7') {
		text_add_char(out, (char)scan_digits(t, 8, 3));
		return 0;
	}
	if (simple) {
		read_char(t);
		text_add_char(out, bytes[simple - letters]);
		return 0;
	}
	if (c != 'x' && c != 'X' && c != 'u' && c != 'U')
		return fail(t, err, "a string with an unknown escape");
	read_char(t);
	value = scan_digits(t, 16, c == 'u' ? 4 : c == 'U' ? 8 : 2);
	if (value < 0 || value > 0x10ffff)
		return fail(t, err, "a string with an escape that is not a character");
	if (c == 'u' || c == 'U')
		text_add_character(out, (uint32_t)value);
	else
		text_add_char(out, (char)value);
	return 0;
}

static int scan_string(struct text_proto *t, struct error *err)
{
	int quote = next_char(t), c;

	t->token = TOKEN_STRING;
	read_char(t);
	while ((c = next_char(t)) != quote) {
		if (c == NO_CHAR || c == '\n')
			return fail(t, err, "a string that does not end in its line");
		read_char(t);
		if (t->text.size >= t->max_bytes) { /* no harm where it is passed over */
			t->long_string = true;
			text_clear(&t->text);
		}
		if (c != '\\')
			text_add_char(&t->text, (char)c);
		else if (scan_escape(t, &t->text, err))
			return -1;
	}
	read_char(t);
	return 0;
}

/* The next token becomes the present one. */
static int advance(struct text_proto *t, struct error *err)
{
	skip_blanks(t);
	int c = next_char(t);

	t->token_line = t->line;
	t->token_column = t->column;
	text_clear(&t->text);
	t->long_string = false;
	if (c == NO_CHAR) {
		t->token = TOKEN_END;
		return t->failed ? fail(t, err, "") : 0;
	}
	if (is_letter(c))
		return scan_word(t, false, err);
	if (text_is_digit((char)c) || c == '.')
		return scan_word(t, true, err);
	if (c == '"' || c == '\'')
		return scan_string(t, err);
	t->token = TOKEN_SIGN;
	t->sign = (char)c;
	read_char(t);
	return 0;
}

static bool is_sign(const struct text_proto *t, char sign)
{
	return t->token == TOKEN_SIGN && t->sign == sign;
}

struct text_proto *text_proto_new(struct input *in, size_t max_bytes)
{
	struct text_proto *t = memory_alloc(sizeof(*t));

	t->in = in;
	t->max_bytes = max_bytes;
	t->line = t->column = 1;
	text_init(&t->text);
	/* Before the first token: text_proto_next reads this as the end of a field. */
	t->token = TOKEN_SIGN;
	t->sign = ';';
	return t;
}

void text_proto_free(struct text_proto *t)
{
	if (!t)
		return;
	text_release(&t->text);
	memory_free(t);
}

/* "[com.example.extension]", "[type.googleapis.com/a.B]": fields that nobody here knows. */
static int skip_extension(struct text_proto *t, struct error *err)
{
	do {
		if (advance(t, err))
			return -1;
		if (t->token != TOKEN_WORD && t->token != TOKEN_NUMBER && !is_sign(t, '.') &&
			!is_sign(t, '/') && !is_sign(t, '-') && !is_sign(t, ']'))
			return expected(t, "the name of an extension", err);
	} while (!is_sign(t, ']'));
	return advance(t, err);
}

/* The name of a field, and the ':' after it, which only messages may go without. */
static int read_name(struct text_proto *t, struct message_level *level, struct error *err)
{
	if (is_sign(t, '[')) {
		level->name[0] = 0;
		if (skip_extension(t, err))
			return -1;
	} else if (t->token == TOKEN_WORD || t->token == TOKEN_NUMBER) {
		snprintf(
			level->name, sizeof(level->name), "%.*s", NAME_MOST, text_string(&t->text));
		if (advance(t, err))
			return -1;
	} else {
		return expected(
			t, level->close ? "a field or the end of the message" : "a field", err);
	}
	if (is_sign(t, ':'))
		return advance(t, err);
	if (!is_sign(t, '{') && !is_sign(t, '<') && !is_sign(t, '['))
		return expected(t, "':' or '{'", err);
	return 0;
}

/* Between the elements of a list: 1 when there is another one, 0 after the last. */
static int next_element(struct text_proto *t, struct message_level *level, struct error *err)
{
	if (is_sign(t, ','))
		return advance(t, err) ? -1 : 1;
	if (!is_sign(t, ']'))
		return expected(t, "',' or ']'", err);
	level->list = false;
	return advance(t, err);
}

/* Begins a list at a '[': 1 when it has elements, 0 when it is empty. */
static int begin_list(struct text_proto *t, struct message_level *level, struct error *err)
{
	if (advance(t, err))
		return -1;
	level->list = !is_sign(t, ']');
	if (level->list)
		return 1;
	return advance(t, err);
}

/* The end of a message or of the input: 0; a field begins: 1. */
static int find_end(struct text_proto *t, const struct message_level *level, struct error *err)
{
	if ((is_sign(t, ',') || is_sign(t, ';')) && advance(t, err))
		return -1;
	if (!level->close)
		return t->token != TOKEN_END;
	if (!is_sign(t, level->close))
		return 1;
	t->depth--;
	return advance(t, err);
}

int text_proto_next(struct text_proto *t, const char **name, struct error *err)
{
	struct message_level *level = &t->level[t->depth];

	*name = level->name;
	if (level->list) {
		int more = next_element(t, level, err);

		if (more)
			return more;
	}
	for (;;) {
		int found = find_end(t, level, err);

		if (found <= 0)
			return found;
		if (read_name(t, level, err))
			return -1;
		if (!is_sign(t, '['))
			return 1;
		found = begin_list(t, level, err);
		if (found)
			return found;
	}
}

int text_proto_enter(struct text_proto *t, struct error *err)
{
	if (!is_sign(t, '{') && !is_sign(t, '<'))
		return expected(t, "'{'", err);
	if (t->depth + 1 == TEXT_PROTO_DEPTH) {
		char message[80];

		snprintf(message, sizeof(message), "more than %d messages in each other",
			TEXT_PROTO_DEPTH - 1);
		return fail(t, err, message);
	}
	t->level[++t->depth] = (struct message_level){.close = t->sign == '{' ? '}' : '>'};
	return advance(t, err);
}

static int skip_scalar(struct text_proto *t, struct error *err)
{
	if (t->token == TOKEN_STRING) {
		while (t->token == TOKEN_STRING)
			if (advance(t, err))
				return -1;
		return 0;
	}
	if (is_sign(t, '-') && advance(t, err))
		return -1;
	if (t->token != TOKEN_WORD && t->token != TOKEN_NUMBER)
		return expected(t, "a value", err);
	return advance(t, err);
}

static bool is_message(const struct text_proto *t)
{
	return is_sign(t, '{') || is_sign(t, '<');
}

int text_proto_skip(struct text_proto *t, struct error *err)
{
	size_t depth = t->depth;
	const char *name;

	if (!is_message(t))
		return skip_scalar(t, err);
	if (text_proto_enter(t, err))
		return -1;
	while (t->depth > depth) {
		int got = text_proto_next(t, &name, err);

		if (got < 0)
			return -1;
		if (got && (is_message(t) ? text_proto_enter(t, err) : skip_scalar(t, err)))
			return -1;
	}
	return 0;
}

int text_proto_string(struct text_proto *t, struct text *out, struct error *err)
{
	if (t->token != TOKEN_STRING)
		return expected(t, "a string", err);
	while (t->token == TOKEN_STRING) {
		if (t->long_string || out->size + t->text.size > t->max_bytes)
			return too_long(t, "a string", err);
		text_add_bytes(out, text_string(&t->text), t->text.size);
		if (advance(t, err))
			return -1;
	}
	return 0;
}

/* Decimal, hexadecimal or octal digits, all of the text. */
static bool parse_digits(const char *text, uint64_t *value)
{
	uint64_t base = 10;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	} else if (text[0] == '0' && text[1]) {
		base = 8;
		text++;
	}
	*value = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		uint64_t digit = text_digit(*text);

		if (digit >= base || __builtin_mul_overflow(*value, base, value) ||
			__builtin_add_overflow(*value, digit, value))
			return false;
	}
	return true;
}

static int encode_number(struct text_proto *t, bool is_signed, struct text *out, struct error *err)
{
	bool minus = is_sign(t, '-');
	uint64_t value;

	if (minus && advance(t, err))
		return -1;
	if (t->token != TOKEN_NUMBER || !parse_digits(text_string(&t->text), &value))
		return expected(t, "a whole number of 64 bits", err);
	if (minus ? !is_signed || value > (uint64_t)INT64_MAX + 1
		  : is_signed && value > (uint64_t)INT64_MAX)
		return expected(t, "a number in range", err);
	protobuf_add_varint(out, minus ? -value : value);
	return advance(t, err);
}

static int encode_bool(struct text_proto *t, struct text *out, struct error *err)
{
	static const char *const words[] = {"false", "False", "f", "0", "true", "True", "t", "1"};
	const char *text = text_string(&t->text);

	if (t->token == TOKEN_WORD || t->token == TOKEN_NUMBER) {
		for (size_t i = 0; i < 8; i++) {
			if (!text_equal(text, words[i]))
				continue;
			protobuf_add_varint(out, i >= 4);
			return advance(t, err);
		}
	}
	return expected(t, "true or false", err);
}

/* The word of an enum, or its number; a word that the descriptor does not have is passed over. */
static int encode_enum(struct text_proto *t, const ProtobufCFieldDescriptor *field,
	struct text *out, struct error *err)
{
	const ProtobufCEnumValue *known;

	if (t->token != TOKEN_WORD) {
		protobuf_add_tag(out, field->id, WIRE_VARINT);
		return encode_number(t, true, out, err);
	}
	known = protobuf_c_enum_descriptor_get_value_by_name(
		field->descriptor, text_string(&t->text));
	if (known)
		protobuf_add_number(out, field->id, (uint64_t)known->value);
	return advance(t, err);
}

static bool parse_real(const char *text, double *value)
{
	size_t n = strlen(text);
	uint64_t whole;

	if (text_equal(text, "inf") || text_equal(text, "infinity")) {
		*value = INFINITY;
	} else if (text_equal(text, "nan")) {
		*value = NAN;
	} else if (text[0] == '0' && n > 1 && parse_digits(text, &whole)) { /* 0x10, 010 */
		*value = (double)whole;
	} else {
		if (n > 1 && (text[n - 1] == 'f' || text[n - 1] == 'F'))
			n--;

		/* Parse a number with digits on both sides of the point, or none: ".5" and "3." are
		 * numbers here. */
		struct text plain;
		bool good;

		text_init(&plain);
		for (size_t i = 0; i < n; i++) {
			if (i == 0 && text[i] == '.' && n > 1)
				text_add_char(&plain, '0');
			if (text[i] != '.' || (i + 1 < n && text_is_digit(text[i + 1])))
				text_add_char(&plain, text[i]);
		}
		good = number_parse_real(text_string(&plain), plain.size, value);
		text_release(&plain);
		return good;
	}
	return true;
}

/* A float (4 bytes) or a double (8), low byte first. */
static int encode_real(
	struct text_proto *t, uint32_t field, bool is_float, struct text *out, struct error *err)
{
	bool minus = is_sign(t, '-');
	size_t size = is_float ? sizeof(float) : sizeof(double);
	double value;
	float narrow;
	uint64_t bits = 0;
	uint32_t narrow_bits;

	if (minus && advance(t, err))
		return -1;
	if ((t->token != TOKEN_NUMBER && t->token != TOKEN_WORD) ||
		!parse_real(text_string(&t->text), &value))
		return expected(t, "a number", err);
	if (minus)
		value = -value;
	memcpy(&bits, &value, sizeof(bits));
	if (is_float) {
		narrow = (float)value;
		memcpy(&narrow_bits, &narrow, sizeof(narrow_bits));
		bits = narrow_bits;
	}
	protobuf_add_tag(out, field, is_float ? WIRE_FIXED32 : WIRE_FIXED64);
	protobuf_add_fixed(out, bits, size);
	return advance(t, err);
}

static int encode_bytes(struct text_proto *t, uint32_t field, struct text *out, struct error *err)
{
	struct text bytes;

	text_init(&bytes);
	int result = text_proto_string(t, &bytes, err);

	if (result == 0)
		protobuf_add_message(out, field, &bytes);
	text_release(&bytes);
	return result;
}

/* A message inside another: as deep as the descriptors nest. */
static int encode_message(struct text_proto *t, const ProtobufCFieldDescriptor *field,
	struct text *out, struct error *err)
{
	struct text inside;

	text_init(&inside);
	int result = text_proto_encode(t, field->descriptor, &inside, err);

	if (result == 0)
		protobuf_add_message(out, field->id, &inside);
	text_release(&inside);
	return result;
}

static int encode_field(struct text_proto *t, const ProtobufCFieldDescriptor *field,
	struct text *out, struct error *err)
{
	switch (field->type) {
	case PROTOBUF_C_TYPE_INT32:
	case PROTOBUF_C_TYPE_INT64:
		protobuf_add_tag(out, field->id, WIRE_VARINT);
		return encode_number(t, true, out, err);
	case PROTOBUF_C_TYPE_UINT32:
	case PROTOBUF_C_TYPE_UINT64:
		protobuf_add_tag(out, field->id, WIRE_VARINT);
		return encode_number(t, false, out, err);
	case PROTOBUF_C_TYPE_BOOL:
		protobuf_add_tag(out, field->id, WIRE_VARINT);
		return encode_bool(t, out, err);
	case PROTOBUF_C_TYPE_ENUM:
		return encode_enum(t, field, out, err);
	case PROTOBUF_C_TYPE_FLOAT:
	case PROTOBUF_C_TYPE_DOUBLE:
		return encode_real(t, field->id, field->type == PROTOBUF_C_TYPE_FLOAT, out, err);
	case PROTOBUF_C_TYPE_STRING:
	case PROTOBUF_C_TYPE_BYTES:
		return encode_bytes(t, field->id, out, err);
	case PROTOBUF_C_TYPE_MESSAGE:
		return encode_message(t, field, out, err);
	default:
		return text_proto_skip(t, err);
	}
}

int text_proto_encode(struct text_proto *t, const ProtobufCMessageDescriptor *message,
	struct text *out, struct error *err)
{
	const char *name;
	int got;

	if (text_proto_enter(t, err))
		return -1;
	while ((got = text_proto_next(t, &name, err)) > 0) {
		const ProtobufCFieldDescriptor *field =
			protobuf_c_message_descriptor_get_field_by_name(message, name);

		if (field ? encode_field(t, field, out, err) : text_proto_skip(t, err))
			return -1;
		if (out->size > t->max_bytes)
			return too_long(t, "a message", err);
	}
	return got;
}

int text_proto_is_text(struct input *in, bool *text, struct error *err)
{
	const unsigned char *bytes;
	size_t size;

	if (input_peek(in, PROBE_BYTES, &bytes, &size, err))
		return -1;
	*text = true;
	for (size_t i = 0; i < size && i < PROBE_BYTES; i++)
		*text &= bytes[i] >= 0x20 || (bytes[i] >= '\t' && bytes[i] <= '\r');
	return 0;
}

static void *allocate(void *arena, size_t size)
{
	return arena_alloc(arena, size);
}

static void free_nothing(void *arena, void *p)
{
	(void)arena;
	(void)p;
}

ProtobufCAllocator arena_allocator(struct arena *arena)
{
	return (ProtobufCAllocator){allocate, free_nothing, arena};
}
