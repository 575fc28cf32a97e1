/*
 * Heads of fields hold the difference to the field before where it fits into half a byte.
 */
#include "export/parquet/thrift_writer.h"

#include <assert.h>
#include <string.h>
#include "base/output/protobuf_writer.h"

#define COUNT_SHORT 15 /* from here on a count has bytes of its own */

static void add_zigzag(struct thrift_writer *w, int64_t value)
{
	protobuf_add_varint(w->out, packed_zigzag((uint64_t)value));
}

static void add_head(struct thrift_writer *w, int16_t field, enum thrift_type type)
{
	int16_t *last = &w->last[w->depth - 1];
	const int difference = field - *last;

	if (difference > 0 && difference < COUNT_SHORT) {
		text_add_char(w->out, (char)(difference << 4 | (int)type));
	} else {
		text_add_char(w->out, (char)type);
		add_zigzag(w, field);
	}
	*last = field;
}

void thrift_writer_init(struct thrift_writer *w, struct text *out)
{
	*w = (struct thrift_writer){.out = out, .depth = 1};
}

void thrift_add_i32(struct thrift_writer *w, int16_t field, int32_t value)
{
	add_head(w, field, THRIFT_I32);
	add_zigzag(w, value);
}

void thrift_add_i64(struct thrift_writer *w, int16_t field, int64_t value)
{
	add_head(w, field, THRIFT_I64);
	add_zigzag(w, value);
}

static void add_bytes(struct thrift_writer *w, const void *bytes, size_t size)
{
	protobuf_add_varint(w->out, size);
	text_add_bytes(w->out, bytes, size);
}

void thrift_add_binary(struct thrift_writer *w, int16_t field, const void *bytes, size_t size)
{
	add_head(w, field, THRIFT_BINARY);
	add_bytes(w, bytes, size);
}

void thrift_add_string(struct thrift_writer *w, int16_t field, const char *s)
{
	thrift_add_binary(w, field, s, strlen(s));
}

void thrift_add_list(struct thrift_writer *w, int16_t field, enum thrift_type element, size_t count)
{
	add_head(w, field, THRIFT_LIST);
	text_add_char(
		w->out, (char)((count < COUNT_SHORT ? count : COUNT_SHORT) << 4 | (size_t)element));
	if (count >= COUNT_SHORT)
		protobuf_add_varint(w->out, count);
}

void thrift_element_i32(struct thrift_writer *w, int32_t value)
{
	add_zigzag(w, value);
}

void thrift_element_string(struct thrift_writer *w, const char *s)
{
	add_bytes(w, s, strlen(s));
}

void thrift_begin_element(struct thrift_writer *w)
{
	assert(w->depth < THRIFT_DEPTH_MOST);
	w->last[w->depth++] = 0;
}

void thrift_begin(struct thrift_writer *w, int16_t field)
{
	add_head(w, field, THRIFT_STRUCT);
	thrift_begin_element(w);
}

void thrift_end(struct thrift_writer *w)
{
	text_add_char(w->out, THRIFT_STOP);
	w->depth--;
}
