/* GraphDef and OpLogProto, binary and text: what is taken, what is odd, files of other kinds. */
#include "tfprof/files/graph_def.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

typedef int read_function(
	struct input *in, struct graph *graph, const struct read_options *opt, struct error *err);

static int read_bytes(
	read_function *read, struct graph *g, const void *bytes, size_t size, struct error *err)
{
	struct input *in = input_memory(bytes, size, "f");
	int result = read(in, g, &read_options_default, err);

	input_close(in);
	return result;
}

static void read_text(read_function *read, struct graph *g, const char *text)
{
	struct error err = {.kind = ERROR_NONE};

	if (read_bytes(read, g, text, strlen(text), &err))
		fail_msg("%s: %s", err.place, err.message);
}

static const struct graph_node *node_of(const struct graph *g, const char *name)
{
	uint32_t index;

	assert_true(graph_node_find(g, name, &index));
	return &g->node[index];
}

static const struct issue *find_issue(const struct graph *g, const char *code)
{
	for (size_t i = 0; i < g->issues.count; i++)
		if (strcmp(g->issues.issue[i].code, code) == 0)
			return &g->issues.issue[i];
	return NULL;
}

TEST(shapes_of_nodes)
{
	struct graph *g = graph_new();

	read_text(graph_def_read, g,
		"node { name: 'w' op: 'VariableV2' input: 'x' device: '/cpu:0'\n"
		"  attr { key: 'shape' value { shape { dim { size: 784 } dim { size: 10 } } } }\n"
		"  attr { key: 'dtype' value { type: DT_FLOAT } } }\n"
		"node { name: 'scalar' op: 'V' attr { key: 'shape' value { shape { } } } }\n"
		"node { name: 'open' op: 'V'\n"
		"  attr { key: 'shape' value { shape { unknown_rank: true } } } }\n"
		"node { name: 'part' op: 'Placeholder'\n"
		"  attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 3 } } } } }\n"
		"node { name: 'other' op: 'V'\n"
		"  attr { key: 'element_shape' value { shape { dim { size: 3 } } } }\n"
		"  attr { key: 'shape' value { i: 7 } } }\n"
		"node { name: 'bare' }\n"
		"versions { producer: 21 }\n"
		"library { function { signature { name: 'node' } } }\n");
	assert_int_equal(g->node_count, 6);
	assert_int_equal(node_of(g, "w")->shape_count, 2);
	assert_int_equal(node_of(g, "w")->shape[0], 784);
	assert_int_equal(node_of(g, "w")->shape[1], 10);
	assert_string_equal(node_of(g, "w")->op, "VariableV2");
	assert_int_equal(node_of(g, "w")->op_type_count, 1);
	assert_string_equal(node_of(g, "w")->canonical_device, "");
	assert_int_equal(node_of(g, "scalar")->shape_count, 1);
	assert_int_equal(node_of(g, "scalar")->shape[0], 1);
	assert_int_equal(node_of(g, "open")->shape_count, 0);
	assert_int_equal(node_of(g, "part")->shape[0], -1);
	assert_int_equal(node_of(g, "other")->shape_count, 0);
	assert_string_equal(node_of(g, "bare")->op, "");
	assert_int_equal(g->issues.count, 0);
	graph_free(g);
}

/* Constants may be larger than any record; a name that is there already is left out. */
TEST(binary_with_constants_and_repeats)
{
	struct graph *g = graph_new();
	struct error err = {.kind = ERROR_NONE};
	struct read_options small = read_options_default;
	struct text t, node, attr, value;

	small.max_record_bytes = 10000;
	text_init(&t);
	text_init(&node);
	text_init(&attr);
	text_init(&value);
	for (int i = 0; i < 3; i++) {
		const char *const names[] = {"const", "const", "b\0c"};

		/* The attribute first, a field of another type, the name last. */
		text_add_repeat(&value, 'x', 50000);
		text_clear(&attr);
		put_string(&attr, 1, "value");
		put_message(&attr, 2, &value);
		put_message(&node, 5, &attr);
		put_number(&node, 3, 7);
		put_string(&node, 2, i == 1 ? "Other" : "Const");
		put_bytes(&node, 1, names[i], i == 2 ? 3 : 5);
		put_message(&t, 1, &node);
	}
	struct input *in = input_memory(t.data, t.size, "f");

	assert_int_equal(graph_def_read(in, g, &small, &err), 0);
	input_close(in);
	assert_int_equal(g->node_count, 2);
	assert_string_equal(node_of(g, "const")->op, "Const");
	assert_string_equal(node_of(g, "b\\0c")->op, "Const");
	assert_int_equal(find_issue(g, "node-repeated")->count, 1);
	assert_string_equal(find_issue(g, "node-repeated")->place, "f: op const");
	text_release(&t);
	text_release(&node);
	text_release(&attr);
	text_release(&value);
	graph_free(g);
}

TEST(the_op_log_belongs_to_nodes)
{
	struct graph *g = graph_new();

	read_text(
		graph_def_read, g, "node { name: 'a' op: 'MatMul' } node { name: 'b' op: 'Add' }");
	read_text(op_log_read, g,
		"log_entries { name: 'a' float_ops: 5 types: 'MatMul' types: ['t', 'u'] }\n"
		"log_entries { name: 'a' float_ops: 6 code_def { traces { file_id: 1 lineno: -1 } "
		"} }\n"
		"log_entries { name: 'a' types: 't' }\n"
		"log_entries { name: 'gone' float_ops: 9 }\n"
		"log_entries { name: 'b' }\n"
		"id_to_string { key: 1 value: 'x.py' }\n");
	const struct graph_node *a = node_of(g, "a");

	assert_int_equal(a->float_ops, 6); /* 0 replaces nothing */
	assert_int_equal(a->op_type_count, 3);
	assert_string_equal(a->op_types[0], "MatMul");
	assert_string_equal(a->op_types[1], "t");
	assert_string_equal(a->op_types[2], "u");
	assert_int_equal(node_of(g, "b")->float_ops, 0);
	assert_int_equal(find_issue(g, "log-unknown")->count, 1);
	assert_string_equal(find_issue(g, "log-unknown")->place, "f: op gone");
	assert_int_equal(find_issue(g, "log-unknown")->severity, ISSUE_INFO);
	graph_free(g);
}

static struct graph *read_files(const char *graph, const char *log)
{
	char graph_path[1024], log_path[1024];
	struct error err = {.kind = ERROR_NONE};
	struct graph *g = graph_read_files(data_path(graph_path, sizeof(graph_path), graph),
		log ? data_path(log_path, sizeof(log_path), log) : NULL, &read_options_default,
		&err);

	if (!g)
		fail_msg("%s: %s", err.place, err.message);
	return g;
}

static void assert_same(const struct graph *a, const struct graph *b)
{
	assert_int_equal(a->node_count, b->node_count);
	for (size_t i = 0; i < a->node_count; i++) {
		const struct graph_node *x = &a->node[i], *y = &b->node[i];

		assert_string_equal(x->name, y->name);
		assert_string_equal(x->op, y->op);
		assert_int_equal(x->shape_count, y->shape_count);
		for (size_t k = 0; k < x->shape_count; k++)
			assert_true(x->shape[k] == y->shape[k]);
		assert_int_equal(x->op_type_count, y->op_type_count);
		for (size_t k = 0; k < x->op_type_count; k++)
			assert_string_equal(x->op_types[k], y->op_types[k]);
		assert_true(x->float_ops == y->float_ops);
	}
}

/* TensorFlow wrote both forms of these. */
TEST(both_forms_are_the_same)
{
	struct graph *a = read_files("run_metadata/mnist_softmax/graph.pb.gz",
			     "run_metadata/mnist_softmax/op_log.gz"),
		     *b = read_files("run_metadata/mnist_softmax/graph.pbtxt.gz",
			     "run_metadata/mnist_softmax/op_log.gz"),
		     *c = read_files(
			     "run_metadata/synth/graph.pb.gz", "run_metadata/synth/op_log.gz"),
		     *d = read_files("run_metadata/synth/graph.pbtxt.gz",
			     "run_metadata/synth/op_log.pbtxt.gz");
	bool incomplete;

	assert_same(a, b);
	assert_same(c, d);
	assert_int_equal(a->node_count, 107); /* lines "node {" in the text */
	assert_true(a->has_trace);
	assert_string_equal(text_base_name(a->path), "graph.pb.gz");
	/* The tutorial's weights: 784 x 10, and a bias of 10. */
	assert_int_equal(graph_node_params(node_of(a, "Variable"), &incomplete), 7840);
	assert_int_equal(graph_node_params(node_of(a, "Variable_1"), &incomplete), 10);
	assert_false(a->no_shapes || a->no_float_ops);
	graph_free(a);
	graph_free(b);
	graph_free(c);
	graph_free(d);
	a = read_files("run_metadata/synth/graph.pb.gz", NULL);
	assert_true(a->no_float_ops);
	graph_free(a);
}

TEST(files_of_other_kinds)
{
	static const struct {
		const char *graph, *log, *message;
	} cases[] = {
		{"tfprof/synth_1", NULL,
			"expected a GraphDef (graph.pb, graph.pbtxt) for --graph, found: "
			"TensorFlow profile"},
		{"run_metadata/synth/op_log.gz", NULL,
			"expected a GraphDef (graph.pb, graph.pbtxt) for --graph, found: "
			"tfprof op log (OpLogProto)"},
		{"run_metadata/synth/graph.pb.gz", "run_metadata/synth/graph.pb.gz",
			"expected tfprof's op log (tfprof_log) for --op-log, found: "
			"TensorFlow graph (GraphDef)"},
		{"run_metadata/synth/graph.pb.gz", "run_metadata/synth/run_meta_0.gz",
			"expected tfprof's op log (tfprof_log) for --op-log, found: "
			"TensorFlow RunMetadata"},
		{"detect/checkpoint_index", NULL,
			"expected a GraphDef (graph.pb, graph.pbtxt) for --graph, found: "
			"TensorFlow checkpoint"},
		{"tfprof/odd/empty", NULL, "empty file"},
		{"run_metadata/README.md", NULL, "found \"made\", expected ':' or '{'"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {.kind = ERROR_NONE};
		char graph[1024], log[1024];

		assert_null(graph_read_files(data_path(graph, sizeof(graph), cases[i].graph),
			cases[i].log ? data_path(log, sizeof(log), cases[i].log) : NULL,
			&read_options_default, &err));
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.message, cases[i].message);
	}
}

/* Every beginning of the files, and every byte changed, ends in a graph or in an error that says
 * something. */
TEST(damaged)
{
	static const char *const names[] = {"graph.pb.gz", "op_log.gz", "graph.pbtxt.gz"};
	static unsigned char bytes[20000];

	for (size_t i = 0; i < 3; i++) {
		read_function *read = i == 1 ? op_log_read : graph_def_read;
		char name[100], path[1024];
		struct error err = {.kind = ERROR_NONE};
		const unsigned char *plain;
		size_t size, errors = 0;

		snprintf(name, sizeof(name), "run_metadata/synth/%s", names[i]);
		struct input *in = input_open(data_path(path, sizeof(path), name), &err);

		assert_non_null(in);
		assert_int_equal(input_peek(in, sizeof(bytes), &plain, &size, &err), 0);
		assert_true(size < sizeof(bytes));
		memcpy(bytes, plain, size);
		input_close(in);
		for (size_t at = 1; at < size; at++) {
			struct graph *g = graph_new();

			for (int flip = 0; flip < 2; flip++) {
				err = (struct error){.kind = ERROR_NONE};
				bytes[at] ^= flip ? 0x15 : 0;
				if (read_bytes(read, g, bytes, flip ? size : at, &err)) {
					assert_true(err.message[0] && err.place[0]);
					errors++;
				}
				bytes[at] ^= flip ? 0x15 : 0;
			}
			graph_free(g);
		}
		assert_true(errors > size / 2);
	}
}
