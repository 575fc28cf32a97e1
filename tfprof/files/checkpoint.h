/* TensorFlow's checkpoints, V1 (one table) and V2 (TensorBundle): names, shapes and values of
 * variables. It reads the table format of leveldb; it writes nothing. */
#pragma once

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

/* The value of a variable. At most one array is set: floats of all sizes as doubles, integers and
 * bool as int64 (uint64 by its bits), strings with their sizes (each followed by a 0); none for
 * complex numbers, resources and variants. */
struct checkpoint_value {
	int32_t dtype;
	const int64_t *dim;
	size_t dim_count, count;
	double *real;
	int64_t *integer;
	char **string;
	size_t *string_size;
};

/* PREFIX of a V2 checkpoint (PREFIX.index exists), or path or glob of V1 files. NULL:
 * ERROR_INPUT. */
struct checkpoint *checkpoint_open(const char *prefix, struct error *err);

/* A file in memory; the bytes must outlive the checkpoint. */
struct checkpoint_file {
	const char *path;
	const void *bytes;
	size_t size;
};
/* The same from memory; all files that begin with `prefix` are V1's shards. `unchecked`: checksums
 * are not compared, for a fuzzer, whose inputs would all fail. */
struct checkpoint *checkpoint_open_memory(const char *prefix, const struct checkpoint_file *file,
	size_t count, bool unchecked, struct error *err);
void checkpoint_free(struct checkpoint *checkpoint);
/* Variables in the order of names. */
size_t checkpoint_count(const struct checkpoint *checkpoint);
const struct checkpoint_variable *checkpoint_at(const struct checkpoint *checkpoint, size_t index);
/* Reads a value; ERROR_INPUT, in the original's words where it cannot ("Data type not supported"
 * and "Sliced checkpoints are not supported" of V1; "Key %s not found in checkpoint", V1: "%s not
 * found in checkpoint file"). */
int checkpoint_read(struct checkpoint *checkpoint, const char *name, struct arena *arena,
	struct checkpoint_value *out, struct error *err);
