/*
 * Brackets are counted by the table, so that those inside of strings are not seen.
 */
#include "ingest/json/json_table.h"

#include "ingest/json/json_parse.h"

#define DEPTH_LIMIT 4096

/* May the entry be a bracket? All of them have these bits in common, and of the bytes that begin
 * something else, only those of a few odd words (Y, _, y). */
static inline bool is_like_bracket(const struct json_piece *p, size_t at)
{
	return (json_byte(p, at) | 0x26) == 0x7f;
}

/* The next entry that is like one. Four at a time: most entries of a long value are not. */
static inline size_t next_bracket(const struct json_piece *p, size_t at)
{
	for (; p->count - at >= 4; at += 4) {
		if (is_like_bracket(p, at))
			return at;
		if (is_like_bracket(p, at + 1))
			return at + 1;
		if (is_like_bracket(p, at + 2))
			return at + 2;
		if (is_like_bracket(p, at + 3))
			return at + 3;
	}
	while (at < p->count && !is_like_bracket(p, at))
		at++;
	return at;
}

enum json_parsed json_pass_composite(
	const char *bytes, const uint32_t *table, size_t count, size_t *i)
{
	const struct json_piece piece = {.bytes = bytes, .at = table, .count = count}, *p = &piece;
	size_t depth = 0, deepest = 0, at = *i;
	uint64_t kinds = 0; /* of the open brackets, 1 for a square one; only those of the last 64
			       levels are known */

	for (; at < p->count; at++) {
		char bracket, c;

		at = next_bracket(p, at);
		if (at == p->count)
			break;
		bracket = json_byte(p, at);
		c = bracket | 0x20;
		/* [ and { are 0x20 apart, as ] and } are; no other byte of a table becomes one of
		 * them. */
		if (c == '{') {
			kinds = kinds << 1 | (bracket == '[');
			if (++depth > DEPTH_LIMIT)
				break;
			deepest = depth > deepest ? depth : deepest;
		} else if (c == '}') {
			if (depth + 64 > deepest && (kinds & 1) != (bracket == ']'))
				break;
			kinds >>= 1;
			if (--depth == 0) {
				*i = at + 1;
				return JSON_WHOLE;
			}
		}
	}
	if (at == p->count)
		return JSON_CUT;
	*i = at;
	return JSON_WRONG;
}

enum json_parsed json_parse_member(
	const struct json_piece *piece, size_t *i, struct json_member *member)
{
	enum json_parsed parsed = json_parse_key(piece, i, &member->key);

	return parsed == JSON_WHOLE ? json_parse_value(piece, i, &member->value) : parsed;
}

/* The walk over the value at entry i. */
static struct json_walk walk_inside(
	const struct json_piece *piece, size_t i, const struct json_value *value)
{
	bool is_composite = value->kind == '{' || value->kind == '[';

	return (struct json_walk){piece, is_composite ? i + 1 : piece->count};
}

/* Moves past what follows a value; false where the text is damaged. */
static bool pass_separator(struct json_walk *walk, size_t i, char end)
{
	bool more;

	if (json_parse_separator(walk->piece, &i, end, &more) != JSON_WHOLE)
		return false;
	walk->at = more ? i : walk->piece->count;
	return true;
}

bool json_next_member(struct json_walk *walk, struct json_member *member, struct json_walk *inside)
{
	size_t i = walk->at;

	if (i >= walk->piece->count || json_byte(walk->piece, i) != '"' ||
		json_parse_member(walk->piece, &i, member) != JSON_WHOLE)
		return false;
	if (inside)
		*inside = walk_inside(walk->piece, walk->at + 2, &member->value);
	return pass_separator(walk, i, '}');
}

bool json_next_item(struct json_walk *walk, struct json_value *item, struct json_walk *inside)
{
	size_t i = walk->at;

	if (json_parse_value(walk->piece, &i, item) != JSON_WHOLE)
		return false;
	if (inside)
		*inside = walk_inside(walk->piece, walk->at, item);
	return pass_separator(walk, i, ']');
}

struct json_walk json_table_open(struct json_table *table, const struct json_value *value)
{
	struct json_damage ignored = {0};

	table->index = json_index_new();
	table->piece = (struct json_piece){.bytes = value->at, .size = value->size};
	json_index_patient(table->index, value->at, value->size, &table->piece.at,
		&table->piece.count, &ignored);
	return walk_inside(&table->piece, 0, value);
}

void json_table_close(struct json_table *table)
{
	json_index_free(table->index);
}
