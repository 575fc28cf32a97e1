/*
 * Values as trtexec prints them.
 */
#include "ingest/tensorrt/tensorrt.h"

#include "base/number.h"
#include "base/unit.h"

#define PS_PER_MS (1000 * (int64_t)PS_PER_US)
#define TIME_MOST (INT64_C(1) << 60) /* 13 days: sums of a few fit */

bool tensorrt_time(const struct json_value *value, int64_t *ps)
{
	int64_t result = 0;
	bool rounded = false;

	if (value->kind != '0')
		return false;
	if (!number_parse_scaled(value->at, value->size, PS_PER_MS, &result, &rounded) && !rounded)
		return false;
	if (result > TIME_MOST || result < -TIME_MOST)
		return false;
	*ps = result;
	return true;
}

const char *tensorrt_text(const struct json_value *value, struct arena *arena)
{
	const char *result;
	struct text text;

	if (value->kind != '"')
		return NULL;
	text_init(&text);
	json_add_text(&text, value);
	result = arena_strndup(arena, text_string(&text), text.size);
	text_release(&text);
	return result;
}
