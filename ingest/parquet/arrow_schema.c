/*
 * Message.fbs and Schema.fbs of Apache Arrow, in FlatBuffers: a table begins with the distance back
 * to its vtable, which has for each field its distance from the table; offsets count from where
 * they stand. The bytes may be hostile: each read is checked, and what is not there is 0.
 */
#include "ingest/parquet/arrow_schema.h"

#include <stdint.h>
#include "base/memory.h"

#define CONTINUES 0xffffffffu /* stands before the length since format version 0.15 */
#define TYPE_SCHEMA 1	      /* MessageHeader */
#define TYPE_DURATION 18      /* Type */

enum message_field { MESSAGE_HEADER_TYPE = 1, MESSAGE_HEADER };
enum schema_field { SCHEMA_FIELDS = 1 };
enum field_field { FIELD_TYPE_TYPE = 2 };

struct buffer {
	unsigned char *at;
	size_t size;
};

/* A number of up to 4 bytes, the lowest first. */
static uint32_t number_at(const struct buffer *b, size_t at, size_t bytes)
{
	uint32_t value = 0;

	if (at > b->size || bytes > b->size - at)
		return 0;
	for (size_t i = 0; i < bytes; i++)
		value |= (uint32_t)b->at[at + i] << 8 * i;
	return value;
}

/* Place of the field; 0: the table does not have it. */
static size_t field_at(const struct buffer *b, size_t table, unsigned field)
{
	const size_t vtable = table - (size_t)(int32_t)number_at(b, table, 4);
	const uint32_t bytes = number_at(b, vtable, 2);
	const uint32_t at =
		4 + 2 * field + 2 <= bytes ? number_at(b, vtable + 4 + 2 * field, 2) : 0;

	return at ? table + at : 0;
}

/* Target of an offset; 0: none. */
static size_t target(const struct buffer *b, size_t at)
{
	const uint32_t distance = at ? number_at(b, at, 4) : 0;

	return distance && distance < b->size - at ? at + distance : 0;
}

static int digit(unsigned char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Base64 (RFC 4648); ends at the first byte that is none of its digits. */
static void decode(const unsigned char *text, size_t size, struct buffer *out)
{
	uint32_t bits = 0;

	out->at = memory_alloc(size / 4 * 3 + 3);
	out->size = 0;
	for (size_t i = 0; i < size && digit(text[i]) >= 0; i++) {
		bits = bits << 6 | (uint32_t)digit(text[i]);
		if (i % 4)
			out->at[out->size++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
	}
}

void arrow_schema_durations(const unsigned char *text, size_t size, bool *is_duration, size_t count)
{
	struct buffer b;
	size_t message, schema, fields, start;

	for (size_t i = 0; i < count; i++)
		is_duration[i] = false;
	decode(text, size, &b);
	start = number_at(&b, 0, 4) == CONTINUES ? 8 : 4;
	message = target(&b, start);
	schema = number_at(&b, field_at(&b, message, MESSAGE_HEADER_TYPE), 1) == TYPE_SCHEMA
			 ? target(&b, field_at(&b, message, MESSAGE_HEADER))
			 : 0;
	fields = schema ? target(&b, field_at(&b, schema, SCHEMA_FIELDS)) : 0;
	for (size_t i = 0; fields && number_at(&b, fields, 4) == count && i < count; i++) {
		const size_t field = target(&b, fields + 4 + 4 * i);

		is_duration[i] = field && number_at(&b, field_at(&b, field, FIELD_TYPE_TYPE), 1) ==
						  TYPE_DURATION;
	}
	memory_free(b.at);
}
