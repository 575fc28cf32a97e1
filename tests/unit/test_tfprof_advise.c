/* The three checkers: use of accelerators, choice of operations, what takes most time. */
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"
#include "tfprof/view/advise.h"

#define GPU "/job:localhost/replica:0/task:0/device:gpu:0"
#define CPU "/job:localhost/replica:0/task:0/device:cpu:0"

/* What is advised on a graph of one step, and what is said beside it. */
static void check_advice(
	struct graph *g, size_t step_count, const char *expected, const char *expected_messages)
{
	int64_t step = 0;
	struct tfprof_model model = {
		.arena = g->arena, .graph = g, .step = &step, .step_count = step_count};
	struct advice advice;
	struct text out, messages;

	text_init(&out);
	text_init(&messages);
	advice_make(&model, g->arena, &advice, &messages);
	advice_text(&advice, &out);
	assert_string_equal(text_string(&out), expected);
	assert_string_equal(text_string(&messages), expected_messages);
	text_release(&out);
	text_release(&messages);
}

static void add_conv(struct graph *g, const char *name, int64_t start_micros, const char *format)
{
	uint32_t node = made_node(g, name, "Conv2D", GPU);
	struct exec *exec = made_exec(g, 0, 2, 2);

	exec->start_micros = start_micros;
	exec->end_micros = start_micros + 2;
	g->detail->node[node].data_format = format;
}

#define NO_CODE "Missing op_log (code traces) for ExpensiveOperationChecker\n"

/* TensorFlow's own test of its advisor: two convolutions, 4 us of 12 us. */
TEST(advice_is_that_of_tensorflow)
{
	struct graph *g = made_graph();

	add_conv(g, "n1", 10, "NHWC");
	add_conv(g, "n2", 20, "");
	check_advice(g, 1,
		"\nAcceleratorUtilizationChecker:\n"
		"device: " GPU " low utilization: 0.33\n"
		"\nOperationChecker:\n"
		"Found operation using NHWC data_format on GPU. Maybe NCHW is faster.\n"
		"\nExpensiveOperationChecker:\n"
		"top 1 operation type: Conv2D, cpu: 4us, accelerator: 4us, total: 8us (100.00%)\n",
		NO_CODE);
	graph_free(g);
}

/* The last step of a node, starts of 0 left aside; half of the time is enough. */
TEST(use_is_that_of_the_last_step)
{
	struct graph *g = made_graph();
	struct exec *exec;

	made_node(g, "a", "A", GPU);
	made_exec(g, 0, 1000, 0)->end_micros = 900000;
	exec = made_exec(g, 3, 5, 0);
	exec->start_micros = 100;
	exec->end_micros = 110;
	made_node(g, "b", "B", GPU);
	made_exec(g, 3, 0, 0);
	made_node(g, "c", "C", CPU);
	made_exec(g, 3, 0, 50)->end_micros = 5000;
	check_advice(g, 0,
		"\nAcceleratorUtilizationChecker:\n"
		"device: " GPU " utilization: 0.50\n"
		"\nOperationChecker:\n"
		"\nExpensiveOperationChecker:\n"
		"top 1 graph node: a, cpu: 0us, accelerator: 502us, total: 502us\n",
		"Missing RunMetadata info. Skip ExpensiveOperationChecker\n"
		"Missing run_meta for ExpensiveOperationChecker\n" NO_CODE);
	graph_free(g);
}

TEST(batch_norm_should_be_fused)
{
	const char *hint = "\nAcceleratorUtilizationChecker:\n"
			   "\nOperationChecker:\n"
			   "Maybe use faster FusedBatchNorm instead of BatchNorm\n"
			   "\nExpensiveOperationChecker:\n";
	const char *none = "\nAcceleratorUtilizationChecker:\n"
			   "\nOperationChecker:\n"
			   "\nExpensiveOperationChecker:\n";
	struct graph *g = made_graph();

	/* NHWC on a cpu is nothing to change. */
	g->detail->node[made_node(g, "x/BatchNorm/y", "Mul", CPU)].data_format = "NHWC";
	check_advice(g, 1, hint, NO_CODE);
	made_node(g, "fused", "FusedBatchNormV3", CPU);
	check_advice(g, 1, hint, NO_CODE);
	made_node(g, "old", "FusedBatchNorm", CPU);
	check_advice(g, 1, none, NO_CODE);
	graph_free(g);
}

TEST(three_ops_and_three_scopes)
{
	struct graph *g = made_graph();

	made_node(g, "s/a", "A", "");
	made_exec(g, 0, 0, 5000);
	made_node(g, "b", "B", "");
	made_exec(g, 0, 0, 3000);
	made_node(g, "c", "C", "");
	made_exec(g, 0, 0, 1900);
	made_node(g, "d", "D", "");
	made_exec(g, 0, 0, 100);
	/* A scope has no time of its own. */
	check_advice(g, 1,
		"\nAcceleratorUtilizationChecker:\n"
		"\nOperationChecker:\n"
		"\nExpensiveOperationChecker:\n"
		"top 1 operation type: A, cpu: 5.00ms, accelerator: 0us, total: 5.00ms (50.00%)\n"
		"top 2 operation type: B, cpu: 3.00ms, accelerator: 0us, total: 3.00ms (30.00%)\n"
		"top 3 operation type: C, cpu: 1.90ms, accelerator: 0us, total: 1.90ms (19.00%)\n"
		"top 1 graph node: s, cpu: 0us, accelerator: 0us, total: 0us\n"
		"top 2 graph node: b, cpu: 3.00ms, accelerator: 0us, total: 3.00ms\n"
		"top 3 graph node: c, cpu: 1.90ms, accelerator: 0us, total: 1.90ms\n",
		NO_CODE);
	graph_free(g);
}

/* The node `name` of op Op, made by f.py at these lines from the outside in; 0 ends them. */
static void add_traced(struct graph *g, const char *name, int64_t micros, const int32_t *line)
{
	uint32_t node = made_node(g, name, "Op", "");

	made_exec(g, 0, 0, micros);
	for (; *line; line++)
		made_frame(g, node, "f.py", *line, "f");
}

#define HEAD                                                                                       \
	"\nAcceleratorUtilizationChecker:\n"                                                       \
	"\nOperationChecker:\n"                                                                    \
	"\nExpensiveOperationChecker:\n"

/* Single calls are passed over; below, every level with at least two, from 1 ms. */
TEST(code_begins_where_it_divides)
{
	struct graph *g = made_graph();

	add_traced(g, "a/x", 4000, (const int32_t[]){1, 2, 3, 0});
	add_traced(g, "a/y", 2000, (const int32_t[]){1, 2, 4, 0});
	add_traced(g, "a/z", 900, (const int32_t[]){1, 5, 0});
	add_traced(g, "a/w", 1000, (const int32_t[]){1, 6, 7, 0});
	check_advice(g, 1,
		HEAD
		"top 1 operation type: Op, cpu: 7.90ms, accelerator: 0us, total: 7.90ms (100.00%)\n"
		"top 1 graph node: a, cpu: 0us, accelerator: 0us, total: 0us\n"
		"f.py:2:f, cpu: 6.00ms, accelerator: 0us, total: 6.00ms\n"
		"  f.py:3:f, cpu: 4.00ms, accelerator: 0us, total: 4.00ms\n"
		"  f.py:4:f, cpu: 2.00ms, accelerator: 0us, total: 2.00ms\n"
		"f.py:6:f, cpu: 1.00ms, accelerator: 0us, total: 1.00ms\n",
		"");
	graph_free(g);
}

/* Lines that are all too short leave a report without text, which is printed as an empty line. */
TEST(short_lines_are_an_empty_report)
{
	struct graph *g = made_graph();

	add_traced(g, "a", 50, (const int32_t[]){1, 0});
	add_traced(g, "b", 50, (const int32_t[]){2, 0});
	check_advice(g, 1,
		HEAD
		"top 1 operation type: Op, cpu: 100us, accelerator: 0us, total: 100us (100.00%)\n"
		"\n",
		"");
	graph_free(g);
}

/* What the code view has to say comes before the checkers. */
TEST(gradients_are_noted_first)
{
	struct graph *g = made_graph();

	add_traced(g, "gradients/gone_grad/x", 50, (const int32_t[]){1, 0});
	check_advice(g, 0, HEAD,
		"1 gradient nodes not accounted\n"
		"Missing RunMetadata info. Skip ExpensiveOperationChecker\n"
		"Missing run_meta for ExpensiveOperationChecker\n");
	graph_free(g);
}
