/* tfprof's accounting of one step: classes of devices, names that are nodes, durations, bytes. */
#include "tfprof/graph/step_stats.h"
#include "tests/unit/test.h"

#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"
#define CPU_LOWER "/job:localhost/replica:0/task:0/device:cpu:0"
#define GPU "/job:localhost/replica:0/task:0/device:GPU:0"
#define GPU_LOWER "/job:localhost/replica:0/task:0/device:gpu:0"
#define AT 1500000000000000

TEST(classes_of_devices)
{
	const char *const canonical[] = {CPU_LOWER, GPU_LOWER, "/gpu:1", "/job:a/cpu:12",
		"/device:sycl:0", "//device:cpu:0"};
	const char *const other[] = {CPU, "/device:gpu:0/stream:all", "/gpu:0/stream:14",
		"/device:gpu:0/memcpy", "/device:xla_gpu:0", "/device:tpu:0", "gpu:0",
		"/gpu:", "/gpu:0x", "/gpu0", "/sycl:0", "", ":0", "7", "/gpu:0\n"};

	for (size_t i = 0; i < sizeof(canonical) / sizeof(canonical[0]); i++)
		assert_true(device_is_canonical(canonical[i]));
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		assert_false(device_is_canonical(other[i]));
	assert_true(device_is_accelerator_time("/gpu:0/stream:all"));
	assert_true(device_is_accelerator_time("/job:a/device:gpu:0/stream:all"));
	assert_false(device_is_accelerator_time("/gpu:0/stream:14"));
}

static struct step_stats begin(struct graph *g, int64_t step)
{
	return (struct step_stats){.graph = g, .step = step};
}

static void on(struct step_stats *s, const char *device)
{
	step_stats_device(s, device, strlen(device));
}

static void ran(struct step_stats *s, const char *name, int64_t start, int64_t dur)
{
	const struct node_stats in = {
		.name = name, .name_size = strlen(name), .start_micros = start, .dur_micros = dur};

	step_stats_add(s, &in);
}

static const struct graph_node *node_of(const struct graph *g, const char *name)
{
	uint32_t index;

	return graph_node_find(g, name, &index) ? &g->node[index] : NULL;
}

/* The only execution of the node. */
static const struct exec *exec_of(const struct graph *g, const char *name)
{
	const struct graph_node *node = node_of(g, name);

	assert_non_null(node);
	assert_int_equal(node->exec_count, 1);
	return &g->exec[node->exec_first];
}

TEST(times_by_device)
{
	struct graph *g = graph_new();
	struct step_stats s = begin(g, 3);

	on(&s, GPU);
	ran(&s, "conv", AT + 10, 30); /* launch */
	on(&s, "/device:GPU:0/stream:14");
	ran(&s, "conv:Conv2D", AT + 35, 100); /* bounds only */
	on(&s, "/device:GPU:0/stream:all");
	ran(&s, "conv:Conv2D", AT + 35, 100);
	ran(&s, "conv:Transpose", AT + 135, 0); /* 0 counts as 1 */
	on(&s, "/device:GPU:0/memcpy");
	ran(&s, "conv:MEMCPYDtoH", AT + 200, 7);
	step_stats_end(&s);
	const struct exec *e = exec_of(g, "conv");

	assert_int_equal(e->step, 3);
	assert_int_equal(e->cpu_micros, 30);
	assert_int_equal(e->accelerator_micros, 101);
	assert_int_equal(e->run_count, 1);
	assert_true(e->start_micros == AT + 10);
	assert_true(e->end_micros == AT + 207);
	assert_int_equal(g->interval_count, 3);
	assert_string_equal(node_of(g, "conv")->canonical_device, GPU_LOWER);
	assert_string_equal(
		node_of(g, "conv")->host_device, "/job:localhost/replica:0/task:0/device:cpu:0");
	assert_int_equal(g->step_count, 1);
	assert_int_equal(g->step[0], 3);
	assert_false(e->overflow);
	graph_free(g);
}

TEST(names_that_are_no_nodes)
{
	struct graph *model = graph_new(), *g = graph_new();
	struct step_stats s = begin(g, 0);

	graph_node_add(model, "RecvTensor");
	graph_node_add(model, "a/MEMCPY");
	model->node[0].op = "Op";
	g->base = model;
	on(&s, CPU);
	ran(&s, "_SOURCE", AT, 1);
	ran(&s, "RecvTensor", AT, 1);	       /* the model has it */
	ran(&s, "a/MEMCPY", AT, 1);	       /* and this */
	ran(&s, "b/MEMCPYHtoD", AT, 1);	       /* it has not */
	ran(&s, "edge_4_x:MEMCPYHtoD", AT, 1); /* the name is what stands before the ':' */
	ran(&s, "_SINK", AT, 1);
	ran(&s, ":x", AT, 1);
	step_stats_end(&s);
	assert_null(node_of(g, "_SOURCE"));
	assert_null(node_of(g, "b/MEMCPYHtoD"));
	assert_string_equal(node_of(g, "RecvTensor")->op, "Op");
	assert_string_equal(node_of(g, "edge_4_x")->op, "edge_4_x");
	assert_string_equal(node_of(g, "_SINK")->op, "_SINK");
	assert_string_equal(node_of(g, "")->op, "");
	assert_non_null(node_of(g, "a/MEMCPY"));
	assert_int_equal(g->node_count, 5);
	graph_free(g);
	graph_free(model);
}

TEST(a_second_canonical_device_is_left_out)
{
	struct graph *g = graph_new();
	struct step_stats s = begin(g, 0);

	on(&s, CPU);
	ran(&s, "a", AT, 5);
	on(&s, GPU);
	ran(&s, "a", AT, 50);
	ran(&s, "b", AT, 6);
	on(&s, "/gpu:0/stream:all");
	ran(&s, "a:k", AT, 3); /* not canonical: it counts */
	step_stats_end(&s);
	assert_int_equal(s.other_device, 1);
	assert_int_equal(exec_of(g, "a")->cpu_micros, 5);
	assert_int_equal(exec_of(g, "a")->accelerator_micros, 3);
	assert_int_equal(exec_of(g, "b")->cpu_micros, 6);
	assert_string_equal(node_of(g, "a")->canonical_device, CPU_LOWER);
	graph_free(g);
}

TEST(bytes_of_two_executions)
{
	struct graph *g = graph_new();
	struct step_stats s = begin(g, 0);
	const struct node_stats in = {
		.name = "a",
		.name_size = 1,
		.start_micros = AT,
		.dur_micros = 2,
		.total_bytes = 100,
		.peak_bytes = 80,
		.live_bytes = 30,
		.output_bytes = 20,
		.temp_bytes = 7,
		.persistent_bytes = 5,
	};

	on(&s, CPU);
	step_stats_add(&s, &in);
	step_stats_add(&s, &in);
	on(&s, "/gpu:0/stream:all"); /* not the node's device: no bytes */
	step_stats_add(&s, &in);
	step_stats_end(&s);
	const struct exec *e = exec_of(g, "a");

	assert_int_equal(e->run_count, 2);
	assert_int_equal(e->requested_bytes, 2 * (100 + 7 + 5));
	assert_int_equal(e->peak_bytes, 2 * (80 + 7 + 5));
	assert_int_equal(e->residual_bytes, 2 * (30 + 5));
	assert_int_equal(e->output_bytes, 2 * 20);
	assert_int_equal(e->cpu_micros, 4);
	assert_int_equal(e->accelerator_micros, 2);
	graph_free(g);
}

/* What contradicts an earlier execution stays so; an execution without outputs says nothing. */
TEST(shapes_of_two_executions)
{
	static const char *const shapes[][3] = {
		{"[4]", NULL, "[4]"}, {"[4]", "[5]", "[4]"}, {NULL, "[1][2]", ""}};
	static const char *const expected[] = {"[4]", "", "[1][2]"};
	struct graph *g = graph_new();
	struct step_stats s = begin(g, 0);
	char name[] = "a";

	on(&s, CPU);
	for (size_t i = 0; i < 3; i++) {
		name[0] = (char)('a' + i);
		for (size_t k = 0; k < 3; k++) {
			const struct node_stats in = {.name = name,
				.name_size = 1,
				.start_micros = AT,
				.dur_micros = 1,
				.shape = shapes[i][k]};

			step_stats_add(&s, &in);
		}
		assert_string_equal(node_of(g, name)->output_shape, expected[i]);
	}
	step_stats_end(&s);
	graph_free(g);
}

TEST(without_a_start_the_step_is_there)
{
	struct graph *g = graph_new();
	struct step_stats s = begin(g, 0);
	struct node_stats in = {.name = "b", .name_size = 1, .dur_micros = 9, .total_bytes = 50};

	on(&s, CPU);
	ran(&s, "a", 0, 5);
	step_stats_add(&s, &in);
	ran(&s, "b", AT, 4);
	in.name = "c";
	in.start_micros = -5; /* no time, but bytes */
	step_stats_add(&s, &in);
	step_stats_end(&s);
	assert_int_equal(exec_of(g, "a")->cpu_micros, 0);
	assert_int_equal(exec_of(g, "a")->run_count, 0);
	assert_int_equal(exec_of(g, "b")->cpu_micros, 4);
	assert_int_equal(exec_of(g, "b")->requested_bytes, 0);
	assert_int_equal(exec_of(g, "c")->run_count, 0);
	assert_int_equal(exec_of(g, "c")->requested_bytes, 50);
	assert_int_equal(s.without_start, 1); /* that of b; a is told by the conversion */
	graph_free(g);
}

TEST(types_from_the_model_or_the_label)
{
	struct graph *model = graph_new(), *g = graph_new(), *alone = graph_new();
	struct step_stats with = begin(g, 0), without = begin(alone, 0);
	struct node_stats in = {
		.name = "w:MatMul",
		.name_size = 8,
		.kind = "_FusedMatMul(",
		.kind_size = 12,
		.start_micros = AT,
		.dur_micros = 1,
	};
	int64_t shape[] = {3, 4};
	uint32_t w = graph_node_add(model, "w");

	model->node[w].op = "BiasAdd";
	model->node[w].shape = shape;
	model->node[w].shape_count = 2;
	model->node[w].float_ops = 12;
	graph_node_type(model, w, "BiasAdd");
	graph_node_type(model, w, "_trainable_variables");
	g->base = model;
	on(&with, CPU);
	step_stats_add(&with, &in);
	step_stats_end(&with);
	const struct graph_node *node = node_of(g, "w");

	assert_string_equal(node->op, "BiasAdd");
	assert_int_equal(node->shape_count, 2);
	assert_int_equal(node->float_ops, 12);
	assert_int_equal(node->op_type_count, 3);
	assert_string_equal(node->op_types[2], CPU_LOWER);
	assert_int_equal(model->node[w].op_type_count, 2); /* untouched */
	assert_string_equal(model->node[w].canonical_device, "");

	without.kinds = true;
	on(&without, CPU);
	ran(&without, "w", AT, 1); /* first without a label */
	step_stats_add(&without, &in);
	ran(&without, "plain", AT, 1);
	step_stats_end(&without);
	node = node_of(alone, "w");
	assert_string_equal(node->op, "_FusedMatMul");
	assert_int_equal(node->op_type_count, 2);
	assert_string_equal(node->op_types[1], CPU_LOWER);
	assert_string_equal(node_of(alone, "plain")->op, "plain");
	assert_true(without.has_kinds);
	assert_false(with.has_kinds);
	graph_free(g);
	graph_free(alone);
	graph_free(model);
}

TEST(nanoseconds_beside_microseconds)
{
	struct graph *g = graph_new();
	struct step_stats s = begin(g, 0);
	struct node_stats in = {
		.name = "a",
		.name_size = 1,
		.start_micros = AT,
		.dur_micros = 2,
		.start_nanos = (int64_t)AT * 1000 + 250,
		.dur_nanos = 2345,
	};
	struct profile *p = profile_new("f");
	struct error err = {.kind = ERROR_NONE};

	g->nanos = true;
	on(&s, CPU);
	step_stats_add(&s, &in);
	ran(&s, "b", AT + 10, 0); /* has none: its microsecond */
	in.name = "c";
	in.start_nanos = in.dur_nanos = 0;
	on(&s, "/gpu:0/stream:all");
	step_stats_add(&s, &in);
	step_stats_end(&s);
	assert_int_equal(s.without_nanos, 2);
	assert_int_equal(exec_of(g, "a")->cpu_micros, 2);
	assert_int_equal(graph_to_profile(g, p, &profile_limits_default, &err), 0);
	assert_int_equal(p->obs.column[MEASURE_CPU][0], 2345000);
	assert_int_equal(p->obs.column[MEASURE_CPU][1], 1000000);
	assert_int_equal(p->obs.column[MEASURE_ACCELERATOR][2], 2000000);
	/* From c's start to b's end, b apart from the others, which overlap. */
	assert_true(p->base_ns == (int64_t)AT * 1000);
	assert_int_equal(p->step[0].start_ps, 0);
	assert_int_equal(p->step[0].end_ps, 11000000);
	assert_int_equal(p->step[0].busy_ps, (250 + 2345 + 1000) * 1000);
	profile_free(p);
	graph_free(g);
}

/* Several steps into one graph: the executions of a node end up together, in order of steps. */
TEST(several_steps)
{
	struct graph *g = graph_new();
	const int64_t numbers[] = {7, -2, 100};

	g->nanos = true;
	for (size_t i = 0; i < 3; i++) {
		struct step_stats s = begin(g, numbers[i]);

		on(&s, CPU);
		if (i != 1)
			ran(&s, "a", AT + (int64_t)i, 1 + (int64_t)i);
		ran(&s, "b", AT, 10 + (int64_t)i);
		step_stats_end(&s);
	}
	const struct graph_node *a = node_of(g, "a"), *b = node_of(g, "b");

	assert_int_equal(a->exec_count, 2);
	assert_int_equal(b->exec_count, 3);
	assert_int_equal(g->exec[a->exec_first].step, 7);
	assert_int_equal(g->exec[a->exec_first + 1].step, 100);
	assert_int_equal(g->exec[a->exec_first + 1].cpu_micros, 3);
	assert_int_equal(g->exec_nanos[a->exec_first + 1].cpu, 3000);
	assert_int_equal(g->exec[b->exec_first].step, -2);
	assert_int_equal(g->exec[b->exec_first].cpu_micros, 11);
	assert_int_equal(g->exec_nanos[b->exec_first].cpu, 11000);
	assert_int_equal(g->step_count, 3);
	graph_free(g);
}

TEST(sums_that_wrap_are_marked)
{
	struct graph *g = graph_new();
	struct step_stats s = begin(g, 0);

	on(&s, CPU);
	ran(&s, "a", AT, INT64_MAX - 5);
	ran(&s, "b", AT, INT64_MAX / 4);
	step_stats_end(&s);
	assert_true(exec_of(g, "a")->overflow);
	assert_false(exec_of(g, "b")->overflow);
	graph_free(g);
}

TEST(words_with_a_zero)
{
	struct graph *g = graph_new();
	bool had_zero = false;

	assert_string_equal(graph_word(g, "a", 1, &had_zero), "a");
	assert_string_equal(graph_word(g, "", 0, &had_zero), "");
	assert_false(had_zero);
	assert_string_equal(graph_word(g, "a\0b", 3, &had_zero), "a\\0b");
	assert_true(had_zero);
	assert_string_equal(graph_word(g, "\0", 1, NULL), "\\0");
	graph_free(g);
}
