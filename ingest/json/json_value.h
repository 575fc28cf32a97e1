/*
 * Single values of JSON text as they are written: strings, whole numbers, times. It copies nothing
 * and knows no documents.
 */
#ifndef STEPSTAT_INGEST_JSON_JSON_VALUE_H
#define STEPSTAT_INGEST_JSON_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

/* A value as written in the text: strings without their quotes and still escaped. */
struct json_value {
	const char *at;
	size_t size;
	char kind; /* 0: absent; '"' string; '0' number; '{' '[' with everything in it; 'w' true,
		      false, null or something odd */
};

struct json_member {
	struct json_value key, value;
};

/* A point in time or a duration, exact: us + ps / 10^6 (0 <= ps < 10^6). */
struct trace_time {
	int64_t us;
	int32_t ps;
	bool known;
};

bool json_equal(const struct json_value *value, const char *text); /* a string without escapes */
/* Adds the text of a string, its escapes resolved (an unknown escape stays as it is); other values
 * as they are written. A zero byte, raw or escaped, becomes "\\0". Returns the number of invalid
 * escapes. */
size_t json_add_text(struct text *to, const struct json_value *value);
/* Is there such a zero byte? */
bool json_has_zero(const struct json_value *value);
/* A whole number, in quotes or not, decimal or 0x...; false when it is not a number or does not
 * fit. */
bool json_unsigned(const struct json_value *value, uint64_t *out);
bool json_integer(const struct json_value *value, int64_t *out);
/* A decimal number of microseconds, in quotes or not, with any fraction and exponent, rounded to
 * the nearest ps. */
struct trace_time json_time(const struct json_value *value);
/* time - us as ps; false when it does not fit. */
bool trace_time_since(const struct trace_time *time, int64_t us, int64_t *ps);

#endif
