/*
 * One value of JSON text as it is written, and what it means: strings, whole numbers. It does not
 * know where the value stands; ingest/json/json_table.h does.
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

/* An absent value has no text, and nothing may be added to its place. */
static inline const char *json_value_end(const struct json_value *value)
{
	return value->size > 0 ? value->at + value->size : value->at;
}

bool json_equal(const struct json_value *value, const char *text); /* a string without escapes */
/* Adds the text of a string, its escapes resolved (an unknown escape stays as it is); other values
 * as they are written. A zero byte, raw or escaped, becomes "\\0". Returns the number of invalid
 * escapes. */
size_t json_add_text(struct text *to, const struct json_value *value);
/* True if the value has such a zero byte. */
bool json_has_zero(const struct json_value *value);
/* A whole number, in quotes or not, decimal or 0x...; false when it is not a number or does not
 * fit. */
bool json_unsigned(const struct json_value *value, uint64_t *out);
bool json_integer(const struct json_value *value, int64_t *out);

#endif
