/* Shapes of the arguments of PyTorch's ops. */
#include "ingest/chrome/kineto_shapes.h"

#include <string.h>
#include "base/number.h"
#include "ingest/json/json_table.h"

#define SHAPES "Input Dims"
#define STRIDES "Input Strides"
#define TYPES "Input type"
#define DIMS_MOST 3 /* of a matrix: batch, rows, columns */

/* Argument that is the first of the two matrices; they stand side by side. */
struct product {
	const char *name;
	size_t first, dims;
	int64_t result_bytes; /* of an element; 0: as of the first matrix; -1: not known */
};

static const struct product products[] = {
	{"aten::mm", 0, 2, 0}, {"aten::addmm", 1, 2, 0}, {"aten::bmm", 0, 3, 0},
	{"aten::baddbmm", 1, 3, 0}, {"aten::_int_mm", 0, 2, 4},
	{"aten::_scaled_mm", 0, 2, -1}, /* an argument says which type the result has */
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

	while (*at < end && text_is_digit(**at))
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

		if (is_wanted && depth == 2 && text_is_digit(*at)) {
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

/* The two matrices of a product; false: they do not fit together. */
static bool matrices_of(
	const struct trace_event *event, const struct product *product, struct matrices *m)
{
	const struct json_value shapes = trace_arg(event, SHAPES);
	const size_t rows = product ? product->dims - 2 : 0;

	return product && shapes.kind == '[' && read_matrices(&shapes, product->first, m) &&
	       m->dims[0] == product->dims && m->dims[1] == product->dims &&
	       m->dim[0][rows + 1] == m->dim[1][rows] && (!rows || m->dim[0][0] == m->dim[1][0]);
}

int64_t kineto_float_ops(const struct trace_event *event)
{
	const struct product *product = product_of(&event->name);
	struct matrices m;
	int64_t count = 2;

	if (!matrices_of(event, product, &m))
		return -1;
	for (size_t i = 0; i < product->dims; i++)
		if (!number_multiply(count, m.dim[0][i], &count))
			return -1;
	return number_multiply(count, m.dim[1][product->dims - 1], &count) ? count : -1;
}

/* Bytes of an element of this argument; 0: not known. */
static int64_t element_bytes(const struct json_value *types, size_t argument)
{
	static const struct {
		const char *name;
		int64_t bytes;
	} known[] = {
		{"float", 4},
		{"double", 8},
		{"c10::BFloat16", 2},
		{"c10::Half", 2},
		{"signed char", 1},
		{"unsigned char", 1},
		{"short", 2},
		{"short int", 2},
		{"int", 4},
		{"long", 8},
		{"long int", 8},
		{"c10::complex<float>", 8},
		{"c10::complex<double>", 16},
		{"c10::Float8_e4m3fn", 1},
		{"c10::Float8_e5m2", 1},
		{"c10::Float8_e4m3fnuz", 1},
		{"c10::Float8_e5m2fnuz", 1},
	};
	const char *at = types->at, *const end = json_value_end(types);
	size_t quotes = 0;

	while (at < end && (quotes += *at == '"') <= 2 * argument)
		at++;
	const char *const name = at < end ? at + 1 : end;
	const char *const close = memchr(name, '"', (size_t)(end - name));

	for (size_t i = 0; close && i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i].name) == (size_t)(close - name) &&
			memcmp(known[i].name, name, (size_t)(close - name)) == 0)
			return known[i].bytes;
	return 0;
}

/* Adds the bytes of one of two arguments. A dimension of stride 0 is the same elements again. */
static bool add_matrix(const struct matrices *m, const struct matrices *strides, size_t which,
	int64_t element, int64_t *sum)
{
	int64_t bytes = element;

	for (size_t i = 0; i < m->dims[which]; i++) {
		const bool is_again =
			strides->dims[which] == m->dims[which] && strides->dim[which][i] == 0;

		if (!is_again && !number_multiply(bytes, m->dim[which][i], &bytes))
			return false;
	}
	return element > 0 && number_add(*sum, bytes, sum);
}

int64_t kineto_matrix_bytes(const struct trace_event *event)
{
	const struct product *product = product_of(&event->name);
	const struct json_value shapes = trace_arg(event, SHAPES), types = trace_arg(event, TYPES),
				strides = trace_arg(event, STRIDES);
	struct matrices m, s = {0}, added;
	int64_t sum = 0, element, result;

	if (!matrices_of(event, product, &m) || types.kind != '[')
		return -1;
	element = element_bytes(&types, product->first);
	result = product->result_bytes ? product->result_bytes : element;
	if (strides.kind == '[' && !read_matrices(&strides, product->first, &s))
		s = (struct matrices){0};
	if (!add_matrix(&m, &s, 0, element, &sum) ||
		!add_matrix(&m, &s, 1, element_bytes(&types, product->first + 1), &sum))
		return -1;
	/* The result has the rows of the first matrix and the columns of the second one. */
	m.dim[0][product->dims - 1] = m.dim[1][product->dims - 1];
	if (!add_matrix(&m, &(struct matrices){0}, 0, result, &sum))
		return -1;
	if (product->first == 0)
		return sum;
	if (strides.kind != '[' || !read_matrices(&strides, 0, &s))
		s = (struct matrices){0};
	return read_matrices(&shapes, 0, &added) &&
			       add_matrix(&added, &s, 0, element_bytes(&types, 0), &sum)
		       ? sum
		       : -1;
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
