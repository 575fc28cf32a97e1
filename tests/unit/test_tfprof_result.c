/* Result messages byte for byte, against messages put together field by field from the numbers of
 * tfprof's published .proto files. */
#include "tests/unit/encode.h"
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"
#include "tfprof/outputs.h"

#define GPU "/device:gpu:0"

static void check_bytes(const struct view *view, struct text *expected)
{
	struct text found;

	text_init(&found);
	result_proto_write(view, NULL, &found);
	assert_int_equal(found.size, expected->size);
	assert_memory_equal(text_string(&found), text_string(expected), expected->size);
	text_release(&found);
	text_release(expected);
}

/* A variable that took 3 us on the accelerator and 4 us of the cpu, with one known and one unknown
 * input. */
static struct graph *variable(void)
{
	struct graph *g = made_graph();
	uint32_t source = made_node(g, "in", "Const", ""), node;
	struct node_detail *detail;
	struct exec *exec;

	detail = &g->detail->node[source];
	detail->output = arena_alloc(g->arena, sizeof(*detail->output));
	detail->output->dim = arena_array(g->arena, 2, sizeof(*detail->output->dim));
	detail->output->dim[0] = -1;
	detail->output->dim[1] = 300;
	detail->output->dim_count = 2;
	detail->output_count = 1;
	node = made_node(g, "s/w", "Variable", GPU);
	g->node[node].shape = arena_alloc(g->arena, sizeof(int64_t));
	g->node[node].shape[0] = 150;
	g->node[node].shape_count = 1;
	g->node[node].float_ops = 9;
	exec = made_exec(g, 0, 3, 4);
	exec->requested_bytes = 1000;
	exec->peak_bytes = 2000;
	exec->residual_bytes = -1;
	exec->output_bytes = 5;
	detail = &g->detail->node[node];
	detail->input = arena_array(g->arena, 2, sizeof(*detail->input));
	detail->input[0] = (struct graph_input){.index = 0, .source = source};
	detail->input[1] = (struct graph_input){.index = 1, .source = node};
	detail->input_count = 2;
	detail->source_output = arena_alloc(g->arena, sizeof(*detail->source_output));
	detail->source_output->source = source;
	detail->source_output_count = 1;
	return g;
}

static void put_unknown_shape(struct text *to, int32_t index)
{
	struct text entry, shape;

	text_init(&entry);
	text_init(&shape);
	put_number(&entry, 1, index);
	put_number(&shape, 3, 1); /* unknown_rank */
	put_message(&entry, 2, &shape);
	put_message(to, 16, &entry);
	text_release(&entry);
	text_release(&shape);
}

/* input_shapes of the variable. */
static void put_inputs(struct text *to)
{
	struct text entry, shape, dim;

	text_init(&entry);
	text_init(&shape);
	text_init(&dim);
	put_number(&dim, 1, -1);
	put_message(&shape, 2, &dim);
	put_number(&dim, 1, 300);
	put_message(&shape, 2, &dim);
	put_number(&entry, 1, 0);
	put_message(&entry, 2, &shape);
	put_message(to, 16, &entry);
	put_unknown_shape(to, 1);
	text_release(&entry);
	text_release(&shape);
	text_release(&dim);
}

/* GraphNodeProto of the variable. */
static void put_variable(struct text *to)
{
	put_string(to, 1, "s/w");
	put_number(to, 2, 7);
	put_number(to, 3, 1000);
	put_number(to, 4, 150);
	put_number(to, 6, 7);
	put_number(to, 7, 1000);
	put_number(to, 8, 150);
	put_string(to, 10, GPU);
	put_number(to, 13, 9);
	put_number(to, 14, 9);
	put_inputs(to);
	put_number(to, 17, 3);
	put_number(to, 18, 4);
	put_number(to, 19, 3);
	put_number(to, 20, 4);
	put_number(to, 21, 1);
	put_number(to, 22, 1);
	put_number(to, 23, 1);
	put_number(to, 24, 2000);
	put_number(to, 25, -1);
	put_number(to, 26, 5);
	put_number(to, 27, 2000);
	put_number(to, 28, -1);
	put_number(to, 29, 5);
}

/* What the scope and the root have of it, and their children. */
static void put_totals(struct text *to, const char *name, int64_t definitions, struct text *first,
	struct text *second)
{
	put_string(to, 1, name);
	put_number(to, 6, 7);
	put_number(to, 7, 1000);
	put_number(to, 8, 150);
	put_message(to, 12, first);
	if (second)
		put_message(to, 12, second);
	put_number(to, 14, 9);
	put_number(to, 19, 3);
	put_number(to, 20, 4);
	put_number(to, 22, 1);
	put_number(to, 23, definitions);
	put_number(to, 27, 2000);
	put_number(to, 28, -1);
	put_number(to, 29, 5);
}

TEST(scope_view_is_a_graph_node)
{
	struct graph *g = variable();
	struct tfprof_options options = made_options(g, "name");
	struct text expected, scope, node, messages;

	text_init(&expected);
	text_init(&scope);
	text_init(&node);
	text_init(&messages);
	options.min[QUANTITY_RESIDUAL_BYTES] = -1;
	put_variable(&node);
	put_totals(&scope, "s", 2, &node, NULL);
	put_string(&node, 1, "in");
	put_number(&node, 23, 1);
	put_totals(&expected, "_TFProfRoot", 3, &node, &scope);
	check_bytes(view_scope(made_values(g), &options, g->arena, &messages), &expected);
	text_release(&scope);
	text_release(&node);
	text_release(&messages);
	graph_free(g);
}

static void put_multi_totals(struct text *to)
{
	put_number(to, 12, 3);
	put_number(to, 13, 4);
	put_number(to, 14, 3);
	put_number(to, 15, 4);
	put_number(to, 16, 2000);
	put_number(to, 17, -1);
	put_number(to, 18, 5);
	put_number(to, 19, 2000);
	put_number(to, 20, -1);
	put_number(to, 21, 5);
}

/* MultiGraphNodeProto of the row Variable. */
static void put_row(struct text *to, struct text *graph_node)
{
	put_string(to, 1, "Variable");
	put_number(to, 2, 7);
	put_number(to, 3, 1000);
	put_number(to, 4, 150);
	put_number(to, 5, 9);
	put_number(to, 6, 7);
	put_number(to, 7, 1000);
	put_number(to, 8, 150);
	put_number(to, 9, 9);
	put_variable(graph_node);
	put_message(to, 10, graph_node);
	put_multi_totals(to);
}

/* Totals of 7 us and so on, of a row or the root that stands above. */
static void put_above(
	struct text *to, const char *name, struct text *graph_node, struct text *child)
{
	put_string(to, 1, name);
	put_number(to, 6, 7);
	put_number(to, 7, 1000);
	put_number(to, 8, 150);
	put_number(to, 9, 9);
	if (graph_node)
		put_message(to, 10, graph_node);
	put_message(to, 11, child);
	put_number(to, 14, 3);
	put_number(to, 15, 4);
	put_number(to, 19, 2000);
	put_number(to, 20, -1);
	put_number(to, 21, 5);
}

TEST(rows_of_the_op_view_are_a_chain)
{
	struct graph *g = variable();
	struct tfprof_options options = made_options(g, "name");
	struct text expected, first, second, node, messages;

	text_init(&expected);
	text_init(&first);
	text_init(&second);
	text_init(&node);
	text_init(&messages);
	options.min[QUANTITY_RESIDUAL_BYTES] = -1;
	put_row(&second, &node);
	put_string(&node, 1, "in");
	put_number(&node, 23, 1);
	put_above(&first, "Const", &node, &second);
	put_above(&expected, "_TFProfRoot", NULL, &first);
	check_bytes(view_op(made_values(g), &options, g->arena, &messages), &expected);
	text_release(&first);
	text_release(&second);
	text_release(&node);
	text_release(&messages);
	graph_free(g);
}

/* 100000 levels: nothing may depend on the depth. */
TEST(deep_trees_are_written)
{
	size_t levels = 100000;
	struct graph *g = made_graph();
	struct node_values *values = made_values(g);
	int64_t *zero = arena_array(g->arena, QUANTITIES, sizeof(*zero));
	struct view_node *node = arena_array(g->arena, levels, sizeof(*node));
	struct view view = {.kind = VIEW_SCOPE, .values = values, .root = node};
	struct text found;

	for (size_t i = 0; i < levels; i++) {
		node[i] = (struct view_node){
			.name = "", .node = NODE_NONE, .self = zero, .total = zero};
		node[i].child = arena_alloc(g->arena, sizeof(*node[i].child));
		node[i].child[0] = &node[i + 1 < levels ? i + 1 : i];
		node[i].child_count = i + 1 < levels;
	}
	text_init(&found);
	result_proto_write(&view, NULL, &found);
	/* The innermost is empty; one around it is a tag (12, bytes) and its length. */
	assert_memory_equal(found.data + found.size - 4, "\x62\x02\x62\x00", 4);
	assert_true(found.size > 2 * (levels - 1) && found.size < 5 * levels);
	text_release(&found);
	graph_free(g);
}

static const char tensor[] = "\x08\x01"; /* dtype: float */

static bool add_tensor(void *context, const char *name, struct text *bytes)
{
	text_add((struct text *)context, name);
	text_add_char((struct text *)context, ' ');
	if (strcmp(name, "in") != 0)
		return false;
	text_add(bytes, tensor);
	return true;
}

/* tensor_value is that of the shown nodes and scopes that have one; the root is not asked for. */
TEST(tensors_stand_behind_float_ops)
{
	struct graph *g = variable();
	struct tfprof_options options = made_options(g, "name");
	struct text asked, expected, found, scope, node, messages;
	struct result_tensors tensors = {add_tensor, &asked};

	text_init(&asked);
	text_init(&expected);
	text_init(&found);
	text_init(&scope);
	text_init(&node);
	text_init(&messages);
	options.min[QUANTITY_RESIDUAL_BYTES] = -1;
	put_variable(&node);
	put_totals(&scope, "s", 2, &node, NULL);
	put_string(&node, 1, "in");
	put_string(&node, 15, tensor);
	put_number(&node, 23, 1);
	put_totals(&expected, "_TFProfRoot", 3, &node, &scope);
	result_proto_write(
		view_scope(made_values(g), &options, g->arena, &messages), &tensors, &found);
	assert_int_equal(found.size, expected.size);
	assert_memory_equal(text_string(&found), text_string(&expected), expected.size);
	assert_string_equal(text_string(&asked), "s s/w in "); /* from the last to the first */
	text_release(&asked);
	text_release(&expected);
	text_release(&found);
	text_release(&scope);
	text_release(&node);
	text_release(&messages);
	graph_free(g);
}

/* 5 us and 8 us of the cpu in two steps: 6 us without the half. Step 2 alone ran twice. */
TEST(several_steps_have_their_mean)
{
	int64_t steps[] = {1, 2};
	struct slots slots = {.step = steps, .count = 2, .several = true};
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	struct node_values values;
	struct text expected, node, messages;

	text_init(&expected);
	text_init(&node);
	text_init(&messages);
	made_node(g, "x", "Op", "");
	made_exec(g, 1, 0, 5);
	made_exec(g, 2, 0, 8)->run_count = 2;
	node_values_make(g, &slots, g->arena, &values);
	put_string(&node, 1, "x");
	put_number(&node, 2, 6);
	put_number(&node, 6, 6);
	put_number(&node, 18, 6);
	put_number(&node, 20, 6);
	put_number(&node, 21, 1);
	put_number(&node, 22, 1);
	put_number(&node, 23, 1);
	put_string(&expected, 1, "_TFProfRoot");
	put_number(&expected, 6, 6);
	put_message(&expected, 12, &node);
	put_number(&expected, 20, 6);
	put_number(&expected, 22, 1);
	put_number(&expected, 23, 1);
	check_bytes(view_scope(&values, &options, g->arena, &messages), &expected);
	text_release(&node);
	text_release(&messages);
	graph_free(g);
}

static void put_checker(struct text *to, const char *name, const char *first, const char *second)
{
	struct text entry, reports;

	text_init(&entry);
	text_init(&reports);
	if (first)
		put_string(&reports, 2, first);
	if (second)
		put_string(&reports, 2, second);
	put_string(&entry, 1, name);
	put_message(&entry, 2, &reports);
	put_message(to, 1, &entry);
	text_release(&entry);
	text_release(&reports);
}

TEST(advice_is_a_map_of_checkers)
{
	const char *two[] = {"a\nb", ""};
	struct advice advice = {0};
	struct text expected, found;

	text_init(&expected);
	text_init(&found);
	advice.checker[CHECKER_OPERATION] = (struct advice_reports){two, 1};
	advice.checker[CHECKER_EXPENSIVE_OPERATION] = (struct advice_reports){two, 2};
	put_checker(&expected, "AcceleratorUtilizationChecker", NULL, NULL);
	put_checker(&expected, "OperationChecker", "a\nb", NULL);
	put_checker(&expected, "ExpensiveOperationChecker", "a\nb", "");
	result_proto_write_advice(&advice, &found);
	assert_int_equal(found.size, expected.size);
	assert_memory_equal(found.data, expected.data, expected.size);
	text_release(&expected);
	text_release(&found);
}
