/* The text format of protobuf: values of every form, lists, what is passed over, places of
 * errors. */
#include <inttypes.h>
#include "base/arena.h"
#include "ingest/proto/graph_def.pb-c.h"
#include "ingest/proto/run_metadata.pb-c.h"
#include "ingest/protobuf/text_proto.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

/* Reads one message m { ... } of the type; NULL with the error. */
static ProtobufCMessage *parse(struct arena *arena, const char *text, size_t size,
	const ProtobufCMessageDescriptor *type, struct error *err)
{
	struct input *in = input_memory(text, size, "f");
	struct text_proto *t = text_proto_new(in, 1000);
	ProtobufCAllocator allocator = arena_allocator(arena);
	ProtobufCMessage *message = NULL;
	struct text out;
	const char *name;

	text_init(&out);
	if (text_proto_next(t, &name, err) == 1 && text_proto_encode(t, type, &out, err) == 0 &&
		text_proto_next(t, &name, err) == 0)
		message = protobuf_c_message_unpack(
			type, &allocator, out.size, (const uint8_t *)text_string(&out));
	text_release(&out);
	text_proto_free(t);
	input_close(in);
	return message;
}

static const Run__NodeExecStats *stats(struct arena *arena, const char *text)
{
	struct error err = {.kind = ERROR_NONE};
	ProtobufCMessage *m =
		parse(arena, text, strlen(text), &run__node_exec_stats__descriptor, &err);

	if (!m)
		print_message("%s: %s\n", err.place, err.message);
	assert_non_null(m);
	return (const Run__NodeExecStats *)m;
}

static void check_bytes(ProtobufCBinaryData data, const char *bytes, size_t size)
{
	assert_int_equal(data.len, size);
	assert_memory_equal(data.data, bytes, size);
}

TEST(numbers)
{
	static const struct {
		const char *text;
		int64_t value;
	} cases[] = {
		{"0", 0},
		{"7", 7},
		{"-7", -7},
		{"- 7", -7},
		{"0x1F", 31},
		{"-0x10", -16},
		{"017", 15},
		{"9223372036854775807", INT64_MAX},
		{"-9223372036854775808", INT64_MIN},
		{"0x7fffffffffffffff", INT64_MAX},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[100];

		snprintf(text, sizeof(text), "m { all_start_micros: %s }", cases[i].text);
		assert_true(stats(arena, text)->all_start_micros == cases[i].value);
	}
	arena_free(arena);
}

TEST(strings)
{
	struct arena *arena = arena_new();

	check_bytes(stats(arena, "m{node_name:\"a/b\"}")->node_name, "a/b", 3);
	check_bytes(stats(arena, "m { node_name: 'it' \"s\"\n 'x' }")->node_name, "itsx", 4);
	check_bytes(stats(arena, "m { node_name: '\\\"\\'\\\\\\n\\t\\r\\a\\?' }")->node_name,
		"\"'\\\n\t\r\a?", 8);
	check_bytes(stats(arena, "m { node_name: '\\0\\101\\7x\\x41\\xfg\\303\\251' }")->node_name,
		"\0A\7xA\x0fg\xc3\xa9", 9);
	check_bytes(stats(arena, "m { node_name: '\\u00e9\\U0001F600\\u0041\\u20ac' }")->node_name,
		"\xc3\xa9\xf0\x9f\x98\x80"
		"A\xe2\x82\xac",
		10);
	check_bytes(stats(arena, "m { node_name: '' }")->node_name, "", 0);
	arena_free(arena);
}

TEST(messages_and_what_is_passed_over)
{
	static const char text[] =
		"\xef\xbb\xbf# a comment { with: braces\n"
		"m <\n"
		"  unknown: 1.5e-07f, other: -inf; flag: true  # here too\n"
		"  dtype: DT_FLOAT\n"
		"  12: 5\n"
		"  [com.example/a.b-c]: { x: [1, 2, 'z'], y < > }\n"
		"  node_name: \"n\";\n"
		"  deep { deeper: { list: [ { a: 1 }, { } ] empty: [] } text: 'a' 'b' }\n"
		"  memory { allocator_name: \"cpu\" total_bytes: 10 peak_bytes: 9 }\n"
		"  memory: [ { total_bytes: 20 }, < live_bytes: -3 > ]\n"
		"  memory: []\n"
		"  output { slot: 1 tensor_description { shape { dim { size: 2 } }\n"
		"    allocation_description { requested_bytes: 5 allocated_bytes: 8 } } }\n"
		"  memory_stats { }\n"
		"  op_end_rel_micros: 1 op_end_rel_micros: 2\n"
		">\n";
	struct arena *arena = arena_new();
	const Run__NodeExecStats *s = stats(arena, text);

	check_bytes(s->node_name, "n", 1);
	assert_int_equal(s->n_memory, 3);
	assert_int_equal(s->memory[0]->total_bytes, 10);
	assert_int_equal(s->memory[0]->peak_bytes, 9);
	assert_int_equal(s->memory[1]->total_bytes, 20);
	assert_int_equal(s->memory[2]->live_bytes, -3);
	assert_int_equal(s->n_output, 1);
	assert_int_equal(
		s->output[0]->tensor_description->allocation_description->allocated_bytes, 8);
	assert_non_null(s->memory_stats);
	assert_int_equal(s->op_end_rel_micros, 2);
	arena_free(arena);
}

TEST(bools_and_repeated_strings)
{
	static const char *const yes[] = {"true", "True", "t", "1"}, *const no[] = {"false",
									     "False", "f", "0"};
	struct arena *arena = arena_new();
	struct error err = {.kind = ERROR_NONE};
	char text[100];

	for (size_t i = 0; i < 8; i++) {
		snprintf(text, sizeof(text), "m { dim { size: -1 } unknown_rank: %s }",
			i < 4 ? yes[i] : no[i - 4]);
		ProtobufCMessage *m =
			parse(arena, text, strlen(text), &graph__tensor_shape__descriptor, &err);

		assert_non_null(m);
		assert_int_equal(((Graph__TensorShape *)m)->unknown_rank, i < 4);
		assert_int_equal(((Graph__TensorShape *)m)->dim[0]->size, -1);
	}
	static const char list[] = "m { name: 'a' types: ['x', 'y' \"z\"] types: 'w' }";
	ProtobufCMessage *m =
		parse(arena, list, strlen(list), &graph__op_log_entry__descriptor, &err);

	assert_non_null(m);
	assert_int_equal(((Graph__OpLogEntry *)m)->n_types, 3);
	check_bytes(((Graph__OpLogEntry *)m)->types[1], "yz", 2);
	check_bytes(((Graph__OpLogEntry *)m)->types[2], "w", 1);
	arena_free(arena);
}

TEST(fields_one_by_one)
{
	static const char text[] = "a: 'x' b { c: [ { d: 1 }, { d: 2 } ] e: 'no' } f: [3, 4] g {}";
	struct input *in = input_memory(text, strlen(text), "f");
	struct text_proto *t = text_proto_new(in, 1000);
	struct error err = {.kind = ERROR_NONE};
	struct text out;
	const char *name;

	text_init(&out);
	assert_int_equal(text_proto_next(t, &name, &err), 1);
	assert_string_equal(name, "a");
	assert_int_equal(text_proto_string(t, &out, &err), 0);
	assert_string_equal(text_string(&out), "x");
	assert_int_equal(text_proto_next(t, &name, &err), 1);
	assert_string_equal(name, "b");
	assert_int_equal(text_proto_enter(t, &err), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(text_proto_next(t, &name, &err), 1);
		assert_string_equal(name, "c");
		assert_int_equal(text_proto_enter(t, &err), 0);
		assert_int_equal(text_proto_next(t, &name, &err), 1);
		assert_string_equal(name, "d");
		assert_int_equal(text_proto_skip(t, &err), 0);
		assert_int_equal(text_proto_next(t, &name, &err), 0);
	}
	assert_int_equal(text_proto_next(t, &name, &err), 1);
	assert_string_equal(name, "e");
	assert_int_equal(text_proto_skip(t, &err), 0);
	assert_int_equal(text_proto_next(t, &name, &err), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(text_proto_next(t, &name, &err), 1);
		assert_string_equal(name, "f");
		assert_int_equal(text_proto_skip(t, &err), 0);
	}
	assert_int_equal(text_proto_next(t, &name, &err), 1);
	assert_string_equal(name, "g");
	assert_int_equal(text_proto_skip(t, &err), 0);
	assert_int_equal(text_proto_next(t, &name, &err), 0);
	assert_int_equal(text_proto_next(t, &name, &err), 0);
	text_release(&out);
	text_proto_free(t);
	text_proto_free(NULL);
	input_close(in);
}

TEST(places_of_errors)
{
	static const struct {
		const char *text, *place, *message;
	} cases[] = {
		{"m {", "f:1:4", "the text ends, expected a field or the end of the message"},
		{"m { a: 1 ]", "f:1:10", "found \"]\", expected a field or the end of the message"},
		{"m { a: 1 >", "f:1:10", "found \">\", expected a field or the end of the message"},
		{"m {} }", "f:1:6", "found \"}\", expected a field"},
		{"m: 1", "f:1:4", "found \"1\", expected '{'"},
		{"m 1", "f:1:3", "found \"1\", expected ':' or '{'"},
		{"m {\n\ta 1 }", "f:2:4", "found \"1\", expected ':' or '{'"},
		{"m { node_name: 5 }", "f:1:16", "found \"5\", expected a string"},
		{"m { node_name: \"a }\n", "f:1:16", "a string that does not end in its line"},
		{"m { node_name: 'a", "f:1:16", "a string that does not end in its line"},
		{"m { node_name: '\\q' }", "f:1:16", "a string with an unknown escape"},
		{"m { node_name: '\\xg' }", "f:1:16",
			"a string with an escape that is not a character"},
		{"m { node_name: '\\U00110000' }", "f:1:16",
			"a string with an escape that is not a character"},
		{"m { all_start_micros: 'x' }", "f:1:23",
			"found a string, expected a whole number of 64 bits"},
		{"m { all_start_micros: 1.5 }", "f:1:23",
			"found \"1.5\", expected a whole number of 64 bits"},
		{"m { all_start_micros: 08 }", "f:1:23",
			"found \"08\", expected a whole number of 64 bits"},
		{"m { all_start_micros: 9223372036854775808 }", "f:1:23",
			"found \"9223372036854775808\", expected a number in range"},
		{"m { all_start_micros: -9223372036854775809 }", "f:1:24",
			"found \"9223372036854775809\", expected a number in range"},
		{"m { all_start_micros: 99999999999999999999 }", "f:1:23",
			"found \"99999999999999999999\", expected a whole number of 64 bits"},
		{"m { all_start_micros: }", "f:1:23",
			"found \"}\", expected a whole number of 64 bits"},
		{"m { x: [1 2] }", "f:1:11", "found \"2\", expected ',' or ']'"},
		{"m { x: [1, ] }", "f:1:12", "found \"]\", expected a value"},
		{"m { x: [[1]] }", "f:1:9", "found \"[\", expected a value"},
		{"m { x: - }", "f:1:10", "found \"}\", expected a value"},
		{"m { [a b = 1 }", "f:1:10", "found \"=\", expected the name of an extension"},
		{"m { [a", "f:1:7", "the text ends, expected the name of an extension"},
		{"m { \x01 }", "f:1:5",
			"found \"\\x01\", expected a field or the end of the message"},
		{"m { \xff }", "f:1:5",
			"found \"\\xff\", expected a field or the end of the message"},
	};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {.kind = ERROR_NONE};

		assert_null(parse(arena, cases[i].text, strlen(cases[i].text),
			&run__node_exec_stats__descriptor, &err));
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.message, cases[i].message);
		assert_string_equal(err.place, cases[i].place);
	}
	arena_free(arena);
}

TEST(a_zero_byte)
{
	struct arena *arena = arena_new();
	struct error err = {.kind = ERROR_NONE};

	assert_null(parse(arena, "m { \0 }", 7, &run__node_exec_stats__descriptor, &err));
	assert_string_equal(
		err.message, "found \"\\x00\", expected a field or the end of the message");
	arena_free(arena);
}

/* Braces in each other: as many as protobuf allows, known or not, and not one more. */
TEST(depth_is_bounded)
{
	struct arena *arena = arena_new();

	for (int more = 0; more < 2; more++) {
		struct error err = {.kind = ERROR_NONE};
		size_t depth = TEXT_PROTO_DEPTH - 1 + (size_t)more;
		struct text t;

		text_init(&t);
		for (size_t i = 0; i < depth; i++)
			text_add(&t, i == 1 ? "m:{" : "m{");
		for (size_t i = 0; i < depth; i++)
			text_add_char(&t, '}');
		ProtobufCMessage *m =
			parse(arena, t.data, t.size, &run__node_exec_stats__descriptor, &err);

		assert_true((m != NULL) == !more);
		if (more)
			assert_string_equal(err.message, "more than 99 messages in each other");
		text_release(&t);
	}
	arena_free(arena);
}

/* Cap of 1000 bytes in parse(): a long string may be passed over but not kept. */
TEST(long_values)
{
	struct arena *arena = arena_new();
	static const char *const fields[] = {"other", "node_name"};

	for (size_t i = 0; i < 2; i++) {
		struct error err = {.kind = ERROR_NONE};
		struct text t;

		text_init(&t);
		text_printf(&t, "m { %s: '", fields[i]);
		text_add_repeat(&t, 'x', 5000);
		text_add(&t, "' }");
		ProtobufCMessage *m =
			parse(arena, t.data, t.size, &run__node_exec_stats__descriptor, &err);

		assert_true((m != NULL) == (i == 0));
		if (i == 1) {
			assert_int_equal(err.kind, ERROR_LIMIT);
			assert_string_equal(
				err.hint, "allow more with max-record in stepstat.yaml");
		}
		text_release(&t);
	}
	struct error err = {.kind = ERROR_NONE};
	struct text t;

	text_init(&t);
	text_add_repeat(&t, 'n', 1001);
	assert_null(parse(arena, t.data, t.size, &run__node_exec_stats__descriptor, &err));
	assert_string_equal(err.message, "a name that is too long");
	text_release(&t);
	arena_free(arena);
}

static size_t load(const char *name, unsigned char *out, size_t room)
{
	char path[1024];
	FILE *f = fopen(data_path(path, sizeof(path), name), "rb");

	assert_non_null(f);
	size_t size = fread(out, 1, room, f);

	fclose(f);
	assert_true(size < room);
	return size;
}

/* Counts the fields "node" up to the end or an error. */
static int count_nodes(const unsigned char *bytes, size_t size, size_t *nodes, struct error *err)
{
	struct input *in = input_memory(bytes, size, "f");
	struct text_proto *t = text_proto_new(in, 1000000);
	const char *name;
	int got;

	*nodes = 0;
	while ((got = text_proto_next(t, &name, err)) == 1) {
		*nodes += strcmp(name, "node") == 0;
		if (text_proto_skip(t, err)) {
			got = -1;
			break;
		}
	}
	text_proto_free(t);
	input_close(in);
	return got;
}

/* Twenty times the same text, packed: it comes in pieces, whose borders fall anywhere. */
TEST(the_window_moves)
{
	static unsigned char bytes[20 * 8000];
	size_t size = load("run_metadata/mnist_softmax/graph.pbtxt.gz", bytes, 8000), nodes;
	struct error err = {.kind = ERROR_NONE};

	for (size_t i = 1; i < 20; i++)
		memcpy(bytes + i * size, bytes, size);
	assert_int_equal(count_nodes(bytes, 20 * size, &nodes, &err), 0);
	assert_int_equal(nodes, 20 * 107); /* lines "node {" in the text */
}

TEST(a_cut_gzip_is_an_error)
{
	static unsigned char bytes[8000];
	size_t size = load("run_metadata/mnist_softmax/graph.pbtxt.gz", bytes, 8000), nodes;

	for (size_t cut = 20; cut < size; cut += 97) {
		struct error err = {.kind = ERROR_NONE};

		assert_int_equal(count_nodes(bytes, cut, &nodes, &err), -1);
		assert_non_null(strstr(err.message, "gzip"));
	}
}

/* Floats, doubles and names of enums: values by hand, of IEEE 754. */
TEST(reals)
{
	static const char text[] =
		"m { attr { key: \"t\" value { tensor { dtype: DT_BFLOAT16 tensor_shape { }"
		" float_val: 1.5 float_val: -.25e1 float_val: [3., 0x10, 7f, -inf]"
		" double_val: 0.1 double_val: infinity double_val: -0 double_val: nan } } }"
		" attr { key: \"n\" value { type: 101 } } attr { key: \"r\" value { f: 1e-45 } } }";
	static const uint32_t floats[] = {
		0x3fc00000, 0xc0200000, 0x40400000, 0x41800000, 0x40e00000, 0xff800000};
	static const uint64_t doubles[] = {
		0x3fb999999999999a, 0x7ff0000000000000, 0x8000000000000000};
	struct arena *arena = arena_new();
	struct error err = {.kind = ERROR_NONE};
	const Graph__NodeWhole *m = (const Graph__NodeWhole *)parse(
		arena, text, strlen(text), &graph__node_whole__descriptor, &err);

	if (!m)
		print_message("%s: %s\n", err.place, err.message);
	assert_non_null(m);
	assert_int_equal(m->n_attr, 3);
	const Graph__TensorWhole *t = m->attr[0]->value->tensor;

	assert_int_equal(t->dtype, 14);
	assert_non_null(t->tensor_shape);
	assert_int_equal(t->n_float_val, 6);
	assert_memory_equal(t->float_val, floats, sizeof(floats));
	assert_int_equal(t->n_double_val, 4);
	assert_memory_equal(t->double_val, doubles, sizeof(doubles));
	assert_true(t->double_val[3] != t->double_val[3]);
	assert_int_equal(m->attr[1]->value->type, 101);
	assert_true(m->attr[2]->value->f > 0 && m->attr[2]->value->f < 2e-45);
	arena_free(arena);
}

static void check_refused(const char *text, const char *place, const char *message)
{
	struct arena *arena = arena_new();
	struct error err = {.kind = ERROR_NONE};

	assert_null(parse(arena, text, strlen(text), &graph__node_whole__descriptor, &err));
	assert_string_equal(err.place, place);
	assert_string_equal(err.message, message);
	arena_free(arena);
}

TEST(reals_that_are_none)
{
	check_refused("m { attr { value { f: x } } }", "f:1:23", "found \"x\", expected a number");
	check_refused("m { attr { value { f: 1.2.3 } } }", "f:1:23",
		"found \"1.2.3\", expected a number");
	check_refused(
		"m { attr { value { f: \"1\" } } }", "f:1:23", "found a string, expected a number");
	check_refused("m { attr { value { type: 1.5 } } }", "f:1:26",
		"found \"1.5\", expected a whole number of 64 bits");
}
