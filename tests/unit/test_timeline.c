/* Timelines against those that TensorFlow's profiler wrote, byte by byte; the dumps are read here
 * field by field. */
#include "ingest/protobuf/wire.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"
#include "tfprof/timeline_graph.h"

#define PATH_SIZE 4096
#define NODES_MOST 4096

/* ---- a dump as graph and detail ---- */

struct dump {
	struct graph *graph;
	struct graph_detail detail;
	int64_t step;		       /* whose executions are kept */
	int64_t key[NODES_MOST];       /* by node */
	int64_t input[NODES_MOST][64]; /* keys; those of a node by index */
	size_t input_count[NODES_MOST];
};

static void read_packed(struct text *t, const char *name)
{
	char path[PATH_SIZE];
	struct error err;
	struct input *in = input_open(data_path(path, sizeof(path), name), &err);
	const unsigned char *part;
	size_t size;

	assert_non_null(in);
	while (input_peek(in, 1, &part, &size, &err) == 0 && size > 0) {
		text_add_bytes(t, (const char *)part, size);
		input_skip(in, size);
	}
	input_close(in);
}

/* Field `number` of a message: its last occurrence; false without one. */
static bool field_of(struct wire w, uint32_t number, struct wire_field *out)
{
	struct wire_field f;
	bool found = false;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == number) {
			*out = f;
			found = true;
		}
	return found;
}

static int64_t number_of(struct wire w, uint32_t field)
{
	struct wire_field f = {0};

	return field_of(w, field, &f) ? (int64_t)f.value : 0;
}

static const char *word_of(struct dump *d, struct wire w, uint32_t field)
{
	struct wire_field f = {0};

	if (!field_of(w, field, &f))
		return "";
	return graph_word(d->graph, (const char *)f.bytes, (size_t)f.size, NULL);
}

static struct wire message_of(struct wire w, uint32_t field)
{
	struct wire_field f = {0};

	return field_of(w, field, &f) ? wire_inside(&f) : (struct wire){w.at, w.at};
}

static void *room_for_one(struct dump *d, void *items, size_t count, size_t item)
{
	void *grown = arena_array(d->detail.arena, count + 1, item);

	if (count > 0)
		memcpy(grown, items, count * item);
	return grown;
}

static void add_time(struct dump *d, struct exec_times *t, struct wire tuple)
{
	int64_t pair[2];
	size_t n = 0;
	struct wire_field f = {0};
	struct wire w;

	assert_true(field_of(tuple, 1, &f));
	assert_int_equal(f.type, WIRE_BYTES); /* packed */
	w = wire_inside(&f);
	for (uint64_t value; w.at < w.end && wire_varint(&w, &value);) {
		assert_true(n < 2);
		pair[n++] = (int64_t)value;
	}
	t->start_micros = room_for_one(d, t->start_micros, t->count, sizeof(int64_t));
	t->dur_micros = room_for_one(d, t->dur_micros, t->count, sizeof(int64_t));
	t->start_micros[t->count] = pair[0];
	t->dur_micros[t->count++] = pair[1];
}

static int64_t add_times(
	struct dump *d, uint32_t node, struct wire entry, bool accelerator, bool keep)
{
	struct exec_times t = {
		.node = node, .device = word_of(d, entry, 1), .accelerator = accelerator};
	struct wire times = message_of(entry, 2);
	struct wire_field f;
	int64_t sum = 0;

	while (wire_next(&times, &f) == WIRE_FIELD)
		if (f.number == 1)
			add_time(d, &t, wire_inside(&f));
	for (size_t i = 0; i < t.count; i++)
		sum += t.dur_micros[i];
	if (keep) {
		d->detail.times =
			room_for_one(d, d->detail.times, d->detail.times_count, sizeof(t));
		d->detail.times[d->detail.times_count++] = t;
	}
	return sum;
}

static void add_memory(struct dump *d, uint32_t node, int64_t step, struct wire memory)
{
	struct graph_detail *g = &d->detail;

	g->exec_memory =
		room_for_one(d, g->exec_memory, g->exec_memory_count, sizeof(*g->exec_memory));
	g->exec_memory[g->exec_memory_count++] = (struct exec_memory){.node = node,
		.step = step,
		.memory_micros = number_of(memory, 1),
		.bytes_in_use = number_of(memory, 10),
		.accelerator_persistent_bytes = number_of(memory, 5)};
}

static void add_allocation(struct dump *d, uint32_t node, int64_t step, struct wire record)
{
	struct graph_detail *g = &d->detail;

	g->allocation = room_for_one(d, g->allocation, g->allocation_count, sizeof(*g->allocation));
	g->allocation[g->allocation_count++] = (struct exec_allocation){.node = node,
		.step = step,
		.alloc_micros = number_of(record, 1),
		.alloc_bytes = number_of(record, 2)};
}

static void add_exec(struct dump *d, uint32_t node, struct wire entry)
{
	int64_t step = number_of(entry, 1);
	struct wire w = message_of(entry, 2), rest = w;
	struct exec exec = {.node = node, .step = step};
	struct wire_field f;

	exec.run_count = number_of(w, 1);
	exec.start_micros = number_of(w, 2);
	while (wire_next(&rest, &f) == WIRE_FIELD) {
		if (f.number == 4)
			exec.accelerator_micros +=
				add_times(d, node, wire_inside(&f), true, step == d->step);
		else if (f.number == 5)
			exec.cpu_micros +=
				add_times(d, node, wire_inside(&f), false, step == d->step);
		else if (f.number == 7)
			add_memory(d, node, step, wire_inside(&f));
		else if (f.number == 11)
			add_allocation(d, node, step, wire_inside(&f));
	}
	*graph_push_exec(d->graph) = exec;
}

static void add_node(struct dump *d, struct wire entry)
{
	struct wire w = message_of(entry, 2), rest = w;
	uint32_t node = graph_node_add(d->graph, word_of(d, w, 1));
	struct graph_node *n = &d->graph->node[node];
	struct wire_field f;

	assert_true(node < NODES_MOST);
	d->key[node] = number_of(entry, 1);
	n->op = word_of(d, w, 9);
	n->canonical_device = word_of(d, w, 6);
	while (wire_next(&rest, &f) == WIRE_FIELD) {
		if (f.number == 5) {
			graph_node_type(d->graph, node,
				graph_word(d->graph, (const char *)f.bytes, (size_t)f.size, NULL));
		} else if (f.number == 2) {
			int64_t index = number_of(wire_inside(&f), 1);

			assert_true(index >= 0 && index < 64);
			d->input[node][index] = number_of(wire_inside(&f), 2);
			if ((size_t)index >= d->input_count[node])
				d->input_count[node] = (size_t)index + 1;
		} else if (f.number == 12) {
			add_exec(d, node, wire_inside(&f));
		}
	}
}

static uint32_t node_of_key(const struct dump *d, int64_t key)
{
	for (uint32_t i = 0; i < d->graph->node_count; i++)
		if (d->key[i] == key)
			return i;
	fail_msg("no node %lld", (long long)key);
	return 0;
}

static void link_inputs(struct dump *d)
{
	struct graph_detail *g = &d->detail;

	g->node_count = d->graph->node_count;
	g->node = arena_array(g->arena, g->node_count, sizeof(*g->node));
	for (size_t i = 0; i < g->node_count; i++) {
		g->node[i].data_format = "";
		g->node[i].input_count = d->input_count[i];
		g->node[i].input =
			arena_array(g->arena, d->input_count[i], sizeof(struct graph_input));
		for (size_t k = 0; k < d->input_count[i]; k++)
			g->node[i].input[k] = (struct graph_input){
				.index = (int32_t)k, .source = node_of_key(d, d->input[i][k])};
	}
	d->graph->detail = g;
}

static struct dump *load(const char *name, int64_t step)
{
	struct dump *d = calloc(1, sizeof(*d));
	struct text bytes;
	struct wire w;
	struct wire_field f;

	assert_non_null(d);
	text_init(&bytes);
	read_packed(&bytes, name);
	d->graph = graph_new();
	d->detail.arena = arena_new();
	d->step = step;
	w = (struct wire){
		(const unsigned char *)bytes.data, (const unsigned char *)bytes.data + bytes.size};
	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == 1)
			add_node(d, wire_inside(&f));
	assert_true(d->graph->node_count > 0);
	link_inputs(d);
	graph_order_execs(d->graph);
	text_release(&bytes);
	return d;
}

/* ---- the recorded ones ---- */

static void draw(const struct dump *d, bool graph, int64_t step, const char *account,
	struct text *json, struct text *notes)
{
	struct arena *arena = arena_new();
	const char *all = ".*", *types = account ? account : all;
	struct tfprof_options options = {
		.max_depth = 10000,
		.step = step,
		.order_by = "name",
		.account_type = {&types, 1},
		.start_name = {&all, 1},
		.show_name = {&all, 1},
	};
	struct slots slots = {.average = step < 0, .step = &step, .count = 1};
	struct node_values values;
	struct timeline timeline;
	struct view *view;

	node_values_make(d->graph, &slots, arena, &values);
	view = graph ? view_graph(&values, &options, arena, notes)
		     : view_scope(&values, &options, arena, notes);
	assert_non_null(view);
	timeline_init(&timeline);
	if (graph)
		timeline_graph_add(&timeline,
			&(struct timeline_graph){.arena = arena,
				.view = view,
				.options = &options,
				.inputs = d->detail.node,
				.detail = &d->detail,
				.step = step},
			notes);
	else
		timeline_tree_add(&timeline, view, arena);
	timeline_text(&timeline, json);
	timeline_release(&timeline);
	arena_free(arena);
}

static void check(const char *dump, const char *recorded, bool graph, int64_t step,
	const char *account, const char *notes)
{
	struct dump *d = load(dump, step);
	struct text json, said, wanted;

	text_init(&json);
	text_init(&said);
	text_init(&wanted);
	read_packed(&wanted, recorded);
	draw(d, graph, step, account, &json, &said);
	assert_int_equal(json.size, wanted.size);
	assert_memory_equal(json.data, wanted.data, json.size);
	assert_string_equal(text_string(&said), notes);
	text_release(&json);
	text_release(&said);
	text_release(&wanted);
	arena_free(d->detail.arena);
	graph_free(d->graph);
	free(d);
}

TEST(scopes)
{
	check("tfprof/synth_1", "timeline/synth_scope_average.json.gz", false, -1, NULL, "");
	check("tfprof/synth_1", "timeline/synth_scope_1.json.gz", false, 1, NULL, "");
	check("tfprof/mnist_softmax_100.gz", "timeline/mnist_scope_30.json.gz", false, 30, NULL,
		"");
}

#define SYNTH_NOTES                                                                                \
	"generating trace file.\n/job:worker/replica:0/task:0/device:gpu:0 peak memory: 8.00 MB\n"

TEST(graphs)
{
	check("tfprof/synth_1", "timeline/synth_graph_0.json.gz", true, 0, NULL, SYNTH_NOTES);
	check("tfprof/synth_1", "timeline/synth_graph_1.json.gz", true, 1, NULL, SYNTH_NOTES);
	check("tfprof/synth_1", "timeline/synth_graph_gpu_0.json.gz", true, 0, ".*gpu.*",
		SYNTH_NOTES);
	check("tfprof/gpu_synth_8.gz", "timeline/gpu_synth_graph_4.json.gz", true, 4, NULL,
		"generating trace file.\n"
		"/job:localhost/replica:0/task:0/device:gpu:0 peak memory: 31.11 MB\n"
		"/job:localhost/replica:0/task:0/device:gpu:1 peak memory: 29.77 MB\n");
	check("tfprof/mnist_softmax_100.gz", "timeline/mnist_graph_100.json.gz", true, 100, NULL,
		"generating trace file.\n");
}

/* An input that names nothing draws no arrow: the recorded file stays as it is. */
TEST(absent_input)
{
	struct dump *d = load("tfprof/synth_1", 0);
	struct text json, said, wanted;

	text_init(&json);
	text_init(&said);
	text_init(&wanted);
	read_packed(&wanted, "timeline/synth_graph_0.json.gz");
	for (size_t i = 0; i < d->detail.node_count; i++) {
		struct node_detail *n = &d->detail.node[i];
		struct graph_input *input =
			room_for_one(d, n->input, n->input_count, sizeof(*input));

		input[n->input_count] = (struct graph_input){
			.index = (int32_t)n->input_count, .source = UINT32_MAX};
		n->input = input;
		n->input_count++;
	}
	draw(d, true, 0, NULL, &json, &said);
	assert_string_equal(text_string(&json), text_string(&wanted));
	assert_string_equal(text_string(&said), SYNTH_NOTES);
	text_release(&json);
	text_release(&said);
	text_release(&wanted);
	arena_free(d->detail.arena);
	graph_free(d->graph);
	free(d);
}

/* Quotes, control characters, two planes of Unicode, and bytes that are no UTF-8. */
TEST(strings)
{
	struct text out;

	text_init(&out);
	timeline_string(&out, "a\"b\\c/\n\t\x01\x7f \xc3\xa9 \xf0\x9f\x98\x80 \xff");
	assert_string_equal(text_string(&out),
		"\"a\\\"b\\\\c/\\n\\t\\u0001\x7f \\u00e9 \\ud83d\\ude00 \\ufffd\"");
	text_release(&out);
}
