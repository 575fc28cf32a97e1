/* Protobuf bytes for tests, made field by field into a struct text; and the folder of the test
 * data. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"

static inline void put_varint(struct text *t, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		text_add_char(t, (char)(value | 0x80));
	text_add_char(t, (char)value);
}

static inline void put_number(struct text *t, uint32_t field, int64_t value)
{
	put_varint(t, (uint64_t)field << 3);
	put_varint(t, (uint64_t)value);
}

static inline void put_bytes(struct text *t, uint32_t field, const void *bytes, size_t size)
{
	put_varint(t, (uint64_t)field << 3 | 2);
	put_varint(t, size);
	text_add_bytes(t, bytes, size);
}

static inline void put_string(struct text *t, uint32_t field, const char *s)
{
	put_bytes(t, field, s, strlen(s));
}

/* Adds `inside` as a message and empties it for the next. */
static inline void put_message(struct text *t, uint32_t field, struct text *inside)
{
	put_bytes(t, field, text_string(inside), inside->size);
	text_clear(inside);
}

/* tests/data/NAME in out. */
static inline const char *data_path(char *out, size_t size, const char *name)
{
	const char *top = getenv("top_srcdir");

	snprintf(out, size, "%s/tests/data/%s", top ? top : ".", name);
	return out;
}
