/* Labels of executions. The values are what Python says: re.match(r"(.*) = (.*)\((.*)\)", label)
 * and str.split(). */
#include "timeline/generate.h"
#include "tests/unit/test.h"

static const struct {
	const char *label, *op;
	size_t count;
	const char *input[3];
} labels[] = {
	{"a = A()", "A", 0, {""}},
	{"a = A(b)", "A", 1, {"b"}},
	{"a = A(b, c:1, ^d)", "A", 3, {"b", "c:1", "^d"}},
	{"a/b = MatMul(x, y)", "MatMul", 2, {"x", "y"}},
	{"", "unknown", 0, {""}},
	{"x", "unknown", 0, {""}},
	{"a = ", "unknown", 0, {""}},
	{"a = A", "unknown", 0, {""}},
	{"a = A(", "unknown", 0, {""}},
	{"a = A)b(", "unknown", 0, {""}},
	{"a = A()(", "A", 0, {""}},
	{"a = b = C(d)", "C", 1, {"d"}},
	{"a = A(b = B(c))", "B", 1, {"c)"}},
	{"a = A(b)(c, d)", "A(b)", 2, {"c", "d"}},
	{"a = A(b) trailing", "A", 1, {"b"}},
	{"a = A(b) = C", "A", 1, {"b"}},
	{"a = A(x (y) z)", "A(x ", 1, {"y) z"}},
	{"= A(b)", "unknown", 0, {""}},
	{" = A(b)", "A", 1, {"b"}},
	{" = ()", "", 0, {""}},
	{"a = A(, )", "A", 2, {"", ""}},
	{"a = A(b,c)", "A", 1, {"b,c"}},
	{"a = A(b, )", "A", 2, {"b", ""}},
	{"a\nb = C(d)", "unknown", 0, {""}},
	{"a = A(b)\nc = D(e)", "A", 1, {"b"}},
	{"a = A(b\n)", "unknown", 0, {""}},
	{"[edge] MEMCPY", "unknown", 0, {""}},
	{"a  =  A (b)", " A ", 1, {"b"}},
	{"((((", "unknown", 0, {""}},
	{"))))", "unknown", 0, {""}},
	{"a = (b)(c", "", 1, {"b"}},
};

static const struct {
	const char *label, *node, *name, *op;
} kernels[] = {
	{"", "a", "a", "unknown"},
	{"", "a:B", "a", "B"},
	{"", "a:B:c", "a", "B"},
	{"", "", "", "unknown"},
	{"", ":", "", ""},
	{"kernel @@x/y:Conv2D#id=1#", "a:B", "x/y", "Conv2D"},
	{"@@x#", "a:B", "x", "unknown"},
	{"@@#", "a:B", "a", "B"},
	{"# @@x:Y", "a:B", "a", "B"},
	{"# @@x:Y#", "a:B", "a", "B"},
	{"@@x:Y", "a:B", "a", "B"},
	{"@x:Y#", "a:B", "a", "B"},
	{"@@@x:Y#", "a:B", "@x", "Y"},
	{"@@x#y:Z#", "a:B", "x", "unknown"},
};

static struct recorded_text text(const char *s)
{
	return (struct recorded_text){s, strlen(s)};
}

static void check(struct recorded_text found, const char *expected)
{
	assert_int_equal(found.size, strlen(expected));
	assert_memory_equal(found.bytes, expected, found.size);
}

TEST(types_and_inputs)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		struct op_label label = op_label_parse(text(labels[i].label));
		struct recorded_text input;

		check(label.op, labels[i].op);
		for (size_t k = 0; k < labels[i].count; k++) {
			assert_true(op_label_input(&label, &input));
			check(input, labels[i].input[k]);
		}
		assert_false(op_label_input(&label, &input));
	}
}

TEST(zero_bytes_are_bytes)
{
	struct op_label label = op_label_parse((struct recorded_text){"a = A\0(\0b)", 11});
	struct recorded_text input;

	assert_int_equal(label.op.size, 2);
	assert_memory_equal(label.op.bytes, "A\0", 2);
	assert_true(op_label_input(&label, &input));
	assert_int_equal(input.size, 2);
	assert_memory_equal(input.bytes, "\0b", 2);
}

TEST(kernels_on_streams)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct recorded_node node = {
			.name = text(kernels[i].node), .label = text(kernels[i].label)};
		struct recorded_text name, op;

		op_label_kernel(&node, &name, &op);
		check(name, kernels[i].name);
		check(op, kernels[i].op);
	}
}
