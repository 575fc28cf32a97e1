/*
 * Thrift's compact protocol, written: fields in ascending order into structs that may be nested. It
 * knows no messages.
 */
#ifndef STEPSTAT_EXPORT_PARQUET_THRIFT_WRITER_H
#define STEPSTAT_EXPORT_PARQUET_THRIFT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"
#include "ingest/parquet/parquet_format.h"

#define THRIFT_DEPTH_MOST 8

struct thrift_writer {
	struct text *out;
	int16_t last[THRIFT_DEPTH_MOST]; /* field of each open struct */
	size_t depth;
};

/* The outermost struct is open. */
void thrift_writer_init(struct thrift_writer *w, struct text *out);
void thrift_add_i32(struct thrift_writer *w, int16_t field, int32_t value);
void thrift_add_i64(struct thrift_writer *w, int16_t field, int64_t value);
void thrift_add_binary(struct thrift_writer *w, int16_t field, const void *bytes, size_t size);
void thrift_add_string(struct thrift_writer *w, int16_t field, const char *s);
/* `count` elements follow: numbers and texts by thrift_element_..., structs between
 * thrift_begin_element and thrift_end. */
void thrift_add_list(
	struct thrift_writer *w, int16_t field, enum thrift_type element, size_t count);
void thrift_element_i32(struct thrift_writer *w, int32_t value);
void thrift_element_string(struct thrift_writer *w, const char *s);
void thrift_begin_element(struct thrift_writer *w);
void thrift_begin(struct thrift_writer *w, int16_t field); /* a struct, up to thrift_end */
void thrift_end(struct thrift_writer *w); /* of the innermost struct, the outermost last */

#endif
