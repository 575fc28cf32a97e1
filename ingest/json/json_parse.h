/* Values and members out of a table of JSON text. The functions are in the header because events
 * are parsed with them, one by one; those of every member are inlined wherever they are used.
 * Internal to json_table and trace_event. */
#pragma once

#include <string.h>
#include "base/packed_number.h"
#include "ingest/json/json_table.h"

#define JSON_INLINE __attribute__((always_inline)) static inline

static inline bool json_is_blank(char c)
{
	return (unsigned char)c <= ' ' && (c == ' ' || c == '\t' || c == '\n' || c == '\r');
}

static inline char json_byte(const struct json_piece *p, size_t i)
{
	return p->bytes[p->at[i]];
}

/* Passes back over the blanks before `end`, of which there is one at least. What begins at `begin`
 * is not blank. Most are the spaces of an indentation. */
static inline const char *json_before_blanks(const char *begin, const char *end)
{
	const uint64_t spaces = UINT64_C(0x2020202020202020);
	uint64_t eight;

	for (; end - begin > 8; end -= 8) {
		memcpy(&eight, end - 8, 8);
		eight = little_64(eight) ^ spaces;
		if (eight) {
			end -= __builtin_clzll(eight) / 8;
			break;
		}
	}
	while (json_is_blank(end[-1]))
		end--;
	return end;
}

/* The byte after the value that ends before entry `next`. */
static inline const char *json_end_before(const struct json_piece *p, size_t next)
{
	const char *end = p->bytes + p->at[next];

	return json_is_blank(end[-1]) ? json_before_blanks(p->bytes + p->at[next - 1], end) : end;
}

/* Passes over an object or array: *i moves after its end, or to the bracket that is one too deep
 * or of the wrong kind. It takes the parts of a piece, which a caller has in registers. */
enum json_parsed json_pass_composite(
	const char *bytes, const uint32_t *table, size_t count, size_t *i);

JSON_INLINE enum json_parsed json_parse_string(
	const struct json_piece *p, size_t i, struct json_value *value)
{
	const char *begin = p->bytes + p->at[i] + 1, *end;

	if (i + 1 >= p->count)
		return JSON_CUT;
	end = json_end_before(p, i + 1) - 1;
	if (end < begin || *end != '"')
		return JSON_WRONG;
	*value = (struct json_value){begin, (size_t)(end - begin), '"'};
	return JSON_WHOLE;
}

static inline char json_scalar_kind(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ? '0' : 'w';
}

/* Any value at entry *i. Most are strings and numbers. */
JSON_INLINE enum json_parsed json_parse_value(
	const struct json_piece *p, size_t *i, struct json_value *value)
{
	size_t first = *i, after = first;
	const char *begin;
	enum json_parsed parsed;
	char c;

	if (first >= p->count)
		return JSON_CUT;
	c = json_byte(p, first);
	begin = p->bytes + p->at[first];
	if (c == '"') {
		*i = first + 1;
		return json_parse_string(p, first, value);
	}
	if (c == '{' || c == '[') {
		parsed = json_pass_composite(p->bytes, p->at, p->count, &after);
		*i = after;
		if (parsed == JSON_WHOLE)
			*value = (struct json_value){
				begin, (size_t)(p->bytes + p->at[after - 1] + 1 - begin), c};
		return parsed;
	}
	if (c == '}' || c == ']' || c == ':' || c == ',')
		return JSON_WRONG;
	if (first + 1 >= p->count)
		return JSON_CUT;
	*i = first + 1;
	*value = (struct json_value){
		begin, (size_t)(json_end_before(p, first + 1) - begin), json_scalar_kind(c)};
	return JSON_WHOLE;
}

/* A key and its colon at entry *i; *i moves to the value. */
JSON_INLINE enum json_parsed json_parse_key(
	const struct json_piece *p, size_t *i, struct json_value *key)
{
	enum json_parsed parsed;

	if (*i + 1 >= p->count)
		return JSON_CUT;
	if (json_byte(p, *i) != '"' || json_byte(p, *i + 1) != ':')
		return JSON_WRONG;
	parsed = json_parse_string(p, *i, key);
	*i += 2;
	return parsed;
}

/* The value at entry i as most are: a string or a number, a comma right after it, a key after that
 * at i + 2. It is what json_parse_value and json_parse_separator read, in fewer steps. False for
 * any other, damaged or not. */
JSON_INLINE bool json_plain_value(const struct json_piece *p, size_t i, struct json_value *value)
{
	const uint32_t *at = p->at + i;
	const char *begin, *end;

	if (i + 2 >= p->count)
		return false;
	begin = p->bytes + at[0];
	end = p->bytes + at[1];
	if (*end != ',' || p->bytes[at[2]] != '"')
		return false;
	if (*begin == '"') {
		if (end[-1] != '"' || end - begin < 2)
			return false;
		*value = (struct json_value){begin + 1, (size_t)(end - begin) - 2, '"'};
		return true;
	}
	if ((unsigned char)(*begin - '0') >= 10 || json_is_blank(end[-1]))
		return false;
	*value = (struct json_value){begin, (size_t)(end - begin), '0'};
	return true;
}

/* Separator of members or items: *more is false at the end of the object or array, with *i after
 * its bracket `end`. A comma before the end is accepted. */
JSON_INLINE enum json_parsed json_parse_separator(
	const struct json_piece *p, size_t *i, char end, bool *more)
{
	if (*i >= p->count)
		return JSON_CUT;
	if (json_byte(p, *i) == ',') {
		if (++*i >= p->count)
			return JSON_CUT;
		*more = json_byte(p, *i) != end;
	} else if (json_byte(p, *i) == end) {
		*more = false;
	} else {
		return JSON_WRONG;
	}
	*i += !*more;
	return JSON_WHOLE;
}

/* Number of the digits that the text begins with, at most eight; `count`: how many they are. */
static inline uint64_t json_digits(const char *at, const char *end, size_t *count)
{
	const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = UINT64_C(0x3030303030303030);
	const size_t left = (size_t)(end - at);
	uint64_t word = 0, others;
	uint32_t first, last;

	if (left >= 8) {
		memcpy(&word, at, 8);
		word = little_64(word);
	} else if (left >= 4) { /* the two reads overlap */
		memcpy(&first, at, 4);
		memcpy(&last, end - 4, 4);
		word = little_32(first) | (uint64_t)little_32(last) << 8 * (left - 4);
	} else {
		for (size_t i = 0; i < left; i++)
			word |= (uint64_t)(unsigned char)at[i] << 8 * i;
	}
	/* A digit is 0x3. and stays in that row when 6 is added; bytes behind the text are 0. */
	others = ((word & high) ^ zeros) | (((word & ~high) + UINT64_C(0x0606060606060606)) & high);
	*count = others ? (size_t)__builtin_ctzll(others) / 8 : 8;
	if (*count == 0)
		return 0;
	/* Pairs, then fours, then all are joined by one product each. */
	word = (word & ~high) << 8 * (8 - *count);
	word = (word * 2561 >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	word = (word * 6553601 >> 16) & UINT64_C(0x0000ffff0000ffff);
	return word * UINT64_C(42949672960001) >> 32;
}

/* The same for more digits; *at moves behind them. It is not the number where they are more than
 * JSON_WHOLE_MOST. */
#define JSON_WHOLE_MOST 18
static inline uint64_t json_whole(const char **at, const char *end)
{
	static const uint32_t power[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
	const char *begin = *at;
	uint64_t whole = 0;
	size_t count = 8;

	while (count == 8 && *at < end && *at - begin < JSON_WHOLE_MOST) {
		const uint64_t next = json_digits(*at, end, &count);

		whole = whole * power[count] + next;
		*at += count;
	}
	return whole;
}
