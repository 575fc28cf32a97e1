/* The inputs of tfprof's command line as one graph: every node, input, shape, frame and execution
 * against an independent decode (tests/data/tfprof-cli/decode.py), and the original's messages. */
#include "base/memory.h"
#include "tests/unit/test.h"
#include "tfprof/files/tfprof.h"
#include "tests/unit/encode.h"
#include "tfprof/view/model.h"

#define CLI "tfprof-cli/"
#define TRY_A_PROFILE                                                                              \
	"Try to use a single --profile_path instead of graph_path,op_log_path,run_meta_path\n"

/* Paths under tests/data, and what came of them. */
struct loaded {
	char path[4][1024], run[2][1024];
	const char *run_path[2];
	struct tfprof_inputs inputs;
	struct tfprof_model *model;
	struct text out, err;
	int exit_status;
};

static const char *full(char *out, const char *name)
{
	return name ? data_path(out, sizeof(((struct loaded *)0)->path[0]), name) : NULL;
}

static void setup(struct loaded *l, const char *profile, const char *graph, const char *log,
	const char *checkpoint)
{
	*l = (struct loaded){.exit_status = 99};
	l->inputs.profile_path = full(l->path[0], profile);
	l->inputs.graph_path = full(l->path[1], graph);
	l->inputs.op_log_path = full(l->path[2], log);
	l->inputs.checkpoint_path = full(l->path[3], checkpoint);
	l->inputs.run_meta_path = l->run_path;
}

static void add_run(struct loaded *l, const char *name)
{
	size_t i = l->inputs.run_meta_count++;

	l->run_path[i] = full(l->run[i], name);
}

static void load(struct loaded *l)
{
	text_init(&l->out);
	text_init(&l->err);
	l->model = tfprof_model_load(&l->inputs, &l->out, &l->err, &l->exit_status);
	assert_non_null(l->model);
	assert_non_null(l->model->graph->detail);
	assert_int_equal(l->model->graph->detail->node_count, l->model->graph->node_count);
}

static void finish(struct loaded *l)
{
	tfprof_model_free(l->model);
	text_release(&l->out);
	text_release(&l->err);
}

static char *read_whole(const char *name)
{
	char path[1024];
	FILE *file = fopen(data_path(path, sizeof(path), name), "rb");
	struct text t;
	int c;

	if (!file)
		fail_msg("no %s", path);
	text_init(&t);
	while ((c = getc(file)) != EOF)
		text_add_char(&t, (char)c);
	fclose(file);
	return t.data;
}

/* ---- the form of decode.py ---- */

static void add_dims(struct text *t, const int64_t *dim, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_printf(t, "%s%lld", i ? " " : "", (long long)dim[i]);
}

static int compare_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_node(struct text *t, const struct graph_node *n, const struct node_detail *d)
{
	const char *types[16];

	assert_true(n->op_type_count <= 16);
	for (size_t i = 0; i < n->op_type_count; i++)
		types[i] = n->op_types[i];
	qsort(types, n->op_type_count, sizeof(*types), compare_words);
	text_printf(t, "node\t%s\t%s\t", n->name, n->op);
	for (size_t i = 0; i < n->op_type_count; i++)
		text_printf(t, "%s%s", i ? " " : "", types[i]);
	text_printf(t, "\t%s\t%s\t%lld\t", n->canonical_device, n->host_device,
		(long long)n->float_ops);
	add_dims(t, n->shape, n->shape_count);
	text_printf(t, "\t%s\n", d->data_format);
}

static int32_t output_of(const struct node_detail *d, uint32_t source)
{
	for (size_t i = 0; i < d->source_output_count; i++)
		if (d->source_output[i].source == source)
			return d->source_output[i].output;
	fail_msg("no output of the source");
	return 0;
}

static void add_detail(struct text *t, const struct graph *g, const struct node_detail *d)
{
	for (size_t i = 0; i < d->input_count; i++) {
		uint32_t source = d->input[i].source;

		text_printf(t, "input\t%d\t%s\t%d\n", d->input[i].index,
			source == UINT32_MAX ? "-" : g->node[source].name, output_of(d, source));
	}
	for (size_t i = 0; i < d->output_count; i++) {
		text_printf(t, "output\t%d\t", d->output[i].index);
		add_dims(t, d->output[i].dim, d->output[i].dim_count);
		text_add_char(t, '\n');
	}
	for (size_t i = 0; i < d->trace_count; i++)
		text_printf(t, "frame\t%d\t%d\t%s\t%s\t%s\n", d->trace[i].line,
			d->trace[i].func_start_line, d->trace[i].file, d->trace[i].function,
			d->trace[i].text);
}

static void add_times(struct text *t, const struct graph_detail *d, uint32_t node)
{
	for (size_t i = 0; i < d->times_count; i++)
		for (size_t k = 0; d->times[i].node == node && k < d->times[i].count; k++)
			text_printf(t, "time\t%s\t%d\t%lld\t%lld\n", d->times[i].device,
				d->times[i].accelerator, (long long)d->times[i].start_micros[k],
				(long long)d->times[i].dur_micros[k]);
}

static void add_memory(struct text *t, const struct graph_detail *d, uint32_t node, int64_t step)
{
	for (size_t i = 0; i < d->exec_memory_count; i++) {
		const struct exec_memory *m = &d->exec_memory[i];

		if (m->node == node && m->step == step)
			text_printf(t, "memory\t%lld\t%lld\t%lld\n", (long long)m->memory_micros,
				(long long)m->bytes_in_use,
				(long long)m->accelerator_persistent_bytes);
	}
	for (size_t i = 0; i < d->allocation_count; i++)
		if (d->allocation[i].node == node && d->allocation[i].step == step)
			text_printf(t, "allocation\t%lld\t%lld\n",
				(long long)d->allocation[i].alloc_micros,
				(long long)d->allocation[i].alloc_bytes);
}

static void add_execs(
	struct text *t, const struct graph *g, const struct graph_detail *d, uint32_t node)
{
	for (size_t i = 0; i < g->node[node].exec_count; i++) {
		const struct exec *e = &g->exec[g->node[node].exec_first + i];

		assert_int_equal(e->node, node);
		text_printf(t, "exec\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\n",
			(long long)e->step, (long long)e->run_count,
			(long long)e->accelerator_micros, (long long)e->cpu_micros,
			(long long)e->requested_bytes, (long long)e->peak_bytes,
			(long long)e->residual_bytes, (long long)e->output_bytes,
			(long long)e->start_micros, (long long)e->end_micros);
		if (e->step == d->step)
			add_times(t, d, node);
		add_memory(t, d, node, e->step);
	}
}

static void assert_as_decoded(struct loaded *l, int64_t step, const char *expected)
{
	const struct graph *g = l->model->graph;
	struct error err = {.kind = ERROR_NONE};
	struct graph_detail detail;
	char *want = read_whole(expected);
	struct text t;

	if (tfprof_model_detail(l->model, step, &detail, &err))
		fail_msg("%s", err.message);
	text_init(&t);
	for (uint32_t i = 0; i < g->node_count; i++) {
		uint32_t found;

		assert_true(graph_node_find(g, g->node[i].name, &found));
		assert_int_equal(found, i);
		add_node(&t, &g->node[i], &g->detail->node[i]);
		add_detail(&t, g, &g->detail->node[i]);
		add_execs(&t, g, &detail, i);
	}
	assert_string_equal(text_string(&t), want);
	text_release(&t);
	memory_free(want);
	graph_detail_release(&detail);
	assert_int_equal(g->detail->times_count + g->detail->exec_memory_count, 0);
}

TEST(original_inputs_are_as_decoded)
{
	static const char *const folder[] = {"tf-1.2", "tf-1.4", "tf-2.0"};

	for (size_t i = 0; i < 3; i++) {
		char name[4][64];
		struct loaded l;

		snprintf(name[0], sizeof(name[0]), CLI "%s/graph.pbtxt", folder[i]);
		snprintf(name[1], sizeof(name[1]), CLI "%s/tfprof_log", folder[i]);
		snprintf(name[2], sizeof(name[2]), CLI "%s/run_meta", folder[i]);
		snprintf(name[3], sizeof(name[3]), CLI "expected/%s.tsv", folder[i]);
		setup(&l, NULL, name[0], name[1], NULL);
		add_run(&l, name[2]);
		load(&l);
		assert_int_equal(l.exit_status, -1);
		assert_false(l.model->graph->has_trace && i == 0);
		assert_as_decoded(&l, 0, name[3]);
		finish(&l);
	}
}

TEST(a_profile_is_as_decoded)
{
	struct loaded l;

	setup(&l, CLI "synth/profile_1", NULL, NULL, NULL);
	load(&l);
	assert_int_equal(l.exit_status, -1);
	assert_string_equal(text_string(&l.out), "Reading Files...\n");
	assert_string_equal(text_string(&l.err), "");
	assert_true(l.model->graph->has_trace);
	assert_int_equal(l.model->step_count, 2);
	assert_true(l.model->step[0] == 0 && l.model->step[1] == 1);
	assert_as_decoded(&l, 1, CLI "expected/synth_profile.tsv");
	finish(&l);
}

/* Binary, then the text forms of the same messages. */
TEST(graph_and_logs_are_as_decoded)
{
	static const char *const suffix[] = {"", ".pbtxt"};

	for (size_t i = 0; i < 2; i++) {
		char run[2][64];
		struct loaded l;

		snprintf(run[0], sizeof(run[0]), CLI "synth/run_meta_0%s", suffix[i]);
		snprintf(run[1], sizeof(run[1]), CLI "synth/run_meta_1%s", suffix[i]);
		setup(&l, NULL, i ? CLI "synth/graph.pbtxt" : CLI "synth/graph.pb",
			CLI "synth/op_log", NULL);
		add_run(&l, run[0]);
		add_run(&l, run[1]);
		load(&l);
		assert_int_equal(l.exit_status, -1);
		/* As the original was seen to print it. */
		assert_string_equal(text_string(&l.out),
			"Reading Files...\n" TRY_A_PROFILE "Parsing Inputs...\n"
			"run graph coverage: 0.49\nrun graph coverage: 0.54\n");
		assert_string_equal(text_string(&l.err),
			"input/labels has no start time, skipping\n"
			"input/labels has no start time, skipping\n");
		assert_false(l.model->graph->detail->misses_stream);
		assert_as_decoded(&l, 1, CLI "expected/synth.tsv");
		finish(&l);
	}
}

/* ---- what the original says ---- */

TEST(missing_streams_are_seen)
{
	struct loaded l;

	setup(&l, NULL, CLI "synth/graph.pbtxt", NULL, NULL);
	add_run(&l, CLI "synth/run_meta_nostream");
	load(&l);
	assert_true(l.model->graph->detail->misses_stream);
	assert_non_null(strstr(text_string(&l.out), "run graph coverage: 0.47\n"));
	finish(&l);
}

static bool has_type(const struct loaded *l, const char *name, const char *type)
{
	uint32_t node;

	assert_true(graph_node_find(l->model->graph, name, &node));
	for (size_t i = 0; i < l->model->graph->node[node].op_type_count; i++)
		if (text_equal(l->model->graph->node[node].op_types[i], type))
			return true;
	return false;
}

/* The variables of the checkpoint are DW, DW2 and ScalarW. */
TEST(checkpoint_names_are_a_type)
{
	struct loaded l;

	setup(&l, NULL, CLI "tf-2.0/graph.pbtxt", NULL, CLI "tf-2.0/ckpt");
	load(&l);
	assert_int_equal(l.exit_status, -1);
	assert_non_null(l.model->checkpoint);
	assert_true(has_type(&l, "DW", "_checkpoint_variables"));
	assert_true(has_type(&l, "DW2", "_checkpoint_variables"));
	assert_true(has_type(&l, "ScalarW", "_checkpoint_variables"));
	assert_false(has_type(&l, "DW/read", "_checkpoint_variables"));
	assert_int_equal(l.model->step_count, 0);
	finish(&l);
}

/* `want` has one %s, for the path. */
static void assert_refused(struct loaded *l, const char *path, const char *want, int status)
{
	struct text t;

	load(l);
	assert_int_equal(l->exit_status, status);
	text_init(&t);
	for (; *want; want++)
		if (*want == '@')
			text_add(&t, path);
		else
			text_add_char(&t, *want);
	assert_string_equal(text_string(&l->err), text_string(&t));
	text_release(&t);
	assert_int_equal(l->model->step_count, 0);
	finish(l);
}

TEST(unreadable_inputs_are_refused_as_the_original_does)
{
	struct loaded l;

	setup(&l, "no/such", NULL, NULL, NULL);
	assert_refused(&l, l.path[0],
		"Failed to read profile: Not found: @; No such file or directory", -1);
	setup(&l, CLI "decode.py", NULL, NULL, NULL);
	assert_refused(&l, l.path[0], "Failed to parse profile\n", -1);
	setup(&l, NULL, "no/such", NULL, NULL);
	assert_refused(&l, l.path[1],
		"Failed to read graph_path: Not found: @; No such file or directory\n", 1);
	setup(&l, NULL, CLI "decode.py", NULL, NULL);
	assert_refused(&l, l.path[1],
		"Failed to read graph_path: Invalid argument: Cannot parse proto file.\n", 1);
	setup(&l, NULL, NULL, "no/such", NULL);
	assert_refused(&l, l.path[2],
		"Failed to read op_log_path: Not found: @; No such file or directory\n", 1);
	setup(&l, NULL, NULL, CLI "synth/op_log.pbtxt", NULL);
	assert_refused(&l, l.path[2], "Failed to parse op_log_path\n", 1);
	setup(&l, NULL, NULL, NULL, NULL);
	add_run(&l, CLI);
	assert_refused(&l, l.run[0],
		"Failed to read run_meta_path @. Status: Failed precondition: @; Is a directory\n",
		1);
	setup(&l, NULL, NULL, NULL, NULL);
	add_run(&l, CLI "synth/graph.pbtxt"); /* text without step_stats */
	assert_refused(&l, NULL, "Invalid RunMetadata for step 0\n", -1);
}

/* ---- rules that the data do not show ---- */

static void put_pair(struct text *t, uint32_t field, int64_t key, int64_t value)
{
	struct text pair;

	text_init(&pair);
	put_number(&pair, 1, key);
	put_number(&pair, 2, value);
	put_message(t, field, &pair);
	text_release(&pair);
}

/* An entry of nodes; `body` is emptied. */
static void put_node(struct text *t, int64_t key, struct text *body)
{
	struct text entry;

	text_init(&entry);
	put_number(&entry, 1, key);
	put_message(&entry, 2, body);
	put_message(t, 1, &entry);
	text_release(&entry);
}

/* An entry of execs with one time on a device, and one record of memory and of allocation. */
static void put_exec(struct text *node, int64_t step, int64_t start)
{
	struct text tuple, times, entry, exec, all;

	text_init(&tuple);
	text_init(&times);
	text_init(&entry);
	text_init(&exec);
	text_init(&all);
	put_number(&tuple, 1, start);
	put_number(&tuple, 1, 5);
	put_message(&times, 1, &tuple);
	put_string(&entry, 1, "/gpu:0");
	put_message(&entry, 2, &times);
	put_message(&exec, 5, &entry);
	put_number(&entry, 1, start + 5);
	put_number(&entry, 10, start + 6);
	put_message(&exec, 7, &entry);
	put_number(&entry, 1, start + 7);
	put_number(&entry, 2, -8);
	put_message(&exec, 11, &entry);
	put_number(&all, 1, step);
	put_message(&all, 2, &exec);
	put_message(node, 12, &all);
	text_release(&tuple);
	text_release(&times);
	text_release(&entry);
	text_release(&exec);
	text_release(&all);
}

static void read_bytes(struct graph *g, struct graph_detail *detail, const struct text *bytes)
{
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(bytes->data, bytes->size, "made");

	graph_detail_init(detail);
	detail->step = 3;
	detail->memory = true;
	g->detail = detail;
	if (tfprof_read_graph(in, g, &g->issues, &read_options_default, &err))
		fail_msg("%s", err.message);
	input_close(in);
}

/* Keys that are no ids, in any order; a name twice; an input that nothing has; a step twice. */
TEST(inputs_refer_to_keys)
{
	struct graph *g = graph_new();
	struct graph_detail d;
	struct text t, node;

	text_init(&t);
	text_init(&node);
	put_string(&node, 1, "user");
	put_number(&node, 13, 70); /* id: of no use */
	put_pair(&node, 2, 1, 90);
	put_pair(&node, 2, 0, 70);
	put_pair(&node, 2, 2, 5);
	put_pair(&node, 14, 70, 2);
	put_exec(&node, 3, 100);
	put_exec(&node, 4, 200);
	put_exec(&node, 3, 300);
	put_node(&t, 80, &node);
	put_string(&node, 1, "twin");
	put_string(&node, 9, "Second");
	put_exec(&node, 3, 400);
	put_node(&t, 90, &node);
	put_string(&node, 1, "twin");
	put_string(&node, 9, "First");
	put_string(&node, 5, "First");
	put_string(&node, 5, "First");
	put_exec(&node, 3, 500);
	put_node(&t, 70, &node);
	read_bytes(g, &d, &t);

	assert_int_equal(g->node_count, 2);
	assert_string_equal(g->node[0].op, "First");
	assert_int_equal(g->node[0].op_type_count, 1);
	assert_int_equal(d.node[1].input_count, 3);
	assert_int_equal(d.node[1].input[0].source, 0);
	assert_int_equal(d.node[1].input[1].source, 0); /* the twin that stayed */
	assert_int_equal(d.node[1].input[2].source, UINT32_MAX);
	assert_int_equal(d.node[1].source_output_count, 1);
	assert_int_equal(d.node[1].source_output[0].output, 2);
	assert_int_equal(d.times_count, 2);
	assert_true(d.times[0].node == 0 && d.times[0].start_micros[0] == 500);
	assert_true(d.times[1].node == 1 && d.times[1].start_micros[0] == 300);
	assert_int_equal(d.times[1].count, 1);
	assert_int_equal(d.exec_memory_count, 3);
	assert_true(d.exec_memory[1].step == 3 && d.exec_memory[1].memory_micros == 305);
	assert_true(d.exec_memory[2].step == 4 && d.exec_memory[2].bytes_in_use == 206);
	assert_int_equal(d.allocation_count, 3);
	assert_true(d.allocation[0].alloc_micros == 507 && d.allocation[0].alloc_bytes == -8);
	graph_free(g);
	graph_detail_release(&d);
	text_release(&t);
	text_release(&node);
}

TEST(names_of_inputs)
{
	static const char *const input[] = {"a:1", "^b", "a:0:7", "c:x", "a:2"};
	static const char *const name[] = {"a", "b", "a", "c", "a"};
	struct graph *g = graph_new();
	struct graph_detail d;
	uint32_t a;

	graph_detail_init(&d);
	g->detail = &d;
	a = graph_node_add(g, "a");
	graph_detail_inputs(&d, graph_node_add(g, "user"), input, 5);
	graph_detail_finish(g);
	assert_int_equal(d.node[1].input_count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(d.node[1].input[i].index, i);
		assert_string_equal(d.node[1].input[i].name, name[i]);
		assert_int_equal(d.node[1].input[i].source, name[i][0] == 'a' ? a : UINT32_MAX);
	}
	assert_int_equal(d.node[1].source_output_count, 3);
	for (size_t i = 0; i < 3; i++) /* as in the dumps of released versions */
		assert_int_equal(d.node[1].source_output[i].output, 0);
	graph_free(g);
	graph_detail_release(&d);
}
