/*
 * Shapes, slices and elements of checkpoints.
 */
#include "tfprof/files/checkpoint_parts.h"

static bool dim_size(const struct wire_field *field, int64_t *size)
{
	struct wire w = wire_inside(field);
	struct wire_field f;
	enum wire_result got;

	*size = 0;
	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == 1 && f.type == WIRE_VARINT)
			*size = (int64_t)f.value;
	return got == WIRE_END;
}

/* Number of fields of this number and type WIRE_BYTES; -1: damaged. */
static int count_messages(const struct wire_field *field, uint32_t number)
{
	struct wire w = wire_inside(field);
	struct wire_field f;
	enum wire_result got;
	int count = 0;

	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == number && f.type == WIRE_BYTES && count <= CHECKPOINT_RANK_MOST)
			count++;
	return got == WIRE_END && count <= CHECKPOINT_RANK_MOST ? count : -1;
}

bool tensor_shape_read(
	const struct wire_field *field, struct arena *arena, int64_t **dim, size_t *count)
{
	struct wire w = wire_inside(field);
	struct wire_field f;
	int most = count_messages(field, 2);

	if (most < 0)
		return false;
	*dim = arena_array(arena, (size_t)most, sizeof(**dim));
	*count = 0;
	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == 2 && f.type == WIRE_BYTES && !dim_size(&f, &(*dim)[(*count)++]))
			return false;
	return true;
}

static bool extent_read(const struct wire_field *field, int64_t *start, int64_t *length)
{
	struct wire w = wire_inside(field);
	struct wire_field f;
	enum wire_result got;

	*start = 0;
	*length = -1;
	while ((got = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.type != WIRE_VARINT)
			continue;
		if (f.number == 1)
			*start = (int64_t)f.value;
		else if (f.number == 2)
			*length = (int64_t)f.value;
	}
	if (*length == -1)
		*start = 0;
	return got == WIRE_END;
}

bool tensor_slice_read(
	const struct wire_field *field, struct arena *arena, struct tensor_slice *out)
{
	struct wire w = wire_inside(field);
	struct wire_field f;
	int most = count_messages(field, 1);

	if (most < 0)
		return false;
	out->start = arena_array(arena, (size_t)most, sizeof(*out->start));
	out->length = arena_array(arena, (size_t)most, sizeof(*out->length));
	out->rank = 0;
	while (wire_next(&w, &f) == WIRE_FIELD) {
		if (f.number != 1 || f.type != WIRE_BYTES)
			continue;
		if (!extent_read(&f, &out->start[out->rank], &out->length[out->rank]))
			return false;
		out->rank++;
	}
	return true;
}

/* An unsigned number as its count of bytes and these, the high ones first. */
static void key_number(struct text *out, uint64_t value)
{
	char bytes[8];
	size_t n = 0;

	for (uint64_t rest = value; rest > 0; rest >>= 8)
		n++;
	for (size_t i = 0; i < n; i++)
		bytes[i] = (char)(unsigned char)(value >> (8 * (n - 1 - i)));
	text_add_char(out, (char)n);
	text_add_bytes(out, bytes, n);
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
static void key_name(struct text *out, const char *name)
{
	for (; *name; name++) {
		text_add_char(out, *name);
		if ((unsigned char)*name == 0xff)
			text_add_char(out, 0);
	}
	text_add_bytes(out, "\0\1", 2);
}

void tensor_slice_key(const char *name, const struct tensor_slice *slice, struct text *out)
{
	text_clear(out);
	key_number(out, 0);
	key_name(out, name);
	key_number(out, slice->rank);
	for (size_t i = 0; i < slice->rank; i++) {
		key_signed(out, slice->start[i]);
		key_signed(out, slice->length[i]);
	}
}

int64_t tensor_element_count(const int64_t *dim, size_t count)
{
	int64_t product = 1;
	bool empty = false;

	for (size_t i = 0; i < count; i++) {
		if (dim[i] < 0)
			return -1;
		empty |= dim[i] == 0;
	}
	for (size_t i = 0; i < count && !empty; i++)
		if (__builtin_mul_overflow(product, dim[i], &product))
			return -1;
	return empty ? 0 : product;
}

size_t tensor_element_size(int32_t dtype)
{
	switch (dtype) {
	case TENSOR_UINT8:
	case TENSOR_INT8:
	case TENSOR_BOOL:
	case TENSOR_QINT8:
	case TENSOR_QUINT8:
		return 1;
	case TENSOR_INT16:
	case TENSOR_UINT16:
	case TENSOR_QINT16:
	case TENSOR_QUINT16:
	case TENSOR_HALF:
	case TENSOR_BFLOAT16:
		return 2;
	case TENSOR_FLOAT:
	case TENSOR_INT32:
	case TENSOR_UINT32:
	case TENSOR_QINT32:
		return 4;
	case TENSOR_DOUBLE:
	case TENSOR_INT64:
	case TENSOR_UINT64:
		return 8;
	default:
		return 0;
	}
}

void checkpoint_value_make(struct checkpoint_value *value, struct arena *arena)
{
	switch (value->dtype) {
	case TENSOR_FLOAT:
	case TENSOR_DOUBLE:
	case TENSOR_HALF:
	case TENSOR_BFLOAT16:
		value->real = arena_array(arena, value->count, sizeof(*value->real));
		break;
	case TENSOR_STRING:
		value->string = arena_array(arena, value->count, sizeof(*value->string));
		value->string_size = arena_array(arena, value->count, sizeof(*value->string_size));
		break;
	default:
		if (tensor_element_size(value->dtype) > 0)
			value->integer = arena_array(arena, value->count, sizeof(*value->integer));
	}
}

int checkpoint_value_check(
	const struct checkpoint *c, const struct checkpoint_value *value, struct error *err)
{
	int64_t count = tensor_element_count(value->dim, value->dim_count);

	if (count < 0)
		return error_set(err, ERROR_INPUT, c->prefix,
			"a variable has a shape that cannot be: negative or too large");
	if (count > CHECKPOINT_VALUE_MOST / 8)
		return error_set(err, ERROR_LIMIT, c->prefix,
			"a variable has more than %lld elements",
			(long long)(CHECKPOINT_VALUE_MOST / 8));
	return 0;
}
