/* JUnit XML of the checks of a gate, as GitLab, Jenkins and the actions that read test reports take
 * it: a suite per policy, a test case per check. No clock, no host: the same checks are the same
 * bytes. */
#include <string.h>
#include "writers/writer.h"

struct junit {
	const struct report *report;
	struct outfile *out;
	struct text line;
	struct text plain;   /* scratch: words put together, as recorded */
	struct text visible; /* scratch: harmless bytes before escaping */
};

struct junit_tally {
	size_t tests, failures, errors, skipped;
};

static void junit_end_line(struct junit *junit, const char *end)
{
	text_add(&junit->line, end);
	text_add_char(&junit->line, '\n');
	outfile_write(junit->out, junit->line.data, junit->line.size);
	text_clear(&junit->line);
}

/* Text of an element or of an attribute in double quotes. What XML 1.0 must not hold (control
 * characters, U+FFFE, bytes that are no UTF-8) is visible text by now, and so are tab and line end,
 * which attributes would turn into blanks. A '>' that is escaped ends no "]]>". */
static void xml_add_text(struct junit *junit, const char *s)
{
	static const char special[] = "&<>\"'";
	static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};

	text_clear(&junit->visible);
	text_add_shown(&junit->visible, s);
	for (const char *c = text_string(&junit->visible); *c;) {
		size_t plain = strcspn(c, special);

		text_add_bytes(&junit->line, c, plain);
		c += plain;
		if (!*c)
			return;
		text_add(&junit->line, entity[strchr(special, *c) - special]);
		c++;
	}
}

static void xml_add_attribute(struct junit *junit, const char *name, const char *value)
{
	text_printf(&junit->line, " %s=\"", name);
	xml_add_text(junit, value);
	text_add_char(&junit->line, '"');
}

static struct junit_tally tally_of(const struct check *check, size_t count)
{
	struct junit_tally tally = {.tests = count};

	for (size_t i = 0; i < count; i++) {
		switch (check[i].status) {
		case CHECK_PASSED:
			break;
		case CHECK_FAILED:
			tally.failures++;
			break;
		case CHECK_UNUSABLE:
			tally.errors++;
			break;
		case CHECK_UNDECIDED:
		case CHECK_WAIVED:
		case CHECK_SKIPPED:
			tally.skipped++;
			break;
		}
	}
	return tally;
}

/* Message and text are the same: Jenkins shows the first, GitLab only the second. */
static void junit_outcome(
	struct junit *junit, const char *element, const char *type, const char *message)
{
	text_printf(&junit->line, "      <%s", element);
	xml_add_attribute(junit, "type", type);
	xml_add_attribute(junit, "message", message);
	text_add_char(&junit->line, '>');
	xml_add_text(junit, message);
	text_printf(&junit->line, "</%s>", element);
	junit_end_line(junit, "");
}

/* Readers that find no time show NaN: a check takes none. */
static void junit_begin_case(struct junit *junit, const char *classname, const char *name)
{
	text_add(&junit->line, "    <testcase");
	xml_add_attribute(junit, "classname", classname);
	xml_add_attribute(junit, "name", name);
	text_add(&junit->line, " time=\"0\"");
}

static void junit_check(struct junit *junit, const struct check *check)
{
	static const char *const element[] = {
		[CHECK_FAILED] = "failure",
		[CHECK_UNDECIDED] = "skipped",
		[CHECK_WAIVED] = "skipped",
		[CHECK_UNUSABLE] = "error",
		[CHECK_SKIPPED] = "skipped",
	};

	text_clear(&junit->plain);
	check_add_subject(check, &junit->plain);
	junit_begin_case(junit, check->name, text_string(&junit->plain));
	if (check->status == CHECK_PASSED) {
		junit_end_line(junit, "/>");
		return;
	}
	junit_end_line(junit, ">");
	junit_outcome(junit, element[check->status], check_verdict(check),
		check->message ? check->message : check_verdict(check));
	junit_end_line(junit, "    </testcase>");
}

static void junit_property(struct junit *junit, const char *name, const char *value)
{
	text_printf(&junit->line, "      <property name=\"%s\"", name);
	xml_add_attribute(junit, "value", value);
	junit_end_line(junit, "/>");
}

static void junit_begin_suite(struct junit *junit, const char *name, struct junit_tally tally)
{
	text_add(&junit->line, "  <testsuite");
	xml_add_attribute(junit, "name", name);
	text_printf(&junit->line,
		" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">",
		tally.tests, tally.failures, tally.errors, tally.skipped);
	junit_end_line(junit, "");
	junit_end_line(junit, "    <properties>");
	junit_property(junit, "result", junit->report->result);
	text_printf(&junit->line, "      <property name=\"exit_status\" value=\"%d\"/>",
		junit->report->exit_status);
	junit_end_line(junit, "");
	if (junit->report->policy_file) {
		junit_property(junit, "policy_file", junit->report->policy_file);
		junit_property(junit, "policy_sha256", junit->report->policy_sha256);
	}
	junit_end_line(junit, "    </properties>");
}

static void junit_end_suite(struct junit *junit)
{
	junit_end_line(junit, "  </testsuite>");
}

/* A gate that ended red or undecided without a check that says so must not look green to whoever
 * reads nothing but this file, and a file without any test case is taken for a broken one. */
static bool wants_result(const struct report *report, struct junit_tally tally)
{
	return tally.tests == 0 || (check_exit_level(report->exit_status) != LEVEL_COUNT &&
					   tally.failures + tally.errors == 0);
}

static void junit_result(struct junit *junit, bool is_green)
{
	const struct report *report = junit->report;

	junit_begin_suite(junit, report->command,
		(struct junit_tally){.tests = 1, .errors = is_green ? 0 : 1});
	junit_begin_case(junit, report->command, "result");
	junit_end_line(junit, is_green ? "/>" : ">");
	if (!is_green) {
		text_clear(&junit->plain);
		text_printf(&junit->plain, "exit status %d", report->exit_status);
		junit_outcome(junit, "error", text_string(&junit->plain), report->result);
		junit_end_line(junit, "    </testcase>");
	}
	junit_end_suite(junit);
}

static void junit_document(struct junit *junit)
{
	const struct report *report = junit->report;
	struct junit_tally tally = tally_of(report->check, report->check_count);
	bool with_result = wants_result(report, tally);
	bool is_green = check_exit_level(report->exit_status) == LEVEL_COUNT;

	junit_end_line(junit, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
	text_printf(&junit->line,
		"<testsuites name=\"stepstat %s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\""
		" time=\"0\">",
		report->command, tally.tests + with_result, tally.failures,
		tally.errors + (with_result && !is_green));
	junit_end_line(junit, "");

	const struct check *check = junit->report->check;
	size_t count = junit->report->check_count;

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && text_equal(check[end].name, check[i].name);)
			end++;
		junit_begin_suite(junit, check[i].name, tally_of(check + i, end - i));
		for (size_t j = i; j < end; j++)
			junit_check(junit, &check[j]);
		junit_end_suite(junit);
	}
	if (with_result)
		junit_result(junit, is_green);
	junit_end_line(junit, "</testsuites>");
}

static int junit_write_report(const struct report *report, const struct writer_options *opt,
	struct outfile *out, struct error *err)
{
	struct junit junit = {.report = report, .out = out};

	(void)opt; /* all checks, always */
	if (check_need_result(report, "junit", err))
		return -1;
	text_init(&junit.line);
	text_init(&junit.plain);
	text_init(&junit.visible);
	junit_document(&junit);
	text_release(&junit.line);
	text_release(&junit.plain);
	text_release(&junit.visible);
	return 0;
}

extern const struct writer writer_junit;
const struct writer writer_junit = {
	.name = "junit",
	.summary = "JUnit XML for GitLab, Jenkins and others, written by stepstat gate",
	.suffixes = (const char *const[]){".xml", NULL},
	.of_gate = true,
	.without_notes = true,
	.write = junit_write_report,
};
