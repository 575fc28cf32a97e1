/*
 * Times of events: decimal microseconds, exact.
 */
#include <endian.h>
#include <string.h>
#include "base/number.h"
#include "base/unit.h"
#include "ingest/trace/trace_event.h"

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
	const char *at = value->at, *end = json_value_end(value), *begin = at;
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
