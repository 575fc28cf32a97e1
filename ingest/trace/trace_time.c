/* Times of events: decimal microseconds, exact. */
#include "base/number.h"
#include "base/unit.h"
#include "ingest/json/json_parse.h"
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

struct trace_time json_time(const struct json_value *value)
{
	static const int32_t scale[] = {1000000, 100000, 10000, 1000, 100, 10, 1};
	const char *at = value->at, *end = json_value_end(value), *begin = at;
	struct trace_time time = {0};
	uint64_t whole, fraction = 0;
	size_t digits = 0;

	if (value->kind != '0' && value->kind != '"')
		return time;
	whole = json_whole(&at, end);
	if (at == begin || at - begin > JSON_WHOLE_MOST)
		return slow_time(value);
	if (at < end && *at == '.')
		fraction = json_digits(++at, end, &digits);
	if (at + digits != end || digits > 6)
		return slow_time(value);
	return (struct trace_time){(int64_t)whole, (int32_t)fraction * scale[digits], true};
}

bool trace_time_since(const struct trace_time *time, int64_t us, int64_t *ps)
{
	int64_t since;

	return time->known && !__builtin_sub_overflow(time->us, us, &since) &&
	       !__builtin_mul_overflow(since, PS_PER_US, &since) &&
	       !__builtin_add_overflow(since, time->ps, ps);
}
