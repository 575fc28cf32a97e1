/* Fields, numbers and lists of the compact protocol. */
#include "ingest/parquet/thrift_compact.h"

#include "base/packed_number.h"

#define DEPTH_MOST 32

static unsigned char next_byte(struct thrift *t)
{
	if (t->bad || t->at == t->end) {
		t->bad = true;
		return 0;
	}
	return *t->at++;
}

static uint64_t varint(struct thrift *t)
{
	uint64_t value;

	t->bad |= !packed_varint_next(&t->at, t->end, &value);
	return t->bad ? 0 : value;
}

static int64_t zigzag(struct thrift *t)
{
	return (int64_t)packed_unzigzag(varint(t));
}

bool thrift_next(struct thrift *t, struct thrift_field *field)
{
	const unsigned char head = next_byte(t);
	int64_t id;

	field->type = (enum thrift_type)(head & 0x0f);
	if (t->bad || field->type == THRIFT_STOP)
		return false;
	id = head >> 4 ? field->id + (head >> 4) : zigzag(t);
	if (id < INT16_MIN || id > INT16_MAX || field->type > THRIFT_STRUCT)
		t->bad = true;
	field->id = (int16_t)id;
	return !t->bad;
}

int64_t thrift_integer(struct thrift *t, enum thrift_type type)
{
	if (type == THRIFT_BYTE)
		return (int8_t)next_byte(t);
	if (type == THRIFT_I16 || type == THRIFT_I32 || type == THRIFT_I64)
		return zigzag(t);
	t->bad = true;
	return 0;
}

static int32_t integer32(struct thrift *t, enum thrift_type type)
{
	const int64_t value = thrift_integer(t, type);

	if (value < INT32_MIN || value > INT32_MAX)
		t->bad = true;
	return t->bad ? 0 : (int32_t)value;
}

static const unsigned char *read_binary(struct thrift *t, enum thrift_type type, size_t *size)
{
	const unsigned char *bytes;
	uint64_t length = type == THRIFT_BINARY ? varint(t) : UINT64_MAX;

	*size = 0;
	if (t->bad || length > (uint64_t)(t->end - t->at)) {
		t->bad = true;
		return (const unsigned char *)"";
	}
	bytes = t->at;
	t->at += length;
	*size = (size_t)length;
	return bytes;
}

size_t thrift_list(struct thrift *t, enum thrift_type type, enum thrift_type *element)
{
	const unsigned char head = type == THRIFT_LIST || type == THRIFT_SET ? next_byte(t) : 0xff;
	uint64_t count = head >> 4;

	*element = (enum thrift_type)(head & 0x0f);
	if (count == 15)
		count = varint(t);
	/* An element is a byte at least. Some writers give a list of none no type. */
	if (*element > THRIFT_STRUCT || (*element == THRIFT_STOP && count) ||
		count > (uint64_t)(t->end - t->at))
		t->bad = true;
	return t->bad ? 0 : (size_t)count;
}

static void skip(struct thrift *t, enum thrift_type type, unsigned depth);

static void skip_bytes(struct thrift *t, size_t n)
{
	if (n > (size_t)(t->end - t->at))
		t->bad = true;
	else
		t->at += n;
}

/* Skips an element of a list, in which a truth value is a byte. */
static void skip_element(struct thrift *t, enum thrift_type type, unsigned depth)
{
	if (type == THRIFT_TRUE || type == THRIFT_FALSE)
		next_byte(t);
	else
		skip(t, type, depth);
}

static void skip_list(struct thrift *t, enum thrift_type type, unsigned depth)
{
	enum thrift_type element;
	size_t count = thrift_list(t, type, &element);

	while (count-- && !t->bad)
		skip_element(t, element, depth + 1);
}

static void skip_map(struct thrift *t, unsigned depth)
{
	const uint64_t count = varint(t);
	const unsigned char types = count ? next_byte(t) : 0;

	if (count > (uint64_t)(t->end - t->at) || (count && (types >> 4 == 0 || !(types & 0x0f))))
		t->bad = true;
	for (uint64_t i = 0; i < count && !t->bad; i++) {
		skip_element(t, (enum thrift_type)(types >> 4), depth + 1);
		skip_element(t, (enum thrift_type)(types & 0x0f), depth + 1);
	}
}

static void skip(struct thrift *t, enum thrift_type type, unsigned depth)
{
	struct thrift_field field = {0};
	size_t size;

	if (depth > DEPTH_MOST)
		t->bad = true;
	if (t->bad)
		return;
	switch (type) {
	case THRIFT_TRUE:
	case THRIFT_FALSE:
		return;
	case THRIFT_BYTE:
		next_byte(t);
		return;
	case THRIFT_I16:
	case THRIFT_I32:
	case THRIFT_I64:
		varint(t);
		return;
	case THRIFT_DOUBLE:
		skip_bytes(t, sizeof(double));
		return;
	case THRIFT_BINARY:
		read_binary(t, type, &size);
		return;
	case THRIFT_LIST:
	case THRIFT_SET:
		skip_list(t, type, depth);
		return;
	case THRIFT_MAP:
		skip_map(t, depth);
		return;
	case THRIFT_STRUCT:
		while (thrift_next(t, &field))
			skip(t, field.type, depth + 1);
		return;
	default:
		t->bad = true;
	}
}

void thrift_skip(struct thrift *t, enum thrift_type type)
{
	skip(t, type, 0);
}

/* True if the value of the field was read. */
static bool read_member(
	struct thrift *t, const struct thrift_field *f, const struct thrift_member *m, void *out)
{
	void *to = (char *)out + m->at;
	struct thrift_text *text = to;
	int32_t number;

	switch (m->into) {
	case THRIFT_INTO_INT32:
		*(int32_t *)to = integer32(t, f->type);
		return true;
	case THRIFT_INTO_INT64:
		*(int64_t *)to = thrift_integer(t, f->type);
		return true;
	case THRIFT_INTO_SIZE:
		number = integer32(t, f->type);
		t->bad |= number < 0;
		*(size_t *)to = t->bad ? 0 : (size_t)number;
		return true;
	case THRIFT_INTO_BOOL:
		t->bad |= f->type != THRIFT_TRUE && f->type != THRIFT_FALSE;
		*(bool *)to = f->type == THRIFT_TRUE;
		return true;
	case THRIFT_INTO_TEXT:
		text->at = read_binary(t, f->type, &text->size);
		return true;
	case THRIFT_INTO_MEMBERS:
		t->bad |= f->type != THRIFT_STRUCT;
		thrift_read(t, m->inside, out);
		return true;
	case THRIFT_INTO_SEEN:
		*(bool *)to = true;
		return false;
	case THRIFT_INTO_NUMBER:
		*(int32_t *)to = f->id;
		return false;
	}
	return false;
}

void thrift_read(struct thrift *t, const struct thrift_member *members, void *out)
{
	struct thrift_field f = {0};

	while (thrift_next(t, &f)) {
		bool is_read = false;

		for (const struct thrift_member *m = members; m->into && !is_read; m++)
			if (m->id == 0 || m->id == f.id)
				is_read = read_member(t, &f, m, out);
		if (!is_read)
			thrift_skip(t, f.type);
	}
}
