/* Shapes of outputs as text. */
#include "model/op_shape.h"

#include "base/number.h"
#include "base/order.h"

const char op_shape_differs[1] = "";

ORDERED(compare_outputs, struct op_output, ORDER(x->index, y->index));

static void add_output(struct text *out, const struct op_output *output)
{
	char digits[NUMBER_TEXT_SIZE];

	if (!output->known) {
		text_add_char(out, '?');
		return;
	}
	text_add(out, output->dim_count ? "[" : "[1");
	for (size_t i = 0; i < output->dim_count && out->size <= OP_SHAPE_MOST; i++) {
		text_add(out, i ? "," : "");
		if (output->dim[i] < 0)
			text_add_char(out, '?');
		else
			text_add(out, number_format_int(digits, output->dim[i]));
	}
	text_add_char(out, ']');
}

const char *op_shape_text(struct op_output *output, size_t count, struct text *out)
{
	int64_t next = 0;
	bool known = false;

	text_clear(out);
	if (count > OP_SHAPE_MOST) /* at least a character each */
		return "";
	/* Stable, so that the later of one index stays the later. As a rule there are one or two,
	 * in order. */
	for (size_t i = 1; i < count; i++) {
		struct op_output moved = output[i];
		size_t at = i;

		for (; at > 0 && compare_outputs(&output[at - 1], &moved) > 0; at--)
			output[at] = output[at - 1];
		output[at] = moved;
	}
	for (size_t i = 0; i < count; i++) {
		if (output[i].index < 0 ||
			(i + 1 < count && output[i + 1].index == output[i].index))
			continue;
		if (output[i].index - next > OP_SHAPE_MOST || out->size > OP_SHAPE_MOST)
			return "";
		text_add_repeat(out, '?', (size_t)(output[i].index - next));
		add_output(out, &output[i]);
		known |= output[i].known;
		next = output[i].index + 1;
	}
	return known && out->size <= OP_SHAPE_MOST ? text_string(out) : "";
}

const char *op_shape_join(const char *a, const char *b)
{
	if (a == op_shape_differs || b == op_shape_differs)
		return op_shape_differs;
	if (!b || !*b)
		return a ? a : "";
	if (!a || !*a)
		return b;
	return text_equal(a, b) ? a : op_shape_differs;
}
