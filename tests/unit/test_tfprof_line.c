/* A typed line of tfprof and its options. Expected texts are those that the original printed
 * (tests/data/tfprof-cli) or that follow from its grammar by hand. */
#include "tfprof/options/old_words.h"
#include "tests/unit/test.h"

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

TEST(refused_lines)
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

TEST(numbers_have_a_range)
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

TEST(bools_are_spelt_in_ten_ways)
{
	static const char *const yes[] = {"true", "T", "yes", "Y", "1", "TRUE", ""};
	static const char *const no[] = {"false", "F", "no", "N", "0", "False"};
	struct parsed p;
	char line[64];

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

TEST(lists_lose_quotes_and_empty_parts)
{
	struct parsed p;

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

TEST(outputs)
{
	struct parsed p;

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

TEST(empty_lines_are_no_command)
{
	static const char *const lines[] = {"", " ", "    "};

	for (size_t i = 0; i < 3; i++) {
		struct parsed p;

		parse(&p, lines[i]);
		assert_true(p.good);
		assert_int_equal(p.command, COMMAND_NONE);
		release(&p);
	}
}

/* The list of golden 613, with an output and a list of two. */
TEST(all_options_are_listed)
{
	struct parsed p;
	struct text out;

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

/* What a typed line is taken for, and the number of words that are said to be taken otherwise. */
static void require_line(const char *typed, const char *today, size_t said)
{
	struct arena *arena = arena_new();
	struct text messages;
	size_t lines = 0;

	text_init(&messages);
	assert_string_equal(tfprof_line_of_today(typed, arena, &messages), today);
	for (size_t i = 0; i < messages.size; i++)
		lines += messages.data[i] == '\n';
	assert_int_equal(lines, said);
	text_release(&messages);
	arena_free(arena);
}

TEST(old_words_at_the_prompt)
{
	require_line("scope -dump_to_file /tmp/a=b", "scope -output file:outfile=/tmp/a=b", 1);
	require_line("scope -dump_to_file \"F\" -max_depth 2",
		"scope -output file:outfile=F -max_depth 2", 1);
	require_line("scope -dump_to_file \"\"", "scope -output stdout", 1);
	require_line("graph -viz -step 1", "graph -output timeline:outfile=timeline -step 1", 1);
	require_line("graph -viz Yes", "graph -output timeline:outfile=timeline", 1);
	require_line("graph -viz 0", "graph -output stdout", 1);
	require_line("op -order_by depth", "op -order_by name", 1);
	require_line("op -select num_hidden_ops", "op -select \"\"", 1);
	require_line("op -select 'bytes,num_hidden_ops,micros'", "op -select bytes,micros", 1);
	require_line("op --order_by=depth --select bytes", "op -order_by name -select bytes", 2);
	require_line("set --account_displayed_op_only -max_depth=3",
		"set -account_displayed_op_only -max_depth 3", 2);
	/* As it was. */
	require_line("scope -show_name_regexes -order_by -min_bytes -1",
		"scope -show_name_regexes -order_by -min_bytes -1", 0);
	require_line("scope -show_name_regexes depth -order_by micros",
		"scope -show_name_regexes depth -order_by micros", 0);
	require_line("scope -account_displayed_op_only -max_depth 2",
		"scope -account_displayed_op_only -max_depth 2", 0);
	require_line("scope -dump_to_file", "scope -dump_to_file", 0);
	require_line("depth -frob num_hidden_ops --all", "depth -frob num_hidden_ops --all", 0);
	require_line("", "", 0);
}

/* Words after the program's name, ended by NULL; those of today, joined by blanks. */
static void require_words(char *const *typed, const char *today, const char *said)
{
	struct arena *arena = arena_new();
	struct tfprof_command_line line = {"tfprof", 0, typed};
	struct text messages, joined;

	text_init(&messages);
	text_init(&joined);
	while (typed[line.count])
		line.count++;
	line = tfprof_words_of_today(&line, arena, &messages);
	for (int i = 0; i < line.count; i++)
		text_printf(&joined, "%s%s", i ? " " : "", line.word[i]);
	assert_string_equal(text_string(&joined), today);
	assert_string_equal(text_string(&messages), said);
	text_release(&joined);
	text_release(&messages);
	arena_free(arena);
}

#define WORDS(...) ((char *const[]){__VA_ARGS__, NULL})

TEST(old_words_of_the_command_line)
{
	require_words(WORDS("scope", "--graph_path", "graph", "--max_depth=3", "--dump_to_file=F"),
		"scope --graph_path=graph --max_depth=3 --output=file:outfile=F",
		"--graph_path graph: taken for --graph_path=graph\n"
		"--dump_to_file=F: taken for --output=file:outfile=F\n");
	require_words(WORDS("-step", "-1", "-order-by=depth", "-account_displayed_op_only", "op"),
		"--step=-1 --order_by=name --account_displayed_op_only=true op",
		"-step -1: taken for --step=-1\n"
		"-order-by=depth: taken for --order_by=name\n"
		"-account_displayed_op_only: taken for --account_displayed_op_only=true\n");
	require_words(WORDS("-viz", "graph"), "--output=timeline:outfile=timeline graph",
		"-viz: taken for --output=timeline:outfile=timeline\n");
	require_words(WORDS("--select=num_hidden_ops"),
		"--select=", "--select=num_hidden_ops: taken for --select=\n");
	/* Without a value, after "--", of today, ours, unknown. */
	require_words(WORDS("--order_by", "op"), "--order_by op", "");
	require_words(WORDS("--order_by", "--step=3"), "--order_by --step=3", "");
	require_words(WORDS("op", "--", "-order_by", "depth"), "op -- -order_by depth", "");
	require_words(
		WORDS("--account_displayed_op_only", "op"), "--account_displayed_op_only op", "");
	require_words(WORDS("--write_profile", "-step", "op"), "--write_profile -step op", "");
	require_words(WORDS("--frob", "depth", "-viz=x"), "--frob depth -viz=x", "");
}

TEST(orders_name_quantities)
{
	assert_int_equal(quantity_of_order("name"), QUANTITIES);
	assert_int_equal(quantity_of_order("depth"), QUANTITIES);
	assert_int_equal(quantity_of_order("occurrence"), QUANTITY_OCCURRENCE);
	assert_int_equal(quantity_of_order("cpu_micros"), QUANTITY_CPU_MICROS);
}
