/* The op view: sums of a kind of operation, running totals, start, trim, depth, and its rows as
 * text. */
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"
#include "tfprof/outputs.h"

#define GPU "/job:localhost/replica:0/task:0/gpu:0"

/* Four ops of 1, 10, 100 and 1000 us. */
static struct graph *decades(void)
{
	struct graph *g = made_graph();

	made_node(g, "d", "D", "");
	made_exec(g, 0, 0, 1000);
	made_node(g, "a", "A", "");
	made_exec(g, 0, 0, 1);
	made_node(g, "c", "C", "");
	made_exec(g, 0, 0, 100);
	made_node(g, "b", "B", "");
	made_exec(g, 0, 0, 10);
	return g;
}

static struct view *show(struct graph *g, const struct tfprof_options *options)
{
	struct text messages;
	struct view *view;

	text_init(&messages);
	view = view_op(made_values(g), options, g->arena, &messages);
	assert_string_equal(text_string(&messages), "");
	text_release(&messages);
	return view;
}

/* The names of the rows, one after the other. */
static void check_rows(const struct view *view, const char *names)
{
	struct text found;

	text_init(&found);
	for (size_t i = 0; i < view->root->child_count; i++)
		text_add(&found, view->root->child[i]->name);
	assert_string_equal(text_string(&found), names);
	text_release(&found);
}

static void check_total(const struct view *view, size_t row, int64_t micros)
{
	assert_int_equal(view->root->child[row]->total[QUANTITY_MICROS], micros);
}

TEST(totals_run_from_the_last_row_up)
{
	struct graph *g = decades();
	struct tfprof_options options = made_options(g, "name");
	struct view *view = show(g, &options);

	check_rows(view, "ABCD");
	check_total(view, 0, 1111);
	check_total(view, 1, 1110);
	check_total(view, 2, 1100);
	check_total(view, 3, 1000);
	assert_int_equal(view->root->total[QUANTITY_MICROS], 1111);
	options.order_by = "micros";
	view = show(g, &options);
	check_rows(view, "DCBA");
	check_total(view, 0, 1111);
	check_total(view, 3, 1);
	graph_free(g);
}

TEST(depth_allows_one_row_more)
{
	struct graph *g = decades();
	struct tfprof_options options = made_options(g, "name");

	options.max_depth = 0;
	check_rows(show(g, &options), "A");
	options.max_depth = 2;
	check_rows(show(g, &options), "ABC");
	options.max_depth = -1;
	check_rows(show(g, &options), "");
	/* Hidden rows count: of A, B, C the first is hidden. */
	options.max_depth = 2;
	options.hide_name = made_words(g, "A", NULL);
	check_rows(show(g, &options), "BC");
	graph_free(g);
}

/* A running total is compared, not the row's own value. */
TEST(minimums_look_at_running_totals)
{
	struct graph *g = decades();
	struct tfprof_options options = made_options(g, "name");

	options.min[QUANTITY_MICROS] = 1001;
	check_rows(show(g, &options), "ABC");
	options.min[QUANTITY_MICROS] = 0;
	options.min[QUANTITY_OCCURRENCE] = 2; /* nodes of a row */
	check_rows(show(g, &options), "");
	graph_free(g);
}

TEST(start_drops_what_is_before_and_trim_what_is_behind)
{
	struct graph *g = decades();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	options.start_name = made_words(g, "B", NULL);
	view = show(g, &options);
	check_rows(view, "BCD");
	assert_int_equal(view->root->total[QUANTITY_MICROS], 1111);
	options.trim_name = made_words(g, "C", "D");
	check_rows(show(g, &options), "B");
	options.max_depth = 0; /* counted from the start */
	check_rows(show(g, &options), "B");
	options.start_name = made_words(g, "none", NULL);
	check_rows(show(g, &options), "");
	options.start_name.count = 0; /* from the first row */
	check_rows(show(g, &options), "A");
	graph_free(g);
}

TEST(displayed_only_counts_shown_rows)
{
	struct graph *g = decades();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	options.account_displayed_op_only = true;
	options.show_name = made_words(g, "A", "C");
	view = show(g, &options);
	check_rows(view, "AC");
	check_total(view, 0, 101);
	check_total(view, 1, 100);
	assert_int_equal(view->root->total[QUANTITY_MICROS], 101);
	graph_free(g);
}

/* A node that two expressions match adds its time twice, its runs once. */
TEST(expressions_count_a_node_each)
{
	struct graph *g = made_graph();
	struct tfprof_options options;
	const struct view_node *row;
	struct view *view;

	made_node(g, "on_gpu", "MatMul", GPU);
	made_exec(g, 0, 2, 5);
	made_node(g, "elsewhere", "MatMul", "");
	made_exec(g, 0, 0, 100);
	made_node(g, "other", "Neg", "");
	made_exec(g, 0, 0, 1000);
	options = made_options(g, "name");
	options.account_type = made_words(g, "MatMul", ".*gpu:0");
	view = show(g, &options);
	check_rows(view, "MatMul");
	row = view->root->child[0];
	assert_int_equal(row->self[QUANTITY_MICROS], 2 * 7 + 100);
	assert_int_equal(row->self[QUANTITY_ACCELERATOR_MICROS], 4);
	assert_int_equal(row->self[QUANTITY_OCCURRENCE], 2);
	assert_int_equal(row->member_count, 2);
	assert_string_equal(g->node[row->member[0]].name, "elsewhere"); /* by name */
	options.account_type.count = 0;
	check_rows(show(g, &options), "");
	graph_free(g);
}

TEST(sums_wrap)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	made_node(g, "a", "A", "");
	made_exec(g, 0, 0, INT64_MAX);
	made_node(g, "b", "B", "");
	made_exec(g, 0, 0, 2);
	options.min[QUANTITY_MICROS] = INT64_MIN;
	options.min[QUANTITY_CPU_MICROS] = INT64_MIN;
	view = show(g, &options);
	check_rows(view, "AB");
	check_total(view, 0, INT64_MIN + 1);
	graph_free(g);
}

/* ---- text ---- */

static int64_t *copy_shape(struct graph *g, const int64_t *dim, size_t count)
{
	return memcpy(arena_array(g->arena, count, sizeof(*dim)), dim, count * sizeof(*dim));
}

static void add_shape(struct graph *g, uint32_t node, const int64_t *dim, size_t count)
{
	g->node[node].shape = copy_shape(g, dim, count);
	g->node[node].shape_count = count;
}

/* The numbers of TensorFlow's own test data (its test DumpOpMode), as far as rows of it show
 * them. */
static struct graph *tensorflow_test(void)
{
	static const int64_t dw[] = {3, 3, 3, 6}, dw2[] = {2, 2, 6, 12}, scalar[] = {1};
	struct graph *g = made_graph();
	uint32_t node;

	add_shape(g, made_node(g, "DW", "VariableV2", GPU), dw, 4);
	made_exec(g, 0, 0, 2)->requested_bytes = 1280;
	add_shape(g, made_node(g, "DW2", "VariableV2", GPU), dw2, 4);
	made_exec(g, 0, 0, 11)->requested_bytes = 1280;
	add_shape(g, made_node(g, "ScalarW", "VariableV2", ""), scalar, 1);
	made_node(g, "const", "Const", "");
	made_exec(g, 0, 0, 2);
	node = made_node(g, "Conv2D", "Conv2D", GPU);
	g->node[node].float_ops = 5832;
	made_exec(g, 0, 226, 4066)->requested_bytes = 18176;
	node = made_node(g, "Conv2D_1", "Conv2D", GPU);
	g->node[node].float_ops = 4608;
	made_exec(g, 0, 178, 419)->requested_bytes = 9728;
	made_node(g, "_retval_Conv2D_1_0_0", "_retval_Conv2D_1_0_0", "");
	made_exec(g, 0, 0, 41);
	return g;
}

static void check_text(struct graph *g, const struct tfprof_options *options, const char *expected)
{
	struct text out;

	text_init(&out);
	view_op_text(show(g, options), options, &out);
	assert_string_equal(text_string(&out), expected);
	text_release(&out);
}

TEST(rows_are_those_of_tensorflow)
{
	struct graph *g = tensorflow_test();
	struct tfprof_options options = made_options(g, "params");

	options.select[SELECT_BYTES] = options.select[SELECT_MICROS] = true;
	options.select[SELECT_PARAMS] = options.select[SELECT_FLOAT_OPS] = true;
	options.select[SELECT_OCCURRENCE] = true;
	options.hide_name = made_words(g, "_retval.*", NULL);
	check_text(g, &options,
		"VariableV2                      2.56KB (100.00%, 8.40%),          13us (100.00%, "
		"0.26%),           0us (100.00%, 0.00%),          13us (100.00%, 0.29%),  451 "
		"params (100.00%, 100.00%),   0 float_ops (100.00%, 0.00%),        2|3\n"
		/* Without bytes of its own it has no share of them. */
		"Const                                 0B (0.00%, 0.00%),            2us (99.74%, "
		"0.04%),           0us (100.00%, 0.00%),            2us (99.71%, 0.04%),        0 "
		"params (0.00%, 0.00%),   0 float_ops (100.00%, 0.00%),        1|1\n"
		"Conv2D                         27.90KB (91.60%, 91.60%),        4.89ms (99.70%, "
		"98.87%),       404us (100.00%, 100.00%),        4.49ms (99.67%, 98.77%),        0 "
		"params (0.00%, 0.00%), 10.44k float_ops (100.00%, 100.00%),        "
		"2|2\n");
	graph_free(g);
}

/* The input of `node` at `index` is from output `from` of the source. */
static void add_input(struct graph *g, uint32_t node, int32_t index, uint32_t source, int32_t from)
{
	struct node_detail *detail = &g->detail->node[node];

	if (!detail->input) {
		detail->input = arena_array(g->arena, MADE_NODES, sizeof(*detail->input));
		detail->source_output =
			arena_array(g->arena, MADE_NODES, sizeof(*detail->source_output));
	}
	detail->input[detail->input_count++] =
		(struct graph_input){.index = index, .source = source};
	detail->source_output[detail->source_output_count].source = source;
	detail->source_output[detail->source_output_count++].output = from;
}

static uint32_t add_source(struct graph *g, const char *name, const int64_t *dim, size_t count)
{
	uint32_t node = made_node(g, name, "Source", "");
	struct node_detail *detail = &g->detail->node[node];

	detail->output = arena_alloc(g->arena, sizeof(*detail->output));
	detail->output[0] = (struct graph_shape){0, copy_shape(g, dim, count), count};
	detail->output_count = 1;
	return node;
}

/* Groups by text, most runs first; an output that is not recorded is unknown. */
TEST(nodes_are_grouped_by_input_shapes)
{
	static const int64_t small[] = {2, 3}, open[] = {-1, 4};
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	uint32_t x = add_source(g, "x", small, 2), y = add_source(g, "y", open, 2), node;

	node = made_node(g, "a", "Op", "");
	add_input(g, node, 0, x, 0);
	add_input(g, node, 1, y, 0);
	made_exec(g, 0, 0, 5);
	node = made_node(g, "b", "Op", "");
	add_input(g, node, 0, x, 1);
	made_exec(g, 0, 0, 7);
	node = made_node(g, "c", "Op", "");
	add_input(g, node, 0, x, 1);
	made_exec(g, 0, 0, 2000);
	made_node(g, "d", "Op", "");
	memset(options.select, 0, sizeof(options.select));
	options.select[SELECT_INPUT_SHAPES] = true;
	options.hide_name = made_words(g, "Source", NULL);
	check_text(g, &options,
		"Op                       \n\n"
		"input_type: 0:unknown\t(run*2|defined*2)\texec_time: 2.01ms\n"
		"input_type: 0:2x3,\t1:-1x4\t(run*1|defined*1)\texec_time: 5us\n"
		"input_type: \t(run*0|defined*1)\texec_time: 0us\n\n");
	graph_free(g);
}

TEST(devices_and_types_of_all_nodes_are_joined)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	uint32_t node = made_node(g, "a", "Op", GPU);

	graph_node_type(g, node, "_trainable_variables");
	made_node(g, "b", "Op", "");
	made_node(g, "c", "Op", GPU);
	memset(options.select, 0, sizeof(options.select));
	options.select[SELECT_DEVICE] = options.select[SELECT_OP_TYPES] = true;
	check_text(g, &options,
		"Op                       |" GPU ", " GPU "|Op|_trainable_variables\n");
	graph_free(g);
}

/* The recorded row of an empty profile. */
TEST(graph_without_nodes_shows_the_root)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");

	options.select[SELECT_PARAMS] = options.select[SELECT_OCCURRENCE] = true;
	check_text(g, &options,
		"_TFProfRoot                          0us (0.00%, 0.00%),             0us (0.00%, "
		"0.00%),             0us (0.00%, 0.00%),        0 params (0.00%, 0.00%),        "
		"0|0\n");
	graph_free(g);
}
