/* The text writer: the same table at many widths, marks, notes, hostile names. */
#include <math.h>
#include "base/memory.h"
#include "tests/unit/test.h"
#include "writers/writer.h"

/* clang-format off */
#define TEXT(s) {.kind = CELL_TEXT, .text = (s)}
#define REAL(v) {.kind = CELL_REAL, .real = (v)}
#define MARKED(v, m) {.kind = CELL_REAL, .real = (v), .mark = (m)}
#define NONE {.kind = CELL_NONE}
#define BLANK {.kind = CELL_BLANK}
#define CELLS(...) (struct cell[]){__VA_ARGS__}
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define LINES(...) (const char *[]){__VA_ARGS__}

#define DEGREES "gr\303\266\303\237e/\303\204hre" /* 10 columns, 13 bytes */
#define FILTER "gradients/unit_3_2/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter"
#define DOTS "\342\200\246" /* U+2026 */
/* clang-format on */

static struct column ops_column[] = {
	{.stat = "op", .title = "op", .shorten = true},
	{.stat = "type", .title = "type", .shorten = true, .drop = 3},
	{.title = "time/step", .dimension = DIMENSION_TIME, .decimals = 2, .align = ALIGN_RIGHT},
	{.title = "CV", .dimension = DIMENSION_FRACTION, .decimals = 1, .align = ALIGN_RIGHT},
	{.title = "requested",
		.dimension = DIMENSION_BYTES,
		.decimals = -1,
		.align = ALIGN_RIGHT,
		.drop = 2},
	{.title = "ran", .align = ALIGN_RIGHT, .drop = 1},
};

static struct row ops_row[] = {
	{CELLS(TEXT("unit_3_2/sub2/conv2/Conv2D"), TEXT("Conv2D"), REAL(6.21e9), REAL(0.019),
		 REAL(12.58e6), TEXT("90/90")),
		.role = ROW_BODY, .on_screen = true, .in_files = true},
	{CELLS(TEXT(FILTER), TEXT("Conv2DBackpropFilter"), REAL(5.8e9), MARKED(0.48, "a"),
		 REAL(9.44e6), TEXT("90/90")),
		.role = ROW_BODY, .on_screen = true, .in_files = true},
	{CELLS(TEXT(DEGREES), TEXT("Relu"), REAL(0.91e9), MARKED(1.006, "b"), NONE, TEXT("45/90")),
		.role = ROW_BODY, .on_screen = true, .in_files = true},
	{CELLS(TEXT("small"), TEXT("Relu"), REAL(0.5e9), REAL(0.02), NONE, TEXT("1/90")),
		.role = ROW_BODY, .on_screen = false, .in_files = true},
	{CELLS(TEXT("[204 other ops]"), BLANK, REAL(9.3e9), REAL(0.021), REAL(55.61e6), BLANK),
		.role = ROW_OTHER, .on_screen = true, .in_files = false},
	{CELLS(TEXT("all ops"), BLANK, REAL(22.22e9), REAL(0.053), REAL(77.63e6), BLANK),
		.role = ROW_TOTAL, .on_screen = true, .in_files = true},
};

static struct report ops_report(void)
{
	return (struct report){
		.command = "report",
		.display =
			{
				.name = "ops",
				.column = ops_column,
				.column_count = COUNT(ops_column),
				.row = ops_row,
				.row_count = COUNT(ops_row),
			},
	};
}

static void assert_written(
	const char *expected, const struct report *report, const struct writer_options *opt)
{
	struct error err = {0};
	struct outfile *out = outfile_memory();
	struct report shown = *report;
	size_t size;

	shown.arena = arena_new();
	assert_int_equal(writer_find("text", &err)->write(&shown, opt, out, &err), 0);
	const char *data = outfile_data(out, &size);
	struct text written;

	text_init(&written);
	text_add_bytes(&written, size ? data : "", size);
	assert_string_equal(text_string(&written), expected);
	assert_int_equal(strlen(text_string(&written)), size);
	text_release(&written);
	outfile_discard(out);
	arena_free(shown.arena);
}

static void assert_at_width(size_t width, const char *expected)
{
	struct report report = ops_report();

	assert_written(expected, &report, &(struct writer_options){.width = width});
}

/* clang-format off */
TEST(as_wide_as_needed)
{
	const char *expected =
"op                                                              type                  time/step      CV   requested    ran\n"
"unit_3_2/sub2/conv2/Conv2D                                      Conv2D                  6.21 ms    1.9%    12.58 MB  90/90\n"
"gradients/unit_3_2/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter  Conv2DBackpropFilter    5.80 ms   48.0%a    9.44 MB  90/90\n"
"gr\303\266\303\237e/\303\204hre                                                      Relu                    0.91 ms  100.6%b          -  45/90\n"
"[204 other ops]                                                                         9.30 ms    2.1%    55.61 MB\n"
"all ops                                                                                22.22 ms    5.3%    77.63 MB\n";

	assert_at_width(0, expected);
	assert_at_width(122, expected);
	assert_at_width(1000, expected);
}

TEST(at_120_the_type_gives_first)
{
	assert_at_width(120,
"op                                                              type                time/step      CV   requested    ran\n"
"unit_3_2/sub2/conv2/Conv2D                                      Conv2D                6.21 ms    1.9%    12.58 MB  90/90\n"
"gradients/unit_3_2/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter  Conv2DBac" DOTS "opFilter    5.80 ms   48.0%a    9.44 MB  90/90\n"
"gr\303\266\303\237e/\303\204hre                                                      Relu                  0.91 ms  100.6%b          -  45/90\n"
"[204 other ops]                                                                       9.30 ms    2.1%    55.61 MB\n"
"all ops                                                                              22.22 ms    5.3%    77.63 MB\n");
}

TEST(at_80_the_type_goes_and_the_name_is_shortened)
{
	assert_at_width(80,
"op                                          time/step      CV   requested    ran\n"
"unit_3_2/sub2/conv2/Conv2D                    6.21 ms    1.9%    12.58 MB  90/90\n"
"gradients/unit_3_2/" DOTS "/Conv2DBackpropFilter     5.80 ms   48.0%a    9.44 MB  90/90\n"
"gr\303\266\303\237e/\303\204hre                                    0.91 ms  100.6%b          -  45/90\n"
"[204 other ops]                               9.30 ms    2.1%    55.61 MB\n"
"all ops                                      22.22 ms    5.3%    77.63 MB\n");
}

TEST(at_60_names_are_shorter)
{
	assert_at_width(60,
"op                      time/step      CV   requested    ran\n"
"unit_3_2/sub2/" DOTS "/Conv2D    6.21 ms    1.9%    12.58 MB  90/90\n"
"gradients/u" DOTS "propFilter    5.80 ms   48.0%a    9.44 MB  90/90\n"
"gr\303\266\303\237e/\303\204hre                0.91 ms  100.6%b          -  45/90\n"
"[204 other ops]           9.30 ms    2.1%    55.61 MB\n"
"all ops                  22.22 ms    5.3%    77.63 MB\n");
}
TEST(at_50_the_bytes_go_too)
{
	assert_at_width(50,
"op                       time/step      CV     ran\n"
"unit_3_2/sub2/" DOTS "/Conv2D     6.21 ms    1.9%   90/90\n"
"gradients/u" DOTS "kpropFilter    5.80 ms   48.0%a  90/90\n"
"gr\303\266\303\237e/\303\204hre                 0.91 ms  100.6%b  45/90\n"
"[204 other ops]            9.30 ms    2.1%\n"
"all ops                   22.22 ms    5.3%\n");
}

TEST(at_40_the_name_is_cut_inside_its_last_part)
{
	assert_at_width(40,
"op                    time/step      CV\n"
"unit_3_2/" DOTS "/Conv2D       6.21 ms    1.9%\n"
"gradients/" DOTS "ropFilter    5.80 ms   48.0%a\n"
"gr\303\266\303\237e/\303\204hre              0.91 ms  100.6%b\n"
"[204 other ops]         9.30 ms    2.1%\n"
"all ops                22.22 ms    5.3%\n");
}

TEST(the_last_column_goes_on_in_the_next_line)
{
	static struct column column[] = {{.title = "op", .shorten = true},
		{.title = "q", .align = ALIGN_RIGHT, .drop = 1},
		{.title = "verdict", .wrap = true}};
	struct row row[] = {
		{CELLS(TEXT("a"), TEXT("0.08"),
			 {.kind = CELL_TEXT, .text = "INCONCLUSIVE (sees > 9 %; alone SLOWER)", .mark = "b"}),
			.role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("b"), TEXT("0.01"), TEXT("SLOWER")), .role = ROW_BODY, .on_screen = true, .in_files = true},
	};
	struct report report = {.command = "compare",
		.display = {.column = column, .column_count = 3, .row = row, .row_count = 2}};
	struct writer_options opt = {.width = 40};

	assert_written("op     q  verdict\n"
		       "a   0.08  INCONCLUSIVE (sees > 9 %;\n"
		       "          alone SLOWER) b\n"
		       "b   0.01  SLOWER\n",
		&report, &opt);
	opt.width = 60;
	assert_written("op     q  verdict\n"
		       "a   0.08  INCONCLUSIVE (sees > 9 %; alone SLOWER) b\n"
		       "b   0.01  SLOWER\n",
		&report, &opt);
}

TEST(numbers_are_never_cut)
{
	const char *expected =
"op                time/step      CV\n"
"unit_3_2" DOTS "/Conv2D    6.21 ms    1.9%\n"
"gradient" DOTS "pFilter    5.80 ms   48.0%a\n"
"gr\303\266\303\237e/\303\204hre          0.91 ms  100.6%b\n"
"[204 other ops]     9.30 ms    2.1%\n"
"all ops            22.22 ms    5.3%\n";

	assert_at_width(30, expected);
	assert_at_width(1, expected);
}

TEST(the_complete_form_has_its_own_rows)
{
	struct report report = ops_report();

	report.display.column_count = 3;
	report.footer = LINES("All rows: --top=all");
	report.footer_count = 1;
	assert_written(
"op                                                              type                  time/step\n"
"unit_3_2/sub2/conv2/Conv2D                                      Conv2D                  6.21 ms\n"
"gradients/unit_3_2/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter  Conv2DBackpropFilter    5.80 ms\n"
"gr\303\266\303\237e/\303\204hre                                                      Relu                    0.91 ms\n"
"small                                                           Relu                    0.50 ms\n"
"all ops                                                                                22.22 ms\n",
		&report, &(struct writer_options){.complete = true});
}

TEST(parts_are_separated_by_blank_lines)
{
	struct column column[] = {{.title = "op", .shorten = true}, {.title = "n", .align = ALIGN_RIGHT}};
	struct row row[] = {
		{CELLS(TEXT("MatMul and its friends"), {.kind = CELL_INTEGER, .integer = 12345}),
			.role = ROW_BODY, .on_screen = true, .in_files = true}};
	struct note note[] = {
		{"a", "fits beside", "--one=1", false},
		{NULL, "no room in the table", "--two=2", false},
		{"!", "no option", NULL, false},
	};
	struct report report = {
		.heading = LINES("base/: 5 runs x 97 steps"),
		.heading_count = 1,
		.answer = LINES("First sentence.", "Second  (with a gap)."),
		.answer_count = 2,
		.display = {"ops", column, 2, row, 1},
		.note = note,
		.note_count = 3,
		.footer = LINES("All rows: --top=all   more: --help"),
		.footer_count = 1,
	};

	column[1].decimals = -1;
	assert_written(
"base/: 5 runs x 97 steps\n"
"\n"
"First sentence.\n"
"Second  (with a gap).\n"
"\n"
"op                          n\n"
"MatMul and its friends  12345\n"
"\n"
"a  fits beside        --one=1\n"
"\302\267  no room in the table  --two=2\n"
"!  no option\n"
"\n"
"All rows: --top=all   more: --help\n",
		&report, &(struct writer_options){.width = 0});
	assert_written(
"\033[1mbase/: 5 runs x 97 steps\033[0m\n"
"\n"
"First sentence.\n"
"Second  (with a gap).\n"
"\n"
"\033[1mop                          n\033[0m\n"
"MatMul and its friends  12345\n"
"\n"
"\033[2ma  fits beside        --one=1\033[0m\n"
"\033[2m\302\267  no room in the table  --two=2\033[0m\n"
"\033[2m!  no option\033[0m\n"
"\n"
"\033[2mAll rows: --top=all   more: --help\033[0m\n",
		&report, &(struct writer_options){.width = 80, .color = true});
}

TEST(details_are_for_the_complete_form)
{
	struct note note[] = {
		{NULL, "what matters", NULL, false},
		{"abc", "a detail", NULL, true},
	};
	struct report report = {.note = note, .note_count = 2};

	assert_written("\302\267  what matters\n", &report, &(struct writer_options){0});
	assert_written("\302\267    what matters\nabc  a detail\n", &report,
		&(struct writer_options){.complete = true});
}

TEST(long_notes_wrap_with_a_hanging_indent)
{
	struct note note[] = {
		{"b", "ran in 45 of 90 steps, the others count as 0 (1.82 ms when it runs, CV 3.0 %)",
			"--absent=skip", false},
		{NULL, "intervals allow for lag-1 correlation 0.10", "--confidence=99%", false},
		{"ab", "one/very/long/name/that/is/longer/than/the/line/and/stays", NULL, false},
	};
	struct report report = {.note = note, .note_count = 3};

	/* "1.82 ms", "45 of" and "3.0 %)" stay together. */
	assert_written(
"b   ran in 45 of 90 steps, the others\n"
"    count as 0 (1.82 ms when it runs, CV\n"
"    3.0 %)  --absent=skip\n"
"\302\267   intervals allow for lag-1\n"
"    correlation 0.10  --confidence=99%\n"
"ab  one/very/long/name/that/is/longer/than/the/line/and/stays\n",
		&report, &(struct writer_options){.width = 40});
	assert_written(
"b   ran in 45 of 90 steps, the others count as 0 (1.82 ms when it runs, CV 3.0 %)  --absent=skip\n"
"\302\267   intervals allow for lag-1 correlation 0.10  --confidence=99%\n"
"ab  one/very/long/name/that/is/longer/than/the/line/and/stays\n",
		&report, &(struct writer_options){.width = 0});
	/* No room behind the last line: the option has a line of its own. */
	report.note_count = 1;
	assert_written(
"b  ran in 45 of 90 steps, the others count as 0 (1.82 ms when it runs, CV 3.0 %)\n"
"   --absent=skip\n",
		&report, &(struct writer_options){.width = 80});
}

TEST(coloured_lines_that_go_on_are_whole)
{
	struct arena *arena = arena_new();
	struct issue_list issues;
	struct report report = {.issues = &issues};

	issue_list_init(&issues, arena);
	issue_add(&issues, ISSUE_LOSS, "nameless", "events without a name that the program could use",
		3, "a.json");
	assert_written("In the input:\n"
		       "\033[2m!  3 events without a name that the\033[0m\n"
		       "\033[2m   program could use (first: a.json)\033[0m\n",
		&report,
		&(struct writer_options){.width = 40, .complete = true, .color = true});
	arena_free(arena);
}

TEST(sentences_break_at_a_gap_where_they_have_one)
{
	struct report report = {
		.answer = LINES("A step takes 41.82 ms of op time, CV 5.3 %  (wall 22.10 ms, CV 3.1 %)."),
		.answer_count = 1,
		.footer = LINES("All rows: --top=all   spreadsheet: -o ops.csv"),
		.footer_count = 1,
	};

	assert_written(
"A step takes 41.82 ms of op time, CV 5.3 %\n"
"(wall 22.10 ms, CV 3.1 %).\n"
"\n"
"All rows: --top=all   spreadsheet: -o ops.csv\n",
		&report, &(struct writer_options){.width = 50});
	assert_written(
"A step takes 41.82 ms of op time, CV\n"
"5.3 %  (wall 22.10 ms, CV 3.1 %).\n"
"\n"
"All rows: --top=all\n"
"spreadsheet: -o ops.csv\n",
		&report, &(struct writer_options){.width = 36});
}

TEST(a_gate_says_its_result_and_what_did_not_pass)
{
	struct column column[] = {{.title = "op", .shorten = true}};
	struct row row[] = {{CELLS(TEXT("MatMul")), .role = ROW_BODY, .on_screen = true, .in_files = true}};
	struct note note[] = {{NULL, "a note", NULL, false}};
	struct check check[] = {
		{"conv", "a", "time", CHECK_WAIVED, "REGRESSED", "until 2026-12-31", false, false},
		{"conv", "b", "time", CHECK_PASSED, "SAME", "not said", false, false},
		{"conv", "c", "time", CHECK_UNDECIDED, "INCONCLUSIVE", "sees > 33 %", false, false},
		{"conv", "evil\n\033[0m\377", "time", CHECK_FAILED, "REGRESSED", "+7.2 % [+5.0, +9.5]", false, false},
		{"memory", NULL, NULL, CHECK_UNUSABLE, NULL, "no op", false, false},
	};
	struct report report = {
		.heading = LINES("base/ and new/"),
		.heading_count = 1,
		.answer = LINES("new is SLOWER."),
		.answer_count = 1,
		.display = {"ops", column, 1, row, 1},
		.note = note,
		.note_count = 1,
		.check = check,
		.check_count = 5,
		.has_result = true,
		.exit_status = 1,
		.result = "red: 1 op REGRESSED",
	};

	assert_written(
"base/ and new/\n"
"\n"
"red: 1 op REGRESSED\n"
"\n"
"new is SLOWER.\n"
"\n"
"op\n"
"MatMul\n"
"\n"
"!  REGRESSED: evil\\x0a\\x1b[0m\\xff time\n"
"   (conv): +7.2 % [+5.0, +9.5]\n"
"!  unusable: memory: no op\n"
"\302\267  INCONCLUSIVE: c time (conv): sees >\n"
"   33 %\n"
"\302\267  REGRESSED, waived: a time (conv):\n"
"   until 2026-12-31\n"
"\n"
"\302\267  a note\n",
		&report, &(struct writer_options){.width = 39});
	report.display.column_count = report.note_count = report.answer_count = 0;
	assert_written(
"\033[1mbase/ and new/\033[0m\n"
"\n"
"\033[31mred: 1 op REGRESSED\033[0m\n"
"\n"
"\033[31m!  REGRESSED: evil\\x0a\\x1b[0m\\xff time (conv): +7.2 % [+5.0, +9.5]\033[0m\n"
"\033[31m!  unusable: memory: no op\033[0m\n"
"\033[33m\302\267  INCONCLUSIVE: c time (conv): sees > 33 %\033[0m\n"
"\033[2m\302\267  REGRESSED, waived: a time (conv): until 2026-12-31\033[0m\n",
		&report, &(struct writer_options){.width = 80, .color = true});
	report.exit_status = 0;
	report.check_count = 0;
	report.result = "green";
	assert_written(
"\033[1mbase/ and new/\033[0m\n"
"\n"
"\033[32mgreen\033[0m\n",
		&report, &(struct writer_options){.color = true});
	report.exit_status = 4;
	report.heading_count = 0;
	report.result = "undecided";
	assert_written("\033[33mundecided\033[0m\n", &report, &(struct writer_options){.color = true});
}

/* A screen has ten and counts the others; a file has all. */
TEST(many_checks_on_a_screen_and_in_a_file)
{
	struct check check[12];
	struct report report = {.check = check, .check_count = 12, .has_result = true, .result = "x"};
	struct text expected;

	text_init(&expected);
	text_add(&expected, "x\n\n");
	for (size_t i = 0; i < 12; i++) {
		check[i] = (struct check){"p", "o", NULL, CHECK_UNDECIDED, NULL, NULL, false, false};
		text_add(&expected, "\302\267  undecided: o (p)\n");
		if (i == 9) {
			struct report cut = report;
			struct text shown;

			text_init(&shown);
			text_add(&shown, text_string(&expected));
			text_add(&shown, "\302\267  2 more did not pass  --top=all\n");
			for (size_t j = 10; j < 12; j++)
				check[j] = check[0];
			assert_written(text_string(&shown), &cut, &(struct writer_options){.width = 80});
			text_release(&shown);
		}
	}
	assert_written(text_string(&expected), &report, &(struct writer_options){.complete = true});
	check[3].status = CHECK_FAILED; /* the last of a kind never hides what is red */
	for (size_t i = 4; i < 12; i++)
		check[i].status = CHECK_UNUSABLE;
	for (size_t i = 0; i < 3; i++)
		check[i].status = CHECK_FAILED;
	text_clear(&expected);
	text_add(&expected, "x\n\n");
	for (size_t i = 0; i < 10; i++)
		text_printf(&expected, "!  %s: o (p)\n", i < 4 ? "failed" : "unusable");
	text_add(&expected, "!  2 more did not pass  --top=all\n");
	assert_written(text_string(&expected), &report, &(struct writer_options){.width = 80});
	text_release(&expected);
}

TEST(hostile_names_do_nothing)
{
	struct column column[] = {{.title = "op", .shorten = true}, {.title = "t", .align = ALIGN_RIGHT}};
	struct row row[] = {
		{CELLS(TEXT("a\033[31mred"), TEXT("1")), .role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("b\nc\rd\te\b"), TEXT("2")), .role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("bad \377\300\200 utf"), TEXT("3")), .role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("\342\200\256txt"), TEXT("4")), .role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("=cmd|`x`"), TEXT("\0335")), .role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT(""), NONE), .role = ROW_BODY, .on_screen = true, .in_files = true},
	};
	struct report report = {
		.heading = LINES("evil\033]0;title\a.pb"),
		.heading_count = 1,
		.display = {"ops", column, 2, row, COUNT(row)},
	};

	assert_written(
"evil\\x1b]0;title\\x07.pb\n"
"\n"
"op                        t\n"
"a\\x1b[31mred              1\n"
"b\\x0ac\\x0dd\\x09e\\x08      2\n"
"bad \\xff\\xc0\\x80 utf      3\n"
"\\xe2\\x80\\xaetxt           4\n"
"=cmd|`x`              \\x1b5\n"
"                          -\n",
		&report, &(struct writer_options){.width = 80});
}

TEST(wide_characters_count_as_two_columns)
{
	struct column column[] = {{.title = "op", .shorten = true},
		{.title = "\302\261 95 %", .align = ALIGN_RIGHT, .dimension = DIMENSION_FRACTION,
			.decimals = 1}};
	struct row row[] = {
		/* four Chinese characters; e with a combining acute */
		{CELLS(TEXT("\345\215\267\347\247\257\347\275\221\347\273\234"), REAL(0.004)), .role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("cafe\314\201"), REAL(1)), .role = ROW_BODY, .on_screen = true, .in_files = true},
	};
	struct report report = {.display = {"ops", column, 2, row, 2}};

	assert_written(
"op        \302\261 95 %\n"
"\345\215\267\347\247\257\347\275\221\347\273\234    0.4%\n"
"cafe\314\201      100.0%\n",
		&report, &(struct writer_options){.width = 80});
}

TEST(undefined_values_are_a_dash)
{
	struct column column[] = {{.title = "op"},
		{.title = "time", .align = ALIGN_RIGHT, .dimension = DIMENSION_TIME, .decimals = -1},
		{.title = "peak", .align = ALIGN_RIGHT, .dimension = DIMENSION_BYTES, .decimals = -1},
		{.title = "verdict"}};
	struct row row[] = {
		{CELLS(TEXT("a"), REAL(NAN), NONE, {.kind = CELL_TEXT, .text = "NEW", .mark = "a"}),
			.role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("b"), MARKED(1.5e6, "ab"), NONE, TEXT("GONE")), .role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("all"), REAL(INFINITY), BLANK, BLANK), .role = ROW_TOTAL, .on_screen = true, .in_files = true},
	};
	struct report report = {.display = {"ops", column, 4, row, 3}};

	assert_written(
"op      time    peak  verdict\n"
"a          -       -  NEW a\n"
"b    1.50 usab     -  GONE\n"
"all        -\n",
		&report, &(struct writer_options){.width = 80});
}

TEST(empty_report_is_empty)
{
	struct report report = {0};

	assert_written("", &report, &(struct writer_options){.width = 80});
	report.display.column = ops_column;
	report.display.column_count = 2;
	assert_written("op  type\n", &report, &(struct writer_options){.width = 80});
}
/* clang-format on */

/* 60 KB: whole without a width, without pushing the others away; shortened with one. */
TEST(endless_names)
{
	const size_t length = 60000;
	char *name = memory_alloc(length + 1);
	struct column column[] = {
		{.title = "op", .shorten = true}, {.title = "ran", .align = ALIGN_RIGHT}};
	struct row row[] = {
		{CELLS(TEXT(name), TEXT("1/1")), .role = ROW_BODY, .on_screen = true,
			.in_files = true},
		{CELLS(TEXT("b"), TEXT("2/2")), .role = ROW_BODY, .on_screen = true,
			.in_files = true},
	};
	struct report report = {.display = {"ops", column, 2, row, 2}};
	struct text expected;

	memset(name, 'n', length);
	text_init(&expected);
	text_printf(&expected, "op  ran\n%s  1/1\nb   2/2\n", name);
	assert_written(text_string(&expected), &report, &(struct writer_options){.width = 0});
	text_release(&expected);
	assert_written("op                ran\n"
		       "nnnnnnnn" DOTS "nnnnnnn  1/1\n"
		       "b                 2/2\n",
		&report, &(struct writer_options){.width = 21});
	memory_free(name);
}
