/* Values of JSON text as they are written, and what they mean: strings, whole numbers. The table of
 * a piece of JSON text (ingest/json/json_index.h), and the walk over the objects and arrays in
 * it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"
#include "ingest/json/json_index.h"

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
bool json_begins(const struct json_value *value, const char *text);
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

/* A piece of text and its table. */
struct json_piece {
	const char *bytes;
	size_t size;
	const uint32_t *at;
	size_t count;
};

enum json_parsed {
	JSON_WHOLE,
	JSON_CUT,   /* the piece ends inside */
	JSON_WRONG, /* the grammar is broken */
};

/* One member of an object from entry *i (its key) on: *i moves to the entry after the value, or to
 * where it breaks. A composite value is passed over. */
enum json_parsed json_parse_member(
	const struct json_piece *piece, size_t *i, struct json_member *member);

/* A place inside an object or an array: the entry of the next key or item. */
struct json_walk {
	const struct json_piece *piece;
	size_t at;
};

/* The next member of an object, or item of an array. *inside, unless NULL, becomes a walk over the
 * value itself; it ends at once when that is neither an object nor an array. False after the last
 * one, and where the text is damaged. */
bool json_next_member(struct json_walk *walk, struct json_member *member, struct json_walk *inside);
bool json_next_item(struct json_walk *walk, struct json_value *item, struct json_walk *inside);

/* The table of one value, by the patient way. */
struct json_table {
	struct json_index *index;
	struct json_piece piece;
};

/* A walk over the value, an object or an array. */
struct json_walk json_table_open(struct json_table *table, const struct json_value *value);
void json_table_close(struct json_table *table);
