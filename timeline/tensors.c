/*
 * A table of tensors over a table of names.
 */
#include "timeline/tensors.h"

#include <string.h>

/* Names are made here: a long name with many outputs would fill any memory out of a small file. */
#define NAME_BYTES_MOST ((size_t)256 << 20)

void tensor_table_init(struct tensor_table *table)
{
	table->arena = arena_new();
	table->names = intern_new(table->arena);
	vec_init(&table->tensor, sizeof(struct tensor), UINT32_MAX - 1, "tensors in a step");
	text_init(&table->text);
	table->name_bytes = 0;
}

void tensor_table_release(struct tensor_table *table)
{
	text_release(&table->text);
	vec_release(&table->tensor);
	arena_free(table->arena);
}

struct tensor *tensor_table_make(
	struct tensor_table *table, struct recorded_text node, size_t index, struct error *err)
{
	struct tensor *tensor;
	size_t known = table->tensor.count;
	uint32_t id;

	text_clear(&table->text);
	text_add_bytes(&table->text, node.bytes, node.size);
	if (index)
		text_printf(&table->text, ":%zu", index);
	if (table->text.size > NAME_BYTES_MOST - table->name_bytes) {
		error_set(err, ERROR_LIMIT, NULL,
			"names of tensors with more than %zu bytes in a step", NAME_BYTES_MOST);
		return NULL;
	}
	id = intern_id(table->names, text_string(&table->text), table->text.size);
	if (id < known) {
		tensor = vec_at(&table->tensor, id);
	} else {
		table->name_bytes += table->text.size;
		tensor = vec_push(&table->tensor, err);
		if (!tensor)
			return NULL;
	}
	tensor->name = intern_name(table->names, id);
	tensor->name_size = table->text.size;
	tensor->object = (int64_t)known;
	return tensor;
}

struct tensor *tensor_table_find(const struct tensor_table *table, struct recorded_text input)
{
	uint32_t id;

	if (intern_find(table->names, input.bytes, input.size, &id))
		return vec_at(&table->tensor, id);
	for (size_t i = input.size; i-- > 1;)
		if (input.bytes[i - 1] == '/' && input.bytes[i] == '_')
			return i > 1 && intern_find(table->names, input.bytes, i - 1, &id)
				       ? vec_at(&table->tensor, id)
				       : NULL;
	return NULL;
}
