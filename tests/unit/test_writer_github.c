/* The writer of GitHub annotations: the command of every status, its escapes, no more than GitHub
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
		writer_find("github", &err)->write(report, &(struct writer_options){0}, out, &err),
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
TEST(loud_ones_first_and_the_result_last)
{
	struct report *report = report_new("gate");

	report_check(report, &(struct check){"a", "one", "time", CHECK_WAIVED, "REGRESSED", NULL, false, false},
		"until 2026-12-31");
	report_check(report, &(struct check){"a", "two", "time", CHECK_PASSED, "SAME", NULL, false, false},
		"not said");
	report_check(report, &(struct check){"a", "three", "time", CHECK_UNDECIDED, "INCONCLUSIVE", NULL, false, false},
		"sees > 33 %%");
	report_check(report, &(struct check){"b", "four", "time", CHECK_FAILED, "REGRESSED", NULL, false, false},
		"+7.2 %% [+5.0, +9.5]");
	report_check(report, &(struct check){"c", NULL, NULL, CHECK_UNUSABLE, NULL, NULL, false, false},
		"no op: nothing to watch");
	report_check(report, &(struct check){"d", "[the step]", "time", CHECK_UNDECIDED, NULL, NULL, true, false},
		"known in 1 of 20 steps");
	report_check(report, &(struct check){"d", "five", "time", CHECK_SKIPPED, "BLIND", NULL, false, false},
		"not said");
	report_result(report, 1, "red: 1 op REGRESSED, 1 policy unusable");
	assert_written(
"::warning title=undecided%3A [the step] time (d)::known in 1 of 20 steps\n"
"::error title=REGRESSED%3A four time (b)::+7.2 %25 [+5.0, +9.5]\n"
"::error title=unusable%3A c::no op: nothing to watch\n"
"::warning title=INCONCLUSIVE%3A three time (a)::sees > 33 %25\n"
"::notice title=REGRESSED%2C waived%3A one time (a)::until 2026-12-31\n"
"::error title=stepstat gate::red: 1 op REGRESSED, 1 policy unusable\n",
		report);
	report_free(report);
}

TEST(the_result_has_the_command_of_its_status)
{
	static const char *const command[] = {"notice", "error", "error", "error", "warning", "notice"};
	struct report report = {.command = "gate", .has_result = true, .result = "done"};
	struct text expected;

	text_init(&expected);
	for (int status = 0; status <= 5; status++) {
		report.exit_status = status;
		text_clear(&expected);
		text_printf(&expected, "::%s title=stepstat gate::done\n", command[status]);
		assert_written(text_string(&expected), &report);
	}
	text_release(&expected);
}

/* One failed check with this name everywhere: as property and as data. */
static void assert_escaped(const char *property, const char *data, const char *name)
{
	struct check check = {name, name, name, CHECK_FAILED, name, name, false, false};
	struct report report = {.command = "gate", .check = &check, .check_count = 1,
		.has_result = true, .exit_status = 1, .result = name};
	struct text expected;

	text_init(&expected);
	text_printf(&expected,
"::error title=%s%%3A %s %s (%s)::%s\n"
"::error title=stepstat gate::%s\n", property, property, property, property, data, data);
	assert_written(text_string(&expected), &report);
	text_release(&expected);
}

TEST(no_name_is_a_command)
{
	assert_escaped("%3A%3Aerror%3A%3Ax", "::error::x", "::error::x");
	assert_escaped("a%2Cfile=b%3A1", "a,file=b:1", "a,file=b:1");
	/* what is already a code stays what it was */
	assert_escaped("%2525 %250A%253A", "%2525 %250A%253A", "%25 %0A%3A");
	assert_escaped("a\\x0a%3A%3Aerror%3A%3Ab\\x0d\\x09", "a\\x0a::error::b\\x0d\\x09", "a\n::error::b\r\t");
	assert_escaped("\\x1b[31m\\xff\\xc2\\x85", "\\x1b[31m\\xff\\xc2\\x85", "\033[31m\377\302\205");
	assert_escaped("\"|<&>`]]>##[error]x", "\"|<&>`]]>##[error]x", "\"|<&>`]]>##[error]x");
	assert_escaped("gr\303\266\303\237e", "gr\303\266\303\237e", "gr\303\266\303\237e");
}

static size_t count_lines(const char *data, size_t size, const char *start)
{
	size_t count = 0;

	for (const char *line = data; line < data + size;) {
		count += strncmp(line, start, strlen(start)) == 0;
		line = (const char *)memchr(line, '\n', (size_t)(data + size - line)) + 1;
	}
	return count;
}

/* GitHub shows 10 of a kind: with the result there are never more, and what is missing is counted. */
static void assert_counts(enum check_status status, size_t checks, int exit_status, size_t errors,
	size_t warnings, size_t notices, const char *more)
{
	struct report *report = report_new("gate");
	struct outfile *out = outfile_memory();
	struct error err = {0};
	size_t size;

	for (size_t i = 0; i < checks; i++)
		report_check(report, &(struct check){"a", "op", "time", status, NULL, NULL, false, false},
		"%zu", i);
	report_result(report, exit_status, "done");
	assert_int_equal(writer_find("github", &err)->write(report, &(struct writer_options){0}, out, &err), 0);
	const char *data = outfile_data(out, &size);

	assert_int_equal(count_lines(data, size, "::error "), errors);
	assert_int_equal(count_lines(data, size, "::warning "), warnings);
	assert_int_equal(count_lines(data, size, "::notice "), notices);
	assert_int_equal(count_lines(data, size, "::"), count_lines(data, size, ""));
	assert_int_equal(count_lines(data, size, more), *more ? 1 : errors + warnings + notices);
	outfile_discard(out);
	report_free(report);
}

TEST(no_more_than_github_shows)
{
	assert_counts(CHECK_FAILED, 9, 1, 10, 0, 0, "");
	assert_counts(CHECK_FAILED, 10, 1, 10, 0, 0,
"::error title=stepstat gate::2 more failed; a step shows 10 annotations of a kind, -o FILE has all\n");
	assert_counts(CHECK_UNUSABLE, 500, 3, 10, 0, 0, "::error title=stepstat gate::492 more failed;");
	assert_counts(CHECK_UNDECIDED, 10, 0, 0, 10, 1, "");
	assert_counts(CHECK_UNDECIDED, 11, 0, 0, 10, 1, "::warning title=stepstat gate::2 more undecided;");
	assert_counts(CHECK_UNDECIDED, 11, 4, 0, 10, 0, "::warning title=stepstat gate::3 more undecided;");
	assert_counts(CHECK_WAIVED, 12, 0, 0, 0, 10, "::notice title=stepstat gate::4 more waived;");
	assert_counts(CHECK_PASSED, 100, 0, 0, 0, 1, "");
}
/* clang-format on */

TEST(a_report_without_a_result_is_refused)
{
	struct report report = {.command = "compare"};
	struct error err = {0};
	struct outfile *out = outfile_memory();
	size_t size = 1;

	assert_int_equal(
		writer_find("github", &err)->write(&report, &(struct writer_options){0}, out, &err),
		-1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message,
		"github shows the checks of a gate, and `stepstat compare` makes none");
	assert_non_null(strstr(err.hint, "only `stepstat gate` writes it"));
	outfile_data(out, &size);
	assert_int_equal(size, 0);
	outfile_discard(out);
}
