/*
 * Takes labels apart as the pattern (.*) = (.*)\((.*)\) does at the start of a label: in its first
 * line, each part as long as it can be, the first one first.
 */
#include "timeline/op_label.h"

#include <string.h>

static const struct recorded_text unknown = {"unknown", 7};

/* Offset of the last `word` in the first `size` bytes; -1: none. */
static ptrdiff_t last_of(const char *bytes, size_t size, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = size < n ? 0 : size - n + 1; i-- > 0;)
		if (memcmp(bytes + i, word, n) == 0)
			return (ptrdiff_t)i;
	return -1;
}

static ptrdiff_t first_of(struct recorded_text text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.size; i++)
		if (memcmp(text.bytes + i, word, n) == 0)
			return (ptrdiff_t)i;
	return -1;
}

struct op_label op_label_parse(struct recorded_text label)
{
	ptrdiff_t line = first_of(label, "\n");
	size_t size = line < 0 ? label.size : (size_t)line;
	ptrdiff_t close = last_of(label.bytes, size, ")");
	ptrdiff_t open = close < 0 ? -1 : last_of(label.bytes, (size_t)close, "(");
	ptrdiff_t equals = open < 0 ? -1 : last_of(label.bytes, (size_t)open, " = ");
	struct op_label parts = {.op = unknown, .inputs = {"", 0}};

	if (equals < 0)
		return parts;
	parts.op = (struct recorded_text){label.bytes + equals + 3, (size_t)(open - equals - 3)};
	parts.inputs = (struct recorded_text){label.bytes + open + 1, (size_t)(close - open - 1)};
	parts.has_inputs = parts.inputs.size > 0;
	return parts;
}

bool op_label_input(struct op_label *label, struct recorded_text *input)
{
	ptrdiff_t comma;

	if (!label->has_inputs)
		return false;
	*input = label->inputs;
	comma = first_of(label->inputs, ", ");
	label->has_inputs = comma >= 0;
	if (comma < 0)
		return true;
	input->size = (size_t)comma;
	label->inputs.bytes += comma + 2;
	label->inputs.size -= (size_t)comma + 2;
	return true;
}

void op_label_kernel(
	const struct recorded_node *node, struct recorded_text *name, struct recorded_text *op)
{
	ptrdiff_t start = first_of(node->label, "@@"), end = first_of(node->label, "#");
	ptrdiff_t colon;

	*name = node->name;
	*op = unknown;
	if (start >= 0 && start + 2 < end)
		*name = (struct recorded_text){
			node->label.bytes + start + 2, (size_t)(end - start - 2)};
	colon = first_of(*name, ":");
	if (colon < 0)
		return;
	*op = (struct recorded_text){name->bytes + colon + 1, name->size - (size_t)colon - 1};
	name->size = (size_t)colon;
	colon = first_of(*op, ":");
	if (colon >= 0)
		op->size = (size_t)colon;
}
