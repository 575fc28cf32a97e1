/* Where the parts of a piece of JSON text begin: the offsets of { } [ ] : , outside of strings, of
 * the opening quote of each string and of the first byte of each other value, in order. Two ways to
 * the same table: simdjson's first stage, as fast as memory, for text that is JSON; and a patient
 * one for text that nearly is. Neither checks the grammar: the walk over the table does. The piece
 * may end anywhere: what it cuts is not in the table, or is its last entry. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* bytes after the piece that must be there; the first is changed and put back */
#define JSON_INDEX_PADDING 128

struct json_index;

struct json_index *json_index_new(void);
void json_index_free(struct json_index *index); /* NULL is fine */

/* False when the text is damaged (a raw control byte in a string, bytes that are not UTF-8): then
 * call json_index_patient. The table is the index's, valid until the next call. size < 2^32 -
 * JSON_INDEX_PADDING. */
bool json_index_fast(
	struct json_index *index, char *bytes, size_t size, const uint32_t **at, size_t *count);

/* Damage that the patient way passed over: counts and first places (offsets into the piece). */
struct json_damage {
	size_t open_quotes, control_bytes, not_utf8, bad_escapes;
	size_t open_quote_at, control_byte_at, not_utf8_at, bad_escape_at;
};

/* Never fails. A quote ends a string when what follows it can follow a string; a quote that does
 * not is part of the text. Adds to *damage. */
void json_index_patient(struct json_index *index, const char *bytes, size_t size,
	const uint32_t **at, size_t *count, struct json_damage *damage);

/* The patient way itself, for json_index.cc. Fills `at` (room for size + 1 entries), returns their
 * number. */
size_t json_patient(const char *bytes, size_t size, uint32_t *at, struct json_damage *damage);

#ifdef __cplusplus
}
#endif
