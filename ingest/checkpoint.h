/*
 * TensorFlow's checkpoints, V1 (one table) and V2 (TensorBundle): names, shapes and values of variables.
 * It reads the table format of leveldb; it writes nothing.
 */
#ifndef STEPSTAT_INGEST_CHECKPOINT_H
#define STEPSTAT_INGEST_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/error.h"

struct checkpoint;

struct checkpoint_variable {
	const char *name;
	int32_t dtype; /* DataType of TensorFlow */
	int64_t *dim;
	size_t dim_count;
};

/* The value of a variable. Exactly one array is set: as the original keeps it, floats and doubles as doubles, integers
 * as int64, strings with their sizes. */
struct checkpoint_value {
	int32_t dtype;
	const int64_t *dim;
	size_t dim_count, count;
	double *real;
	int64_t *integer;
	char **string;
	size_t *string_size;
};

/* PREFIX of a V2 checkpoint (PREFIX.index exists), or path or glob of V1 files. */
struct checkpoint *checkpoint_open(const char *prefix, struct error *err);
void checkpoint_free(struct checkpoint *checkpoint);
/* In the order of names. */
size_t checkpoint_count(const struct checkpoint *checkpoint);
const struct checkpoint_variable *checkpoint_at(const struct checkpoint *checkpoint, size_t index);
/* Reads a value; ERROR_INPUT with the original's words where it cannot ("Data type not supported", "Sliced checkpoints
 * are not supported", "Key %s not found in checkpoint"). */
int checkpoint_read(struct checkpoint *checkpoint, const char *name, struct arena *arena,
	struct checkpoint_value *out, struct error *err);

#endif
