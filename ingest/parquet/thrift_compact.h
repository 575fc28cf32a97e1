/* Thrift's compact protocol, read from bytes that may be hostile: structs field by field. It does
 * not know what the fields mean. */
#pragma once

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
/* Number of elements of a list, which follow; not more than there are bytes. */
size_t thrift_list(struct thrift *t, enum thrift_type type, enum thrift_type *element);
void thrift_skip(struct thrift *t, enum thrift_type type);

struct thrift_text {
	const unsigned char *at;
	size_t size;
};

/* Kinds of members of a C struct that fields go to. */
enum thrift_into {
	THRIFT_INTO_INT32 = 1, /* also uint32_t */
	THRIFT_INTO_INT64,
	THRIFT_INTO_SIZE, /* size_t: bad when it is below 0 */
	THRIFT_INTO_BOOL,
	THRIFT_INTO_TEXT,    /* struct thrift_text */
	THRIFT_INTO_MEMBERS, /* a struct, whose fields go to the same C struct */
	THRIFT_INTO_SEEN,    /* bool: the field is there, whatever it holds */
	THRIFT_INTO_NUMBER,  /* int32_t: number of the field that came last, for unions */
};

struct thrift_member {
	int16_t id; /* of the field; 0: any */
	enum thrift_into into;
	size_t at;			    /* of the member in the C struct */
	const struct thrift_member *inside; /* of THRIFT_INTO_MEMBERS */
};

/* Reads a struct into `out`; the list of members ends with one of kind 0. Other fields are
 * skipped, and members without a field stay as they are. */
void thrift_read(struct thrift *t, const struct thrift_member *members, void *out);
