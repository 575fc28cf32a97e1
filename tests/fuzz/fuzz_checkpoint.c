/* Arbitrary bytes as a checkpoint: a byte of flags (1: V1 with two shards, else V2; 2: checksums
 * are compared), three of the size of the first file, that file, the second. What can be read must
 * have the shape that is listed; what cannot must say why. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tfprof/files/checkpoint.h"

#define HEAD 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_error(const struct error *err)
{
	require((err->kind == ERROR_INPUT || err->kind == ERROR_LIMIT) && err->message[0]);
}

/* Touches every element, for the address sanitizer. */
static void check_value(const struct checkpoint_variable *v, const struct checkpoint_value *value)
{
	size_t product = 1;
	volatile double sum = 0;

	require(value->dtype == v->dtype && value->dim_count == v->dim_count);
	require((value->real != NULL) + (value->integer != NULL) + (value->string != NULL) <= 1);
	require((value->string != NULL) == (value->string_size != NULL));
	for (size_t i = 0; i < value->dim_count; i++) {
		require(value->dim[i] == v->dim[i] && value->dim[i] >= 0);
		product = value->count == 0 ? 0 : product * (size_t)value->dim[i];
	}
	require(product == value->count);
	for (size_t i = 0; i < value->count; i++) {
		if (value->real)
			sum += value->real[i];
		if (value->integer)
			sum += (double)value->integer[i];
		if (value->string)
			require(value->string[i][value->string_size[i]] == 0);
	}
}

static void check_checkpoint(struct checkpoint *c)
{
	for (size_t i = 0; i < checkpoint_count(c); i++) {
		const struct checkpoint_variable *v = checkpoint_at(c, i);
		struct arena *arena = arena_new();
		struct checkpoint_value value;
		struct error err = {.kind = ERROR_NONE};

		require(i == 0 || strcmp(checkpoint_at(c, i - 1)->name, v->name) <= 0);
		if (checkpoint_read(c, v->name, arena, &value, &err) == 0) {
			/* A name with a zero inside is another variable. */
			if (i == 0 || strcmp(checkpoint_at(c, i - 1)->name, v->name) != 0)
				check_value(v, &value);
		} else {
			check_error(&err);
		}
		arena_free(arena);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct checkpoint_file file[2] = {{"x.index", NULL, 0}, {"x.data-00000-of-00001", NULL, 0}};
	struct error err = {.kind = ERROR_NONE};
	struct checkpoint *c;
	size_t first;

	if (size < HEAD)
		return 0;
	first = (size_t)data[1] | (size_t)data[2] << 8 | (size_t)data[3] << 16;
	if (first > size - HEAD)
		first = size - HEAD;
	if (data[0] & 1)
		file[0].path = "x-1";
	file[0].bytes = data + HEAD;
	file[0].size = first;
	file[1].bytes = data + HEAD + first;
	file[1].size = size - HEAD - first;
	c = checkpoint_open_memory(
		"x", file, (data[0] & 1) && file[1].size == 0 ? 1 : 2, !(data[0] & 2), &err);
	if (c)
		check_checkpoint(c);
	else
		check_error(&err);
	checkpoint_free(c);
	return 0;
}
