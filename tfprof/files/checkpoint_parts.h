/*
 * Parts that the two forms of checkpoint share: the object, its files, shapes and slices. For
 * checkpoint*.c only.
 */
#ifndef STEPSTAT_TFPROF_FILES_CHECKPOINT_PARTS_H
#define STEPSTAT_TFPROF_FILES_CHECKPOINT_PARTS_H

#include "base/text.h"
#include "tfprof/files/checkpoint.h"
#include "ingest/input/span_file.h"
#include "tfprof/files/sstable.h"
#include "ingest/protobuf/wire.h"

#define CHECKPOINT_RANK_MOST 254 /* TensorFlow's own limit */
#define CHECKPOINT_VALUE_MOST (INT64_C(1) << 30)
#define CHECKPOINT_NAMES_MOST ((size_t)256 << 20)

enum tensor_type {
	TENSOR_FLOAT = 1,
	TENSOR_DOUBLE = 2,
	TENSOR_INT32 = 3,
	TENSOR_UINT8 = 4,
	TENSOR_INT16 = 5,
	TENSOR_INT8 = 6,
	TENSOR_STRING = 7,
	TENSOR_INT64 = 9,
	TENSOR_BOOL = 10,
	TENSOR_QINT8 = 11,
	TENSOR_QUINT8 = 12,
	TENSOR_QINT32 = 13,
	TENSOR_BFLOAT16 = 14,
	TENSOR_QINT16 = 15,
	TENSOR_QUINT16 = 16,
	TENSOR_UINT16 = 17,
	TENSOR_HALF = 19,
	TENSOR_UINT32 = 22,
	TENSOR_UINT64 = 23,
};

/* A range of each dimension; length -1 is the whole of it. */
struct tensor_slice {
	int64_t *start, *length;
	size_t rank;
};

/* Entry of a key (V2) or a variable (V1). */
struct checkpoint_entry {
	const char *key; /* also encoded keys of slices, which hold zeros */
	size_t key_size;
	bool is_variable;
	struct checkpoint_variable variable; /* type and shape of slices too */
	struct tensor_slice *slice;
	size_t slice_count, slice_room;
	size_t table;		     /* V1: the file that its first slice is in */
	int64_t shard, offset, size; /* V2: where its bytes are */
	uint32_t crc;
};

/* Files are open only while something is read: there may be thousands of shards. */
struct checkpoint {
	struct arena *arena;
	const struct checkpoint_file *memory; /* or NULL */
	size_t memory_count;
	bool unchecked, v2;
	const char *prefix;
	size_t names_bytes;
	struct checkpoint_entry *entry; /* in the order of keys */
	size_t entry_count, entry_room;
	struct checkpoint_entry **variable;
	size_t variable_count;
	const char **table; /* V1: paths */
	size_t table_count;
	int64_t shard_count; /* V2 */
};

int checkpoint_v1_open(struct checkpoint *c, struct error *err);
int checkpoint_v2_open(struct checkpoint *c, struct error *err);
int checkpoint_v1_read(struct checkpoint *c, const char *name, struct arena *arena,
	struct checkpoint_value *out, struct error *err);
int checkpoint_v2_read(struct checkpoint *c, const char *name, struct arena *arena,
	struct checkpoint_value *out, struct error *err);

/* Opens a file from disk or memory; it is closed by span_file_close. */
int checkpoint_file_open(
	const struct checkpoint *c, const char *path, struct span_file *file, struct error *err);
/* One more entry, zeroed, with this key. NULL: ERROR_LIMIT. */
struct checkpoint_entry *checkpoint_entry_add(
	struct checkpoint *c, const void *key, size_t key_size, struct error *err);
struct checkpoint_entry *checkpoint_entry_find(
	const struct checkpoint *c, const void *key, size_t key_size);

/* TensorShapeProto and TensorSliceProto. False: damaged, or too many dimensions. */
bool tensor_shape_read(
	const struct wire_field *field, struct arena *arena, int64_t **dim, size_t *count);
bool tensor_slice_read(
	const struct wire_field *field, struct arena *arena, struct tensor_slice *out);
void checkpoint_entry_slice(
	struct checkpoint *c, struct checkpoint_entry *e, const struct tensor_slice *slice);
/* The key under which the values of a slice are: name and ranges in an order-keeping code. */
void tensor_slice_key(const char *name, const struct tensor_slice *slice, struct text *out);
/* Number of elements; -1 when a dimension is negative or the product does not fit. */
int64_t tensor_element_count(const int64_t *dim, size_t count);
/* Bytes of one element; 0 for strings and unknown types. */
size_t tensor_element_size(int32_t dtype);
/* Makes the array of the value's type, or none. */
void checkpoint_value_make(struct checkpoint_value *value, struct arena *arena);
/* Refuses what is too large. */
int checkpoint_value_check(
	const struct checkpoint *c, const struct checkpoint_value *value, struct error *err);

#endif
