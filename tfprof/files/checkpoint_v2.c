/*
 * TensorBundle: PREFIX.index is a table of descriptions, PREFIX.data-SSSSS-of-NNNNN hold the bytes.
 */
#include <string.h>
#include "tfprof/files/checkpoint_parts.h"
#include "base/checksum.h"

#define SHARDS_MOST 99999 /* five digits */
#define BUNDLE_VERSION 1

static int damaged_entry(const struct checkpoint *c, struct error *err)
{
	return error_set(err, ERROR_INPUT, c->prefix, "the description of a variable is damaged");
}

/* Least version that a reader must have. */
static int64_t least_version(const struct wire_field *version)
{
	struct wire w = wire_inside(version);
	struct wire_field f;
	int64_t least = 0;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == 2 && f.type == WIRE_VARINT)
			least = (int64_t)f.value;
	return least;
}

static int read_header(struct checkpoint *c, const struct sstable_entry *entry, struct error *err)
{
	struct wire w = {entry->value, entry->value + entry->value_size};
	struct wire_field f;
	enum wire_result got;
	bool big = false;
	int64_t least = 0;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == 1 && f.type == WIRE_VARINT)
			c->shard_count = (int64_t)f.value;
		else if (f.number == 2 && f.type == WIRE_VARINT)
			big = f.value != 0;
		else if (f.number == 3 && f.type == WIRE_BYTES)
			least = least_version(&f);
	}
	if (got != WIRE_END || c->shard_count < 1 || c->shard_count > SHARDS_MOST)
		return damaged_entry(c, err);
	if (big)
		return error_set(err, ERROR_INPUT, c->prefix,
			"checkpoint is from a big-endian machine, which is not supported");
	if (least > BUNDLE_VERSION)
		return error_set(err, ERROR_INPUT, c->prefix,
			"checkpoint has version %lld of its format; %d is the latest known",
			(long long)least, BUNDLE_VERSION);
	return 0;
}

static bool read_field(struct checkpoint *c, struct checkpoint_entry *e, const struct wire_field *f)
{
	struct checkpoint_variable *v = &e->variable;
	struct tensor_slice slice;

	if (f->type == WIRE_FIXED32 && f->number == 6)
		e->crc = (uint32_t)f->value;
	if (f->type == WIRE_VARINT && f->number == 1)
		v->dtype = (int32_t)f->value;
	else if (f->type == WIRE_VARINT && f->number == 3)
		e->shard = (int32_t)f->value;
	else if (f->type == WIRE_VARINT && f->number == 4)
		e->offset = (int64_t)f->value;
	else if (f->type == WIRE_VARINT && f->number == 5)
		e->size = (int64_t)f->value;
	if (f->type != WIRE_BYTES)
		return true;
	if (f->number == 2)
		return tensor_shape_read(f, c->arena, &v->dim, &v->dim_count);
	if (f->number != 7)
		return true;
	if (!tensor_slice_read(f, c->arena, &slice))
		return false;
	checkpoint_entry_slice(c, e, &slice);
	return true;
}

static int visit(void *context, const struct sstable_entry *entry, struct error *err)
{
	struct checkpoint *c = context;
	struct wire w = {entry->value, entry->value + entry->value_size};
	struct checkpoint_entry *e;
	enum wire_result got;
	struct wire_field f;

	if (entry->key_size == 0)
		return read_header(c, entry, err);
	if (c->shard_count == 0) /* the header's key is the first */
		return error_set(err, ERROR_INPUT, c->prefix, "checkpoint has no header");
	e = checkpoint_entry_add(c, entry->key, entry->key_size, err);
	if (!e)
		return -1;
	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (!read_field(c, e, &f))
			return damaged_entry(c, err);
	if (got != WIRE_END || e->shard < 0 || e->shard >= c->shard_count || e->offset < 0 ||
		e->size < 0)
		return damaged_entry(c, err);
	e->is_variable = e->key[0] != 0; /* else a slice of one */
	return 0;
}

int checkpoint_v2_open(struct checkpoint *c, struct error *err)
{
	const char *path = arena_printf(c->arena, "%s.index", c->prefix);
	struct arena *scratch;
	struct span_file file;
	struct sstable *table;
	int result = -1;

	if (checkpoint_file_open(c, path, &file, err))
		return -1;
	scratch = arena_new();
	table = sstable_open(&file, c->unchecked, scratch, err);
	if (table)
		result = sstable_each(table, visit, c, err);
	arena_free(scratch);
	span_file_close(&file);
	return result;
}

/* The bytes of an entry, in the arena. */
static unsigned char *read_bytes(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct error *err)
{
	const char *path = arena_printf(
		arena, "%s.data-%05d-of-%05d", c->prefix, (int)e->shard, (int)c->shard_count);
	unsigned char *bytes = NULL;
	struct span_file file;

	if (checkpoint_file_open(c, path, &file, err))
		return NULL;
	if ((uint64_t)e->size > file.size || (uint64_t)e->offset > file.size - (uint64_t)e->size) {
		span_file_damaged(&file, file.size, "file ends before a variable does", err);
	} else {
		bytes = arena_alloc(arena, (size_t)e->size + 1);
		if (span_file_read(
			    &file, (uint64_t)e->offset, bytes, (size_t)e->size, "a variable", err))
			bytes = NULL;
	}
	span_file_close(&file);
	return bytes;
}

static int wrong_checksum(
	const struct checkpoint *c, const struct checkpoint_variable *v, struct error *err)
{
	return error_set(err, ERROR_INPUT, c->prefix,
		"checksum of the values of '%s' does not match", v->name);
}

static int wrong_size(
	const struct checkpoint *c, const struct checkpoint_entry *e, struct error *err)
{
	return error_set(err, ERROR_INPUT, c->prefix,
		"a value of this type and shape does not have %lld bytes", (long long)e->size);
}

static uint64_t bits_at(const unsigned char *bytes, size_t size)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < size; i++)
		bits |= (uint64_t)bytes[i] << (8 * i);
	return bits;
}

static double double_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static double float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* IEEE 754 binary16: a sign, five bits of exponent, ten of fraction. */
static double half_of(uint32_t bits)
{
	uint32_t sign = (bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023;

	if (exponent == 31)
		return float_of(sign | 0x7f800000 | fraction << 13);
	if (exponent > 0)
		return float_of(sign | (exponent + 112) << 23 | fraction << 13);
	return (sign ? -1.0 : 1.0) * fraction / 16777216; /* 2^-24 */
}

static double real_of(int32_t dtype, uint64_t bits)
{
	switch (dtype) {
	case TENSOR_DOUBLE:
		return double_of(bits);
	case TENSOR_HALF:
		return half_of((uint32_t)bits);
	case TENSOR_BFLOAT16: /* the upper half of a float */
		return float_of((uint32_t)bits << 16);
	default:
		return float_of((uint32_t)bits);
	}
}

static int64_t integer_of(int32_t dtype, uint64_t bits)
{
	switch (dtype) {
	case TENSOR_INT8:
	case TENSOR_QINT8:
		return (int8_t)bits;
	case TENSOR_INT16:
	case TENSOR_QINT16:
		return (int16_t)bits;
	case TENSOR_INT32:
	case TENSOR_QINT32:
		return (int32_t)bits;
	default:
		return (int64_t)bits;
	}
}

static int read_numbers(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	size_t size = tensor_element_size(out->dtype);
	unsigned char *bytes;

	if ((uint64_t)e->size != out->count * size)
		return wrong_size(c, e, err);
	bytes = read_bytes(c, e, arena, err);
	if (!bytes)
		return -1;
	if (!c->unchecked && crc32c_mask(crc32c(0, bytes, (size_t)e->size)) != e->crc)
		return wrong_checksum(c, &e->variable, err);
	checkpoint_value_make(out, arena);
	for (size_t i = 0; i < out->count; i++) {
		uint64_t bits = bits_at(bytes + i * size, size);

		if (out->real)
			out->real[i] = real_of(out->dtype, bits);
		else
			out->integer[i] = integer_of(out->dtype, bits);
	}
	return 0;
}

/* Adds a length to the checksum as the writer does: in four bytes, or eight when it needs them. */
static uint32_t add_length(uint32_t crc, uint64_t length)
{
	unsigned char bytes[8];
	size_t n = length <= UINT32_MAX ? 4 : 8;

	for (size_t i = 0; i < n; i++)
		bytes[i] = (unsigned char)(length >> (8 * i));
	return crc32c(crc, bytes, n);
}

/* All lengths, their checksum, then the bytes; the checksum of the entry goes over the lengths, the
 * first checksum and the bytes. */
static int read_strings(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	unsigned char *bytes;
	struct wire w;
	uint32_t crc = 0;

	if ((uint64_t)e->size < out->count)
		return wrong_size(c, e, err);
	bytes = read_bytes(c, e, arena, err);
	if (!bytes)
		return -1;
	w = (struct wire){bytes, bytes + e->size};
	checkpoint_value_make(out, arena);
	for (size_t i = 0; i < out->count; i++) {
		uint64_t length;

		if (!wire_varint(&w, &length) || length > (uint64_t)e->size)
			return wrong_size(c, e, err);
		out->string_size[i] = (size_t)length;
		crc = add_length(crc, length);
	}
	if (w.end - w.at < 4)
		return wrong_size(c, e, err);
	if (!c->unchecked && crc32c_mask(crc) != bits_at(w.at, 4))
		return wrong_checksum(c, &e->variable, err);
	crc = crc32c(crc, w.at, 4);
	w.at += 4;
	if (!c->unchecked && crc32c_mask(crc32c(crc, w.at, (size_t)(w.end - w.at))) != e->crc)
		return wrong_checksum(c, &e->variable, err);
	for (size_t i = 0; i < out->count; i++) {
		if (out->string_size[i] > (size_t)(w.end - w.at))
			return wrong_size(c, e, err);
		out->string[i] = arena_strndup(arena, (const char *)w.at, out->string_size[i]);
		w.at += out->string_size[i];
	}
	return w.at == w.end ? 0 : wrong_size(c, e, err);
}

/* An entry that has its bytes itself. */
static int read_whole(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	*out = (struct checkpoint_value){.dtype = e->variable.dtype,
		.dim = e->variable.dim,
		.dim_count = e->variable.dim_count};
	if (checkpoint_value_check(c, out, err))
		return -1;
	out->count = (size_t)tensor_element_count(out->dim, out->dim_count);
	if (out->dtype == TENSOR_STRING)
		return read_strings(c, e, arena, out, err);
	if (tensor_element_size(out->dtype) > 0)
		return read_numbers(c, e, arena, out, err);
	return 0;
}

/* True if the slice is inside of the whole and has the part's shape. */
static bool slice_range(const struct checkpoint_value *whole, const struct tensor_slice *slice,
	const struct checkpoint_value *part)
{
	if (slice->rank != whole->dim_count || part->dim_count != slice->rank ||
		part->dtype != whole->dtype)
		return false;
	for (size_t i = 0; i < slice->rank; i++) {
		int64_t length = slice->length[i] < 0 ? whole->dim[i] : slice->length[i];

		if (slice->start[i] < 0 || length != part->dim[i] || length > whole->dim[i] ||
			slice->start[i] > whole->dim[i] - length)
			return false;
	}
	return true;
}

static void copy_element(
	struct checkpoint_value *to, size_t at, const struct checkpoint_value *from, size_t i)
{
	if (to->real)
		to->real[at] = from->real[i];
	else if (to->integer)
		to->integer[at] = from->integer[i];
	else if (to->string) {
		to->string[at] = from->string[i];
		to->string_size[at] = from->string_size[i];
	}
}

/* Row-major; counts the elements that were not there yet. */
static size_t place_part(struct checkpoint_value *whole, const struct tensor_slice *slice,
	const struct checkpoint_value *part, bool *placed)
{
	int64_t index[CHECKPOINT_RANK_MOST] = {0};
	size_t added = 0;

	for (size_t i = 0; i < part->count; i++) {
		size_t at = 0;

		for (size_t d = 0; d < slice->rank; d++)
			at = at * (size_t)whole->dim[d] + (size_t)(slice->start[d] + index[d]);
		copy_element(whole, at, part, i);
		added += !placed[at];
		placed[at] = true;
		for (size_t d = slice->rank; d-- > 0;) {
			if (++index[d] < part->dim[d])
				break;
			index[d] = 0;
		}
	}
	return added;
}

static int read_part(const struct checkpoint *c, const struct checkpoint_entry *e,
	const struct tensor_slice *slice, struct arena *arena, struct checkpoint_value *part,
	struct error *err)
{
	const struct checkpoint_entry *found;
	struct text key;

	text_init(&key);
	tensor_slice_key(e->variable.name, slice, &key);
	found = checkpoint_entry_find(c, text_string(&key), key.size);
	text_release(&key);
	if (!found || found->slice_count > 0)
		return error_set(err, ERROR_INPUT, c->prefix, "a slice of '%s' is not there",
			e->variable.name);
	return read_whole(c, found, arena, part, err);
}

/* Every element must be in a slice. */
static int read_parts(const struct checkpoint *c, const struct checkpoint_entry *e,
	struct arena *arena, struct checkpoint_value *out, struct error *err)
{
	struct checkpoint_value part;
	size_t placed_count = 0;
	bool *placed;

	*out = (struct checkpoint_value){.dtype = e->variable.dtype,
		.dim = e->variable.dim,
		.dim_count = e->variable.dim_count};
	if (checkpoint_value_check(c, out, err))
		return -1;
	out->count = (size_t)tensor_element_count(out->dim, out->dim_count);
	if (tensor_element_size(out->dtype) == 0 && out->dtype != TENSOR_STRING)
		return 0;
	checkpoint_value_make(out, arena);
	placed = arena_array(arena, out->count, sizeof(*placed));
	for (size_t i = 0; i < e->slice_count; i++) {
		if (read_part(c, e, &e->slice[i], arena, &part, err))
			return -1;
		if (!slice_range(out, &e->slice[i], &part))
			return error_set(err, ERROR_INPUT, c->prefix,
				"a slice of '%s' is not inside it", e->variable.name);
		placed_count += place_part(out, &e->slice[i], &part, placed);
	}
	if (placed_count != out->count)
		return error_set(err, ERROR_INPUT, c->prefix, "the slices of '%s' leave gaps",
			e->variable.name);
	return 0;
}

int checkpoint_v2_read(struct checkpoint *c, const char *name, struct arena *arena,
	struct checkpoint_value *out, struct error *err)
{
	const struct checkpoint_entry *e = checkpoint_entry_find(c, name, strlen(name));

	if (!e || !e->is_variable)
		return error_set(err, ERROR_INPUT, NULL, "Key %s not found in checkpoint", name);
	return e->slice_count > 0 ? read_parts(c, e, arena, out, err)
				  : read_whole(c, e, arena, out, err);
}
