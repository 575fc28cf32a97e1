/*
 * Single values of JSON text: strings and whole numbers.
 */
#include "ingest/json/json_value.h"

#include <string.h>

bool json_equal(const struct json_value *value, const char *text)
{
	return value->kind == '"' && strlen(text) == value->size &&
	       memcmp(value->at, text, value->size) == 0;
}

/* ---- strings ---- */

static bool hex4(const char *at, const char *end, unsigned *out)
{
	*out = 0;
	if (end - at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		char c = at[i];
		unsigned digit;

		if (c >= '0' && c <= '9')
			digit = (unsigned)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			digit = (unsigned)((c | 0x20) - 'a' + 10);
		else
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

static int digit_of(char c, bool hex)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return hex && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool json_unsigned(const struct json_value *value, uint64_t *out)
{
	const char *at = value->at, *end = json_value_end(value);
	bool hex = value->size > 2 && at[0] == '0' && (at[1] | 0x20) == 'x';
	uint64_t sum = 0;

	if (value->kind != '0' && value->kind != '"')
		return false;
	at += hex ? 2 : 0;
	if (at == end)
		return false;
	for (; at < end; at++) {
		int digit = digit_of(*at, hex);

		if (digit < 0 || __builtin_mul_overflow(sum, hex ? 16U : 10U, &sum) ||
			__builtin_add_overflow(sum, (uint64_t)digit, &sum))
			return false;
	}
	*out = sum;
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
