/* Scope and graph view: accounting, start, trim, hidden levels, recount, order, text. Expected
 * values are sums by hand over small graphs, in which every node has a power of ten of its own. */
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"
#include "tfprof/outputs.h"

#define GPU "/job:localhost/replica:0/task:0/gpu:0"
#define DEEP 10000

static struct view *build(enum view_kind kind, const struct node_values *values,
	const struct tfprof_options *options, struct text *messages)
{
	struct arena *arena = values->graph->arena;

	return kind == VIEW_SCOPE ? view_scope(values, options, arena, messages)
				  : view_graph(values, options, arena, messages);
}

static struct view *show(
	enum view_kind kind, struct graph *graph, const struct tfprof_options *options)
{
	struct text messages;
	struct view *view;

	text_init(&messages);
	view = build(kind, made_values(graph), options, &messages);
	assert_non_null(view);
	assert_string_equal(text_string(&messages), "");
	text_release(&messages);
	return view;
}

static void set_float_ops(struct graph *graph, uint32_t node, int64_t float_ops)
{
	graph->node[node].float_ops = float_ops;
}

static void set_shape(struct graph *graph, uint32_t node, int64_t *dim, size_t count)
{
	graph->node[node].shape = dim;
	graph->node[node].shape_count = count;
}

/* The inputs of a node, by name; each is output 0 of its source. */
static void made_inputs(
	struct graph *graph, const char *name, const char *const *source, size_t count)
{
	uint32_t node;

	assert_true(graph_node_find(graph, name, &node));
	struct node_detail *detail = &graph->detail->node[node];

	detail->input = arena_array(graph->arena, count, sizeof(*detail->input));
	detail->source_output = arena_array(graph->arena, count, sizeof(*detail->source_output));
	for (size_t i = 0; i < count; i++) {
		detail->input[i].index = (int32_t)i;
		assert_true(graph_node_find(graph, source[i], &detail->input[i].source));
		detail->source_output[i].source = detail->input[i].source;
	}
	detail->input_count = detail->source_output_count = count;
}

/* The text after "Profile:". */
static void check_lines(
	const struct view *view, const struct tfprof_options *options, const char *expected)
{
	const struct view_text_options plain = {0};
	struct text out, messages;

	text_init(&out);
	text_init(&messages);
	view_text(view, options, &plain, &out, &messages);
	const char *lines = strstr(text_string(&out), "\nProfile:\n");

	assert_non_null(lines);
	assert_string_equal(lines + strlen("\nProfile:\n"), expected);
	assert_string_equal(text_string(&messages), "");
	text_release(&out);
	text_release(&messages);
}

static void select_only(struct tfprof_options *options, enum select_word word)
{
	memset(options->select, 0, sizeof(options->select));
	options->select[word] = true;
}

/* s (1 us) holds s/a (10) and s/b/c (100; s/b is made up); t is 1000. */
static struct graph *scopes(void)
{
	struct graph *g = made_graph();

	made_node(g, "t", "T", "");
	made_exec(g, 0, 0, 1000);
	made_node(g, "s/b/c", "C", "");
	made_exec(g, 0, 0, 100);
	made_node(g, "s/a", "A", "");
	made_exec(g, 0, 0, 10);
	made_node(g, "s", "S", GPU);
	made_exec(g, 0, 0, 1);
	return g;
}

TEST(scopes_are_made_up_and_summed)
{
	struct graph *g = scopes();
	struct tfprof_options options = made_options(g, "name");

	select_only(&options, SELECT_CPU_MICROS);
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/1.11ms)\n"
		"  s (1us/111us)\n"
		"    s/a (10us/10us)\n"
		"    s/b (0us/100us)\n"
		"      s/b/c (100us/100us)\n"
		"  t (1.00ms/1.00ms)\n");
	select_only(&options, SELECT_OCCURRENCE);
	options.max_depth = 2;
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | op count (run|defined)\n"
		"_TFProfRoot (--/4|--/5)\n"
		"  s (1/3|1/4)\n"
		"  t (1/1|1/1)\n");
	graph_free(g);
}

/* Its own values enter the totals although its line does not show them. */
TEST(unmatched_scope_still_counts)
{
	struct graph *g = scopes();
	struct tfprof_options options = made_options(g, "name");

	options.account_type = made_words(g, "C", NULL);
	select_only(&options, SELECT_CPU_MICROS);
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/101us)\n"
		"  s (--/101us)\n"
		"    s/b (--/100us)\n"
		"      s/b/c (100us/100us)\n");
	graph_free(g);
}

/* Bytes decide: "a" < "a-b" < "a/b", but the scope "a" comes with its content before "a-b". */
TEST(scopes_are_in_the_order_of_their_names)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "");

	made_node(g, "a/b", "X", "");
	made_node(g, "a-b", "X", "");
	made_node(g, "B", "X", "");
	made_node(g, "/x", "X", "");
	made_node(g, "c//d", "X", "");
	memset(options.select, 0, sizeof(options.select));
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | \n"
		"_TFProfRoot ()\n"
		"   ()\n"
		"    /x ()\n"
		"  B ()\n"
		"  a ()\n"
		"    a/b ()\n"
		"  a-b ()\n"
		"  c ()\n"
		"    c/ ()\n"
		"      c//d ()\n");
	graph_free(g);
}

TEST(hidden_levels_count_but_do_not_indent)
{
	struct graph *g = scopes();
	struct tfprof_options options = made_options(g, "cpu_micros");

	options.show_name = made_words(g, "s/.*", NULL);
	options.hide_name = made_words(g, "s/b", NULL);
	select_only(&options, SELECT_CPU_MICROS);
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/1.11ms)\n"
		"  s/b/c (100us/100us)\n"
		"  s/a (10us/10us)\n");
	options.max_depth = 3; /* s/b/c is on level 4 */
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/1.11ms)\n"
		"  s/a (10us/10us)\n");
	graph_free(g);
}

/* The root counts itself as a definition then. */
TEST(displayed_only_counts_what_is_shown)
{
	struct graph *g = scopes();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	options.account_displayed_op_only = true;
	options.show_name = made_words(g, "s/b/c", "s");
	view = show(VIEW_SCOPE, g, &options);
	assert_int_equal(view->root->total[QUANTITY_CPU_MICROS], 101);
	assert_int_equal(view->root->total[QUANTITY_DEFINITION], 3);
	assert_int_equal(view->root->child_count, 1);
	assert_string_equal(view->root->child[0]->name, "s");
	assert_int_equal(view->root->child[0]->total[QUANTITY_CPU_MICROS], 101);
	assert_int_equal(view->root->child[0]->self[QUANTITY_CPU_MICROS], 1);
	options.max_depth = 0;
	view = show(VIEW_SCOPE, g, &options);
	assert_int_equal(view->root->child_count, 0);
	assert_int_equal(view->root->total[QUANTITY_DEFINITION], 1);
	graph_free(g);
}

/* Minimums of time and bytes look at the totals before the recount, those of runs at the node. */
TEST(minimums_look_at_totals_or_at_the_node)
{
	struct graph *g = scopes();
	struct tfprof_options options = made_options(g, "name");
	struct view *view;

	options.account_displayed_op_only = true;
	options.min[QUANTITY_MICROS] = 111;
	view = show(VIEW_SCOPE, g, &options);
	assert_non_null(made_child(view->root, "s"));
	assert_int_equal(made_child(view->root, "s")->child_count, 0);
	assert_int_equal(made_child(view->root, "s")->total[QUANTITY_MICROS], 1);
	options.min[QUANTITY_MICROS] = 0;
	options.min[QUANTITY_OCCURRENCE] = 1;
	view = show(VIEW_SCOPE, g, &options);
	assert_null(
		made_child(made_child(view->root, "s"), "s/b")); /* made up: never runs itself */
	assert_non_null(made_child(made_child(view->root, "s"), "s/b/c"));
	graph_free(g);
}

TEST(start_and_trim_leave_the_root_alone)
{
	struct graph *g = scopes();
	struct tfprof_options options = made_options(g, "name");

	select_only(&options, SELECT_CPU_MICROS);
	options.start_name = made_words(g, "s/.*", NULL);
	options.trim_name = made_words(g, "s/b", NULL);
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/1.11ms)\n"
		"  s/a (10us/10us)\n"
		"  s/b (0us/100us)\n");
	options.start_name.count = 0;
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/1.11ms)\n");
	graph_free(g);
}

/* end (1 us) takes mid (10) and low (100); mid takes low, high (1000) and itself. Apart from them,
 * p and q take each other, and r takes p. */
static struct graph *inputs(bool with_r)
{
	static const char *const of_end[] = {"mid", "low"}, *const of_mid[] = {
								    "low", "mid", "high"};
	static const char *const of_p[] = {"q"}, *const of_q[] = {"p"};
	static const struct {
		const char *name;
		int64_t micros;
	} node[] = {{"end", 1}, {"mid", 10}, {"low", 100}, {"high", 1000}, {"p", 5}, {"q", 50}};
	struct graph *g = made_graph();

	for (size_t i = 0; i < sizeof(node) / sizeof(*node); i++) {
		made_node(g, node[i].name, node[i].name, "");
		made_exec(g, 0, 0, node[i].micros);
	}
	if (with_r)
		made_node(g, "r", "r", "");
	made_inputs(g, "end", of_end, 2);
	made_inputs(g, "mid", of_mid, 3);
	made_inputs(g, "p", of_p, 1);
	made_inputs(g, "q", of_q, 1);
	if (with_r)
		made_inputs(g, "r", of_q, 1);
	return g;
}

TEST(each_node_is_where_it_is_reached_first)
{
	struct graph *g = inputs(false);
	struct tfprof_options options = made_options(g, "");

	select_only(&options, SELECT_CPU_MICROS);
	check_lines(show(VIEW_GRAPH, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/1.11ms)\n"
		"  end (1us/1.11ms)\n"
		"    mid (10us/1.11ms)\n"
		"      low (100us/100us)\n"
		"      high (1.00ms/1.00ms)\n");
	graph_free(g);
}

TEST(cycle_is_shown_when_something_reaches_it)
{
	struct graph *g = inputs(true);
	struct tfprof_options options = made_options(g, "name");

	select_only(&options, SELECT_OP_TYPES);
	check_lines(show(VIEW_GRAPH, g, &options), &options,
		"node name | op types\n"
		"_TFProfRoot (_TFGraphParent)\n"
		"  end (end)\n"
		"    mid (mid)\n"
		"      high (high)\n"
		"      low (low)\n"
		"  r (r)\n"
		"    p (p)\n"
		"      q (q)\n");
	graph_free(g);
}

/* What does not match leaves no line and no value, only what is below it. */
TEST(unmatched_node_hands_its_inputs_on)
{
	struct graph *g = inputs(true);
	struct tfprof_options options = made_options(g, "");

	options.account_type = made_words(g, "end|low|high|q", NULL);
	select_only(&options, SELECT_CPU_MICROS);
	check_lines(show(VIEW_GRAPH, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/1.15ms)\n"
		"  end (1us/1.10ms)\n"
		"    low (100us/100us)\n"
		"    high (1.00ms/1.00ms)\n"
		"  q (50us/50us)\n");
	graph_free(g);
}

TEST(start_is_searched_below_what_does_not_match)
{
	struct graph *g = inputs(false);
	struct tfprof_options options = made_options(g, "name");

	options.start_name = made_words(g, "mid", "low");
	select_only(&options, SELECT_CPU_MICROS);
	check_lines(show(VIEW_GRAPH, g, &options), &options,
		"node name | cpu execution time\n"
		"_TFProfRoot (--/1.11ms)\n"
		"  mid (10us/1.11ms)\n"
		"    high (1.00ms/1.00ms)\n"
		"    low (100us/100us)\n");
	graph_free(g);
}

/* One node whose name spells DEEP scopes: "a/a/.../a". */
TEST(scopes_may_be_ten_thousand_deep)
{
	struct graph *g = graph_new();
	struct tfprof_options options = made_options(g, "micros");
	char *name = arena_alloc(g->arena, 2 * (DEEP + 1));
	const struct view_node *node;
	size_t depth = 0;

	memset(name, 'a', 2 * DEEP + 1);
	for (size_t i = 0; i < DEEP; i++)
		name[2 * i + 1] = '/';
	set_float_ops(g, graph_node_add(g, name), 7);
	options.max_depth = DEEP + 2;
	options.account_displayed_op_only = true;
	for (node = show(VIEW_SCOPE, g, &options)->root; node->child_count; node = node->child[0]) {
		assert_int_equal(node->total[QUANTITY_FLOAT_OPS], 7);
		assert_int_equal(node->child_count, 1);
		depth++;
	}
	assert_int_equal(depth, DEEP + 1);
	assert_string_equal(node->name, name);
	options.max_depth = 2;
	select_only(&options, SELECT_FLOAT_OPS);
	check_lines(show(VIEW_SCOPE, g, &options), &options,
		"node name | # float_ops\n"
		"_TFProfRoot (--/0 flops)\n"
		"  a (0/0 flops)\n"); /* only what is displayed */
	graph_free(g);
}

TEST(inputs_may_be_ten_thousand_deep)
{
	struct graph *g = graph_new();
	struct tfprof_options options = made_options(g, "name");
	struct graph_detail *detail = arena_alloc(g->arena, sizeof(*detail));
	struct graph_input *input = arena_array(g->arena, DEEP, sizeof(*input));
	struct view *view;
	size_t depth = 0;

	detail->node = arena_array(g->arena, DEEP, sizeof(*detail->node));
	detail->node_count = DEEP;
	for (uint32_t i = 0; i < DEEP; i++) {
		char *name = arena_printf(g->arena, "n%u", (unsigned)i);

		set_float_ops(g, graph_node_add(g, name), 1);
		input[i].source = i + 1;
		detail->node[i].input = &input[i];
		detail->node[i].input_count = i + 1 < DEEP;
	}
	g->detail = detail; /* after the nodes, which would ask it for room */
	options.max_depth = DEEP + 1;
	view = show(VIEW_GRAPH, g, &options);
	assert_int_equal(view->root->total[QUANTITY_FLOAT_OPS], DEEP);
	for (const struct view_node *node = view->root; node->child_count; node = node->child[0])
		assert_int_equal(node->child[0]->total[QUANTITY_FLOAT_OPS], DEEP - depth++);
	assert_int_equal(depth, DEEP);
	graph_free(g);
}

/* x runs in steps 1 and 2, y in 2 only, z never; x takes y and z. */
static struct graph *three_steps(void)
{
	static const char *const of_x[] = {"x/y", "z"};
	struct graph *g = made_graph();

	made_node(g, "x", "X", "");
	made_exec(g, 1, 1, 2)->requested_bytes = 100;
	made_exec(g, 2, 2, 2)->requested_bytes = 201;
	set_float_ops(g, 0, 1000);
	made_node(g, "x/y", "Y", "");
	made_exec(g, 2, 0, 40)->run_count = 3;
	set_float_ops(g, 1, 10);
	made_node(g, "z", "Z", "");
	set_float_ops(g, 2, 5);
	made_inputs(g, "x", of_x, 2);
	return g;
}

static void check_slot(
	const struct view_node *many, const struct view_node *one, size_t slot, size_t slots)
{
	assert_string_equal(many->name, one->name);
	assert_int_equal(many->child_count, one->child_count);
	for (size_t q = 0; q < QUANTITIES; q++) {
		assert_int_equal(many->total[q * slots + slot], one->total[q]);
		assert_int_equal(many->self[q * slots + slot], one->self[q]);
	}
	for (size_t c = 0; c < many->child_count; c++)
		check_slot(many->child[c], one->child[c], slot, slots);
}

TEST(slots_together_give_what_each_gives)
{
	static const enum view_kind kind[] = {VIEW_SCOPE, VIEW_GRAPH};
	struct graph *g = three_steps();
	struct tfprof_options options = made_options(g, "name");
	int64_t step[] = {1, 2, 3};
	struct slots together = {.step = step, .count = 3};
	struct node_values all;
	struct text messages;

	text_init(&messages);
	node_values_make(g, &together, g->arena, &all);
	for (size_t k = 0; k < 4; k++) {
		options.account_displayed_op_only = k >= 2;
		struct view *many = build(kind[k % 2], &all, &options, &messages);

		for (size_t s = 0; s < 3; s++) {
			struct slots alone = {.step = &step[s], .count = 1};
			struct node_values values;

			node_values_make(g, &alone, g->arena, &values);
			check_slot(many->root,
				build(kind[k % 2], &values, &options, &messages)->root, s, 3);
		}
		assert_int_equal(many->root->total[QUANTITY_MICROS * 3 + 0], 3);
		assert_int_equal(many->root->total[QUANTITY_MICROS * 3 + 1], 44);
		assert_int_equal(many->root->total[QUANTITY_MICROS * 3 + 2], 0);
	}
	text_release(&messages);
	graph_free(g);
}

/* 3 and 4 us make 3, their parts 1 and 2, 2 and 2 make 1 and 2; float operations go by runs. */
TEST(averages_truncate_one_by_one)
{
	struct graph *g = three_steps();
	const struct node_values *v = made_values(g);

	assert_int_equal(*node_value(v, 0, QUANTITY_MICROS), 3);
	assert_int_equal(*node_value(v, 0, QUANTITY_ACCELERATOR_MICROS), 1);
	assert_int_equal(*node_value(v, 0, QUANTITY_CPU_MICROS), 2);
	assert_int_equal(*node_value(v, 0, QUANTITY_BYTES), 150);
	assert_int_equal(*node_value(v, 0, QUANTITY_FLOAT_OPS), 1000);
	assert_int_equal(*node_value(v, 1, QUANTITY_FLOAT_OPS), 30);
	assert_int_equal(*node_value(v, 1, QUANTITY_OCCURRENCE), 3);
	assert_int_equal(*node_value(v, 2, QUANTITY_FLOAT_OPS), 5);
	assert_int_equal(*node_value(v, 2, QUANTITY_DEFINITION), 1);
	int64_t step = 1;
	struct slots first = {.step = &step, .count = 1};
	struct node_values one;

	node_values_make(g, &first, g->arena, &one);
	assert_int_equal(*node_value(&one, 1, QUANTITY_FLOAT_OPS), 0); /* did not run in it */
	assert_int_equal(*node_value(&one, 2, QUANTITY_FLOAT_OPS), 5);
	graph_free(g);
}

TEST(params_wrap_and_need_all_dimensions)
{
	static int64_t unknown[] = {3, -1}, huge[] = {INT64_C(1) << 40, INT64_C(3) << 23},
		       plain[] = {3, 6};
	struct graph *g = made_graph();
	const struct node_values *v;

	set_shape(g, made_node(g, "unknown", "V", ""), unknown, 2);
	set_shape(g, made_node(g, "huge", "V", ""), huge, 2);
	set_shape(g, made_node(g, "plain", "V", ""), plain, 2);
	made_node(g, "none", "V", "");
	v = made_values(g);
	assert_int_equal(*node_value(v, 0, QUANTITY_PARAMS), 0);
	assert_true(*node_value(v, 1, QUANTITY_PARAMS) == INT64_MIN); /* 3 * 2^63 modulo 2^64 */
	assert_int_equal(*node_value(v, 2, QUANTITY_PARAMS), 18);
	assert_int_equal(*node_value(v, 3, QUANTITY_PARAMS), 0);
	assert_int_equal(v->incomplete, 1);
	graph_free(g);
}

TEST(order_is_stable_and_falls_back_to_names)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "occurrence");
	struct view_node node[40];
	struct view_node *child[40];
	int64_t total[40][QUANTITIES] = {{0}};

	for (size_t i = 0; i < 40; i++) {
		total[i][QUANTITY_PARAMS] = i == 39 ? 2 : 1;
		node[i] = (struct view_node){
			.name = i % 2 ? "b" : "a", .total = total[i], .node_count = i};
		child[i] = &node[i];
	}
	view_sort(child, 40, &options, VIEW_GRAPH, 1);
	assert_ptr_equal(child[0], &node[0]);
	assert_ptr_equal(child[20], &node[1]);
	options.order_by = "params";
	view_sort(child, 40, &options, VIEW_SCOPE, 1);
	assert_ptr_equal(child[0], &node[39]);
	assert_ptr_equal(child[1], &node[0]);
	assert_ptr_equal(child[39], &node[37]);
	options.order_by = "occurrence";
	view_sort(child, 40, &options, VIEW_CODE, 1);
	assert_ptr_equal(child[0], &node[39]);
	assert_ptr_equal(child[39], &node[0]);
	graph_free(g);
}

/* In scope and graph the node's own parameters and runs; in op view its number of nodes; code
 * ignores runs. */
TEST(minimums_differ_by_view)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	int64_t self[QUANTITIES] = {0}, total[QUANTITIES] = {0};

	options.min[QUANTITY_PARAMS] = 5;
	total[QUANTITY_PARAMS] = 5;
	struct view_filter *filter = view_filter_new(&options, g->arena);

	assert_false(view_filter_enough(filter, VIEW_SCOPE, total, self, 1, 1));
	assert_true(view_filter_enough(filter, VIEW_CODE, total, self, 1, 1));
	assert_true(view_filter_enough(filter, VIEW_OP, total, self, 1, 1));
	options.min[QUANTITY_PARAMS] = 0;
	options.min[QUANTITY_OCCURRENCE] = 2;
	total[QUANTITY_OCCURRENCE] = 2;
	assert_false(view_filter_enough(filter, VIEW_GRAPH, total, self, 2, 1));
	assert_true(view_filter_enough(filter, VIEW_CODE, total, self, 0, 1));
	assert_true(view_filter_enough(filter, VIEW_OP, total, self, 2, 1));
	assert_false(view_filter_enough(filter, VIEW_OP, total, self, 1, 1));
	options.min[QUANTITY_OCCURRENCE] = 0;
	total[QUANTITY_BYTES] = -1;
	assert_false(view_filter_enough(filter, VIEW_GRAPH, total, self, 2, 1));
	graph_free(g);
}

TEST(line_has_every_item)
{
	static int64_t shape[] = {3, 6};
	static const char *const of_use[] = {"v", "none"};
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	uint32_t v = made_node(g, "v", "VariableV2", GPU);

	made_exec(g, 0, 1500, 2)->requested_bytes = 2560;
	set_shape(g, v, shape, 2);
	made_node(g, "none", "NoOp", "");
	made_node(g, "use", "Use", "");
	made_inputs(g, "use", of_use, 2);
	struct graph_shape output = {.index = 0, .dim = shape, .dim_count = 2};

	g->detail->node[v].output = &output;
	g->detail->node[v].output_count = 1;
	for (size_t i = 0; i < SELECT_WORDS; i++)
		options.select[i] = true;
	check_lines(show(VIEW_GRAPH, g, &options), &options,
		"node name | # parameters | # float_ops | requested bytes | peak bytes | residual "
		"bytes | output bytes | total execution time | accelerator execution time | cpu "
		"execution time | assigned devices | op types | op count (run|defined) | input "
		"shapes\n"
		"_TFProfRoot (--/18 params, --/0 flops, --/2.56KB, --/0B, --/0B, --/0B, --/1.50ms, "
		"--/1.50ms, --/2us, _TFGraphParent, --/1|--/3, )\n"
		"  use (0/18 params, 0/0 flops, 0B/2.56KB, 0B/0B, 0B/0B, 0B/0B, 0us/1.50ms, "
		"0us/1.50ms, 0us/2us, Use, 0/1|1/3, 0:3x6|1:unknown)\n"
		"    none (0/0 params, 0/0 flops, 0B/0B, 0B/0B, 0B/0B, 0B/0B, 0us/0us, 0us/0us, "
		"0us/0us, NoOp, 0/0|1/1, )\n"
		"    v (3x6, 18/18 params, 0/0 flops, 2.56KB/2.56KB, 0B/0B, 0B/0B, 0B/0B, "
		"1.50ms/1.50ms, 1.50ms/1.50ms, 2us/2us, " GPU ", " GPU "|VariableV2, 1/1|1/1, )\n");
	graph_free(g);
}

TEST(head_explains_the_selected_words)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	const struct view_text_options missing = {.misses_stream = true};
	struct text out, messages;

	text_init(&out);
	text_init(&messages);
	select_only(&options, SELECT_PARAMS);
	options.unknown_select = made_words(g, "abc", "zzz");
	view_text(show(VIEW_GRAPH, g, &options), &options, &missing, &out, &messages);
	assert_string_equal(text_string(&out),
		"\n\nFound accelerator operation but misses accelerator stream stats!\n\n"
		"It's likely a gpu tracing issue rather than tf-profiler issue.\n"
		"If you found your operation missing accelerator time, consider filing a bug to "
		"xprof-dev@!\n\n"
		"\nDoc:\n"
		"scope: The nodes in the model graph are organized by their names, which is "
		"hierarchical like filesystem.\n"
		"Unknown select: abc\n"
		"param: Number of parameters (in the Variable).\n"
		"Unknown select: zzz\n"
		"\nProfile:\n"
		"node name | # parameters\n"
		"_TFProfRoot (--/0 params)\n");
	text_release(&out);
	text_release(&messages);
	graph_free(g);
}

static void note_tensor(void *context, const char *name, struct text *out, struct text *messages)
{
	(void)context;
	text_printf(messages, "%s ", name);
	text_printf(out, "<%s>\n", name);
}

/* Values stand below their lines; the notes come in the order in which the original looks: inputs
 * first, and before they are sorted. */
TEST(tensors_are_looked_up_from_below)
{
	struct graph *g = inputs(true);
	struct tfprof_options options = made_options(g, "micros");
	const struct view_text_options tensors = {.tensor = note_tensor};
	struct text out, messages;

	text_init(&out);
	text_init(&messages);
	options.hide_name = made_words(g, "mid", NULL);
	select_only(&options, SELECT_TENSOR_VALUE);
	view_text(show(VIEW_GRAPH, g, &options), &options, &tensors, &out, &messages);
	assert_string_equal(text_string(&messages), "low high end q p r ");
	assert_non_null(strstr(text_string(&out),
		"Profile:\nnode name | \n_TFProfRoot ()\n  end ()\n<end>\n    high ()\n<high>\n"
		"    low ()\n<low>\n  r ()\n<r>\n    p ()\n<p>\n      q ()\n<q>\n"));
	text_release(&out);
	text_release(&messages);
	graph_free(g);
}

TEST(pprof_is_refused)
{
	struct graph *g = made_graph();
	struct tfprof_options options = made_options(g, "name");
	struct text messages;

	text_init(&messages);
	options.output = OUTPUT_PPROF;
	assert_null(view_scope(made_values(g), &options, g->arena, &messages));
	assert_string_equal(
		text_string(&messages), "Only 'code' view supports pprof output now.\n");
	text_clear(&messages);
	assert_null(view_graph(made_values(g), &options, g->arena, &messages));
	assert_string_equal(
		text_string(&messages), "Only 'code' view supports pprof output now.\n");
	text_release(&messages);
	graph_free(g);
}
