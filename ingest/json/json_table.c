/* Brackets are counted by the table, so that those inside of strings are not seen. */
#include "ingest/json/json_table.h"

#include <string.h>
#include "ingest/json/json_parse.h"

#define DEPTH_LIMIT 4096

/* May the entry be a bracket? All of them have these bits in common, and of the bytes that begin
 * something else, only those of a few odd words (Y, _, y). */
static inline bool is_like_bracket(const struct json_piece *p, size_t at)
{
	return (json_byte(p, at) | 0x26) == 0x7f;
}

/* The next entry that is like one. Four at a time: most entries of a long value are not. */
static inline size_t next_bracket(const struct json_piece *p, size_t at)
{
	for (; p->count - at >= 4; at += 4) {
		if (is_like_bracket(p, at))
			return at;
		if (is_like_bracket(p, at + 1))
			return at + 1;
		if (is_like_bracket(p, at + 2))
			return at + 2;
		if (is_like_bracket(p, at + 3))
			return at + 3;
	}
	while (at < p->count && !is_like_bracket(p, at))
		at++;
	return at;
}

enum json_parsed json_pass_composite(
	const char *bytes, const uint32_t *table, size_t count, size_t *i)
{
	const struct json_piece piece = {.bytes = bytes, .at = table, .count = count}, *p = &piece;
	size_t depth = 0, deepest = 0, at = *i;
	uint64_t kinds = 0; /* of the open brackets, 1 for a square one; only those of the last 64
			       levels are known */

	for (; at < p->count; at++) {
		char bracket, c;

		at = next_bracket(p, at);
		if (at == p->count)
			break;
		bracket = json_byte(p, at);
		c = bracket | 0x20;
		/* [ and { are 0x20 apart, as ] and } are; no other byte of a table becomes one of
		 * them. */
		if (c == '{') {
			kinds = kinds << 1 | (bracket == '[');
			if (++depth > DEPTH_LIMIT)
				break;
			deepest = depth > deepest ? depth : deepest;
		} else if (c == '}') {
			if (depth + 64 > deepest && (kinds & 1) != (bracket == ']'))
				break;
			kinds >>= 1;
			if (--depth == 0) {
				*i = at + 1;
				return JSON_WHOLE;
			}
		}
	}
	if (at == p->count)
		return JSON_CUT;
	*i = at;
	return JSON_WRONG;
}

enum json_parsed json_parse_member(
	const struct json_piece *piece, size_t *i, struct json_member *member)
{
	enum json_parsed parsed = json_parse_key(piece, i, &member->key);

	return parsed == JSON_WHOLE ? json_parse_value(piece, i, &member->value) : parsed;
}

/* The walk over the value at entry i. */
static struct json_walk walk_inside(
	const struct json_piece *piece, size_t i, const struct json_value *value)
{
	bool is_composite = value->kind == '{' || value->kind == '[';

	return (struct json_walk){piece, is_composite ? i + 1 : piece->count};
}

/* Moves past what follows a value; false where the text is damaged. */
static bool pass_separator(struct json_walk *walk, size_t i, char end)
{
	bool more;

	if (json_parse_separator(walk->piece, &i, end, &more) != JSON_WHOLE)
		return false;
	walk->at = more ? i : walk->piece->count;
	return true;
}

bool json_next_member(struct json_walk *walk, struct json_member *member, struct json_walk *inside)
{
	size_t i = walk->at;

	if (i >= walk->piece->count || json_byte(walk->piece, i) != '"' ||
		json_parse_member(walk->piece, &i, member) != JSON_WHOLE)
		return false;
	if (inside)
		*inside = walk_inside(walk->piece, walk->at + 2, &member->value);
	return pass_separator(walk, i, '}');
}

bool json_next_item(struct json_walk *walk, struct json_value *item, struct json_walk *inside)
{
	size_t i = walk->at;

	if (json_parse_value(walk->piece, &i, item) != JSON_WHOLE)
		return false;
	if (inside)
		*inside = walk_inside(walk->piece, walk->at, item);
	return pass_separator(walk, i, ']');
}

struct json_walk json_table_open(struct json_table *table, const struct json_value *value)
{
	struct json_damage ignored = {0};

	table->index = json_index_new();
	table->piece = (struct json_piece){.bytes = value->at, .size = value->size};
	json_index_patient(table->index, value->at, value->size, &table->piece.at,
		&table->piece.count, &ignored);
	return walk_inside(&table->piece, 0, value);
}

void json_table_close(struct json_table *table)
{
	json_index_free(table->index);
}

/* Single values of JSON text: strings and whole numbers. */

bool json_equal(const struct json_value *value, const char *text)
{
	return value->kind == '"' && text_is(value->at, value->size, text);
}

bool json_begins(const struct json_value *value, const char *text)
{
	return text_begins(value->at, value->size, text);
}

/* ---- strings ---- */

static bool hex4(const char *at, const char *end, unsigned *out)
{
	*out = 0;
	if (end - at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		const unsigned digit = text_digit(at[i]);

		if (digit > 15)
			return false;
		*out = *out << 4 | digit;
	}
	return true;
}

/* Bytes of the escape at the backslash `at`; 0 when it is none. */
static size_t add_escape(struct text *to, const char *at, const char *end)
{
	static const char from[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
	const char *simple;
	unsigned code, low;

	if (end - at < 2)
		return 0;
	if (at[1] == 'u') {
		if (!hex4(at + 2, end, &code))
			return 0;
		if (code >= 0xd800 && code < 0xdc00 && end - at >= 12 && at[6] == '\\' &&
			at[7] == 'u' && hex4(at + 8, end, &low) && low >= 0xdc00 && low < 0xe000) {
			text_add_character(to, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
			return 12;
		}
		if (code >= 0xd800 && code < 0xe000)
			return 0; /* no text may hold these: they stay as they were written */
		if (code == 0)
			text_add_zeros_visible(to, "", 1);
		else
			text_add_character(to, code);
		return 6;
	}
	simple = at[1] ? strchr(from, at[1]) : NULL;
	if (!simple)
		return 0;
	text_add_char(to, plain[simple - from]);
	return 2;
}

bool json_has_zero(const struct json_value *value)
{
	const char *at = value->at, *end;

	if (value->size == 0)
		return false;
	end = at + value->size;
	if (memchr(at, 0, value->size))
		return true;
	while (value->kind == '"' && (at = memchr(at, '\\', (size_t)(end - at))) && end - at >= 6) {
		if (memcmp(at, "\\u0000", 6) == 0)
			return true;
		at += 2;
	}
	return false;
}

size_t json_add_text(struct text *to, const struct json_value *value)
{
	const char *at = value->at, *end, *escape;
	size_t size, bad = 0;

	if (value->kind != '"' || value->size == 0) { /* or none, without bytes */
		text_add_zeros_visible(to, at, value->size);
		return 0;
	}
	end = at + value->size;
	while ((escape = memchr(at, '\\', (size_t)(end - at)))) {
		text_add_zeros_visible(to, at, (size_t)(escape - at));
		size = add_escape(to, escape, end);
		if (size == 0) {
			text_add_char(to, '\\');
			size = 1;
			bad++;
		}
		at = escape + size;
	}
	text_add_zeros_visible(to, at, (size_t)(end - at));
	return bad;
}

/* ---- numbers ---- */

static bool long_unsigned(const char *at, const char *end, unsigned base, uint64_t *out)
{
	uint64_t sum = 0;

	for (; at < end; at++) {
		const unsigned digit = text_digit(*at);

		if (digit >= base || __builtin_mul_overflow(sum, base, &sum) ||
			__builtin_add_overflow(sum, digit, &sum))
			return false;
	}
	*out = sum;
	return true;
}

bool json_unsigned(const struct json_value *value, uint64_t *out)
{
	const char *at = value->at, *end = json_value_end(value);
	const bool hex = value->size > 2 && at[0] == '0' && (at[1] | 0x20) == 'x';
	uint64_t whole;

	if ((value->kind != '0' && value->kind != '"') || at == end)
		return false;
	if (hex || end - at > JSON_WHOLE_MOST)
		return long_unsigned(at + (hex ? 2 : 0), end, hex ? 16 : 10, out);
	whole = json_whole(&at, end);
	if (at != end)
		return false;
	*out = whole;
	return true;
}

bool json_integer(const struct json_value *value, int64_t *out)
{
	bool minus = value->size > 1 && value->at[0] == '-';
	struct json_value digits = {
		minus ? value->at + 1 : value->at, value->size - minus, value->kind};
	uint64_t size;

	if (!json_unsigned(&digits, &size) || size > (uint64_t)INT64_MAX)
		return false;
	*out = minus ? -(int64_t)size : (int64_t)size;
	return true;
}
