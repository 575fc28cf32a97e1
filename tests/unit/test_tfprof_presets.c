/* Named sets of options: the values of TensorFlow's ProfileOptionBuilder (2.0) and of its
 * model_analyzer (1.0 to 1.4), and the answer that its own test of the first expects. */
#include "tests/unit/encode.h"
#include "tests/unit/test.h"
#include "tfprof/options/flags.h"
#include "tfprof/options/options.h"
#include "tfprof/session.h"

/* The list that an empty line prints; what all sets have in common is between the parts. */
#define LIST(min_bytes, min_micros, min_float_ops, order, account, select)                         \
	"-max_depth                  10000\n"                                                      \
	"-min_bytes                  " min_bytes "\n"                                              \
	"-min_peak_bytes             0\n"                                                          \
	"-min_residual_bytes         0\n"                                                          \
	"-min_output_bytes           0\n"                                                          \
	"-min_micros                 " min_micros "\n"                                             \
	"-min_accelerator_micros     0\n"                                                          \
	"-min_cpu_micros             0\n"                                                          \
	"-min_params                 0\n"                                                          \
	"-min_float_ops              " min_float_ops "\n"                                          \
	"-min_occurrence             0\n"                                                          \
	"-step                       -1\n"                                                         \
	"-order_by                   " order "\n"                                                  \
	"-account_type_regexes       " account "\n"                                                \
	"-start_name_regexes         .*\n"                                                         \
	"-trim_name_regexes          \n"                                                           \
	"-show_name_regexes          .*\n"                                                         \
	"-hide_name_regexes          \n"                                                           \
	"-account_displayed_op_only  true\n"                                                       \
	"-select                     " select "\n"                                                 \
	"-output                     stdout:\n"

#define VARIABLES "_trainable_variables"

TEST(sets_are_those_of_tensorflow)
{
	static const struct {
		const char *name, *list;
	} cases[] = {
		{"trainable_variables_parameter", LIST("0", "0", "0", "name", VARIABLES, "params")},
		{"float_operation", LIST("0", "0", "1", "float_ops", ".*", "float_ops")},
		{"time_and_memory", LIST("1", "1", "0", "micros", ".*", "bytes,micros")},
		{"TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
			LIST("0", "0", "0", "name", VARIABLES, "params")},
		{"FLOAT_OPS_OPTIONS", LIST("0", "0", "1", "float_ops", ".*", "float_ops")},
		{"PRINT_ALL_TIMING_MEMORY", LIST("1", "1", "0", "name", ".*", "bytes,micros")},
	};
	size_t count = sizeof(cases) / sizeof(*cases);
	struct arena *arena = arena_new();
	struct tfprof_options options;
	struct text out;

	text_init(&out);
	for (size_t i = 0; i < count; i++) {
		tfprof_options_init(&options, arena);
		assert_string_equal(tfprof_preset_name(i), cases[i].name);
		assert_true(tfprof_preset_apply(&options, cases[i].name, arena));
		tfprof_options_print(&options, &out);
		assert_string_equal(text_string(&out), cases[i].list);
		text_clear(&out);
	}
	assert_null(tfprof_preset_name(count));
	assert_false(tfprof_preset_apply(&options, "scope", arena));
	text_release(&out);
	arena_free(arena);
}

TEST(what_is_shown_is_replaced_and_the_rest_stays)
{
	struct arena *arena = arena_new();
	struct tfprof_options options;
	enum tfprof_command command;
	struct text message;

	text_init(&message);
	tfprof_options_init(&options, arena);
	assert_true(tfprof_line_parse("set -step 3 -output file:outfile=F -proto_out P -min_params "
				      "7 -hide_name_regexes x -max_depth 2",
		arena, &command, &options, &message));
	assert_true(tfprof_line_parse("float_operation -order_by name -min_micros 5", arena,
		&command, &options, &message));
	assert_int_equal(command, COMMAND_SCOPE);
	tfprof_options_print(&options, &message);
	assert_string_equal(text_string(&message), "-max_depth                  10000\n"
						   "-min_bytes                  0\n"
						   "-min_peak_bytes             0\n"
						   "-min_residual_bytes         0\n"
						   "-min_output_bytes           0\n"
						   "-min_micros                 5\n"
						   "-min_accelerator_micros     0\n"
						   "-min_cpu_micros             0\n"
						   "-min_params                 0\n"
						   "-min_float_ops              1\n"
						   "-min_occurrence             0\n"
						   "-step                       3\n"
						   "-order_by                   name\n"
						   "-account_type_regexes       .*\n"
						   "-start_name_regexes         .*\n"
						   "-trim_name_regexes          \n"
						   "-show_name_regexes          .*\n"
						   "-hide_name_regexes          \n"
						   "-account_displayed_op_only  true\n"
						   "-select                     float_ops\n"
						   "-output                     file:outfile=F\n"
						   "-proto_out                  P\n");
	text_release(&message);
	arena_free(arena);
}

TEST(flags_say_more_than_the_set)
{
	char *argv[] = {"--profile_path=p", "--min_micros=100", "--max_depth=10", "--step=4",
		"time_and_memory"};
	struct arena *arena = arena_new();
	struct tfprof_flags flags = {.command = COMMAND_NONE};
	struct text unused;

	text_init(&unused);
	assert_int_equal(
		tfprof_flags_parse(&flags, &(struct tfprof_command_line){"tfprof", 5, argv}, arena,
			&unused, &unused),
		-1);
	assert_int_equal(flags.command, COMMAND_SCOPE);
	assert_int_equal(flags.options.min[QUANTITY_MICROS], 100);
	assert_int_equal(flags.options.min[QUANTITY_BYTES], 1);
	assert_int_equal(flags.options.max_depth, 10); /* given, though it is the default */
	assert_int_equal(flags.options.step, 4);
	assert_string_equal(flags.options.order_by, "micros");
	assert_true(flags.options.select[SELECT_BYTES]);
	/* without it, the defaults */
	assert_int_equal(
		tfprof_flags_parse(&flags, &(struct tfprof_command_line){"tfprof", 2, argv}, arena,
			&unused, &unused),
		-1);
	assert_int_equal(flags.command, COMMAND_NONE);
	assert_int_equal(flags.options.min[QUANTITY_BYTES], 0);
	assert_string_equal(flags.options.order_by, "name");
	text_release(&unused);
	arena_free(arena);
}

/* The rows of TF 2.0's model_analyzer_test.testDumpToFile, for the model of its testdata. */
TEST(variables_of_the_small_model)
{
	char graph[1024], run[1024], log[1024];
	const char *runs[] = {data_path(run, sizeof(run), "tfprof-cli/tf-2.0/run_meta")};
	struct tfprof_inputs inputs = {
		.graph_path = data_path(graph, sizeof(graph), "tfprof-cli/tf-2.0/graph.pbtxt"),
		.op_log_path = data_path(log, sizeof(log), "tfprof-cli/tf-2.0/tfprof_log"),
		.run_meta_path = runs,
		.run_meta_count = 1,
	};
	struct tfprof_session session;
	struct tfprof_model *model;
	struct tfprof_options options;
	struct text out, messages;
	const char *legend;
	int status;

	text_init(&out);
	text_init(&messages);
	model = tfprof_model_load(&inputs, &out, &messages, &status);
	assert_int_equal(status, -1);
	text_clear(&out);
	tfprof_options_init(&options, model->arena);
	tfprof_session_init(&session, model, &options);
	tfprof_session_line(&session, "trainable_variables_parameter", &out, &messages);
	legend = strstr(text_string(&out), "node name");
	assert_non_null(legend);
	assert_string_equal(legend, "node name | # parameters\n"
				    "_TFProfRoot (--/451 params)\n"
				    "  DW (3x3x3x6, 162/162 params)\n"
				    "  DW2 (2x2x6x12, 288/288 params)\n"
				    "  ScalarW (1, 1/1 params)\n");
	tfprof_session_release(&session);
	tfprof_model_free(model);
	text_release(&out);
	text_release(&messages);
}
