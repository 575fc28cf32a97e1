/* pprof's message byte for byte, put together field by field from its published profile.proto, in
 * the order of strings that recorded profiles have (tests/data/tfprof-cli). */
#include "tests/unit/encode.h"
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"
#include "tfprof/outputs.h"

static uint32_t add_node(struct graph *g, const char *name, int64_t cpu_micros)
{
	uint32_t node = made_node(g, name, "Op", "");

	made_exec(g, 0, 0, cpu_micros);
	made_frame(g, node, "/home/my.main.py", 10, "main");
	return node;
}

/* main calls layer and conv; main's own node "inner" is behind no leaf. */
static struct graph *calls(void)
{
	struct graph *g = made_graph();

	made_frame(g, add_node(g, "a", 5), "/home/my.main.py", 20, "layer");
	made_frame(g, add_node(g, "b", 300), "lib/ops.py", 30, "conv");
	made_frame(g, add_node(g, "C", 7), "/home/my.main.py", 20, "layer");
	add_node(g, "inner", 1000);
	return g;
}

/* location: index, 0 for none */
static void put_sample(
	struct text *to, uint64_t location, int64_t value, int64_t name, int64_t label)
{
	struct text sample, part;

	text_init(&sample);
	text_init(&part);
	if (location) {
		put_varint(&part, location);
		put_message(&sample, 1, &part);
	}
	put_varint(&part, 1);
	put_varint(&part, (uint64_t)value);
	put_message(&sample, 2, &part);
	put_number(&part, 1, label);
	put_number(&part, 2, name);
	put_message(&sample, 3, &part);
	put_message(to, 2, &sample);
	text_release(&part);
	text_release(&sample);
}

static void put_pair(struct text *to, uint32_t field, int64_t first, int64_t second)
{
	struct text part;

	text_init(&part);
	put_number(&part, 1, first);
	put_number(&part, 2, second);
	put_message(to, field, &part);
	text_release(&part);
}

/* Function and location of one number, called from line 10. */
static void put_location(struct text *to, int64_t id)
{
	struct text location;

	text_init(&location);
	put_number(&location, 1, id);
	put_pair(&location, 4, id, 10);
	put_message(to, 4, &location);
	text_release(&location);
}

static void put_function(struct text *to, int64_t id, int64_t name, int64_t file)
{
	struct text function;

	text_init(&function);
	put_number(&function, 1, id);
	put_number(&function, 2, name);
	put_number(&function, 4, file);
	put_message(to, 5, &function);
	text_release(&function);
}

static void put_strings(struct text *to, const char *const *strings, size_t count)
{
	struct text comment;

	for (size_t i = 0; i < count; i++)
		put_string(to, 6, strings[i]);
	text_init(&comment);
	put_varint(&comment, count - 1); /* the last string */
	put_message(to, 13, &comment);
	text_release(&comment);
}

static void check(struct graph *g, int64_t depth, enum select_word word, struct text *expected)
{
	struct tfprof_options options = made_options(g, "name");
	struct text found, messages;
	struct view *view;

	options.max_depth = depth;
	memset(options.select, 0, sizeof(options.select));
	options.select[word] = true;
	text_init(&found);
	text_init(&messages);
	view = view_code(made_values(g), &options, g->arena, &messages);
	assert_non_null(view);
	assert_true(pprof_is_possible(VIEW_CODE, &options, &messages));
	pprof_write(view, &options, &found);
	assert_string_equal(text_string(&messages), "");
	assert_int_equal(found.size, expected->size);
	assert_memory_equal(text_string(&found), text_string(expected), expected->size);
	text_release(&found);
	text_release(&messages);
	text_release(expected);
	graph_free(g);
}

/* Children by name: "my.main.py:20:layer" is before "ops.py:30:conv". Samples are in order of node
 * names, locations in order of the caller's file and the called function: conv before layer;
 * functions by file. */
TEST(nodes_are_samples_of_the_calls_that_made_them)
{
	static const char *const strings[] = {"", "my.main:layer", "/home/my.main.py",
		"graph node:", "C", "a", "ops:conv", "lib/ops.py", "b", "count", "micros",
		"microseconds", "Sum of accelerator execution time and cpu execution time."};
	struct text expected;

	text_init(&expected);
	put_pair(&expected, 1, 9, 9);
	put_pair(&expected, 1, 10, 11);
	put_sample(&expected, 1, 7, 4, 3);
	put_sample(&expected, 1, 5, 5, 3);
	put_sample(&expected, 2, 300, 8, 3);
	put_location(&expected, 2);
	put_location(&expected, 1);
	put_function(&expected, 1, 1, 2);
	put_function(&expected, 2, 6, 7);
	put_strings(&expected, strings, 13);
	check(calls(), 100, SELECT_MICROS, &expected);
}

/* Only main is shown: its true leaves bring the samples, no call leads to it. */
TEST(a_shown_leaf_has_the_nodes_of_all_below)
{
	static const char *const strings[] = {"", "graph node:", "C", "a", "b", "count",
		"cpu_micros", "microseconds", "CPU execution time."};
	struct text expected;

	text_init(&expected);
	put_pair(&expected, 1, 5, 5);
	put_pair(&expected, 1, 6, 7);
	put_sample(&expected, 0, 7, 2, 1);
	put_sample(&expected, 0, 5, 3, 1);
	put_sample(&expected, 0, 300, 4, 1);
	put_strings(&expected, strings, 9);
	check(calls(), 2, SELECT_CPU_MICROS, &expected);
}

/* Units of the other kinds; strings that are there already are not repeated. */
TEST(parameters_are_counts)
{
	static const char *const strings[] = {
		"", "graph node:", "w", "count", "params", "Model parameters."};
	struct graph *g = made_graph();
	uint32_t node = add_node(g, "w", 1);
	struct text expected;

	g->node[node].op = "VariableV2";
	graph_node_type(g, node, "VariableV2");
	g->node[node].shape = arena_alloc(g->arena, sizeof(int64_t));
	g->node[node].shape[0] = 150;
	g->node[node].shape_count = 1;
	text_init(&expected);
	put_pair(&expected, 1, 3, 3);
	put_pair(&expected, 1, 4, 3);
	put_sample(&expected, 0, 150, 2, 1);
	put_strings(&expected, strings, 6);
	check(g, 100, SELECT_PARAMS, &expected);
}

static void check_refusal(enum view_kind kind, const char *select, const char *expected)
{
	struct arena *arena = arena_new();
	struct tfprof_options options;
	struct text messages;

	text_init(&messages);
	tfprof_options_init(&options, arena);
	tfprof_select_set(&options, select, arena);
	assert_int_equal(pprof_is_possible(kind, &options, &messages), *expected == 0);
	assert_string_equal(text_string(&messages), expected);
	text_release(&messages);
	arena_free(arena);
}

TEST(other_requests_are_refused)
{
	static const char other_view[] = "Only 'code' view supports pprof output now.\n";
	static const char one_only[] = "Can only select 1 attribute for pprof output.\n";

	check_refusal(VIEW_SCOPE, "micros", other_view);
	check_refusal(VIEW_GRAPH, "micros", other_view);
	check_refusal(VIEW_OP, "micros,bytes", other_view); /* the first reason */
	check_refusal(VIEW_CODE, "micros,bytes", one_only);
	check_refusal(VIEW_CODE, "", one_only);
	check_refusal(VIEW_CODE, "occurrence", "pprof doesn't support -select=occurrence\n");
	check_refusal(VIEW_CODE, "foo", "pprof doesn't support -select=foo\n");
	check_refusal(VIEW_CODE, "foo,micros", one_only);
	check_refusal(VIEW_CODE, "peak_bytes", "");
}
