/* The code view: names of frames, the tree of calls, gradients, what is shown. */
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"
#include "tfprof/view/view.h"

/* A node of 10 us that model.py:LINE made, called from main.py:1. */
static uint32_t add_node(struct graph *g, const char *name, const char *op, int32_t line)
{
	uint32_t node = made_node(g, name, op, "");

	made_exec(g, 0, 0, 10);
	made_frame(g, node, "/home/main.py", 1, "main");
	made_frame(g, node, "lib/model.py", line, "layer");
	return node;
}

static struct view *show_saying(
	struct graph *g, const struct tfprof_options *options, const char *expected)
{
	struct text messages;
	struct view *view;

	text_init(&messages);
	view = view_code(made_values(g), options, g->arena, &messages);
	assert_string_equal(text_string(&messages), expected);
	text_release(&messages);
	return view;
}

static struct view *show(struct graph *g, const struct tfprof_options *options)
{
	struct view *view = show_saying(g, options, "");

	assert_non_null(view);
	return view;
}

static void check_name(
	const char *file, int32_t line, const char *function, bool gradient, const char *expected)
{
	struct graph_frame frame = {.file = file, .line = line, .function = function, .text = ""};
	struct text out;

	text_init(&out);
	code_frame_name(&frame, gradient, &out);
	assert_string_equal(text_string(&out), expected);
	text_release(&out);
}

/* 19 bytes stand in full, 20 do not. */
TEST(frames_are_named_by_file_line_and_function)
{
	check_name("/a/b/main.py", 10, "<module>", false, "main.py:10:<module>");
	check_name("model.py", 20, "dense_nineteen_char", false, "model.py:20:dense_nineteen_char");
	check_name(
		"model.py", 21, "dense_twenty_chars_x", false, "model.py:21:dense_twenty_char...");
	check_name("model.py", -1, "", true, "model.py:-1: (gradient)");
}

static void check_forward(const char *name, const char *expected)
{
	const char *forward;
	size_t n;

	assert_int_equal(code_gradient_name(name, &forward, &n), expected != NULL);
	if (!expected)
		return;
	assert_int_equal(n, strlen(expected));
	assert_memory_equal(forward, expected, n);
}

TEST(gradients_are_known_by_their_names)
{
	check_forward("gradients/MatMul_grad/MatMul_1", "MatMul");
	check_forward("tower/gradients/a/b_grad/c_grad/d", "a/b");
	check_forward("gradients/AddN", NULL);
	check_forward("MatMul_grad/x", NULL);
	check_forward("gradients/_grad/x", NULL);
	check_forward("gradients/MatMul_grad", NULL);
	/* The end of an outer name takes all that follows. */
	check_forward("x_grad/gradients/y", "y");
}

TEST(callers_add_up_what_they_call)
{
	struct graph *g = made_graph();
	struct tfprof_options options;
	const struct view_node *main_line, *layer;
	struct view *view;

	add_node(g, "b", "Op", 5);
	add_node(g, "a", "Op", 5);
	add_node(g, "c", "Op", 6);
	made_node(g, "untraced", "Op", "");
	made_exec(g, 0, 0, 1000);
	options = made_options(g, "name");
	view = show(g, &options);
	assert_int_equal(view->root->child_count, 1);
	assert_int_equal(view->root->total[QUANTITY_MICROS], 30);
	assert_false(view->root->accounted);
	main_line = made_child(view->root, "main.py:1:main");
	assert_int_equal(main_line->self[QUANTITY_MICROS], 0);
	assert_int_equal(main_line->total[QUANTITY_MICROS], 30);
	assert_int_equal(main_line->member_count, 0);
	layer = made_child(main_line, "model.py:5:layer");
	assert_int_equal(layer->self[QUANTITY_MICROS], 20);
	assert_int_equal(layer->member_count, 2);
	assert_string_equal(g->node[layer->member[0]].name, "a");
	assert_string_equal(layer->frame->file, "lib/model.py");
	assert_non_null(made_child(main_line, "model.py:6:layer"));
	graph_free(g);
}

/* Two files of one base name are one line; below another caller it is a line of its own. */
TEST(lines_are_kept_apart_by_name_and_caller)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;
	uint32_t node;

	add_node(g, "a", "Op", 5);
	node = made_node(g, "b", "Op", "");
	made_frame(g, node, "/home/main.py", 1, "main");
	made_frame(g, node, "other/model.py", 5, "layer");
	node = made_node(g, "c", "Op", "");
	made_frame(g, node, "/home/main.py", 2, "main");
	made_frame(g, node, "lib/model.py", 5, "layer");
	view = show(g, &options);
	assert_int_equal(view->root->child_count, 2);
	assert_int_equal(view->root->child[0]->child_count, 1);
	assert_int_equal(view->root->child[0]->child[0]->member_count, 2);
	assert_int_equal(view->root->child[1]->child[0]->member_count, 1);
	graph_free(g);
}

/* As 4.6 of the description has it: under the frames of the forward operation, whatever their own
 * are. */
TEST(gradients_stand_under_their_forward_frames)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "occurrence");
	const struct view_node *leaf;
	struct view *view;

	add_node(g, "MatMul", "MatMul", 7);
	add_node(g, "gradients/MatMul_grad/MatMul_1", "MatMul", 99);
	add_node(g, "gradients/MatMul_grad/MatMul", "MatMul", 98);
	view = show(g, &options);
	assert_int_equal(view->root->child_count, 2);
	assert_string_equal(view->root->child[0]->name, "main.py:1:main");
	assert_false(view->root->child[0]->gradient);
	assert_string_equal(view->root->child[1]->name, "main.py:1:main (gradient)");
	assert_int_equal(view->root->child[1]->child_count, 1);
	leaf = view->root->child[1]->child[0];
	assert_string_equal(leaf->name, "model.py:7:layer (gradient)");
	assert_true(leaf->gradient);
	assert_int_equal(leaf->total[QUANTITY_MICROS], 20);
	assert_int_equal(leaf->member_count, 2);
	graph_free(g);
}

/* One for each forward name that is missing: one is no node, one has no trace, one is a gradient
 * itself. */
TEST(gradients_of_nothing_are_counted)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	add_node(g, "gradients/gone_grad/a", "Op", 1);
	add_node(g, "gradients/gone_grad/b", "Op", 2);
	made_node(g, "untraced", "Op", "");
	add_node(g, "gradients/untraced_grad/a", "Op", 3);
	add_node(g, "gradients/untraced_grad/b", "Op", 3);
	view = show_saying(g, &options, "2 gradient nodes not accounted\n");
	assert_int_equal(view->root->child_count, 0);
	assert_int_equal(view->root->total[QUANTITY_MICROS], 0);
	graph_free(g);
}

TEST(trimmed_lines_vanish_with_all_below)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	add_node(g, "a", "Op", 5);
	options.trim_name = made_words(g, "model.*", NULL);
	view = show(g, &options);
	assert_int_equal(view->root->child[0]->child_count, 0);
	assert_int_equal(view->root->child[0]->total[QUANTITY_MICROS], 10);
	options.trim_name = made_words(g, "main.*", NULL);
	view = show(g, &options);
	assert_int_equal(view->root->child_count, 0);
	graph_free(g);
}

TEST(hidden_lines_hand_up_what_is_below)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	add_node(g, "a", "Op", 5);
	options.hide_name = made_words(g, "main.*", NULL);
	view = show(g, &options);
	assert_string_equal(view->root->child[0]->name, "model.py:5:layer");
	options.max_depth = 2; /* hidden levels count */
	view = show(g, &options);
	assert_int_equal(view->root->child_count, 0);
	graph_free(g);
}

TEST(expressions_count_a_node_each)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	const struct view_node *line;

	add_node(g, "a", "Op", 5);
	add_node(g, "b", "Neg", 5);
	options.account_type = made_words(g, "Op", "O.");
	line = show(g, &options)->root->child[0];
	assert_false(line->accounted);
	assert_int_equal(line->total[QUANTITY_MICROS], 20);
	assert_true(line->child[0]->accounted);
	assert_int_equal(line->child[0]->member_count, 1);
	assert_int_equal(line->child[0]->self[QUANTITY_OCCURRENCE], 1);
	options.account_type = made_words(g, ".*", NULL);
	line = show(g, &options)->root->child[0];
	assert_true(line->accounted); /* without a node of its own */
	graph_free(g);
}

TEST(displayed_only_is_ignored_with_a_note)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	add_node(g, "a", "Op", 5);
	options.hide_name = made_words(g, "model.*", NULL);
	options.account_displayed_op_only = true;
	view = show_saying(g, &options, "Note: code view ignores account_displayed_op_only\n");
	assert_int_equal(view->root->total[QUANTITY_MICROS], 10);
	graph_free(g);
}

TEST(without_traces_there_is_no_view)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");

	made_node(g, "a", "Op", "");
	assert_null(show_saying(g, &options, "No code trace information\n"));
	g->has_trace = true; /* said, but there is none */
	assert_int_equal(show(g, &options)->root->child_count, 0);
	graph_free(g);
}
