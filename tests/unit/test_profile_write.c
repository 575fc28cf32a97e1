/* Written profiles against TensorFlow's own dumps of the same steps, both unpacked by protobuf-c:
 * every field of every node as lines of text, sorted. A dump that is written again has the same
 * lines. A profile that is written of graph, op log and RunMetadata has those of the dump, but for
 * the shapes that TensorFlow completed in its live graph before it wrote the dump, and the float
 * operations that follow from them. The numbers of such lines are from `protoc --decode` of both
 * files, compared by a script in Python. */
#include <inttypes.h>
#include <unistd.h>
#include "base/memory.h"
#include "ingest/input/input.h"
#include "tests/unit/encode.h"
#include "tests/unit/profile_whole.pb-c.h"
#include "tests/unit/test.h"
#include "tfprof/view/model.h"

#define MODELS "models/"
#define MOST_BYTES ((size_t)4 << 20)

struct lines {
	char **line;
	size_t count, room;
};

/* A message with what is looked up in it. */
struct whole {
	Whole__ProfileProto *p;
	const char *node;	      /* name of the present one */
	const int64_t *step, *number; /* steps that are compared, and their numbers for the lines */
	size_t step_count;
	struct lines lines;
};

static void add_line(struct whole *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void add_line(struct whole *w, const char *format, ...)
{
	char text[16384];
	va_list arguments;

	va_start(arguments, format);
	int n = vsnprintf(text, sizeof(text), format, arguments);

	va_end(arguments);
	assert_true(n >= 0 && (size_t)n < sizeof(text));
	if (w->lines.count == w->lines.room) {
		w->lines.room = w->lines.room ? 2 * w->lines.room : 1024;
		w->lines.line = realloc(w->lines.line, w->lines.room * sizeof(*w->lines.line));
	}
	size_t size = strlen(w->node) + (size_t)n + 2;
	char *line = malloc(size);

	snprintf(line, size, "%s\t%s", w->node, text);
	w->lines.line[w->lines.count++] = line;
}

#define BYTES(b) (int)(b).len, (const char *)(b).data

static const Whole__ProfileNode *node_at(const struct whole *w, int64_t key)
{
	for (size_t i = 0; i < w->p->n_nodes; i++)
		if (w->p->nodes[i]->key == key)
			return w->p->nodes[i]->value;
	return NULL;
}

static ProtobufCBinaryData name_at(const struct whole *w, int64_t key)
{
	const Whole__ProfileNode *node = node_at(w, key);

	assert_non_null(node);
	return node->name;
}

static ProtobufCBinaryData text_at(const struct whole *w, ProtobufCBinaryData inside, int64_t id)
{
	for (size_t i = 0; i < w->p->n_id_to_string && inside.len == 0; i++)
		if (w->p->id_to_string[i]->key == id)
			return w->p->id_to_string[i]->value;
	return inside;
}

static void add_trace(struct whole *w, const Whole__CodeDef *trace)
{
	for (size_t i = 0; trace && i < trace->n_traces; i++) {
		const Whole__Trace *t = trace->traces[i];

		add_line(w, "trace %zu %.*s:%d:%.*s:%.*s:%d", i,
			BYTES(text_at(w, t->file, t->file_id)), t->lineno,
			BYTES(text_at(w, t->function, t->function_id)),
			BYTES(text_at(w, t->line, t->line_id)), t->func_start_line);
	}
}

/* A hash stands for the bytes, of which there are thousands in a constant. */
static void add_attributes(struct whole *w, const Whole__ProfileNode *n)
{
	for (size_t i = 0; i < n->n_attrs; i++) {
		const Whole__Attr *a = n->attrs[i];

		add_line(w, "attr.%.*s %zu %016" PRIx64, BYTES(a->key), a->value.len,
			intern_hash(a->value.data, a->value.len, 1));
	}
}

static void add_times(
	struct whole *w, int64_t step, const char *what, Whole__Exec *const *exec, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < exec[i]->value->n_times; k++) {
			const Whole__Tuple *t = exec[i]->value->times[k];

			assert_int_equal(t->n_int64_values, 2);
			add_line(w, "exec %" PRId64 " %s %.*s %zu: %" PRId64 " %" PRId64, step,
				what, BYTES(exec[i]->key), k, t->int64_values[0],
				t->int64_values[1]);
		}
}

static void add_memory(struct whole *w, int64_t step, size_t index, const Whole__ExecMemory *m)
{
	add_line(w,
		"exec %" PRId64 " memory %zu: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
		" %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
		step, index, m->memory_micros, m->host_temp_bytes, m->host_persistent_bytes,
		m->accelerator_temp_bytes, m->accelerator_persistent_bytes, m->requested_bytes,
		m->peak_bytes, m->residual_bytes, m->output_bytes, m->allocator_bytes_in_use);
	for (size_t i = 0; i < m->n_output_memory; i++)
		add_line(w, "exec %" PRId64 " memory %zu output %d: %" PRId64 " %" PRIu64, step,
			index, m->output_memory[i]->key, m->output_memory[i]->value->bytes,
			m->output_memory[i]->value->ptr);
}

static void add_exec(struct whole *w, int64_t step, const Whole__ExecProfile *e)
{
	add_line(w, "exec %" PRId64 ": %" PRId64 " %" PRId64 " %" PRId64, step, e->run_count,
		e->all_start_micros, e->latest_end_micros);
	add_times(w, step, "accelerator", e->accelerator_execs, e->n_accelerator_execs);
	add_times(w, step, "cpu", e->cpu_execs, e->n_cpu_execs);
	for (size_t i = 0; i < e->n_devices; i++)
		add_line(w, "exec %" PRId64 " device %.*s", step, BYTES(e->devices[i]));
	for (size_t i = 0; i < e->n_memory_execs; i++)
		add_memory(w, step, i, e->memory_execs[i]);
	for (size_t i = 0; i < e->n_allocations; i++)
		add_line(w, "exec %" PRId64 " allocation %zu: %" PRId64 " %" PRId64, step, i,
			e->allocations[i]->alloc_micros, e->allocations[i]->alloc_bytes);
}

/* The place of a step among those that are compared, or their number. */
static size_t find_step(const struct whole *w, int64_t step)
{
	size_t i = 0;

	while (i < w->step_count && w->step[i] != step)
		i++;
	return i;
}

static void add_numbers(
	struct whole *w, const char *what, int32_t index, const int64_t *number, size_t count)
{
	add_line(w, "%s %d has %zu", what, index, count);
	for (size_t i = 0; i < count; i++)
		add_line(w, "%s %d: %zu is %" PRId64, what, index, i, number[i]);
}

static void add_node(struct whole *w, const Whole__ProfileNode *n)
{
	add_line(w, "op %.*s", BYTES(n->op));
	add_line(w, "device %.*s", BYTES(n->canonical_device));
	add_line(w, "host %.*s", BYTES(n->host_device));
	add_line(w, "float_ops %" PRId64, n->float_ops);
	add_numbers(w, "shape", 0, n->shape, n->n_shape);
	for (size_t i = 0; i < n->n_op_types; i++)
		add_line(w, "type %.*s", BYTES(n->op_types[i]));
	for (size_t i = 0; i < n->n_inputs; i++)
		add_line(w, "input %d %.*s", n->inputs[i]->key,
			BYTES(name_at(w, n->inputs[i]->value)));
	for (size_t i = 0; i < n->n_src_output_index; i++)
		add_line(w, "source %.*s %d", BYTES(name_at(w, n->src_output_index[i]->key)),
			n->src_output_index[i]->value);
	for (size_t i = 0; i < n->n_output_shapes; i++)
		add_numbers(w, "output_shape", n->output_shapes[i]->key,
			n->output_shapes[i]->value->int64_values,
			n->output_shapes[i]->value->n_int64_values);
	add_trace(w, n->trace);
	add_attributes(w, n);
	for (size_t i = 0; i < n->n_execs; i++) {
		size_t step = find_step(w, n->execs[i]->key);

		if (step < w->step_count)
			add_exec(w, w->number[step], n->execs[i]->value);
	}
}

/* A node that ran in other steps only has a device and types that the written profile cannot
 * know. */
static bool is_compared(const struct whole *w, const Whole__ProfileNode *n)
{
	for (size_t i = 0; i < n->n_execs; i++)
		if (find_step(w, n->execs[i]->key) < w->step_count)
			return true;
	return n->n_execs == 0;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void make_lines(struct whole *w, const struct whole *dump)
{
	for (size_t i = 0; i < w->p->n_nodes; i++) {
		const Whole__ProfileNode *n = w->p->nodes[i]->value, *peer = n;
		char name[1024];

		snprintf(name, sizeof(name), "%.*s", BYTES(n->name));
		w->node = name;
		for (size_t k = 0; dump && k < dump->p->n_nodes; k++) {
			const Whole__ProfileNode *other = dump->p->nodes[k]->value;

			if (other->name.len == n->name.len &&
				memcmp(other->name.data, n->name.data, n->name.len) == 0)
				peer = other;
		}
		if (is_compared(dump ? dump : w, peer))
			add_node(w, n);
	}
	qsort(w->lines.line, w->lines.count, sizeof(*w->lines.line), compare_lines);
}

static void unpack(struct whole *w, const char *path)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_open(path, &err);
	unsigned char *bytes = malloc(MOST_BYTES);
	const unsigned char *part;
	size_t size, all = 0;

	assert_non_null(in);
	while (input_peek(in, 1, &part, &size, &err) == 0 && size > 0) {
		assert_true(all + size <= MOST_BYTES);
		memcpy(bytes + all, part, size);
		all += size;
		input_skip(in, size);
	}
	input_close(in);
	w->p = whole__profile_proto__unpack(NULL, all, bytes);
	assert_non_null(w->p);
	free(bytes);
}

static void release(struct whole *w)
{
	for (size_t i = 0; i < w->lines.count; i++)
		free(w->lines.line[i]);
	free(w->lines.line);
	whole__profile_proto__free_unpacked(w->p, NULL);
}

/* ---- comparing ---- */

/* Lines of one side only, by what they say. */
struct differences {
	size_t shapes, attributes, float_ops, others;
};

static void count_difference(struct differences *d, const char *line)
{
	const char *what = strchr(line, '\t') + 1;

	if (text_starts(what, "output_shape "))
		d->shapes++;
	else if (text_starts(what, "attr._output_shapes "))
		d->attributes++;
	else if (text_starts(what, "float_ops "))
		d->float_ops++;
	else if (d->others++ < 5)
		print_message("# %s\n", line);
}

static struct differences compare(const struct lines *a, const struct lines *b)
{
	struct differences d = {0};
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		int order = i == a->count ? 1 : k == b->count ? -1 : strcmp(a->line[i], b->line[k]);

		if (order)
			count_difference(&d, order < 0 ? a->line[i] : b->line[k]);
		i += order <= 0;
		k += order >= 0;
	}
	return d;
}

/* Loads and writes to `path`. */
static void write_model(const struct tfprof_inputs *inputs, const char *path)
{
	struct error err = {.kind = ERROR_NONE};
	struct text out, messages;
	int status;

	text_init(&out);
	text_init(&messages);
	struct tfprof_model *model = tfprof_model_load(inputs, &out, &messages, &status);

	assert_int_equal(status, -1);
	assert_int_equal(tfprof_model_write(model, path, &err), 0);
	tfprof_model_free(model);
	text_release(&out);
	text_release(&messages);
}

static void compare_files(const char *dump_path, const char *written_path, const int64_t *step,
	const int64_t *written_step, size_t count, struct differences *found, size_t *lines)
{
	static const int64_t number[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
	struct whole dump = {.step = step, .number = number, .step_count = count};
	struct whole written = {.step = written_step, .number = number, .step_count = count};

	unpack(&dump, dump_path);
	unpack(&written, written_path);
	assert_int_equal(dump.p->has_trace, written.p->has_trace);
	assert_int_equal(dump.p->miss_accelerator_stream, written.p->miss_accelerator_stream);
	make_lines(&dump, NULL);
	make_lines(&written, &dump);
	*found = compare(&dump.lines, &written.lines);
	*lines = dump.lines.count;
	release(&dump);
	release(&written);
}

/* A model of the test data, with the steps of its RunMetadata files. */
struct recorded {
	const char *profile, *graph, *op_log, *run[4];
	int64_t step[4];
	size_t count;
};

static struct differences of_graph(const struct recorded *r)
{
	static const int64_t written_step[] = {0, 1, 2, 3};
	char path[3][1024], run[4][1024];
	const char *run_path[4];
	struct tfprof_inputs inputs = {.run_meta_path = run_path, .run_meta_count = r->count};
	struct differences found;
	size_t lines;

	inputs.graph_path = data_path(path[0], sizeof(path[0]), r->graph);
	inputs.op_log_path = data_path(path[1], sizeof(path[1]), r->op_log);
	for (size_t i = 0; i < r->count; i++)
		run_path[i] = data_path(run[i], sizeof(run[i]), r->run[i]);
	write_model(&inputs, "written_profile");
	compare_files(data_path(path[2], sizeof(path[2]), r->profile), "written_profile", r->step,
		written_step, r->count, &found, &lines);
	unlink("written_profile");
	assert_true(lines > 1000);
	assert_int_equal(found.others, 0);
	return found;
}

#define RUN(model, n) MODELS model "/run_meta/run_meta_" #n ".gz"

static void check_differences(
	const struct recorded *r, size_t shapes, size_t attributes, size_t float_ops)
{
	struct differences found = of_graph(r);

	assert_int_equal(found.shapes, shapes);
	assert_int_equal(found.attributes, attributes);
	assert_int_equal(found.float_ops, float_ops);
}

/* GPU devices, allocators and streams: nothing was open in that graph. */
TEST(a_gpu_profile_is_the_dump)
{
	static const struct recorded gpu = {MODELS "gpu_synth/profile_8.gz",
		MODELS "resnet_tower/graph.pb.gz", MODELS "resnet_tower/op_log.gz",
		{MODELS "gpu_synth/run_meta_3.gz", MODELS "gpu_synth/run_meta_5.gz"}, {3, 5}, 2};

	check_differences(&gpu, 0, 0, 0);
}

TEST(a_tower_profile_is_the_dump)
{
	static const struct recorded tower = {MODELS "resnet_tower/profile_8.gz",
		MODELS "resnet_tower/graph.pb.gz", MODELS "resnet_tower/op_log.gz",
		{RUN("resnet_tower", 3), RUN("resnet_tower", 4)}, {3, 4}, 2};

	check_differences(&tower, 0, 0, 0);
}

/* A while_loop, and the graph as text. A dimension that was open has a line on each side; one shape
 * was open as a whole, and became two dimensions. */
TEST(a_profile_of_text_is_the_dump)
{
	static const struct recorded rnn = {MODELS "rnn_while/profile_11.gz",
		MODELS "rnn_while/graph.pbtxt.gz", MODELS "rnn_while/op_log.gz",
		{RUN("rnn_while", 2), RUN("rnn_while", 10)}, {2, 10}, 2};

	check_differences(&rnn, 2 * 10 + 2 + 2, 2 * 11, 2 * 4);
}

/* The batch size is open in the graph. */
TEST(a_softmax_profile_is_the_dump)
{
	static const struct recorded mnist = {MODELS "mnist_softmax/profile_100.gz",
		MODELS "mnist_softmax/graph.pb.gz", MODELS "mnist_softmax/op_log.gz",
		{RUN("mnist_softmax", 0), RUN("mnist_softmax", 1), RUN("mnist_softmax", 50),
			RUN("mnist_softmax", 100)},
		{0, 1, 50, 100}, 4};

	check_differences(&mnist, 2 * 12, 2 * 8, 2 * 6);
}

TEST(a_dump_is_written_with_every_field)
{
	static const char *const dumps[] = {"mnist_softmax/profile_100.gz",
		"resnet_tower/profile_8.gz", "rnn_while/profile_11.gz", "gpu_synth/profile_8.gz"};
	static const int64_t steps[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 50, 100};
	char name[256], path[1024];
	struct differences found;
	size_t lines;

	for (size_t i = 0; i < sizeof(dumps) / sizeof(*dumps); i++) {
		snprintf(name, sizeof(name), MODELS "%s", dumps[i]);
		write_model(&(struct tfprof_inputs){.profile_path =
							    data_path(path, sizeof(path), name)},
			"written_dump");
		compare_files(path, "written_dump", steps, steps, sizeof(steps) / sizeof(*steps),
			&found, &lines);
		unlink("written_dump");
		assert_true(lines > 1000);
		assert_int_equal(
			found.others + found.shapes + found.attributes + found.float_ops, 0);
	}
}
