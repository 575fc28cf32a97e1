/* The JUnit writer: whole documents with every status, hostile names, gates whose result no check
 * shows. */
#include "report/build.h"
#include "tests/unit/test.h"
#include "writers/writer.h"

static void assert_written(const char *expected, const struct report *report)
{
	struct error err = {0};
	struct outfile *out = outfile_memory();
	struct text written;
	size_t size;

	assert_int_equal(
		writer_find("junit", &err)->write(report, &(struct writer_options){0}, out, &err),
		0);
	const char *data = outfile_data(out, &size);

	text_init(&written);
	text_add_bytes(&written, data, size);
	assert_string_equal(text_string(&written), expected);
	assert_int_equal(strlen(text_string(&written)), size);
	text_release(&written);
	outfile_discard(out);
}

/* clang-format off */
TEST(every_status_in_its_element)
{
	struct report *report = report_new("gate");

	report_check(report, &(struct check){"convolutions", "unit_1/Conv2D", "time", CHECK_PASSED, "SAME", NULL, false, false},
		"+0.1 %%");
	report_check(report, &(struct check){"convolutions", "unit_2/Conv2D", "time", CHECK_FAILED, "REGRESSED", NULL, false, false},
		"+7.2 %% [+5.0, +9.5], margin 2 %%");
	report_check(report, &(struct check){"convolutions", "unit_3/Conv2D", "time", CHECK_WAIVED, "REGRESSED", NULL, false, false},
		"+3.0 %%, waived until 2026-12-31");
	report_check(report, &(struct check){"convolutions", "unit_4/Conv2D", "time", CHECK_UNDECIDED, "INCONCLUSIVE", NULL, false, false},
		"sees > 33 %%");
	report_check(report, &(struct check){"memory", NULL, "peak", CHECK_UNUSABLE, NULL, NULL, false, false},
		"no op has this measure");
	report_check(report, &(struct check){"step", "all ops", NULL, CHECK_PASSED, "SAME", NULL, false, false},
		"+0.2 %%");
	report_check(report, &(struct check){"others", NULL, NULL, CHECK_PASSED, NULL, NULL, false, false},
		"no op");
	report_check(report, &(struct check){"others", "unit_5/Conv2D", "time", CHECK_SKIPPED, "BLIND", NULL, false, false},
		"sees > 9 %%");
	report_result(report, 1, "red: %d op REGRESSED", 1);
	assert_written(
"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
"<testsuites name=\"stepstat gate\" tests=\"8\" failures=\"1\" errors=\"1\" time=\"0\">\n"
"  <testsuite name=\"convolutions\" tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\" time=\"0\">\n"
"    <properties>\n"
"      <property name=\"result\" value=\"red: 1 op REGRESSED\"/>\n"
"      <property name=\"exit_status\" value=\"1\"/>\n"
"    </properties>\n"
"    <testcase classname=\"convolutions\" name=\"unit_1/Conv2D time\" time=\"0\"/>\n"
"    <testcase classname=\"convolutions\" name=\"unit_2/Conv2D time\" time=\"0\">\n"
"      <failure type=\"REGRESSED\" message=\"+7.2 % [+5.0, +9.5], margin 2 %\">+7.2 % [+5.0, +9.5], margin 2 %</failure>\n"
"    </testcase>\n"
"    <testcase classname=\"convolutions\" name=\"unit_3/Conv2D time\" time=\"0\">\n"
"      <skipped type=\"REGRESSED\" message=\"+3.0 %, waived until 2026-12-31\">+3.0 %, waived until 2026-12-31</skipped>\n"
"    </testcase>\n"
"    <testcase classname=\"convolutions\" name=\"unit_4/Conv2D time\" time=\"0\">\n"
"      <skipped type=\"INCONCLUSIVE\" message=\"sees &gt; 33 %\">sees &gt; 33 %</skipped>\n"
"    </testcase>\n"
"  </testsuite>\n"
"  <testsuite name=\"memory\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
"    <properties>\n"
"      <property name=\"result\" value=\"red: 1 op REGRESSED\"/>\n"
"      <property name=\"exit_status\" value=\"1\"/>\n"
"    </properties>\n"
"    <testcase classname=\"memory\" name=\"peak\" time=\"0\">\n"
"      <error type=\"unusable\" message=\"no op has this measure\">no op has this measure</error>\n"
"    </testcase>\n"
"  </testsuite>\n"
"  <testsuite name=\"step\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0\">\n"
"    <properties>\n"
"      <property name=\"result\" value=\"red: 1 op REGRESSED\"/>\n"
"      <property name=\"exit_status\" value=\"1\"/>\n"
"    </properties>\n"
"    <testcase classname=\"step\" name=\"all ops\" time=\"0\"/>\n"
"  </testsuite>\n"
"  <testsuite name=\"others\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\" time=\"0\">\n"
"    <properties>\n"
"      <property name=\"result\" value=\"red: 1 op REGRESSED\"/>\n"
"      <property name=\"exit_status\" value=\"1\"/>\n"
"    </properties>\n"
"    <testcase classname=\"others\" name=\"others\" time=\"0\"/>\n"
"    <testcase classname=\"others\" name=\"unit_5/Conv2D time\" time=\"0\">\n"
"      <skipped type=\"BLIND\" message=\"sees &gt; 9 %\">sees &gt; 9 %</skipped>\n"
"    </testcase>\n"
"  </testsuite>\n"
"</testsuites>\n",
		report);
	report_free(report);
}

/* A document around one failed check with this name everywhere, and what the name must become. */
static void assert_escaped(const char *escaped, const char *name)
{
	struct check check = {name, name, NULL, CHECK_FAILED, name, name, false, false};
	struct report report = {.command = "gate", .check = &check, .check_count = 1,
		.has_result = true, .exit_status = 1, .result = name};
	struct text expected;

	text_init(&expected);
	text_printf(&expected,
"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
"<testsuites name=\"stepstat gate\" tests=\"1\" failures=\"1\" errors=\"0\" time=\"0\">\n"
"  <testsuite name=\"%s\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0\">\n"
"    <properties>\n"
"      <property name=\"result\" value=\"%s\"/>\n"
"      <property name=\"exit_status\" value=\"1\"/>\n"
"    </properties>\n"
"    <testcase classname=\"%s\" name=\"%s\" time=\"0\">\n"
"      <failure type=\"%s\" message=\"%s\">%s</failure>\n"
"    </testcase>\n"
"  </testsuite>\n"
"</testsuites>\n", escaped, escaped, escaped, escaped, escaped, escaped, escaped);
	assert_written(text_string(&expected), &report);
	text_release(&expected);
}

TEST(hostile_text_stays_text)
{
	assert_escaped("a, &quot;b&quot; | &lt;c&gt; &amp; &apos;d&apos; `e`", "a, \"b\" | <c> & 'd' `e`");
	assert_escaped("]]&gt;&lt;/failure&gt;&lt;!--", "]]></failure><!--");
	assert_escaped("&amp;lt; &amp;#0;", "&lt; &#0;");
	assert_escaped("::error::x %0A %s", "::error::x %0A %s");
	/* XML 1.0 has no place for most control characters, and attributes lose tabs and line ends */
	assert_escaped("a\\x0ab\\x09c\\x0dd\\x01\\x1b[31m\\x7f", "a\nb\tc\rd\001\033[31m\177");
	/* bytes that are no UTF-8, an overlong '<', a surrogate, U+FFFF, one cut off */
	assert_escaped("\\xff\\xc0\\xbc\\xed\\xa0\\x80\\xef\\xbf\\xbf\\xe2", "\377\300\274\355\240\200\357\277\277\342");
	assert_escaped("gr\303\266\303\237e \360\237\230\200", "gr\303\266\303\237e \360\237\230\200");
}

static void assert_result_alone(const char *counts, const char *body, const struct report *report)
{
	struct text expected;

	text_init(&expected);
	text_printf(&expected,
"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
"<testsuites name=\"stepstat gate\" tests=\"1\" failures=\"0\" %s time=\"0\">\n"
"  <testsuite name=\"gate\" tests=\"1\" failures=\"0\" %s skipped=\"0\" time=\"0\">\n"
"    <properties>\n"
"      <property name=\"result\" value=\"%s\"/>\n"
"      <property name=\"exit_status\" value=\"%d\"/>\n"
"    </properties>\n"
"%s"
"  </testsuite>\n"
"</testsuites>\n", counts, counts, report->result, report->exit_status, body);
	assert_written(text_string(&expected), report);
	text_release(&expected);
}

TEST(a_gate_without_checks_is_a_test_of_its_own)
{
	struct report report = {.command = "gate", .has_result = true, .result = "green: nothing to watch"};

	assert_result_alone("errors=\"0\"",
"    <testcase classname=\"gate\" name=\"result\" time=\"0\"/>\n", &report);
	report.exit_status = 3;
	report.result = "too few runs";
	assert_result_alone("errors=\"1\"",
"    <testcase classname=\"gate\" name=\"result\" time=\"0\">\n"
"      <error type=\"exit status 3\" message=\"too few runs\">too few runs</error>\n"
"    </testcase>\n", &report);
}

/* Else a reader of the file alone would see nothing but skipped and passed tests. */
TEST(a_gate_that_is_not_green_never_looks_green)
{
	struct check check[] = {{"a", "x", "time", CHECK_UNDECIDED, "INCONCLUSIVE", "sees > 33 %", false, false}};
	struct report report = {.command = "gate", .check = check, .check_count = 1,
		.has_result = true, .exit_status = 4, .result = "undecided"};
	const char *head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
"<testsuites name=\"stepstat gate\" tests=\"2\" failures=\"0\" errors=\"1\" time=\"0\">\n"
"  <testsuite name=\"a\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\" time=\"0\">\n"
"    <properties>\n"
"      <property name=\"result\" value=\"undecided\"/>\n"
"      <property name=\"exit_status\" value=\"4\"/>\n"
"    </properties>\n"
"    <testcase classname=\"a\" name=\"x time\" time=\"0\">\n"
"      <skipped type=\"INCONCLUSIVE\" message=\"sees &gt; 33 %\">sees &gt; 33 %</skipped>\n"
"    </testcase>\n"
"  </testsuite>\n";
	struct text expected;

	text_init(&expected);
	text_add(&expected, head);
	text_add(&expected,
"  <testsuite name=\"gate\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
"    <properties>\n"
"      <property name=\"result\" value=\"undecided\"/>\n"
"      <property name=\"exit_status\" value=\"4\"/>\n"
"    </properties>\n"
"    <testcase classname=\"gate\" name=\"result\" time=\"0\">\n"
"      <error type=\"exit status 4\" message=\"undecided\">undecided</error>\n"
"    </testcase>\n"
"  </testsuite>\n"
"</testsuites>\n");
	assert_written(text_string(&expected), &report);
	text_release(&expected);
}
/* clang-format on */

TEST(a_report_without_a_result_is_refused)
{
	struct report report = {.command = "report"};
	struct error err = {0};
	struct outfile *out = outfile_memory();
	size_t size = 1;

	assert_int_equal(
		writer_find("junit", &err)->write(&report, &(struct writer_options){0}, out, &err),
		-1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(
		err.message, "junit shows the checks of a gate, and `stepstat report` makes none");
	assert_non_null(strstr(err.hint, "only `stepstat gate` writes it"));
	outfile_data(out, &size);
	assert_int_equal(size, 0);
	outfile_discard(out);
}
