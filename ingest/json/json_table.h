/*
 * The table of a piece of JSON text (ingest/json/json_index.h), and the walk over the objects and
 * arrays in it.
 */
#ifndef STEPSTAT_INGEST_JSON_JSON_TABLE_H
#define STEPSTAT_INGEST_JSON_JSON_TABLE_H

#include "ingest/json/json_index.h"
#include "ingest/json/json_value.h"

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

#endif
