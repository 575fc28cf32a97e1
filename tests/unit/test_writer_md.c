/*
 * The Markdown writer: the whole page, and names that try to be markup.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/memory.h"
#include "report/writer.h"

/* clang-format off */
#define TEXT(s) {.kind = CELL_TEXT, .text = (s)}
#define REAL(v) {.kind = CELL_REAL, .real = (v)}
#define NONE {.kind = CELL_NONE}
#define BLANK {.kind = CELL_BLANK}
#define CELLS(...) (struct cell[]){__VA_ARGS__}
#define LINES(...) (const char *[]){__VA_ARGS__}
/* clang-format on */

static void write_md(
	const struct report *report, const struct writer_options *opt, struct text *written)
{
	struct error err = {0};
	struct outfile *out = outfile_memory();
	size_t size;

	assert_int_equal(writer_find("md", &err)->write(report, opt, out, &err), 0);
	const char *data = outfile_data(out, &size);

	text_init(written);
	text_add_bytes(written, size ? data : "", size);
	outfile_discard(out);
}

static void assert_written(
	const char *expected, const struct report *report, const struct writer_options *opt)
{
	struct text written;

	write_md(report, opt, &written);
	assert_string_equal(text_string(&written), expected);
	text_release(&written);
}

static void whole_page(void **state)
{
	struct column column[] = {{.title = "op", .shorten = true, .drop = 1},
		{.title = "time/step",
			.align = ALIGN_RIGHT,
			.dimension = DIMENSION_TIME,
			.decimals = 2},
		{.title = "CV",
			.align = ALIGN_RIGHT,
			.dimension = DIMENSION_FRACTION,
			.decimals = 1},
		{.title = "verdict"}};
	struct row row[] = {
		{CELLS(TEXT("unit_1/conv"), REAL(6.21e9),
			 {.kind = CELL_REAL, .real = 0.48, .mark = "a"}, TEXT("SAME")),
			ROW_BODY, true, true},
		{CELLS(TEXT("logits"), REAL(1e9), NONE, TEXT("SLOWER (size > 2 %)")), ROW_BODY,
			false, true},
		{CELLS(TEXT("[1 other op]"), REAL(1e9), NONE, BLANK), ROW_OTHER, true, false},
		{CELLS(TEXT("all ops"), REAL(7.21e9), REAL(0.05), BLANK), ROW_TOTAL, true, true},
	};
	struct note note[] = {
		{"a", "two steps (37, 71) make this CV", NULL, false},
		{NULL, "left out: the first 3 steps", "--warmup=none", false},
	};
	struct report report = {
		.heading = LINES("base/: 1 run x 90 steps, 214 ops on cpu_0", "second line"),
		.heading_count = 2,
		.answer = LINES("A step takes 41.82 ms -> 43.62 ms [41.31, 42.33].", "Two ops."),
		.answer_count = 2,
		.display = {"ops", column, 4, row, 4},
		.note = note,
		.note_count = 2,
		.footer = LINES("only on a terminal"),
		.footer_count = 1,
	};

	(void)state;
	assert_written("### base/: 1 run x 90 steps, 214 ops on cpu_0\n"
		       "\n"
		       "second line\n"
		       "\n"
		       "A step takes 41.82 ms -> 43.62 ms [41.31, 42.33].\n"
		       "\n"
		       "Two ops.\n"
		       "\n"
		       "| op | time/step | CV | verdict |\n"
		       "| :--- | ---: | ---: | :--- |\n"
		       "| `unit_1/conv` | 6.21 ms | 48.0% (a) | SAME |\n"
		       "| `logits` | 1.00 ms | - | SLOWER (size > 2 %) |\n"
		       "| all ops | 7.21 ms | 5.0% |  |\n"
		       "\n"
		       "- (a) two steps (37, 71) make this CV\n"
		       "- left out: the first 3 steps `--warmup=none`\n",
		&report, &(struct writer_options){.complete = true, .width = 20});
}

/* What stands in the row for a name, as a name and as other text. */
static void assert_cell(const char *expected, const char *name, bool is_name)
{
	struct column column[] = {{.title = "x", .shorten = is_name}};
	struct row row[] = {{CELLS(TEXT(name)), ROW_BODY, true, true}};
	struct report report = {.display = {"ops", column, 1, row, 1}};
	struct text written, whole;

	text_init(&whole);
	text_printf(&whole, "| x |\n| :--- |\n| %s |\n", expected);
	write_md(&report, &(struct writer_options){0}, &written);
	assert_string_equal(text_string(&written), text_string(&whole));
	text_release(&written);
	text_release(&whole);
}

static void names_are_code_spans(void **state)
{
	(void)state;
	assert_cell("`a/b`", "a/b", true);
	assert_cell("`*b* _c_ [x](http://y) <b>`", "*b* _c_ [x](http://y) <b>", true);
	assert_cell("`a\\|b`", "a|b", true);
	assert_cell("`a\\\\|b`", "a\\|b", true); /* only the bar is escaped */
	assert_cell("`a\\`", "a\\", true);
	assert_cell("``a`b``", "a`b", true);
	assert_cell("``` a``b` ```", "a``b`", true);
	assert_cell("`` ` ``", "`", true);
	assert_cell("`` `x ``", "`x", true);
	assert_cell("` lead`", " lead", true);
	assert_cell("`  both  `", " both ", true);
	assert_cell("`  `", "  ", true);
	assert_cell("", "", true);
	assert_cell("`a\\x0ab\\x0d`", "a\nb\r", true);
	assert_cell("`\\x1b[31m\\xff`", "\033[31m\377", true);
	assert_cell("`gr\303\266\303\237e`", "gr\303\266\303\237e", true);
	assert_cell("`=cmd`", "=cmd", true);
	assert_cell("`<script>alert(1)</script>`", "<script>alert(1)</script>", true);
}

static void other_text_is_escaped(void **state)
{
	(void)state;
	assert_cell("cpu_0", "cpu_0", false);
	assert_cell("\\_x\\_ a\\_\\_b", "_x_ a__b", false);
	assert_cell("\\*b\\* \\`c\\`", "*b* `c`", false);
	assert_cell("a\\|b\\\\\\|c", "a|b\\|c", false);
	assert_cell("\\<b>x\\</b>", "<b>x</b>", false);
	assert_cell("[x\\](http\\://y)", "[x](http://y)", false);
	assert_cell("![x\\][y]", "![x][y]", false);
	assert_cell("[+20.4, +25.9]", "[+20.4, +25.9]", false);
	assert_cell("\\&lt; a & b \\&\\#60;", "&lt; a & b &#60;", false);
	assert_cell("\\~\\~x\\~\\~ \\$x\\$", "~~x~~ $x$", false);
	assert_cell("www\\.x.y", "www.x.y", false);
	assert_cell("-", "-", false);
	assert_cell("1. - +", " 1. - + ", false);
	assert_cell("a\\\\x0ab", "a\nb", false);
	assert_cell("\\#1 a\\@b", "#1 a@b", false);
}

static void assert_paragraph(const char *expected, const char *line)
{
	struct report report = {.answer = &line, .answer_count = 1};
	struct text whole;

	text_init(&whole);
	text_printf(&whole, "%s\n", expected);
	assert_written(text_string(&whole), &report, &(struct writer_options){0});
	text_release(&whole);
}

static void paragraphs_begin_no_block(void **state)
{
	(void)state;
	assert_paragraph("\\- x", "- x");
	assert_paragraph("\\---", "---");
	assert_paragraph("-5 % of it", "-5 % of it");
	assert_paragraph("\\+ x", "+ x");
	assert_paragraph("1\\. x", "1. x");
	assert_paragraph("12\\) x", "12) x");
	assert_paragraph("87.5 % of it (1. x)", "87.5 % of it (1. x)");
	assert_paragraph("\\> x", "> x");
	assert_paragraph("\\# x", "# x");
	assert_paragraph("\\[x\\]: http\\://y", "[x]: http://y");
	assert_paragraph("\\[ ] task", "[ ] task");
	assert_paragraph("code", "    code  ");
	assert_paragraph("\\|a\\|b\\|", "|a|b|");
	assert_paragraph("\\~\\~\\~ x", "~~~ x");
	assert_paragraph("\\`\\`\\` x", "``` x");
	assert_paragraph("\\<!-- x -->", "<!-- x -->");
}

static void options_with_backticks_and_bars(void **state)
{
	struct note note[] = {{NULL, "x", "--include='a|`b`'", false}};
	struct report report = {.note = note, .note_count = 1};

	(void)state;
	/* outside of tables a bar needs no backslash, which would be shown */
	assert_written("- x ``--include='a|`b`'``\n", &report, &(struct writer_options){0});
	note[0].detail = true;
	assert_written("", &report, &(struct writer_options){0});
	assert_written("- x ``--include='a|`b`'``\n", &report,
		&(struct writer_options){.complete = true});
}

static void endless_names_are_whole(void **state)
{
	const size_t length = 60000;
	char *name = memory_alloc(length + 1);
	struct text expected;

	(void)state;
	memset(name, '`', length);
	text_init(&expected);
	text_add_repeat(&expected, '`', length + 1);
	text_printf(&expected, " %s ", name);
	text_add_repeat(&expected, '`', length + 1);
	assert_cell(text_string(&expected), name, true);
	text_release(&expected);
	memory_free(name);
}

#define CROSS "\342\235\214"
#define WARNING "\342\232\240\357\270\217"
#define CIRCLE "\342\232\252"
#define TICK "\342\234\205"

static void a_gate_begins_with_its_result(void **state)
{
	struct check check[] = {
		{"conv", "a", "time", CHECK_WAIVED, "REGRESSED", "until 2026-12-31"},
		{"conv", "b", "time", CHECK_PASSED, "SAME", "not said"},
		{"conv", "c", "time", CHECK_UNDECIDED, "INCONCLUSIVE", "sees > 33 %"},
		{"conv", "d", "time", CHECK_FAILED, "REGRESSED", "+7.2 % [+5.0, +9.5]"},
		{"memory", NULL, NULL, CHECK_UNUSABLE, NULL, NULL},
	};
	struct report report = {
		.heading = LINES("base/ and new/"),
		.heading_count = 1,
		.answer = LINES("new is SLOWER."),
		.answer_count = 1,
		.check = check,
		.check_count = 5,
		.has_result = true,
		.exit_status = 1,
		.result = "red: 1 op REGRESSED",
	};

	(void)state;
	assert_written("**" CROSS " red: 1 op REGRESSED**\n"
		       "\n"
		       "- " CROSS " **REGRESSED** `d` time (conv): +7.2 % [+5.0, +9.5]\n"
		       "- " CROSS " **unusable** (memory)\n"
		       "- " WARNING " **INCONCLUSIVE** `c` time (conv): sees > 33 %\n"
		       "- " CIRCLE " **REGRESSED** (waived) `a` time (conv): until 2026-12-31\n"
		       "\n"
		       "### base/ and new/\n"
		       "\n"
		       "new is SLOWER.\n",
		&report, &(struct writer_options){0});
	report.check_count = report.answer_count = 0;
	report.exit_status = 0;
	report.result = "green: 7 ops, none REGRESSED";
	assert_written("**" TICK " green: 7 ops, none REGRESSED**\n"
		       "\n"
		       "### base/ and new/\n",
		&report, &(struct writer_options){0});
	report.exit_status = 4;
	report.result = "*undecided*";
	report.heading_count = 0;
	assert_written("**" WARNING " \\*undecided\\***\n", &report, &(struct writer_options){0});
}

static void many_quiet_checks_are_folded(void **state)
{
	struct check check[9];
	struct report report = {.check = check,
		.check_count = 9,
		.has_result = true,
		.exit_status = 1,
		.result = "red"};

	(void)state;
	for (size_t i = 0; i < 9; i++)
		check[i] = (struct check){"p", "x", NULL,
			i < 2	? CHECK_FAILED
			: i < 8 ? CHECK_UNDECIDED
				: CHECK_WAIVED,
			"V", NULL};
	assert_written("**" CROSS " red**\n"
		       "\n"
		       "- " CROSS " **V** `x` (p)\n"
		       "- " CROSS " **V** `x` (p)\n"
		       "- " WARNING " **V** `x` (p)\n"
		       "- " WARNING " **V** `x` (p)\n"
		       "- " WARNING " **V** `x` (p)\n"
		       "- " WARNING " **V** `x` (p)\n"
		       "- " WARNING " **V** `x` (p)\n"
		       "\n"
		       "<details><summary>2 more undecided or waived</summary>\n"
		       "\n"
		       "- " WARNING " **V** `x` (p)\n"
		       "- " CIRCLE " **V** (waived) `x` (p)\n"
		       "\n"
		       "</details>\n",
		&report, &(struct writer_options){0});
}

static void hostile_checks_are_no_markup(void **state)
{
	const char *evil = "]](x)|`<b>\n\t*&amp; \377::,%\"";
	struct check check[] = {{evil, evil, evil, CHECK_FAILED, evil, evil}};
	struct report report = {.check = check,
		.check_count = 1,
		.has_result = true,
		.exit_status = 1,
		.result = evil};
#define ESCAPED "]\\](x)\\|\\`\\<b>\\\\x0a\\\\x09\\*\\&amp; \\\\xff::,%\""

	(void)state;
	assert_written("**" CROSS " " ESCAPED "**\n"
		       "\n"
		       "- " CROSS " **" ESCAPED "** ``]](x)|`<b>\\x0a\\x09*&amp; \\xff::,%\"`` " ESCAPED
		       " (" ESCAPED "): " ESCAPED "\n",
		&report, &(struct writer_options){0});
}

static void empty_report_is_empty(void **state)
{
	struct report report = {0};

	(void)state;
	assert_written("", &report, &(struct writer_options){0});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_page),
		cmocka_unit_test(names_are_code_spans),
		cmocka_unit_test(other_text_is_escaped),
		cmocka_unit_test(paragraphs_begin_no_block),
		cmocka_unit_test(options_with_backticks_and_bars),
		cmocka_unit_test(endless_names_are_whole),
		cmocka_unit_test(a_gate_begins_with_its_result),
		cmocka_unit_test(many_quiet_checks_are_folded),
		cmocka_unit_test(hostile_checks_are_no_markup),
		cmocka_unit_test(empty_report_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
