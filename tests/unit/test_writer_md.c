/* The Markdown writer: the whole page, and names that try to be markup. */
#include <math.h>
#include "base/memory.h"
#include "tests/unit/test.h"
#include "writers/writer.h"

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

TEST(whole_page)
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
			.role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("logits"), REAL(1e9), NONE, TEXT("SLOWER (size > 2 %)")),
			.role = ROW_BODY, .on_screen = false, .in_files = true},
		{CELLS(TEXT("[1 other op]"), REAL(1e9), NONE, BLANK), .role = ROW_OTHER,
			.on_screen = true, .in_files = false},
		{CELLS(TEXT("all ops"), REAL(7.21e9), REAL(0.05), BLANK), .role = ROW_TOTAL,
			.on_screen = true, .in_files = true},
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
	struct row row[] = {
		{CELLS(TEXT(name)), .role = ROW_BODY, .on_screen = true, .in_files = true}};
	struct report report = {.display = {"ops", column, 1, row, 1}};
	struct text written, whole;

	text_init(&whole);
	text_printf(&whole, "| x |\n| :--- |\n| %s |\n", expected);
	write_md(&report, &(struct writer_options){0}, &written);
	assert_string_equal(text_string(&written), text_string(&whole));
	text_release(&written);
	text_release(&whole);
}

TEST(names_are_code_spans)
{
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

TEST(other_text_is_escaped)
{
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
	assert_cell("\\#1 a@", "#1 a@", false);
}

/* GitHub and GitLab look for mentions in what Markdown has become, where a backslash is gone. */
TEST(nobody_is_mentioned)
{
	assert_cell("@&#8203;octocat x", "@octocat x", false);
	assert_cell("\\\\@&#8203;octocat", "\\@octocat", false);
	assert_cell("anna@&#8203;example.org", "anna@example.org", false);
	assert_cell("(@&#8203;team/ops)", "(@team/ops)", false);
	assert_cell("@ 5 @, @@", "@ 5 @, @@", false);
	assert_cell("`@octocat`", "@octocat", true);
	assert_cell("`\\@octocat`", "\\@octocat", true);
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

TEST(paragraphs_begin_no_block)
{
	assert_paragraph("\\- x", "- x");
	assert_paragraph("\\---", "---");
	assert_paragraph("-5 % of it", "-5 % of it");
	assert_paragraph("\\+ x", "+ x");
	assert_paragraph("1\\. x", "1. x");
	assert_paragraph("12\\) x", "12) x");
	assert_paragraph("87.5 % of it (1. x)", "87.5 % of it (1. x)");
	assert_paragraph("\\> x", "> x");
	assert_paragraph("\\/approve", "/approve");
	assert_paragraph("\\# x", "# x");
	assert_paragraph("\\[x\\]: http\\://y", "[x]: http://y");
	assert_paragraph("\\[ ] task", "[ ] task");
	assert_paragraph("code", "    code  ");
	assert_paragraph("\\|a\\|b\\|", "|a|b|");
	assert_paragraph("\\~\\~\\~ x", "~~~ x");
	assert_paragraph("\\`\\`\\` x", "``` x");
	assert_paragraph("\\<!-- x -->", "<!-- x -->");
}

TEST(options_with_backticks_and_bars)
{
	struct note note[] = {{NULL, "x", "--include='a|`b`'", false}};
	struct report report = {.note = note, .note_count = 1};

	/* outside of tables a bar needs no backslash, which would be shown */
	assert_written("- x ``--include='a|`b`'``\n", &report, &(struct writer_options){0});
	note[0].detail = true;
	assert_written("", &report, &(struct writer_options){0});
	assert_written(
		"- x ``--include='a|`b`'``\n", &report, &(struct writer_options){.complete = true});
}

TEST(endless_names_are_cut)
{
	const size_t length = 60000;
	char *name = memory_alloc(length + 1);
	struct text expected;

	memset(name, 'x', length);
	memcpy(name, "begin", 5);
	memcpy(name + length - 3, "end", 3);
	text_init(&expected);
	text_add(&expected, "`begin");
	text_add_repeat(&expected, 'x', 495);
	text_add(&expected, "\342\200\246");
	text_add_repeat(&expected, 'x', 497);
	text_add(&expected, "end`");
	assert_cell(text_string(&expected), name, true);
	/* never inside of a character: U+00E9 has two bytes, and both cuts would fall between
	 * them */
	for (size_t i = 0; i + 1 < length; i += 2)
		memcpy(name + 1 + i, "\303\251", i + 2 < length ? 2 : 1);
	name[length - 1] = '\0';
	text_clear(&expected);
	text_add(&expected, "`b");
	for (size_t i = 0; i < 249; i++)
		text_add(&expected, "\303\251");
	text_add(&expected, "\342\200\246");
	for (size_t i = 0; i < 250; i++)
		text_add(&expected, "\303\251");
	text_add(&expected, "`");
	assert_cell(text_string(&expected), name, true);
	text_release(&expected);
	memory_free(name);
}

#define CROSS "\342\235\214"
#define WARNING "\342\232\240\357\270\217"
#define CIRCLE "\342\232\252"
#define TICK "\342\234\205"

TEST(a_gate_begins_with_its_result)
{
	struct check check[] = {
		{"conv", "a", "time", CHECK_WAIVED, "REGRESSED", "until 2026-12-31", false, false},
		{"conv", "b", "time", CHECK_PASSED, "SAME", "not said", false, false},
		{"conv", "c", "time", CHECK_UNDECIDED, "INCONCLUSIVE", "sees > 33 %", false, false},
		{"conv", "d", "time", CHECK_FAILED, "REGRESSED", "+7.2 % [+5.0, +9.5]", false,
			false},
		{"memory", NULL, NULL, CHECK_UNUSABLE, NULL, NULL, false, false},
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

TEST(many_quiet_checks_are_folded)
{
	struct check check[9];
	struct report report = {.check = check,
		.check_count = 9,
		.has_result = true,
		.exit_status = 1,
		.result = "red"};

	for (size_t i = 0; i < 9; i++)
		check[i] = (struct check){"p", "x", NULL,
			i < 2	? CHECK_FAILED
			: i < 8 ? CHECK_UNDECIDED
				: CHECK_WAIVED,
			"V", NULL, false, false};
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

/* Twelve failed, the step as the third of them: it is the first that is shown, nine ops follow. */
TEST(many_failed_checks_are_folded)
{
	static const char *const op[] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
	struct check check[13];
	struct report report = {.check = check,
		.check_count = 13,
		.has_result = true,
		.exit_status = 1,
		.result = "red"};
	struct text expected;

	for (size_t i = 0; i < 12; i++)
		check[i] = (struct check){.name = "p",
			.subject = op[i],
			.status = CHECK_FAILED,
			.verdict = "V",
			.of_step = i == 2};
	check[12] = (struct check){.name = "p", .subject = "w", .status = CHECK_WAIVED};
	text_init(&expected);
	text_add(&expected, "**" CROSS " red**\n\n- " CROSS " **V** `c` (p)\n");
	for (size_t i = 0; i < 10; i++)
		if (i != 2)
			text_printf(&expected, "- " CROSS " **V** `%s` (p)\n", op[i]);
	text_add(&expected, "- " CIRCLE " **waived** `w` (p)\n\n"
			    "<details><summary>2 more failed</summary>\n\n"
			    "- " CROSS " **V** `k` (p)\n"
			    "- " CROSS " **V** `l` (p)\n\n"
			    "</details>\n");
	assert_written(text_string(&expected), &report, &(struct writer_options){0});
	text_release(&expected);
}

TEST(rows_of_no_screen_are_folded)
{
	struct column column[] = {{.title = "op", .shorten = true},
		{.title = "n", .align = ALIGN_RIGHT, .dimension = DIMENSION_COUNT}};
	struct row row[26];
	struct cell cell[26][2] = {{TEXT("x")}};
	struct note note[] = {{"a", "said", NULL, false}, {NULL, "in full only", NULL, true}};
	struct report report = {
		.display = {"ops", column, 2, row, 26}, .note = note, .note_count = 2};
	struct text expected;

	/* 22 rows of the screen, two sums, two rows of files. */
	for (size_t i = 0; i < 26; i++) {
		cell[i][0] = cell[0][0];
		cell[i][1] = (struct cell)REAL((double)i);
		row[i] = (struct row){
			cell[i], .role = ROW_BODY, .on_screen = i < 24, .in_files = true};
	}
	row[22].role = ROW_OTHER;
	row[22].in_files = false;
	row[23].role = ROW_TOTAL;
	row[22].cell[0].text = "[2 other]";
	row[23].cell[0].text = "all";
	text_init(&expected);
	text_add(&expected, "| op | n |\n| :--- | ---: |\n");
	for (int i = 0; i < 20; i++)
		text_printf(&expected, "| `x` | %d |\n", i);
	text_add(&expected, "| [2 more rows, folded below] | |\n"
			    "| [2 other] | 22 |\n"
			    "| all | 23 |\n\n"
			    "- (a) said\n\n"
			    "<details><summary>4 more rows</summary>\n\n"
			    "| op | n |\n| :--- | ---: |\n"
			    "| `x` | 20 |\n| `x` | 21 |\n| `x` | 24 |\n| `x` | 25 |\n\n"
			    "</details>\n\n"
			    "<details><summary>1 more note</summary>\n\n"
			    "- in full only\n\n"
			    "</details>\n");
	assert_written(text_string(&expected), &report, &(struct writer_options){.fold = true});
	/* What the user chose is not folded, and no more than that is shown. */
	text_clear(&expected);
	text_add(&expected, "| op | n |\n| :--- | ---: |\n");
	for (int i = 0; i < 22; i++)
		text_printf(&expected, "| `x` | %d |\n", i);
	text_add(&expected, "| [2 other] | 22 |\n| all | 23 |\n\n- (a) said\n");
	assert_written(text_string(&expected), &report, &(struct writer_options){0});
	text_release(&expected);
}

#define HOSTILE 3000

/* However much there is, a comment can hold it: result, notes and sums stay, and what is left out
 * is counted. */
TEST(a_page_fits_into_a_comment)
{
	struct column column[] = {{.title = "op", .shorten = true}, {.title = "text"}};
	struct row *row = memory_alloc(HOSTILE * sizeof(*row));
	struct check *check = memory_alloc(HOSTILE * sizeof(*check));
	struct note note[] = {{NULL, "the last word", NULL, false}};
	struct report report = {.display = {"ops", column, 2, row, HOSTILE},
		.check = check,
		.check_count = HOSTILE,
		.note = note,
		.note_count = 1,
		.has_result = true,
		.exit_status = 1,
		.result = "red"};
	char *endless = memory_alloc(20001), *name = memory_alloc(81);
	struct cell cells[] = {TEXT(name), TEXT("x")}, sums[] = {TEXT("all ops"), BLANK};
	struct text written;
	size_t rows = 0, loud = 0;

	memset(endless, '*', 20000);
	endless[20000] = '\0';
	memset(name, 'y', 80);
	name[80] = '\0';
	for (size_t i = 0; i < HOSTILE; i++) {
		row[i] =
			(struct row){cells, .role = ROW_BODY, .on_screen = i < 5, .in_files = true};
		check[i] = (struct check){.name = "p",
			.subject = name,
			.status = CHECK_FAILED,
			.message = i < 3 ? endless : "m"};
	}
	row[HOSTILE - 1] =
		(struct row){sums, .role = ROW_TOTAL, .on_screen = true, .in_files = true};
	for (int fold = 0; fold < 2; fold++) {
		for (size_t i = 0; i < HOSTILE - 1; i++)
			row[i].on_screen = !fold || i < 5;
		write_md(&report, &(struct writer_options){.fold = fold}, &written);
		assert_in_range(written.size, 64400, 64800);
		assert_true(text_starts(text_string(&written), "**" CROSS " red**\n\n- "));
		assert_non_null(strstr(text_string(&written), "\n- the last word\n"));
		assert_non_null(strstr(text_string(&written), "\n| all ops |  |\n"));
		/* What is shown and what is said to be left out are all. */
		rows = loud = 0;
		for (const char *s = text_string(&written); (s = strstr(s, "\n| `yyy")); s++)
			rows++;
		for (const char *s = text_string(&written); (s = strstr(s, "\n- " CROSS)); s++)
			loud++;
		assert_true(loud >= 10 && rows >= (fold ? 5 : 1));
		struct text said;

		text_init(&said);
		text_printf(&said,
			"\nLeft out here, because a comment on GitHub holds 65536 characters: %zu "
			"rows, %zu checks. `stepstat report ... -o all.json` holds everything.\n",
			HOSTILE - 1 - rows, HOSTILE - loud);
		assert_true(text_ends(text_string(&written), text_string(&said)));
		text_release(&said);
		text_release(&written);
	}
	memory_free(name);
	memory_free(endless);
	memory_free(check);
	memory_free(row);
}

/* Notes and issues without end fold, so that the rows that matter stay; what is cut is counted. */
TEST(notes_and_issues_fold)
{
	static const char evil[] = "| <script> `x` **b** </details> [l](javascript:a) ";
	struct arena *arena = arena_new();
	struct issue_list issues;
	struct note *note = memory_alloc(HOSTILE * sizeof(*note));
	struct column column[] = {{.title = "op", .shorten = true}, {.title = "text"}};
	struct row row[] = {{CELLS(TEXT("conv"), TEXT("x")), .on_screen = true, .in_files = true}};
	struct report report = {.command = "gate",
		.display = {"ops", column, 2, row, 1},
		.note = note,
		.note_count = HOSTILE,
		.issues = &issues,
		.has_result = true,
		.exit_status = 1,
		.result = "red"};
	struct text written, endless, said;
	size_t notes = 0, found = 0;

	text_init(&endless);
	while (endless.size < 3000)
		text_add(&endless, evil);
	issue_list_init(&issues, arena);
	for (size_t i = 0; i < HOSTILE; i++) {
		note[i] = (struct note){NULL, i ? "a note" : text_string(&endless), NULL, false};
		issue_add(&issues, i < 50 ? ISSUE_INFO : ISSUE_LOSS,
			arena_printf(arena, "code-%zu", i),
			arena_printf(arena, "lost %zu: %s", i, i < 3 ? text_string(&endless) : "x"),
			1, "FILE");
	}
	write_md(&report, &(struct writer_options){.fold = true}, &written);
	assert_in_range(written.size, 40000, 64800);
	assert_non_null(strstr(text_string(&written), "\n| `conv` | x |\n"));
	assert_null(strstr(text_string(&written), "| <script"));
	for (const char *s = text_string(&written); (s = strstr(s, "\n- ")); s++) {
		if (text_starts(s, "\n- **!** "))
			found++;
		else
			notes++;
	}
	assert_true(notes >= 15 && found >= 10);
	/* A loss before what is only odd. */
	assert_non_null(strstr(text_string(&written), "In the input:\n\n- **!** "));
	text_init(&said);
	text_printf(&said, "\nLeft out here, because a comment on GitHub holds 65536 characters:");
	if (notes < HOSTILE)
		text_printf(&said, " %zu notes,", HOSTILE - notes);
	text_printf(&said, " %zu issues. `stepstat gate ... -o all.json` holds everything.\n",
		HOSTILE - found);
	assert_true(text_ends(text_string(&written), text_string(&said)));
	text_release(&said);
	text_release(&written);
	text_release(&endless);
	memory_free(note);
	arena_free(arena);
}

TEST(hostile_checks_are_no_markup)
{
	const char *evil = "]](x)|`<b>\n\t*&amp; \377::,%\"";
	struct check check[] = {{evil, evil, evil, CHECK_FAILED, evil, evil, false, false}};
	struct report report = {.check = check,
		.check_count = 1,
		.has_result = true,
		.exit_status = 1,
		.result = evil};
#define ESCAPED "]\\](x)\\|\\`\\<b>\\\\x0a\\\\x09\\*\\&amp; \\\\xff::,%\""

	assert_written("**" CROSS " " ESCAPED "**\n"
		       "\n"
		       "- " CROSS " **" ESCAPED
		       "** ``]](x)|`<b>\\x0a\\x09*&amp; \\xff::,%\"`` " ESCAPED " (" ESCAPED
		       "): " ESCAPED "\n",
		&report, &(struct writer_options){0});
}

TEST(empty_report_is_empty)
{
	struct report report = {0};

	assert_written("", &report, &(struct writer_options){0});
}
