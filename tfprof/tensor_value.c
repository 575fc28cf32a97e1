/* The original writes brackets and numbers for all elements, cutting the text to 10000 bytes at
 * each closing bracket. What comes after byte 10000 can never come back, so we stop there. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tfprof/outputs.h"
#include "base/number.h"
#include "base/output/protobuf_writer.h"

#define TEXT_MOST 10000
#define HUGE_COUNT 100000
#define RANK_MOST 254 /* no checkpoint has more dimensions */
#define OMITTED "...omitted from display\n\n"

enum {
	DTYPE_FIELD = 1,
	DOUBLE_FIELD = 2,
	INT64_FIELD = 3,
	STRING_FIELD = 4
};								  /* of TFProfTensorProto */
enum { FLOAT = 1, DOUBLE = 2, INT32 = 3, STRING = 7, INT64 = 9 }; /* of DataType */

static bool has_text(int32_t dtype)
{
	return dtype == FLOAT || dtype == DOUBLE || dtype == INT32 || dtype == STRING ||
	       dtype == INT64;
}

double tensor_value_rounded(double value)
{
	char digits[NUMBER_TEXT_SIZE];
	double rounded;

	if (!isfinite(value))
		return value;
	snprintf(digits, sizeof(digits), "%.5e", value); /* keeps the sign of -0 */
	return number_parse_real(digits, strlen(digits), &rounded) ? rounded : value;
}

static void add_element(const struct checkpoint_value *value, size_t i, struct text *out)
{
	if (value->real)
		text_printf(out, "%.2f ", tensor_value_rounded(value->real[i]));
	else if (value->integer)
		text_printf(out, "%lld ", (long long)value->integer[i]);
	else if (value->string) {
		text_add_char(out, '\'');
		text_add_bytes(out, value->string[i], value->string_size[i]);
		text_add(out, "' ");
	}
}

static void close_bracket(struct text *t)
{
	if (t->size > TEXT_MOST) {
		t->size = TEXT_MOST;
		t->data[TEXT_MOST] = 0;
	}
	text_add(t, "],\n");
}

/* Opens, fills and closes one bracket after the other; depth is the number of open ones. */
static void add_nested(const struct checkpoint_value *value, struct text *t)
{
	int64_t done[RANK_MOST + 1] = {0};
	size_t depth = 1, next = 0, last = value->dim_count;

	text_add(t, "[");
	while (depth > 0 && t->size <= TEXT_MOST) {
		if (done[depth - 1] == value->dim[depth - 1]) {
			close_bracket(t);
			depth--;
			continue;
		}
		done[depth - 1]++;
		if (depth == last) {
			add_element(value, next++, t);
		} else {
			text_add(t, "[");
			done[depth++] = 0;
		}
	}
	if (depth > 0)
		close_bracket(t);
}

void tensor_value_text(
	struct checkpoint *checkpoint, const char *name, struct text *out, struct text *messages)
{
	struct arena *arena = arena_new();
	struct checkpoint_value value;
	struct error err = {.kind = ERROR_NONE};

	if (checkpoint_read(checkpoint, name, arena, &value, &err)) {
		text_printf(messages, "%s\n", err.message);
	} else if (!has_text(value.dtype)) {
		text_printf(messages, "Not Supported type %d\n", (int)value.dtype);
	} else {
		if (value.count > HUGE_COUNT)
			text_add(messages, "Showing huge tensor, the tool might halt...\n");

		struct text t;

		text_init(&t);
		if (value.dim_count > 0) {
			add_nested(&value, &t);
		} else {
			text_add(&t, "[");
			add_element(&value, 0, &t);
			close_bracket(&t);
		}
		text_add_bytes(out, t.data, t.size);
		if (t.size >= TEXT_MOST)
			text_add(out, OMITTED);
		text_release(&t);
	}
	arena_free(arena);
}

static void add_double(struct text *t, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	protobuf_add_fixed(t, bits, sizeof(bits));
}

bool tensor_value_message(struct checkpoint *checkpoint, const char *name, struct text *bytes)
{
	struct arena *arena = arena_new();
	struct checkpoint_value value;
	struct error err = {.kind = ERROR_NONE};
	bool found = checkpoint_read(checkpoint, name, arena, &value, &err) == 0;

	if (found && value.dtype)
		protobuf_add_number(bytes, DTYPE_FIELD, (uint64_t)value.dtype);
	if (found && has_text(value.dtype)) {
		/* Numbers are packed, as proto3 has it. */
		struct text packed;

		text_init(&packed);
		for (size_t i = 0; i < value.count; i++) {
			if (value.real)
				add_double(&packed, tensor_value_rounded(value.real[i]));
			else if (value.integer)
				protobuf_add_varint(&packed, (uint64_t)value.integer[i]);
			else if (value.string)
				protobuf_add_bytes(
					bytes, STRING_FIELD, value.string[i], value.string_size[i]);
		}
		if (packed.size)
			protobuf_add_message(
				bytes, value.real ? DOUBLE_FIELD : INT64_FIELD, &packed);
		text_release(&packed);
	}
	arena_free(arena);
	return found;
}
