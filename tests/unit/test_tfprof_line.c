/* A typed line of tfprof and its options. Expected texts are those that the original printed
 * (tests/data/tfprof-cli) or that follow from its grammar by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "tfprof/options/options.h"

struct parsed {
	struct arena *arena;
	struct tfprof_options options;
	enum tfprof_command command;
	struct text message;
	bool good;
};

static void parse(struct parsed *p, const char *line)
{
	p->arena = arena_new();
	text_init(&p->message);
	tfprof_options_init(&p->options, p->arena);
	p->good = tfprof_line_parse(line, p->arena, &p->command, &p->options, &p->message);
}

static void release(struct parsed *p)
{
	text_release(&p->message);
	arena_free(p->arena);
}

static void refused_lines(void **state)
{
	static const struct {
		const char *line, *message;
	} cases[] = {
		{"foo", "First string must be a valid command."},
		{"Scope", "First string must be a valid command."},
		{"-max_depth 3", "First string must be a valid command."},
		{"reset", "First string must be a valid command."},
		{"\tscope", "First string must be a valid command."},
		{"scope -max_depth x", "Invalid option '-max_depth' value: 'x'"},
		{"scope -max_depth", "Invalid option '-max_depth' value: ''"},
		{"scope -max_depth 99999999999",
			"Invalid option '-max_depth' value: '99999999999'"},
		{"scope -max_depth 2147483648", "Invalid option '-max_depth' value: '2147483648'"},
		{"scope -max_depth 1.5", "Invalid option '-max_depth' value: '1.5'"},
		{"scope -max_depth 0x10", "Invalid option '-max_depth' value: '0x10'"},
		{"scope -max_depth +-5", "Invalid option '-max_depth' value: '+-5'"},
		{"scope -max_depth -", "Invalid option '-max_depth' value: '-'"},
		{"op -min_bytes 9223372036854775808",
			"Invalid option '-min_bytes' value: '9223372036854775808'"},
		{"op -min_micros 1k", "Invalid option '-min_micros' value: '1k'"},
		{"op -step", "Invalid option '-step' value: ''"},
		{"op -step x", "Invalid option '-step' value: 'x'"},
		{"op -step 1,x", "Invalid option '-step' value: '1,x'"},
		{"scope -order_by depth", "Invalid option '-order_by' value: 'depth'"},
		{"scope -order_by Name", "Invalid option '-order_by' value: 'Name'"},
		{"scope -order_by", "Invalid option '-order_by' value: ''"},
		{"scope -select foo", "Invalid option '-select' value: 'foo'"},
		{"scope -select bytes,foo", "Invalid option '-select' value: 'bytes,foo'"},
		{"scope -select", "Invalid option '-select' value: ''"},
		{"scope -show_name_regexes", "Invalid option '-show_name_regexes' value: ''"},
		{"scope -account_displayed_op_only maybe",
			"Invalid option '-account_displayed_op_only' value: 'maybe'"},
		{"scope -bogus 1", "Invalid option '-bogus' value: '1'"},
		{"scope -bogus", "Invalid option '-bogus' value: ''"},
		{"scope --max_depth 3", "Invalid option '--max_depth' value: '3'"},
		{"scope -MAX_DEPTH 3", "Invalid option '-MAX_DEPTH' value: '3'"},
		{"set 3", "Invalid option '3' value: ''"},
		{"scope -output", "Invalid option '-output' value: ''"},
		{"scope -viz", "Invalid option '-viz' value: ''"},
		{"op -output timeline", "Missing required output_options for timeline\n"
					"E.g. -output timeline:outfile=...\n"},
		{"op -output file:", "Missing required output_options for file\n"
				     "E.g. -output file:outfile=...\n"},
		{"op -output foo", "E.g. Unknown output type: foo, Valid types: "
				   "file,none,pprof,stdout,timeline\n"},
		{"op -output foo:outfile=x", "E.g. Unknown output type: foo, Valid types: "
					     "file,none,pprof,stdout,timeline\n"},
		{"op -output file:foo=1", "Unrecognized options foo for output_type: file\n"},
		{"op -output none:outfile=x",
			"Unrecognized options outfile for output_type: none\n"},
		{"op -output stdout:outfile=x",
			"Unrecognized options outfile for output_type: stdout\n"},
		{"op -output file:outfile",
			"Visualize format: -output timeline:key=value,key=value,..."},
		{"op -output file:outfile=",
			"Visualize format: -output timeline:key=value,key=value,..."},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct parsed p;

		parse(&p, cases[i].line);
		assert_false(p.good);
		assert_true(text_starts(text_string(&p.message), "Invalid argument: "));
		assert_string_equal(
			text_string(&p.message) + strlen("Invalid argument: "), cases[i].message);
		release(&p);
	}
}

static void numbers_have_a_range(void **state)
{
	static const struct {
		const char *line;
		int64_t value;
	} cases[] = {
		{"op -min_bytes 9223372036854775807", INT64_MAX},
		{"op -min_bytes -9223372036854775808", INT64_MIN},
		{"op -min_bytes +7", 7},
		{"op -min_bytes 007", 7},
		{"op -min_bytes 5\r", 5},
		{"op   -min_bytes    12   ", 12},
		{"op -min_bytes 1 -min_bytes 2", 2},
	};
	struct parsed p;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse(&p, cases[i].line);
		assert_true(p.good);
		assert_int_equal(p.command, COMMAND_OP);
		assert_true(p.options.min[QUANTITY_BYTES] == cases[i].value);
		release(&p);
	}
	parse(&p, "scope -max_depth -2147483648 -step -7");
	assert_true(p.good);
	assert_true(p.options.max_depth == INT32_MIN);
	assert_int_equal(p.options.step, -7);
	release(&p);
}

static void bools_are_spelt_in_ten_ways(void **state)
{
	static const char *const yes[] = {"true", "T", "yes", "Y", "1", "TRUE", ""};
	static const char *const no[] = {"false", "F", "no", "N", "0", "False"};
	struct parsed p;
	char line[64];

	(void)state;
	for (size_t i = 0; i < 7 + 6; i++) {
		snprintf(line, sizeof(line), "set -account_displayed_op_only %s",
			i < 7 ? yes[i] : no[i - 7]);
		parse(&p, line);
		assert_true(p.good);
		assert_int_equal(p.options.account_displayed_op_only, i < 7);
		release(&p);
	}
	parse(&p, "set -account_displayed_op_only -max_depth 2");
	assert_true(p.good);
	assert_true(p.options.account_displayed_op_only);
	assert_int_equal(p.options.max_depth, 2);
	release(&p);
}

static void lists_lose_quotes_and_empty_parts(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, "scope -show_name_regexes \"DW,,DW2\" -trim_name_regexes '' -hide_name_regexes "
		  "'a\"b'\"");
	assert_true(p.good);
	assert_int_equal(p.options.show_name.count, 2);
	assert_string_equal(p.options.show_name.word[0], "DW");
	assert_string_equal(p.options.show_name.word[1], "DW2");
	assert_int_equal(p.options.trim_name.count, 0);
	assert_int_equal(p.options.hide_name.count, 1);
	assert_string_equal(p.options.hide_name.word[0], "a\"b");
	release(&p);
	parse(&p, "scope -select \"params,,bytes\"");
	assert_true(p.good);
	for (size_t i = 0; i < SELECT_WORDS; i++)
		assert_int_equal(p.options.select[i], i == SELECT_PARAMS || i == SELECT_BYTES);
	release(&p);
	parse(&p, "scope -select \"\"");
	assert_true(p.good);
	for (size_t i = 0; i < SELECT_WORDS; i++)
		assert_false(p.options.select[i]);
	release(&p);
}

static void outputs(void **state)
{
	struct parsed p;

	(void)state;
	parse(&p, "op -output file:outfile=a=b");
	assert_true(p.good);
	assert_int_equal(p.options.output, OUTPUT_FILE);
	assert_string_equal(tfprof_output_file(&p.options), "a=b");
	release(&p);
	parse(&p, "op -output file:outfile=x -output timeline");
	assert_true(p.good); /* the key of the first stays */
	assert_int_equal(p.options.output, OUTPUT_TIMELINE);
	assert_string_equal(tfprof_output_file(&p.options), "x");
	release(&p);
	parse(&p, "op -output none");
	assert_true(p.good);
	assert_null(tfprof_output_file(&p.options));
	release(&p);
}

static void empty_lines_are_no_command(void **state)
{
	static const char *const lines[] = {"", " ", "    "};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct parsed p;

		parse(&p, lines[i]);
		assert_true(p.good);
		assert_int_equal(p.command, COMMAND_NONE);
		release(&p);
	}
}

/* The list of golden 613, with an output and a list of two. */
static void all_options_are_listed(void **state)
{
	struct parsed p;
	struct text out;

	(void)state;
	text_init(&out);
	parse(&p, "set -max_depth 2 -select params,bytes -trim_name_regexes a,b -output "
		  "file:outfile=F");
	assert_true(p.good);
	tfprof_options_print(&p.options, &out);
	assert_string_equal(text_string(&out), "-max_depth                  2\n"
					       "-min_bytes                  0\n"
					       "-min_peak_bytes             0\n"
					       "-min_residual_bytes         0\n"
					       "-min_output_bytes           0\n"
					       "-min_micros                 0\n"
					       "-min_accelerator_micros     0\n"
					       "-min_cpu_micros             0\n"
					       "-min_params                 0\n"
					       "-min_float_ops              0\n"
					       "-min_occurrence             0\n"
					       "-step                       -1\n"
					       "-order_by                   name\n"
					       "-account_type_regexes       .*\n"
					       "-start_name_regexes         .*\n"
					       "-trim_name_regexes          a,b\n"
					       "-show_name_regexes          .*\n"
					       "-hide_name_regexes          \n"
					       "-account_displayed_op_only  false\n"
					       "-select                     bytes,params\n"
					       "-output                     file:outfile=F\n");
	text_release(&out);
	release(&p);
}

static void old_words_are_answered(void **state)
{
	struct text out;

	(void)state;
	text_init(&out);
	tfprof_old_word("-viz", &out);
	tfprof_old_word("--dump_to_file=x", &out);
	tfprof_old_value("select", "num_hidden_ops", &out);
	tfprof_old_value("order_by", "depth", &out);
	assert_string_equal(text_string(&out),
		"-viz is a word of 2017; today it is -output timeline:outfile=FILE\n"
		"-dump_to_file is a word of 2017; today it is -output file:outfile=FILE\n"
		"num_hidden_ops is a word of 2017; nothing has taken its place\n"
		"depth is a word of 2017; nothing has taken its place\n");
	text_clear(&out);
	tfprof_old_word("-select", &out);
	tfprof_old_word("dump", &out);
	tfprof_old_word("depth", &out);
	tfprof_old_value("select", "depth", &out);
	tfprof_old_word("", &out);
	assert_int_equal(out.size, 0);
	text_release(&out);
}

static void orders_name_quantities(void **state)
{
	(void)state;
	assert_int_equal(quantity_of_order("name"), QUANTITIES);
	assert_int_equal(quantity_of_order("depth"), QUANTITIES);
	assert_int_equal(quantity_of_order("occurrence"), QUANTITY_OCCURRENCE);
	assert_int_equal(quantity_of_order("cpu_micros"), QUANTITY_CPU_MICROS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused_lines),
		cmocka_unit_test(numbers_have_a_range),
		cmocka_unit_test(bools_are_spelt_in_ten_ways),
		cmocka_unit_test(lists_lose_quotes_and_empty_parts),
		cmocka_unit_test(outputs),
		cmocka_unit_test(empty_lines_are_no_command),
		cmocka_unit_test(all_options_are_listed),
		cmocka_unit_test(old_words_are_answered),
		cmocka_unit_test(orders_name_quantities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
