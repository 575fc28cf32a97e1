/* The grammar of tfprof's text. Rows are tfprof's own, or made by its format strings ("%s (%s)",
 * "%-25s%30s", "%.2fMB", "%lldus"). */
#include "tfprof/files/tfprof_text.h"
#include "tests/unit/test.h"

#define US INT64_C(1000000) /* ps */

static struct tfprof_legend legend_of(const char *line)
{
	struct tfprof_legend legend;
	const char *bad;

	assert_true(tfprof_legend_parse(line, strlen(line), &legend, &bad));
	assert_null(bad);
	return legend;
}

TEST(legends)
{
	struct tfprof_legend l =
		legend_of("node name | # parameters | # float_ops | requested bytes | peak bytes | "
			  "residual bytes | output bytes | total execution time | accelerator "
			  "execution time | cpu execution time | assigned devices | op types | op "
			  "count (run|defined) | input shapes");

	assert_int_equal(l.number_count, 9);
	for (size_t i = 0; i < 9; i++)
		assert_int_equal(l.number[i], i);
	assert_true(l.given && l.device && l.types && l.occurrence && l.shapes);
	l = legend_of("node name | output bytes | # parameters | op occurrence (run|defined)");
	assert_int_equal(l.number_count, 2);
	assert_int_equal(l.number[0], ITEM_OUTPUT);
	assert_int_equal(l.number[1], ITEM_PARAMS);
	assert_true(l.occurrence && !l.device && !l.types && !l.shapes);
	assert_int_equal(legend_of("node name | ").number_count, 0);
	assert_int_equal(legend_of("node name |").number_count, 0);
}

TEST(no_legends)
{
	static const struct {
		const char *line, *bad;
	} wrong[] = {
		{"node name | requested bites | peak bytes", "requested bites | peak bytes"},
		{"node name | peak bytes | peak bytes", "peak bytes"},
		{"node name | op types | peak bytes", "peak bytes"},
		{"node name | input shapes | op types", "op types"},
	};
	struct tfprof_legend l;
	const char *bad;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_true(tfprof_legend_parse(wrong[i].line, strlen(wrong[i].line), &l, &bad));
		assert_string_equal(bad, wrong[i].bad);
	}
	assert_false(tfprof_legend_parse("node names | peak bytes", 23, &l, &bad));
	assert_false(tfprof_legend_parse("", 0, &l, &bad));
}

/* Root rows of TensorFlow 1.0 and 1.2, as its tests have them. */
TEST(versions_without_a_legend)
{
	struct tfprof_legend l;
	const char *line = "_TFProfRoot (--/450 params, --/0 flops, --/1.80KB, --/0us)";

	assert_true(tfprof_legend_guess(line, strlen(line), &l));
	assert_false(l.given);
	assert_int_equal(l.number_count, 4);
	assert_int_equal(l.number[2], ITEM_OUTPUT);
	assert_int_equal(l.number[3], ITEM_MICROS);
	line = "_TFProfRoot (--/5us, _kTFScopeParent)";
	assert_true(tfprof_legend_guess(line, strlen(line), &l));
	assert_int_equal(l.number_count, 1);
	line = "_TFProfRoot (--/1.80KB, --/1.80KB)";
	assert_false(tfprof_legend_guess(line, strlen(line), &l));
}

static bool tree(const struct tfprof_legend *l, const char *line, struct tfprof_row *row)
{
	return tfprof_tree_row(l, line, strlen(line), 1000, row);
}

static void expect_name(const struct tfprof_row *row, const char *name)
{
	assert_int_equal(row->name_size, strlen(name));
	assert_memory_equal(row->name, name, row->name_size);
}

TEST(rows_of_the_scope_view)
{
	struct tfprof_legend l = legend_of(
		"node name | # parameters | # float_ops | requested bytes | total execution time");
	struct tfprof_row row;

	assert_true(tree(
		&l, "_TFProfRoot (--/451 params, --/10.44k flops, --/2.56KB, --/4.95ms)", &row));
	expect_name(&row, "_TFProfRoot");
	assert_int_equal(row.depth, 0);
	assert_false(row.self[ITEM_PARAMS].known || row.self[ITEM_MICROS].known);
	assert_int_equal(row.total[ITEM_PARAMS].value, 451);
	assert_int_equal(row.total[ITEM_FLOAT_OPS].value, 10440);
	assert_int_equal(row.total[ITEM_REQUESTED].value, 2560);
	assert_int_equal(row.total[ITEM_REQUESTED].scale, 1);
	assert_int_equal(row.total[ITEM_MICROS].value, 4950 * US);
	assert_true(tree(
		&l, "  DW (3x3x3x6, 162/162 params, 0/0 flops, 1.28KB/1.50MB, 2us/1.00sec)", &row));
	expect_name(&row, "DW");
	assert_int_equal(row.depth, 1);
	assert_int_equal(row.self[ITEM_PARAMS].value, 162);
	assert_int_equal(row.total[ITEM_REQUESTED].value, 1500000);
	assert_int_equal(row.total[ITEM_REQUESTED].scale, 2);
	assert_int_equal(row.self[ITEM_MICROS].value, 2 * US);
	assert_int_equal(row.self[ITEM_MICROS].scale, 0);
	assert_int_equal(row.total[ITEM_MICROS].value, 1000000 * US);
	assert_true(
		tree(&l, "    x (-1x4, 1.00b/2.50m params, -7/0 flops, -5B/0B, -3us/999us)", &row));
	assert_int_equal(row.depth, 2);
	assert_int_equal(row.self[ITEM_PARAMS].value, 1000000000);
	assert_int_equal(row.self[ITEM_FLOAT_OPS].value, -7);
	assert_int_equal(row.self[ITEM_MICROS].value, -3 * US);
}

TEST(text_columns)
{
	struct tfprof_legend l = legend_of("node name | cpu execution time | assigned devices | op "
					   "types | op count (run|defined) | input shapes");
	struct tfprof_row row;

	assert_true(
		tree(&l, "  a (1us/1us, /gpu:0, /gpu:0|MatMul, 1/2|1/3, 0:2x3|1:unknown)", &row));
	assert_int_equal(row.device_size, 6);
	assert_memory_equal(row.types, "/gpu:0|MatMul", row.types_size);
	assert_int_equal(row.runs.value, 1);
	assert_int_equal(row.total_runs.value, 2);
	assert_int_equal(row.defined.value, 1);
	assert_int_equal(row.total_defined.value, 3);
	assert_true(
		tree(&l, "  a (1us/1us, MatMul, --/2|--/3, )", &row)); /* no device, no inputs */
	assert_null(row.device);
	assert_int_equal(row.types_size, 6);
	assert_false(row.runs.known);
	assert_true(tree(&l, "  a (1us/1us, /gpu:0, /gpu:0|x, y (z)|w, 0/0|1/1, )", &row));
	assert_int_equal(row.device_size, 6);
	assert_memory_equal(row.types, "/gpu:0|x, y (z)|w", row.types_size);
	assert_false(tree(&l, "  a (1us/1us, MatMul, 1/1|1, )", &row));
	l = legend_of("node name | cpu execution time | assigned devices");
	assert_true(tree(&l, "  a (1us/1us)", &row));
	assert_null(row.device);
	assert_true(tree(&l, "  a (1us/1us, /cpu:0)", &row));
	assert_int_equal(row.device_size, 6);
}

TEST(names_that_look_like_columns)
{
	static const char *const names[] = {"a(b), c", "a (b)", "a (1us/1us)",
		"a (1us/1us, 2us/2us", "x y", "(", "", ", ", "\xc3\xa4 (\xff"};
	struct tfprof_legend l =
		legend_of("node name | accelerator execution time | cpu execution time");
	struct tfprof_row row;
	char line[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(line, sizeof(line), "    %s (3us/4us, 5us/6us)", names[i]);
		assert_true(tree(&l, line, &row));
		expect_name(&row, names[i]);
		assert_int_equal(row.depth, 2);
		assert_int_equal(row.self[ITEM_ACCELERATOR].value, 3 * US);
	}
}

TEST(rows_that_do_not_fit)
{
	static const char *const wrong[] = {"", "a", "a ()", "a (1us/1us", "a (1us/1us, 1us/1us",
		"a (1us/1us, 1us/1us) ", "a (1us/1us, 1us/1us, 1us/1us)", "a (1us/1us)",
		"a (1us, 1us)", "a (1us/1us, 1KB/1KB)", "a (1us/1us, 1.5ms/1us)",
		"a (1us/1us, 1.500ms/1us)", "a (1us/1us, 1.50us/1us)", "a (1us/1us, +1us/1us)",
		"a (1us/1us, 1 us/1us)", "a (1us/--, 1us/1us)", "a (1us/1us, us/1us)",
		"a (1us/1us, 1e3us/1us)", "a (1us/1us,1us/1us)", "a(1us/1us, 1us/1us)"};
	struct tfprof_legend l =
		legend_of("node name | accelerator execution time | cpu execution time");
	struct tfprof_row row;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (tree(&l, wrong[i], &row))
			fail_msg("\"%s\" fits", wrong[i]);
}

TEST(numbers_out_of_range)
{
	struct tfprof_legend l = legend_of("node name | cpu execution time");
	struct tfprof_row row;

	assert_true(tree(&l, "a (4611686018427.39sec/9223372.03sec)", &row));
	assert_true(row.self[ITEM_CPU].known);
	assert_false(row.self[ITEM_CPU].in_range);
	assert_true(row.total[ITEM_CPU].in_range);
	assert_int_equal(row.total[ITEM_CPU].value, INT64_C(9223372030000) * US);
}

TEST(the_kilobyte_of_the_sheet)
{
	struct tfprof_legend l = legend_of("node name | requested bytes | output bytes");
	struct tfprof_row row;
	const char *line = "a (1.50MB/1.50KB, 15B/0.01MB)";

	assert_true(tfprof_tree_row(&l, line, strlen(line), 1024, &row));
	assert_int_equal(row.self[ITEM_REQUESTED].value, 1536000); /* 1536 KB */
	assert_int_equal(row.total[ITEM_REQUESTED].value, 1500);
	assert_int_equal(row.self[ITEM_OUTPUT].value, 15);
	assert_int_equal(row.total[ITEM_OUTPUT].value, 10240);
}

/* A row as tfprof prints it: name, then columns of 30, then the occurrence in 10. */
static const char *op_line(char *out, size_t size, const char *name, const char *bytes,
	const char *time, const char *occurrence)
{
	snprintf(out, size, "%-25s%30s, %30s, %10s", name, bytes, time, occurrence);
	return out;
}

TEST(rows_of_the_op_view)
{
	static const char *const names[] = {"MatMul", "Conv2D 3 (0.00%, 1.00%)", "a, b",
		"ConstantFolding/v/tower_0/Conv2D_grad/ShapeN-matshapes-1",
		"exactly_25_bytes_of_name_", "0us"};
	struct tfprof_legend l = legend_of(
		"node name | requested bytes | total execution time | op occurrence (run|defined)");
	struct tfprof_row row;
	char line[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		op_line(line, sizeof(line), names[i], "2.56KB (100.00%, 8.40%)",
			"13us (100.00%, 0.26%)", "2|3");
		assert_true(tfprof_op_row(&l, line, strlen(line), 1000, &row));
		expect_name(&row, names[i]);
		assert_int_equal(row.self[ITEM_REQUESTED].value, 2560);
		assert_int_equal(row.self[ITEM_MICROS].value, 13 * US);
		assert_int_equal(row.runs.value, 2);
		assert_int_equal(row.defined.value, 3);
		assert_false(row.total[ITEM_MICROS].known);
	}
	assert_false(tfprof_op_row(&l, line, strlen(line) - 2, 1000, &row));
	assert_false(tfprof_op_row(&l, " x", 2, 1000, &row));
}

/* A column of 30 bytes and more leaves no blank behind a long name. */
TEST(columns_that_touch_the_name)
{
	struct tfprof_legend l = legend_of("node name | # parameters");
	struct tfprof_row row;
	const char *line = "a_name_of_more_than_25_bytes8.00k params (100.00%, 100.00%)";

	assert_true(tfprof_op_row(&l, line, strlen(line), 1000, &row));
	expect_name(&row, "a_name_of_more_than_25_bytes");
	assert_int_equal(row.self[ITEM_PARAMS].value, 8000);
	line = "a_name_of_more_than_25_bytes999 params (100.00%, 0.0%)"; /* blanks are missing */
	assert_false(tfprof_op_row(&l, line, strlen(line), 1000, &row));
	line = "a_name_of_more_than_25_bytes123 params (100.00%, 1000.00%)"; /* a width of 30 */
	assert_true(tfprof_op_row(&l, line, strlen(line), 1000, &row));
	assert_int_equal(row.self[ITEM_PARAMS].value, 123);
	line = "a_name_of_more_than_25_bytes28.00k params (100.00%, 100.00%)"; /* bytes2, or 28? */
	assert_false(tfprof_op_row(&l, line, strlen(line), 1000, &row));
}

TEST(text_columns_of_the_op_view)
{
	struct tfprof_legend l = legend_of("node name | # float_ops | assigned devices | op types "
					   "| op occurrence (run|defined) | input shapes");
	struct tfprof_row row;
	const char *line = "Neg                            12 float_ops (0.00%, 0.00%), |/cpu:0, "
			   "/cpu:0|Neg|x, y,        1|1";

	assert_true(tfprof_op_row(&l, line, strlen(line), 1000, &row));
	expect_name(&row, "Neg");
	assert_int_equal(row.self[ITEM_FLOAT_OPS].value, 12);
	assert_memory_equal(row.device, "|/cpu:0", row.device_size);
	assert_memory_equal(row.types, "/cpu:0|Neg|x, y", row.types_size);
	line = "only_stream                    12 float_ops (0.00%, 0.00%), , only_stream,        "
	       "0|1";
	assert_true(tfprof_op_row(&l, line, strlen(line), 1000, &row));
	assert_null(row.device);
	l = legend_of("node name | op occurrence (run|defined)");
	line = "MatMul                          2|3";
	assert_true(tfprof_op_row(&l, line, strlen(line), 1000, &row));
	expect_name(&row, "MatMul");
	assert_int_equal(row.defined.value, 3);
}

TEST(errors_of_printed_numbers)
{
	assert_true(tfprof_scale_error(ITEM_REQUESTED, 0) == 0);
	assert_true(tfprof_scale_error(ITEM_REQUESTED, 1) == 5);
	assert_true(tfprof_scale_error(ITEM_PEAK, 2) == 5000);
	assert_true(tfprof_scale_error(ITEM_CPU, 1) == 5e6); /* 5 us */
	assert_true(tfprof_scale_error(ITEM_CPU, 2) == 5e9); /* 5 ms */
	assert_true(tfprof_scale_error(ITEM_PARAMS, 3) == 5e6);
	assert_string_equal(tfprof_scale_name(ITEM_MICROS, 1), "0.01 ms");
	assert_string_equal(tfprof_item_name(ITEM_MICROS), "micros");
}
