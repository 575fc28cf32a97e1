/*
 * Single values of JSON text: strings, whole numbers, times.
 */
#include "ingest/json/json_value.h"

#include <endian.h>
#include <string.h>
#include "base/decimal.h"
#include "base/unit.h"

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

/* An absent value has no text, and nothing may be added to its place. */
static const char *end_of(const struct json_value *value)
{
	return value->size > 0 ? value->at + value->size : value->at;
}

static int digit_of(char c, bool hex)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return hex && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool json_unsigned(const struct json_value *value, uint64_t *out)
{
	const char *at = value->at, *end = end_of(value);
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

/* ---- times ---- */

/* Decimal microseconds to whole picoseconds, rounded half away from 0. */
static struct trace_time slow_time(const struct json_value *value)
{
	const __int128 most = (__int128)INT64_MAX * PS_PER_US;
	struct trace_time time = {0};
	struct decimal_text d;
	__int128 ps;

	if (!decimal_parse(&d, value->at, value->size, true) ||
		!decimal_scale(&d, PS_PER_US, &ps, NULL) || ps > most || ps < -most)
		return time;
	time.us = (int64_t)(ps / PS_PER_US);
	time.ps = (int32_t)(ps % PS_PER_US);
	if (time.ps < 0) {
		time.us--;
		time.ps += PS_PER_US;
	}
	time.known = true;
	return time;
}

/* The value of eight digits: pairs, then fours, then all are joined by one product each. False
 * where one of the bytes is not a digit. */
static inline bool eight_digits(const char *at, uint64_t *value)
{
	const uint64_t zeros = UINT64_C(0x3030303030303030), high = UINT64_C(0xf0f0f0f0f0f0f0f0);
	uint64_t word;

	memcpy(&word, at, 8);
	word = le64toh(word);
	/* The second sum is 0x3. + 6, which leaves the row of the digits above 9. */
	if ((word & high) != zeros || ((word + UINT64_C(0x0606060606060606)) & high) != zeros)
		return false;
	word = (word & ~high) * 2561 >> 8;
	word = (word & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
	*value = (word & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32;
	return true;
}

struct trace_time json_time(const struct json_value *value)
{
	static const int32_t scale[] = {1000000, 100000, 10000, 1000, 100, 10, 1};
	const char *at = value->at, *end = end_of(value), *begin = at;
	struct trace_time time = {0};
	uint64_t whole = 0, eight;
	int32_t fraction = 0;
	int digits = 0;

	if (value->kind != '0' && value->kind != '"')
		return time;
	for (; end - at >= 8 && eight_digits(at, &eight); at += 8)
		whole = whole * 100000000 + eight;
	for (; at < end && (unsigned char)(*at - '0') < 10; at++)
		whole = whole * 10 + (uint64_t)(*at - '0');
	if (at == begin || at - begin > 18)
		return slow_time(value);
	if (at < end && *at == '.')
		for (at++; at < end && digits < 6 && (unsigned char)(*at - '0') < 10;
			at++, digits++)
			fraction = fraction * 10 + (*at - '0');
	if (at != end)
		return slow_time(value);
	return (struct trace_time){(int64_t)whole, fraction * scale[digits], true};
}

bool trace_time_since(const struct trace_time *time, int64_t us, int64_t *ps)
{
	int64_t since;

	return time->known && !__builtin_sub_overflow(time->us, us, &since) &&
	       !__builtin_mul_overflow(since, PS_PER_US, &since) &&
	       !__builtin_add_overflow(since, time->ps, ps);
}
