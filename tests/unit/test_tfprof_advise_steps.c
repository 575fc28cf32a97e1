/* The checkers of steps on graphs made by hand; expected numbers follow from the few values by
 * arithmetic. */
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"
#include "tfprof/view/advise.h"
#include "tfprof/session.h"

#define GPU "/job:localhost/replica:0/task:0/device:gpu:0"
#define CPU "/job:localhost/replica:0/task:0/device:cpu:0"

/* A node that runs in steps 0, 1, ... for these microseconds of cpu time; negative: not in this
 * step. */
static void add_cpu(struct graph *g, const char *name, const int64_t *micros, size_t count)
{
	made_node(g, name, "Op", CPU);
	for (size_t i = 0; i < count; i++)
		if (micros[i] >= 0)
			made_exec(g, (int64_t)i, 0, micros[i]);
}

#define ADD_CPU(g, name, ...)                                                                      \
	add_cpu(g, name, (const int64_t[]){__VA_ARGS__},                                           \
		sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static struct tfprof_model model_of(struct graph *g, int64_t *step, size_t step_count)
{
	for (size_t i = 0; i < step_count; i++) {
		step[i] = (int64_t)i;
		*graph_push_step(g) = (int64_t)i;
	}
	return (struct tfprof_model){
		.arena = g->arena, .graph = g, .step = step, .step_count = step_count};
}

/* What one checker finds in a graph of steps 0 to step_count - 1: reports, each ended by a line
 * end. */
static void check_found(
	struct graph *g, size_t step_count, enum step_checker checker, const char *expected)
{
	int64_t step[16];
	struct tfprof_model model = model_of(g, step, step_count);
	struct step_advice advice;
	struct text found, messages;

	text_init(&found);
	text_init(&messages);
	step_advice_make(&model, g->arena, &advice, &messages);
	for (size_t i = 0; i < advice.checker[checker].count; i++)
		text_printf(&found, "%s\n", advice.checker[checker].report[i]);
	assert_string_equal(text_string(&found), expected);
	assert_string_equal(text_string(&messages), "");
	text_release(&found);
	text_release(&messages);
	graph_free(g);
}

#define TIMELINE(step)                                                                             \
	"\n  try: graph -step " step " -output timeline:outfile=FILE, next to another step\n"

/* a is 10 t and b 20 t in step t: cov(a, a + b) / var(a + b) = 1/3 and 2/3. The mean of 1 to 5 is
 * 3, their standard deviation sqrt(2.5): the CV is 52.7 % for both. A constant op has none. */
TEST(jitter_is_shared_out)
{
	struct graph *g = made_graph();

	ADD_CPU(g, "a", 10, 20, 50, 40, 30);
	ADD_CPU(g, "b", 20, 40, 100, 80, 60);
	ADD_CPU(g, "c", 70, 70, 70, 70, 70);
	check_found(g, 5, CHECKER_STEP_JITTER,
		"b: 66.7% of the step-to-step jitter; mean 60.00 us, CV 52.7%, slowest in step 2 "
		"(100.00 us)" TIMELINE("2") "a: 33.3% of the step-to-step jitter; mean 30.00 us, "
					    "CV 52.7%, slowest in step 2 (50.00 us)" TIMELINE("2"));
}

/* Five equal ops carry a fifth each: three are told, the first by name. */
TEST(three_are_reported)
{
	static const char *const names[] = {"e", "d", "c", "b", "a"};

	struct graph *g = made_graph();

	for (size_t i = 0; i < 5; i++)
		ADD_CPU(g, names[i], 10, 20, 30, 40, 50);
	check_found(g, 5, CHECKER_STEP_JITTER,
		"a: 20.0% of the step-to-step jitter; mean 30.00 us, CV 52.7%, slowest in step 4 "
		"(50.00 us)" TIMELINE("4") "b: 20.0% of the step-to-step jitter; mean 30.00 us, CV "
					   "52.7%, slowest in step 4 (50.00 us)" TIMELINE(
						   "4") "c: 20.0% of the step-to-step jitter; mean "
							"30.00 us, CV 52.7%, slowest in step 4 "
							"(50.00 us)" TIMELINE("4"));
}

TEST(few_steps_are_reported)
{
	struct graph *g = made_graph();

	ADD_CPU(g, "a", 10, 20, 30, 40);
	check_found(g, 4, CHECKER_STEP_JITTER, "not checked: it needs 5 steps, there are 4\n");
	g = made_graph();
	ADD_CPU(g, "a", 10);
	check_found(g, 1, CHECKER_FIRST_STEPS, "not checked: it needs 6 steps, there is 1\n");
}

/* b and c cost 40 us each, a 60 us in all; what ran for no time ran. */
TEST(some_steps_only)
{
	struct graph *g = made_graph();

	ADD_CPU(g, "a", -1, 20, 40);
	ADD_CPU(g, "always", 1, 1, 0);
	ADD_CPU(g, "c", 40, -1, -1);
	ADD_CPU(g, "b", -1, -1, 40);
	ADD_CPU(g, "less", -1, -1, 39);
	made_node(g, "never", "Op", CPU);
#define AVERAGE "; -step -1 averages over the steps that have it\n"
	check_found(g, 3, CHECKER_PARTIAL_STEPS,
		"a: ran 2 of 3 steps, mean 30.00 us when it runs\n"
		"  try: -step 1 has it, -step 0 has not" AVERAGE
		"b: ran 1 of 3 steps, mean 40.00 us when it runs\n"
		"  try: -step 2 has it, -step 0 has not" AVERAGE
		"c: ran 1 of 3 steps, mean 40.00 us when it runs\n"
		"  try: -step 0 has it, -step 1 has not" AVERAGE);
}

/* Steps of 1000, 500, 110, 100, 110, 100, 110, 100: the second half has the median 105 and the MAD
 * 5, so the limit is 105 + 4 x 1.4826 x 5 = 134.7, and two steps are above. 1000/105 = 9.52. b is
 * longer by 690 - 50 = 640, a by less. */
TEST(first_steps_are_slow)
{
	struct graph *g = made_graph();

	ADD_CPU(g, "a", 60, 60, 60, 50, 60, 50, 60, 50);
	ADD_CPU(g, "b", 940, 440, 50, 50, 50, 50, 50, 50);
	check_found(g, 8, CHECKER_FIRST_STEPS,
		"b: mean 690.00 us in the first 2 steps (to step 1), 50.00 us later; the slowest "
		"takes 9.5 times the median of later steps\n  try: leave them out: -step N of a "
		"later one, or stepstat report --warmup=auto\n");
}

TEST(steady_steps_are_left_alone)
{
	struct graph *g = made_graph();

	ADD_CPU(g, "a", 11, 10, 11, 10, 11, 10, 11, 10);
	check_found(g, 8, CHECKER_FIRST_STEPS, "");
	g = made_graph();
	ADD_CPU(g, "a", 900, 800, 700, 600, 500, 10, 11, 10);
	check_found(g, 8, CHECKER_FIRST_STEPS,
		"no steady state: more than half of the steps are slower than the last ones\n"
		"  try: profile more steps\n");
}

static void add_gpu(
	struct graph *g, const char *name, int64_t accelerator, int64_t cpu, int64_t runs)
{
	made_node(g, name, "Op", GPU);
	made_exec(g, 0, accelerator, cpu)->run_count = runs;
}

/* 19 us in one execution and 76 us in four are tiny, 20 us are not; work above scheduling is
 * fine. */
TEST(scheduling_costs_more_than_work)
{
	struct graph *g = made_graph();

	add_gpu(g, "one", 19, 30, 1);
	add_gpu(g, "four", 76, 100, 4);
	add_gpu(g, "long", 20, 90, 1);
	add_gpu(g, "worth", 15, 14, 1);
	ADD_CPU(g, "cpu", 5);
	check_found(g, 1, CHECKER_SCHEDULING,
		"four: 100.00 us of cpu time per step to schedule 76.00 us on the accelerator; all "
		"2 such ops: 130.00 us for 95.00 us\n"
		"  try: fuse it with its neighbours, or place it on the CPU with them\n"
		"one: 30.00 us of cpu time per step to schedule 19.00 us on the accelerator\n"
		"  try: fuse it with its neighbours, or place it on the CPU with them\n");
}

#define ONE_DEVICE "\n  try: keep what makes the tensor and what reads it on one device\n"

/* Of 1000 us: 40 us in a wait, 25 us in a copy (accelerator time without a device), 5 us in another
 * wait. */
TEST(transfers_have_a_share)
{
	struct graph *g = made_graph();

	ADD_CPU(g, "work", 930);
	made_node(g, "edge_1", "", "");
	made_exec(g, 0, 25, 3);
	made_node(g, "r", "_Recv", CPU);
	made_exec(g, 0, 0, 40);
	made_node(g, "s", "_HostSend", CPU);
	made_exec(g, 0, 0, 5);
	check_found(g, 1, CHECKER_TRANSFER,
		"r: _Recv, 4.0% of the op time, mean 40.00 us per step; all 3 transfers: "
		"7.0%" ONE_DEVICE
		"edge_1: copy, 2.5% of the op time, mean 25.00 us per step" ONE_DEVICE
		"s: _HostSend, 0.5% of the op time, mean 5.00 us per step" ONE_DEVICE);
}

TEST(small_transfers_are_not_reported)
{
	struct graph *g = made_graph();

	ADD_CPU(g, "work", 991);
	made_node(g, "r", "_Recv", CPU);
	made_exec(g, 0, 0, 9);
	check_found(g, 1, CHECKER_TRANSFER, "");
}

static void add_sized(struct graph *g, const char *name, const char *op, int64_t size, int64_t peak)
{
	uint32_t index = made_node(g, name, op, CPU);
	struct graph_node *node = &g->node[index];

	node->shape = arena_array(g->arena, 1, sizeof(*node->shape));
	node->shape[0] = size;
	node->shape_count = size > 0;
	made_exec(g, 0, 0, 1)->peak_bytes = peak;
}

/* Half and a quarter are not above half and a quarter; a placeholder's shape is no parameter. */
TEST(sizes_have_limits)
{
	struct graph *g = made_graph();

	add_sized(g, "v", "VariableV2", 50, 25);
	add_sized(g, "w", "VarHandleOp", 49, 25);
	add_sized(g, "x", "Variable", 1, 25);
	add_sized(g, "p", "Placeholder", 900, 25);
	check_found(g, 1, CHECKER_SIZE, "");
	g = made_graph();
	add_sized(g, "v", "VariableV2", 60, 26);
	add_sized(g, "w", "VariableV2", 40, 24);
	add_sized(g, "m", "MatMul", 0, 50);
	check_found(g, 1, CHECKER_SIZE,
		"v: 60 of 100 parameters (60.0%)\n  try: a smaller or factored variable; its "
		"gradients and its part of each checkpoint are as large\n"
		"m: 50.0% of the peak bytes of all ops, mean 50.00 B per step\n  try: scope "
		"-select peak_bytes,input_shapes; a smaller batch, or a kernel with less "
		"workspace\n"
		"v: 26.0% of the peak bytes of all ops, mean 26.00 B per step\n  try: scope "
		"-select peak_bytes,input_shapes; a smaller batch, or a kernel with less "
		"workspace\n");
}

/* Without any step only sizes can be looked at, and that is said. */
TEST(nothing_ran)
{
	struct graph *g = made_graph();
	struct tfprof_model model = model_of(g, NULL, 0);
	struct text out, messages;

	made_node(g, "a\n", "VariableV2", CPU);
	text_init(&out);
	text_init(&messages);
	tfprof_advise_steps(&model, &out, &messages);
	assert_string_equal(text_string(&out), "\nStepJitterChecker:\n\nPartialStepsChecker:\n\n"
					       "FirstStepsChecker:\n\nSchedulingChecker:\n\n"
					       "TransferChecker:\n\nSizeChecker:\n");
	assert_string_equal(
		text_string(&messages), "Steps are not checked: nothing ran in any step\n");
	text_release(&out);
	text_release(&messages);
	graph_free(g);
}

/* Does the typed line print the checkers of steps? */
static bool prints_steps(struct graph *g, const char *line, const char *refused)
{
	int64_t step[1];
	struct tfprof_model model = model_of(g, step, 1);
	struct tfprof_options options;
	struct tfprof_session session;
	struct text out, messages;
	bool found;

	tfprof_options_init(&options, g->arena);
	tfprof_session_init(&session, &model, &options);
	text_init(&out);
	text_init(&messages);
	tfprof_session_line(&session, line, &out, &messages);
	found = strstr(text_string(&out), "\nStepJitterChecker:\n") != NULL;
	assert_int_equal(strstr(text_string(&messages), "E: ") != NULL, refused != NULL);
	if (refused)
		assert_non_null(strstr(text_string(&messages), refused));
	text_release(&out);
	text_release(&messages);
	tfprof_session_release(&session);
	return found;
}

TEST(all_is_a_word_of_advise)
{
	struct graph *g = made_graph();

	ADD_CPU(g, "a", 10);
	assert_false(prints_steps(g, "advise", NULL));
	assert_true(prints_steps(g, "advise --all", NULL));
	assert_true(prints_steps(g, "advise -all -max_depth 3", NULL));
	assert_true(prints_steps(g, "advise -max_depth 3 --all", NULL));
	assert_false(prints_steps(g, "scope --all", "Invalid option '--all' value: ''"));
	assert_false(prints_steps(g, "set -all", "Invalid option '-all' value: ''"));
	assert_false(prints_steps(g, "advise --alle", "Invalid option '--alle' value: ''"));
	graph_free(g);
}
