/* Several steps in tfprof's views: -step as a list, means and CVs, the words for them. Expected
 * values are by hand: of 10, 20, 30 the mean is 20, the standard deviation 10, the CV 50 %; of 30,
 * 0, 0 they are 10, sqrt(300) and 173.205...
 * %; of 40, 20, 30 they are 30, 10 and 33.333... %. */
#include <math.h>
#include "tests/unit/made_graph.h"
#include "tests/unit/test.h"
#include "tfprof/view/steps.h"
#include "tfprof/outputs.h"

static const int64_t steps[] = {1, 2, 3, 10};

#define STEPS (sizeof(steps) / sizeof(*steps))

static void add_execs(struct graph *g, int64_t first, int64_t second, int64_t third)
{
	const int64_t micros[] = {first, second, third};

	for (size_t i = 0; i < 3; i++)
		if (micros[i])
			made_exec(g, (int64_t)i + 1, 0, micros[i])->requested_bytes = 1000;
}

/* Nodes y, which runs in step 1 alone, x and z, where z takes x as input, and one that never
 * runs. */
static struct graph *three_steps(void)
{
	struct graph *g = made_graph();

	made_node(g, "a/x", "A", "");
	add_execs(g, 10, 20, 30);
	made_node(g, "a/y", "B", "");
	add_execs(g, 30, 0, 0);
	made_node(g, "z", "A", "");
	add_execs(g, 5, 5, 5);
	made_node(g, "never", "C", "");
	made_frame(g, 0, "m.py", 1, "f");
	made_frame(g, 1, "m.py", 2, "f");
	made_frame(g, 2, "m.py", 3, "f");
	return g;
}

static void apply(
	struct tfprof_options *options, struct graph *g, const char *word, const char *value)
{
	struct text message;
	bool used;

	text_init(&message);
	assert_true(tfprof_option_apply(options, word, value, &used, g->arena, &message));
	assert_string_equal(text_string(&message), "");
	text_release(&message);
}

static struct tfprof_options several(struct graph *g, const char *list)
{
	struct tfprof_options options = made_options(g, "name");

	apply(&options, g, "-step", list);
	return options;
}

static struct view *(*const views[])(const struct node_values *values,
	const struct tfprof_options *options, struct arena *arena,
	struct text *messages) = {[VIEW_SCOPE] = view_scope,
	[VIEW_GRAPH] = view_graph,
	[VIEW_OP] = view_op,
	[VIEW_CODE] = view_code};

static struct view *show(struct graph *g, enum view_kind kind, const struct tfprof_options *options)
{
	struct node_values *values = arena_alloc(g->arena, sizeof(*values));
	struct text messages;
	struct view *view;

	text_init(&messages);
	node_values_make(g, steps_slots(options, steps, STEPS, g->arena), g->arena, values);
	view = views[kind](values, options, g->arena, &messages);
	assert_string_equal(text_string(&messages), "");
	text_release(&messages);
	return view;
}

/* What a report prints behind "Profile:". */
static void check_text(struct graph *g, enum view_kind kind, const struct tfprof_options *options,
	const char *expected)
{
	static const char mark[] = "\nProfile:\n";
	struct view_text_options how = {0};
	struct text out, messages;
	const char *profile;

	text_init(&out);
	text_init(&messages);
	view_text(show(g, kind, options), options, &how, &out, &messages);
	assert_non_null(strstr(text_string(&out),
		"\nsteps: Means over 3 steps from 1 to 3; a step without a node counts as 0.\n"));
	profile = strstr(text_string(&out), mark);
	assert_non_null(profile);
	assert_string_equal(profile + strlen(mark), expected);
	text_release(&messages);
	text_release(&out);
}

TEST(lists_of_steps_are_read)
{
	static const char *const good[][2] = {{"3,5,7:9", "3,5,7:9"}, {"10:99", "10:99"},
		{"10:", "10:"}, {":9", "0:9"}, {"4,", "4"}, {"4:4,", "4"}};
	static const char *const bad[] = {"", ",", "x", "1:x", "x:1", "3,-1", "9:7", "1:2:3",
		"-2:3", "1,9223372036854775808"};
	struct graph *g = three_steps();
	struct tfprof_options options = made_options(g, "name");
	struct text out;

	text_init(&out);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(steps_parse(&options, good[i][0], g->arena));
		assert_true(options.several_steps);
		text_clear(&out);
		steps_print(&options, &out);
		assert_string_equal(text_string(&out), good[i][1]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(steps_parse(&options, bad[i], g->arena));
	assert_true(options.several_steps);
	assert_int_equal(options.step_range_count, 1);
	assert_true(steps_parse(&options, "-7", g->arena));
	assert_false(options.several_steps);
	assert_int_equal(options.step, -7);
	text_clear(&out);
	steps_print(&options, &out);
	assert_string_equal(text_string(&out), "-7");
	text_release(&out);
	graph_free(g);
}

TEST(words_are_in_alphabetical_order)
{
	for (size_t i = 0; i < STEP_WORDS; i++) {
		const char *name = step_word_at(i)->name;

		assert_int_equal(step_word_find(name, strlen(name)), i);
		if (i)
			assert_true(strcmp(step_word_at(i - 1)->name, name) < 0);
	}
	assert_null(step_word_at(STEP_WORDS));
	assert_int_equal(step_word_find("micros", 6), STEP_WORDS);
	assert_int_equal(step_word_find("params_cv", 9), STEP_WORDS);
}

TEST(the_slots_are_the_chosen_steps_that_exist)
{
	struct graph *g = three_steps();
	struct tfprof_options options = several(g, "2:9,10,2,50");
	struct slots *slots = steps_slots(&options, steps, STEPS, g->arena);

	assert_true(slots->several && !slots->average);
	assert_int_equal(slots->count, 3);
	assert_int_equal(slots->step[0], 2);
	assert_int_equal(slots->step[1], 3);
	assert_int_equal(slots->step[2], 10);
	apply(&options, g, "-step", "-1");
	slots = steps_slots(&options, steps, STEPS, g->arena);
	assert_true(!slots->several && slots->average);
	assert_int_equal(slots->count, 1);
	apply(&options, g, "-step", "3");
	slots = steps_slots(&options, steps, STEPS, g->arena);
	assert_true(!slots->several && !slots->average);
	assert_int_equal(slots->step[0], 3);
	graph_free(g);
}

static void check_refusal(const struct tfprof_options *options, bool refused, const char *said)
{
	struct text messages;

	text_init(&messages);
	assert_int_equal(steps_refuse(options, steps, STEPS, &messages), refused);
	assert_string_equal(text_string(&messages), said);
	text_release(&messages);
}

TEST(what_cannot_be_shown_is_refused)
{
	struct graph *g = three_steps();
	struct tfprof_options options = several(g, "4:9,11");

	check_refusal(
		&options, true, "Options -step=4:9,11 not found.\nAvailable steps: 1 2 3 10 \n");
	options = several(g, "1,4:9");
	check_refusal(&options, false, "Options -step=4:9 not found, the others are used.\n");
	options.output = OUTPUT_TIMELINE;
	check_refusal(&options, true,
		"E: Invalid argument: a timeline shows one step or the average: -step N\n");
	options = several(g, "1");
	check_refusal(&options, false, "");
	apply(&options, g, "-order_by", "bytes_cv");
	check_refusal(
		&options, true, "E: Invalid argument: bytes_cv needs several steps: -step 10:99\n");
	options = several(g, "-1");
	apply(&options, g, "-min_micros_mean", "0.5");
	check_refusal(&options, true,
		"E: Invalid argument: micros_mean needs several steps: -step 10:99\n");
	graph_free(g);
}

TEST(mean_and_cv_are_those_of_a_sample)
{
	int64_t value[QUANTITIES * 3] = {0};
	int64_t *micros = value + QUANTITY_MICROS * 3;

	assert_true(steps_mean(value, QUANTITY_MICROS, 3) == 0);
	assert_true(steps_cv(value, QUANTITY_MICROS, 3) == 0);
	micros[0] = 30;
	assert_true(fabs(steps_mean(value, QUANTITY_MICROS, 3) - 10) < 1e-15);
	assert_true(fabs(steps_cv(value, QUANTITY_MICROS, 3) - sqrt(3)) < 1e-15);
	micros[1] = -60;
	assert_true(fabs(steps_mean(value, QUANTITY_MICROS, 3) + 10) < 1e-15);
	assert_true(isnan(steps_cv(value, QUANTITY_MICROS, 3)));
	value[QUANTITY_MICROS] = 7;
	assert_true(steps_mean(value, QUANTITY_MICROS, 1) == 7);
	assert_true(isnan(steps_cv(value, QUANTITY_MICROS, 1)));
}

TEST(scope_view_shows_means_and_cvs)
{
	struct graph *g = three_steps();
	struct tfprof_options options = several(g, "1:3");

	apply(&options, g, "-select", "micros_cv,cpu_micros,bytes_mean,occurrence,occurrence_cv");
	apply(&options, g, "-order_by", "micros_cv");
	check_text(g, VIEW_SCOPE, &options,
		"node name | requested bytes mean | total execution time cv | cpu execution time | "
		"op count (run|defined) | op runs cv\n"
		"_TFProfRoot (--/2.33KB, --/28.57% cv, --/35.00us, --/2.33|--/5, --/24.74% cv)\n"
		"  a (0.00B/1.33KB, 0.00%/33.33% cv, 0.00us/30.00us, 0.00/1.33|1/3, 0.00%/43.30% "
		"cv)\n"
		"    a/y (333.33B/333.33B, 173.21%/173.21% cv, 10.00us/10.00us, 0.33/0.33|1/1, "
		"173.21%/173.21% cv)\n"
		"    a/x (1.00KB/1.00KB, 50.00%/50.00% cv, 20.00us/20.00us, 1.00/1.00|1/1, "
		"0.00%/0.00% cv)\n"
		"  never (0.00B/0.00B, 0.00%/0.00% cv, 0.00us/0.00us, 0.00/0.00|1/1, 0.00%/0.00% "
		"cv)\n"
		"  z (1.00KB/1.00KB, 0.00%/0.00% cv, 5.00us/5.00us, 1.00/1.00|1/1, 0.00%/0.00% "
		"cv)\n");
	graph_free(g);
}

/* Op A has 15, 25, 35: mean 25, standard deviation 10, CV 40 %. All have 35. */
TEST(op_view_shows_means_and_cvs_of_rows)
{
	struct graph *g = three_steps();
	struct tfprof_options options = several(g, "1:3");

	apply(&options, g, "-select", "cpu_micros,micros_cv,micros_mean,occurrence,input_shapes");
	apply(&options, g, "-order_by", "micros_mean");
	apply(&options, g, "-min_micros_mean", "0.1");
	check_text(g, VIEW_OP, &options,
		"node name | total execution time mean | total execution time cv | cpu execution "
		"time | op occurrence (run|defined) | input shapes\n"
		"A                               25.00us,      40.00% cv,      25.00us (100.00%, "
		"71.43%),     2.00|2\n"
		"\ninput_type: \t(run*2.00|defined*2)\texec_time: 25.00us\n\n"
		"B                               10.00us,     173.21% cv,       10.00us (28.57%, "
		"28.57%),     0.33|1\n"
		"\ninput_type: \t(run*0.33|defined*1)\texec_time: 10.00us\n\n");
	graph_free(g);
}

/* The names of the children of the root, one after the other. */
static void check_names(const struct view *view, const char *names)
{
	struct text found;

	text_init(&found);
	for (size_t i = 0; i < view->root->child_count; i++)
		text_printf(&found, "%s ", view->root->child[i]->name);
	assert_string_equal(text_string(&found), names);
	text_release(&found);
}

TEST(all_views_are_ordered_by_statistics)
{
	struct graph *g = three_steps();
	struct tfprof_options options = several(g, "1:3");

	apply(&options, g, "-order_by", "micros_mean");
	check_names(show(g, VIEW_SCOPE, &options), "a z never ");
	check_names(show(g, VIEW_GRAPH, &options), "a/x a/y z never ");
	check_names(show(g, VIEW_OP, &options), "A B C ");
	check_names(show(g, VIEW_CODE, &options), "m.py:1:f m.py:2:f m.py:3:f ");
	apply(&options, g, "-order_by", "micros_cv");
	check_names(show(g, VIEW_SCOPE, &options), "a never z ");
	check_names(show(g, VIEW_GRAPH, &options), "a/y a/x never z ");
	check_names(show(g, VIEW_OP, &options), "B A C ");
	check_names(show(g, VIEW_CODE, &options), "m.py:2:f m.py:1:f m.py:3:f ");
	apply(&options, g, "-order_by", "micros"); /* the mean */
	check_names(show(g, VIEW_GRAPH, &options), "a/x a/y z never ");
	graph_free(g);
}

TEST(all_views_ask_minimums_of_statistics)
{
	struct graph *g = three_steps();
	struct tfprof_options options = several(g, "1:3");

	apply(&options, g, "-min_micros_cv", "40.5");
	check_names(show(g, VIEW_SCOPE, &options), "a/x a/y ");
	check_names(show(g, VIEW_GRAPH, &options), "a/x a/y ");
	check_names(
		show(g, VIEW_OP, &options), "B "); /* its own 173 %, not that of the rows below */
	check_names(show(g, VIEW_CODE, &options), "m.py:1:f m.py:2:f ");
	apply(&options, g, "-min_micros_cv", "0");
	apply(&options, g, "-min_micros_mean", "10.1");
	check_names(show(g, VIEW_SCOPE, &options), "a ");
	check_names(show(g, VIEW_GRAPH, &options), "a/x ");
	check_names(show(g, VIEW_OP, &options), "A ");
	check_names(show(g, VIEW_CODE, &options), "m.py:1:f ");
	apply(&options, g, "-min_micros_mean", "0");
	apply(&options, g, "-min_micros", "10");
	check_names(show(g, VIEW_GRAPH, &options), "a/x a/y ");
	graph_free(g);
}

TEST(a_cv_of_one_step_is_not_defined)
{
	struct graph *g = three_steps();
	struct tfprof_options options = several(g, "2,");
	const size_t word = step_word_find("micros_cv", 9);
	struct view *view;
	struct text out;

	view = show(g, VIEW_GRAPH, &options);
	text_init(&out);
	step_word_format(word, view->root->total, view->values->slots->count, &out);
	assert_string_equal(text_string(&out), "n/a");
	text_release(&out);
	apply(&options, g, "-min_micros_cv", "0.001");
	check_names(show(g, VIEW_GRAPH, &options), "");
	graph_free(g);
}

TEST(options_print_what_was_set)
{
	struct graph *g = three_steps();
	struct tfprof_options options = several(g, "1:3,10");
	struct text out;

	apply(&options, g, "-min_micros_cv", "2.5");
	apply(&options, g, "-select", "micros_mean,params,bytes_cv,micros,bytes");
	apply(&options, g, "-order_by", "peak_bytes_mean");
	text_init(&out);
	tfprof_options_print(&options, &out);
	assert_non_null(strstr(text_string(&out), "\n-min_micros_cv              2.5\n"
						  "-step                       1:3,10\n"
						  "-order_by                   peak_bytes_mean\n"));
	assert_non_null(strstr(text_string(&out),
		"\n-select                     bytes,bytes_cv,micros,micros_mean,params\n"));
	text_release(&out);
	assert_false(steps_set_minimum(&options, "-min_micros_cv", "x"));
	assert_false(steps_set_minimum(&options, "-min_micros_cv", "-1"));
	assert_false(steps_set_minimum(&options, "-min_params_cv", "1"));
	graph_free(g);
}
