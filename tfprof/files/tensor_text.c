/*
 * Writes the fields in the order of their numbers, two blanks a level; fields of proto3 that have
 * their default are left out, messages that are there are not.
 */
#include "tfprof/files/tensor_text.h"

#include <inttypes.h>
#include <string.h>

static void add_number(struct text *out, const char *name, int64_t value)
{
	if (value)
		text_printf(out, "%s: %" PRId64 "\n", name, value);
}

/* protobuf's escapes; the quotes around it are left out, and those inside lose theirs. */
static void add_string(struct text *out, const char *name, const ProtobufCBinaryData *value)
{
	static const char special[] = "\n\r\t'\\", letter[] = "nrt'\\";

	if (value->len == 0)
		return;
	text_printf(out, "%s: ", name);
	for (size_t i = 0; i < value->len; i++) {
		unsigned char c = value->data[i];
		const char *found = memchr(special, c, sizeof(special) - 1);

		if (c == '"')
			text_add_char(out, '\\');
		else if (found)
			text_printf(out, "\\%c", letter[found - special]);
		else if (c < 0x20 || c >= 0x7f)
			text_printf(out, "\\%03o", c);
		else
			text_add_char(out, (char)c);
	}
	text_add_char(out, '\n');
}

static void add_type(struct text *out, Run__DataType type)
{
	const ProtobufCEnumValue *known =
		protobuf_c_enum_descriptor_get_value(&run__data_type__descriptor, (int)type);

	if (type == RUN__DATA_TYPE__DT_INVALID)
		return;
	if (known)
		text_printf(out, "dtype: %s\n", known->name);
	else
		text_printf(out, "dtype: %d\n", (int)type);
}

static void add_shape(struct text *out, const Run__RecordedShape *shape)
{
	text_add(out, "shape {\n");
	for (size_t i = 0; i < shape->n_dim; i++) {
		text_add(out, "  dim {\n");
		add_number(out, "    size", shape->dim[i]->size);
		add_string(out, "    name", &shape->dim[i]->name);
		text_add(out, "  }\n");
	}
	if (shape->unknown_rank)
		text_add(out, "  unknown_rank: true\n");
	text_add(out, "}\n");
}

static void add_allocation(struct text *out, const Run__RecordedAllocation *allocation)
{
	text_add(out, "allocation_description {\n");
	add_number(out, "  requested_bytes", allocation->requested_bytes);
	add_number(out, "  allocated_bytes", allocation->allocated_bytes);
	add_string(out, "  allocator_name", &allocation->allocator_name);
	add_number(out, "  allocation_id", allocation->allocation_id);
	if (allocation->has_single_reference)
		text_add(out, "  has_single_reference: true\n");
	if (allocation->ptr)
		text_printf(out, "  ptr: %" PRIu64 "\n", allocation->ptr);
	text_add(out, "}\n");
}

void tensor_text_add(struct text *out, const Run__RecordedTensor *tensor)
{
	if (!tensor)
		return;
	add_type(out, tensor->dtype);
	if (tensor->shape)
		add_shape(out, tensor->shape);
	if (tensor->allocation_description)
		add_allocation(out, tensor->allocation_description);
}
