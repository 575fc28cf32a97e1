/*
 * Shapes of the arguments of PyTorch's ops.
 */
#include "ingest/chrome/kineto_shapes.h"

#include <string.h>
#include "base/number.h"
#include "ingest/chrome/trace.h"
#include "ingest/json/json_table.h"

#define SHAPES "Input Dims"
#define DIMS_MOST 3 /* of a matrix: batch, rows, columns */

/* Argument that is the first of the two matrices; they stand side by side. */
struct product {
	const char *name;
	size_t first, dims;
};

static const struct product products[] = {
	{"aten::mm", 0, 2},
	{"aten::addmm", 1, 2},
	{"aten::bmm", 0, 3},
	{"aten::baddbmm", 1, 3},
	{"aten::_int_mm", 0, 2},
	{"aten::_scaled_mm", 0, 2},
};

static const struct product *product_of(const struct json_value *name)
{
	for (size_t i = 0; i < sizeof(products) / sizeof(*products); i++)
		if (json_equal(name, products[i].name))
			return &products[i];
	return NULL;
}

bool kineto_has_shapes(const struct trace_event *event)
{
	return trace_arg(event, SHAPES).kind == '[';
}

bool kineto_is_product(const struct json_value *name)
{
	return product_of(name) != NULL;
}

/* The dimensions of two arguments that stand side by side. */
struct matrices {
	int64_t dim[2][DIMS_MOST];
	size_t dims[2];
};

/* The number at *at, which is moved behind it, as the next dimension of a matrix. */
static bool add_dimension(struct matrices *m, size_t matrix, const char **at, const char *end)
{
	const char *digits = *at;

	while (*at < end && **at >= '0' && **at <= '9')
		++*at;
	return m->dims[matrix] < DIMS_MOST &&
	       number_parse_int(digits, (size_t)(*at - digits), &m->dim[matrix][m->dims[matrix]++]);
}

/* Reads arguments `first` and `first` + 1 of "[[3], [64, 32], [32, 8], [], []]". An argument that
 * is a list of tensors has shapes of its own, and is none of these. */
static bool read_matrices(const struct json_value *shapes, size_t first, struct matrices *m)
{
	const char *at = shapes->at, *const end = json_value_end(shapes);
	size_t depth = 0, argument = 0;

	*m = (struct matrices){0};
	while (at < end && argument < first + 2) {
		const bool is_wanted = argument >= first;

		if (is_wanted && depth == 2 && *at >= '0' && *at <= '9') {
			if (!add_dimension(m, argument - first, &at, end))
				return false;
			continue;
		}
		depth += *at == '[';
		if (is_wanted && (depth > 2 || !strchr("[], \t\r\n", *at)))
			return false;
		argument += *at == ']' && depth == 2;
		if (*at == ']' && depth-- == 0)
			return false;
		at++;
	}
	return argument == first + 2;
}

int64_t kineto_float_ops(const struct trace_event *event)
{
	const struct product *product = product_of(&event->name);
	const struct json_value shapes = trace_arg(event, SHAPES);
	struct matrices m;
	int64_t count = 2;

	if (!product || shapes.kind != '[' || !read_matrices(&shapes, product->first, &m) ||
		m.dims[0] != product->dims || m.dims[1] != product->dims)
		return -1;
	const int64_t *a = m.dim[0], *b = m.dim[1];
	const size_t rows = product->dims - 2;

	if (a[rows + 1] != b[rows] || (rows && a[0] != b[0]))
		return -1;
	for (size_t i = 0; i < product->dims; i++)
		if (!number_multiply(count, a[i], &count))
			return -1;
	return number_multiply(count, b[rows + 1], &count) ? count : -1;
}

/* The end of the text before `end` without blanks and commas there. */
static const char *before_separators(const char *begin, const char *end)
{
	while (end > begin && strchr(" ,\t\r\n", end[-1]))
		end--;
	return end;
}

void kineto_name_with_shapes(const struct trace_event *event, struct text *to)
{
	const struct json_value shapes = trace_arg(event, SHAPES);
	const char *const begin = shapes.at;
	const char *end;

	text_add_bytes(to, event->name.at, event->name.size);
	if (shapes.kind != '[')
		return;
	end = before_separators(begin, begin + shapes.size - 1);
	while (end - begin > 2 && end[-1] == ']' && end[-2] == '[')
		end = before_separators(begin, end - 2);
	if (end - begin < 2)
		return;
	text_add_char(to, ' ');
	for (const char *c = begin; c < end; c++)
		if (!strchr(" \t\r\n", *c))
			text_add_char(to, *c);
	text_add_char(to, ']');
}
