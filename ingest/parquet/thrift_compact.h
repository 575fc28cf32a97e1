/*
 * Thrift's compact protocol, read from bytes that may be hostile: structs field by field. It does
 * not know what the fields mean.
 */
#ifndef STEPSTAT_INGEST_PARQUET_THRIFT_COMPACT_H
#define STEPSTAT_INGEST_PARQUET_THRIFT_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ingest/parquet/parquet_format.h"

struct thrift {
	const unsigned char *at, *end;
	bool bad; /* once set, nothing more is read */
};

struct thrift_field {
	int16_t id;
	enum thrift_type type;
};

/* The next field of the struct that is read: `field` is zeroed before the first call. False at the
 * end of the struct, and when the bytes are bad. The value has to be read or skipped. */
bool thrift_next(struct thrift *t, struct thrift_field *field);
/* The value of the field; bad when it is of another type. */
int64_t thrift_integer(struct thrift *t, enum thrift_type type);
int32_t thrift_integer32(struct thrift *t, enum thrift_type type);
bool thrift_bool(struct thrift *t, enum thrift_type type);
const unsigned char *thrift_binary(struct thrift *t, enum thrift_type type, size_t *size);
/* A struct begins (true), or it is bad. */
bool thrift_struct(struct thrift *t, enum thrift_type type);
/* Number of elements of a list, which follow; not more than there are bytes. */
size_t thrift_list(struct thrift *t, enum thrift_type type, enum thrift_type *element);
void thrift_skip(struct thrift *t, enum thrift_type type);

#endif
