/* Elements and slices of checkpoints. */
#include "tfprof/files/checkpoint_value.h"

#include <string.h>
#include "base/packed_number.h"

/* Elements by DataType. */
static const struct element elements[] = {
	[GRAPH__DATA_TYPE__DT_FLOAT] = {ELEMENT_REAL, 4, true},
	[GRAPH__DATA_TYPE__DT_DOUBLE] = {ELEMENT_REAL, 8, true},
	[GRAPH__DATA_TYPE__DT_INT32] = {ELEMENT_SIGNED, 4, true},
	[GRAPH__DATA_TYPE__DT_UINT8] = {ELEMENT_UNSIGNED, 1, true},
	[GRAPH__DATA_TYPE__DT_INT16] = {ELEMENT_SIGNED, 2, true},
	[GRAPH__DATA_TYPE__DT_INT8] = {ELEMENT_SIGNED, 1, true},
	[GRAPH__DATA_TYPE__DT_STRING] = {ELEMENT_STRING, 0, true},
	[GRAPH__DATA_TYPE__DT_INT64] = {ELEMENT_SIGNED, 8, true},
	[GRAPH__DATA_TYPE__DT_BOOL] = {ELEMENT_UNSIGNED, 1, true},
	[GRAPH__DATA_TYPE__DT_QINT8] = {ELEMENT_SIGNED, 1},
	[GRAPH__DATA_TYPE__DT_QUINT8] = {ELEMENT_UNSIGNED, 1},
	[GRAPH__DATA_TYPE__DT_QINT32] = {ELEMENT_SIGNED, 4},
	[GRAPH__DATA_TYPE__DT_BFLOAT16] = {ELEMENT_REAL, 2},
	[GRAPH__DATA_TYPE__DT_QINT16] = {ELEMENT_SIGNED, 2},
	[GRAPH__DATA_TYPE__DT_QUINT16] = {ELEMENT_UNSIGNED, 2},
	[GRAPH__DATA_TYPE__DT_UINT16] = {ELEMENT_UNSIGNED, 2},
	[GRAPH__DATA_TYPE__DT_HALF] = {ELEMENT_REAL, 2},
	[GRAPH__DATA_TYPE__DT_UINT32] = {ELEMENT_UNSIGNED, 4},
	[GRAPH__DATA_TYPE__DT_UINT64] = {ELEMENT_UNSIGNED, 8},
};

struct element checkpoint_element(int32_t dtype)
{
	bool known = dtype >= 0 && (size_t)dtype < sizeof(elements) / sizeof(*elements);

	return known ? elements[dtype] : (struct element){ELEMENT_UNKNOWN, 0, false};
}

void checkpoint_value_make(struct checkpoint_value *value, struct arena *arena)
{
	enum element_kind kind = checkpoint_element(value->dtype).kind;

	if (kind == ELEMENT_REAL)
		value->real = arena_array(arena, value->count, sizeof(*value->real));
	else if (kind == ELEMENT_SIGNED || kind == ELEMENT_UNSIGNED)
		value->integer = arena_array(arena, value->count, sizeof(*value->integer));
	if (kind != ELEMENT_STRING)
		return;
	value->string = arena_array(arena, value->count, sizeof(*value->string));
	value->string_size = arena_array(arena, value->count, sizeof(*value->string_size));
}

void checkpoint_value_string(struct checkpoint_value *value, size_t i, const void *bytes,
	size_t size, struct arena *arena)
{
	value->string[i] = arena_strndup(arena, bytes, size);
	value->string_size[i] = size;
}

static double float_of(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float value;

	memcpy(&value, &low, sizeof(value));
	return value;
}

double checkpoint_real(int32_t dtype, uint64_t bits)
{
	/* IEEE 754 binary16: a sign, five bits of exponent, ten of fraction. */
	uint64_t sign = (bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023;
	double value;

	switch (dtype) {
	case GRAPH__DATA_TYPE__DT_DOUBLE:
		memcpy(&value, &bits, sizeof(value));
		return value;
	case GRAPH__DATA_TYPE__DT_HALF:
		if (exponent == 31)
			return float_of(sign | 0x7f800000 | fraction << 13);
		if (exponent > 0)
			return float_of(sign | (exponent + 112) << 23 | fraction << 13);
		return (sign ? -1.0 : 1.0) * (double)fraction / 16777216; /* 2^-24 */
	case GRAPH__DATA_TYPE__DT_BFLOAT16: /* the upper half of a float */
		return float_of(bits << 16);
	default:
		return float_of(bits);
	}
}

/* ---- slices ---- */

/* The length of a dimension of a slice; -1: the whole of it, from 0 on. */
static int64_t slice_length(const Graph__Slice *slice, size_t i)
{
	const Graph__Extent *extent = slice->extent[i];

	return extent->has_length_case == GRAPH__EXTENT__HAS_LENGTH_LENGTH ? extent->length : -1;
}

static int64_t slice_start(const Graph__Slice *slice, size_t i)
{
	return slice_length(slice, i) == -1 ? 0 : slice->extent[i]->start;
}

/* An unsigned number as its count of bytes and these, the high ones first. */
static void key_number(struct text *out, uint64_t value)
{
	unsigned n = packed_bytes(value);

	text_add_char(out, (char)n);
	while (n-- > 0)
		text_add_char(out, (char)(unsigned char)(value >> (8 * n)));
}

/* A signed number in two's complement with n leading bits turned, n the bytes it takes: 7 n - 1
 * bits are its own. Ten bytes hold any. */
static void key_signed(struct text *out, int64_t value)
{
	uint64_t size = value < 0 ? ~(uint64_t)value : (uint64_t)value;
	unsigned char bytes[10];
	size_t n = 1;

	while (n < 10 && size >> (7 * n - 1) != 0)
		n++;
	for (size_t i = 0; i < 10; i++) {
		size_t shift = 8 * (9 - i);

		if (shift < 64)
			bytes[i] = (unsigned char)((uint64_t)value >> shift);
		else
			bytes[i] = value < 0 ? 0xff : 0;
	}
	for (size_t bit = 0; bit < n; bit++)
		bytes[10 - n + bit / 8] ^= (unsigned char)(0x80 >> bit % 8);
	text_add_bytes(out, (const char *)bytes + 10 - n, n);
}

/* Bytes 0 and 255 of the name get a second one, so that 0 1 can end it. */
void slice_key(const char *name, const Graph__Slice *slice, struct text *out)
{
	key_number(out, 0);
	for (; *name; name++) {
		text_add_char(out, *name);
		if ((unsigned char)*name == 0xff)
			text_add_char(out, 0);
	}
	text_add_bytes(out, "\0\1", 2);
	key_number(out, slice->n_extent);
	for (size_t i = 0; i < slice->n_extent; i++) {
		key_signed(out, slice_start(slice, i));
		key_signed(out, slice_length(slice, i));
	}
}

bool slice_is_whole(const Graph__Slice *slice, const struct checkpoint_variable *variable)
{
	if (slice->n_extent != variable->dim_count)
		return false;
	for (size_t i = 0; i < slice->n_extent; i++)
		if (slice_length(slice, i) >= 0 &&
			(slice_start(slice, i) != 0 || slice_length(slice, i) != variable->dim[i]))
			return false;
	return true;
}

bool slice_fits(const struct checkpoint_value *whole, const Graph__Slice *slice,
	const struct checkpoint_value *part)
{
	if (slice->n_extent != whole->dim_count || part->dim_count != slice->n_extent ||
		part->dtype != whole->dtype)
		return false;
	for (size_t i = 0; i < slice->n_extent; i++) {
		int64_t start = slice_start(slice, i), length = slice_length(slice, i);

		length = length < 0 ? whole->dim[i] : length;
		if (start < 0 || length != part->dim[i] || length > whole->dim[i] ||
			start > whole->dim[i] - length)
			return false;
	}
	return true;
}

size_t slice_place(struct checkpoint_value *whole, const Graph__Slice *slice,
	const struct checkpoint_value *part, bool *placed)
{
	int64_t index[CHECKPOINT_RANK_MOST] = {0};
	size_t added = 0;

	for (size_t i = 0; i < part->count; i++) {
		size_t at = 0;

		for (size_t d = 0; d < slice->n_extent; d++)
			at = at * (size_t)whole->dim[d] +
			     (size_t)(slice_start(slice, d) + index[d]);
		if (whole->real)
			whole->real[at] = part->real[i];
		else if (whole->integer)
			whole->integer[at] = part->integer[i];
		else if (whole->string) {
			whole->string[at] = part->string[i];
			whole->string_size[at] = part->string_size[i];
		}
		added += !placed[at];
		placed[at] = true;
		for (size_t d = slice->n_extent; d-- > 0;) {
			if (++index[d] < part->dim[d])
				break;
			index[d] = 0;
		}
	}
	return added;
}
