/* A JSON object as text: whether it is one by the letter of RFC 8259 (as a browser's JSON.parse
 * wants it), and the places of its members; and the mending of text that its producer meant as
 * JSON. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/text.h"
#include "ingest/json/json_index.h"

#define JSON_FIELDS_MOST 64

/* A member as written in the text: the key without its quotes, the value with them. */
struct json_field {
	const char *key, *value;
	size_t key_size, value_size;
};

struct json_fields {
	struct json_field field[JSON_FIELDS_MOST]; /* the first members */
	size_t count;
};

/* True if the text is one object and nothing else; fills *fields then. */
bool json_fields_of(const char *text, size_t size, struct json_fields *fields);
/* True if the text is one value and nothing else. */
bool json_is_value(const char *text, size_t size);
bool json_field_is(const struct json_field *field, const char *key);

/* Turns text that its producer meant as JSON into JSON that every parser accepts, with as much of
 * the content as there is. Bytes that are not UTF-8 become U+FFFD, control bytes and stray quotes
 * are escaped, words that are not values (NaN) become strings, missing commas and brackets are
 * added. */

/* Adds the text to `out`. The index is for scratch. */
void json_mend(struct json_index *index, const char *bytes, size_t size, struct text *out);
