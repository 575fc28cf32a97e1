/* The JSON writer: the whole document in both shapes, undefined values, escapes. */
#include <math.h>
#include "writers/writer.h"
#include "tests/unit/test.h"

/* clang-format off */
#define TEXT(s) {.kind = CELL_TEXT, .text = (s)}
#define REAL(v) {.kind = CELL_REAL, .real = (v)}
#define INTEGER(v) {.kind = CELL_INTEGER, .integer = (v)}
#define NONE {.kind = CELL_NONE}
#define BLANK {.kind = CELL_BLANK}
#define CELLS(...) (struct cell[]){__VA_ARGS__}
#define LINES(...) (const char *[]){__VA_ARGS__}

static struct column data_column[] = {
	{.stat = "op"},
	{.stat = "type"},
	{.stat = "steps", .dimension = DIMENSION_COUNT},
	{.measure = "time", .stat = "mean", .dimension = DIMENSION_TIME, .digits = 15},
	{.measure = "time", .stat = "cv", .dimension = DIMENSION_FRACTION, .digits = 12},
};

static struct row data_row[] = {
	{CELLS(TEXT("conv1/Conv2D"), TEXT("Conv2D"), INTEGER(90), INTEGER(6210500000),
		REAL(1.0 / 3)), .role = ROW_BODY, .on_screen = true, .in_files = true},
	{CELLS(TEXT("b"), NONE, BLANK, REAL(NAN), REAL(1e20)), .role = ROW_BODY, .on_screen = false, .in_files = true},
	{CELLS(TEXT("[1 other op]"), NONE, NONE, NONE, NONE), .role = ROW_OTHER, .on_screen = true, .in_files = false},
};
/* clang-format on */

static void assert_written(
	const char *expected, const struct report *report, const struct writer_options *opt)
{
	struct error err = {0};
	struct outfile *out = outfile_memory();
	struct text written;
	size_t size;

	assert_int_equal(writer_find("json", &err)->write(report, opt, out, &err), 0);
	const char *data = outfile_data(out, &size);

	text_init(&written);
	text_add_bytes(&written, data, size);
	assert_string_equal(text_string(&written), expected);
	text_release(&written);
	outfile_discard(out);
}

/* clang-format off */
TEST(whole_document)
{
	struct issue issue[] = {
		{ISSUE_LOSS, "start-missing", "executions without a start time", "p:byte 120", 3,
			{EFFECT_PS, "conv1", 4500, EFFECT_UNKNOWN, 271000, ""}, {LOSS_DEVICE_TIME, 13, 260}},
		{ISSUE_INFO, "steps-empty", "the step list was empty", NULL, 1, {0}, {0}},
	};
	struct issue_list issues = {.issue = issue, .count = 2};
	struct note note[] = {{"a", "two steps make this CV", NULL, false},
		{NULL, "warm-up", "--warmup=none", true}};
	struct report report = {
		.command = "report",
		.heading = LINES("base/: 1 run x 90 steps"),
		.heading_count = 1,
		.answer = LINES("One.", "Two."),
		.answer_count = 2,
		.data = {"ops", data_column, 5, data_row, 3},
		.note = note,
		.note_count = 2,
		.issues = &issues,
	};

	assert_written(
"{\n"
"  \"stepstat\": 1,\n"
"  \"command\": \"report\",\n"
"  \"heading\": [\n"
"    \"base/: 1 run x 90 steps\"\n"
"  ],\n"
"  \"answer\": [\n"
"    \"One.\",\n"
"    \"Two.\"\n"
"  ],\n"
"  \"table\": \"ops\",\n"
"  \"columns\": [\n"
"    {\"name\": \"op\", \"measure\": null, \"stat\": \"op\", \"dimension\": \"none\", \"unit\": null},\n"
"    {\"name\": \"type\", \"measure\": null, \"stat\": \"type\", \"dimension\": \"none\", \"unit\": null},\n"
"    {\"name\": \"steps\", \"measure\": null, \"stat\": \"steps\", \"dimension\": \"count\", \"unit\": \"count\"},\n"
"    {\"name\": \"time_mean_us\", \"measure\": \"time\", \"stat\": \"mean\", \"dimension\": \"time\", \"unit\": \"us\"},\n"
"    {\"name\": \"time_cv_pct\", \"measure\": \"time\", \"stat\": \"cv\", \"dimension\": \"fraction\", \"unit\": \"pct\"}\n"
"  ],\n"
"  \"rows\": [\n"
"    {\"op\": \"conv1/Conv2D\", \"type\": \"Conv2D\", \"steps\": 90, \"time_mean_us\": 6210.5, \"time_cv_pct\": 33.3333333333},\n"
"    {\"op\": \"b\", \"type\": null, \"steps\": null, \"time_mean_us\": null, \"time_cv_pct\": 1e+22}\n"
"  ],\n"
"  \"notes\": [\n"
"    {\"mark\": \"a\", \"text\": \"two steps make this CV\", \"option\": null},\n"
"    {\"mark\": null, \"text\": \"warm-up\", \"option\": \"--warmup=none\"}\n"
"  ],\n"
"  \"issues\": [\n"
"    {\"severity\": \"loss\", \"code\": \"start-missing\", \"text\": \"executions without a start time\", \"place\": \"p:byte 120\", \"count\": 3, \"effect\": "
"{\"row\": \"conv1\", \"low\": 4500, \"high\": null, \"recorded\": 271000, \"unit\": \"ps\", \"steps\": null}, \"loss\": {\"of\": \"device time\", \"lost\": 13, \"all\": 260}},\n"
"    {\"severity\": \"info\", \"code\": \"steps-empty\", \"text\": \"the step list was empty\", \"place\": null, \"count\": 1, \"effect\": null, \"loss\": null}\n"
"  ]\n"
"}\n",
		&report, &(struct writer_options){.complete = true});
}

TEST(long_shape)
{
	struct report report = {.command = "report", .data = {"ops", data_column, 5, data_row, 1}};

	assert_written(
"{\n"
"  \"stepstat\": 1,\n"
"  \"command\": \"report\",\n"
"  \"heading\": [],\n"
"  \"answer\": [],\n"
"  \"table\": \"ops\",\n"
"  \"columns\": [\n"
"    {\"name\": \"op\", \"measure\": null, \"stat\": \"op\", \"dimension\": \"none\", \"unit\": null},\n"
"    {\"name\": \"type\", \"measure\": null, \"stat\": \"type\", \"dimension\": \"none\", \"unit\": null},\n"
"    {\"name\": \"measure\", \"measure\": null, \"stat\": \"measure\", \"dimension\": \"none\", \"unit\": null},\n"
"    {\"name\": \"stat\", \"measure\": null, \"stat\": \"stat\", \"dimension\": \"none\", \"unit\": null},\n"
"    {\"name\": \"value\", \"measure\": null, \"stat\": \"value\", \"dimension\": \"none\", \"unit\": null},\n"
"    {\"name\": \"unit\", \"measure\": null, \"stat\": \"unit\", \"dimension\": \"none\", \"unit\": null}\n"
"  ],\n"
"  \"rows\": [\n"
"    {\"op\": \"conv1/Conv2D\", \"type\": \"Conv2D\", \"measure\": \"time\", \"stat\": \"mean\", \"value\": 6210.5, \"unit\": \"us\"},\n"
"    {\"op\": \"conv1/Conv2D\", \"type\": \"Conv2D\", \"measure\": \"time\", \"stat\": \"cv\", \"value\": 33.3333333333, \"unit\": \"pct\"}\n"
"  ],\n"
"  \"notes\": [],\n"
"  \"issues\": []\n"
"}\n",
		&report, &(struct writer_options){.complete = true, .long_shape = true});
}

TEST(checks_of_a_gate)
{
	struct check check[] = {
		{"conv", "a\n\"b\"\377", "time", CHECK_FAILED, "REGRESSED", "+7.2 %", false, false},
		{"conv", "c", "time", CHECK_PASSED, "SAME", NULL, false, false},
		{"conv", "d", "time", CHECK_UNDECIDED, "INCONCLUSIVE", "sees > 33 %", false, false},
		{"conv", "e", "time", CHECK_WAIVED, "REGRESSED", "until 2026-12-31", false, false},
		{"memory", NULL, NULL, CHECK_UNUSABLE, NULL, "no op", false, false},
	};
	struct report report = {.command = "gate", .check = check, .check_count = 5,
		.has_result = true, .exit_status = 1, .result = "red: 1 op REGRESSED"};

	assert_written(
"{\n"
"  \"stepstat\": 1,\n"
"  \"command\": \"gate\",\n"
"  \"heading\": [],\n"
"  \"answer\": [],\n"
"  \"exit_status\": 1,\n"
"  \"result\": \"red: 1 op REGRESSED\",\n"
"  \"policy_file\": null,\n"
"  \"policy_sha256\": null,\n"
"  \"checks\": [\n"
"    {\"policy\": \"conv\", \"subject\": \"a\\\\x0a\\\"b\\\"\\\\xff\", \"measure\": \"time\", \"status\": \"failed\", \"verdict\": \"REGRESSED\", \"message\": \"+7.2 %\"},\n"
"    {\"policy\": \"conv\", \"subject\": \"c\", \"measure\": \"time\", \"status\": \"passed\", \"verdict\": \"SAME\", \"message\": null},\n"
"    {\"policy\": \"conv\", \"subject\": \"d\", \"measure\": \"time\", \"status\": \"undecided\", \"verdict\": \"INCONCLUSIVE\", \"message\": \"sees > 33 %\"},\n"
"    {\"policy\": \"conv\", \"subject\": \"e\", \"measure\": \"time\", \"status\": \"waived\", \"verdict\": \"REGRESSED\", \"message\": \"until 2026-12-31\"},\n"
"    {\"policy\": \"memory\", \"subject\": null, \"measure\": null, \"status\": \"unusable\", \"verdict\": null, \"message\": \"no op\"}\n"
"  ],\n"
"  \"table\": null,\n"
"  \"columns\": [],\n"
"  \"rows\": [],\n"
"  \"notes\": [],\n"
"  \"issues\": []\n"
"}\n",
		&report, &(struct writer_options){.complete = true});
	report.exit_status = 0;
	report.check_count = 0;
	report.result = "green";
	assert_written(
"{\n"
"  \"stepstat\": 1,\n"
"  \"command\": \"gate\",\n"
"  \"heading\": [],\n"
"  \"answer\": [],\n"
"  \"exit_status\": 0,\n"
"  \"result\": \"green\",\n"
"  \"policy_file\": null,\n"
"  \"policy_sha256\": null,\n"
"  \"checks\": [],\n"
"  \"table\": null,\n"
"  \"columns\": [],\n"
"  \"rows\": [],\n"
"  \"notes\": [],\n"
"  \"issues\": []\n"
"}\n",
		&report, &(struct writer_options){.complete = true});
}

#define EMPTY_AROUND(heading) \
"{\n" \
"  \"stepstat\": 1,\n" \
"  \"command\": \"ops\",\n" \
"  \"heading\": [\n" \
"    " heading "\n" \
"  ],\n" \
"  \"answer\": [],\n" \
"  \"table\": null,\n" \
"  \"columns\": [],\n" \
"  \"rows\": [],\n" \
"  \"notes\": [],\n" \
"  \"issues\": []\n" \
"}\n"

static void assert_escaped(const char *document, const char *text)
{
	struct report report = {.command = "ops", .heading = &text, .heading_count = 1};

	assert_written(document, &report, &(struct writer_options){.complete = true});
}

TEST(text_is_escaped)
{
	assert_escaped(EMPTY_AROUND("\"\""), "");
	assert_escaped(EMPTY_AROUND("\"say \\\"hi\\\" \\\\ /\""), "say \"hi\" \\ /");
	/* control bytes become visible text, whose backslash is escaped */
	assert_escaped(EMPTY_AROUND("\"a\\\\x0ab\\\\x1b[0m\\\\x7f\""), "a\nb\033[0m\177");
	assert_escaped(EMPTY_AROUND("\"\\\\xff\\\\xc0\\\\x80\\\\xed\\\\xa0\\\\x80\""),
		"\377\300\200\355\240\200");
	/* U+2028, U+2029 and their neighbour U+2026; U+00AD, U+200B, U+FEFF, U+E0041 */
	assert_escaped(EMPTY_AROUND("\"a\\\\xe2\\\\x80\\\\xa8b\\\\xe2\\\\x80\\\\xa9c\342\200\246\""),
		"a\342\200\250b\342\200\251c\342\200\246");
	assert_escaped(EMPTY_AROUND("\"\\\\xc2\\\\xad\\\\xe2\\\\x80\\\\x8b\\\\xef\\\\xbb\\\\xbf\\\\xf3\\\\xa0\\\\x81\\\\x81\""),
		"\302\255\342\200\213\357\273\277\363\240\201\201");
	assert_escaped(EMPTY_AROUND("\"gr\303\266\303\237e \360\237\230\200 \342\202\254\""),
		"gr\303\266\303\237e \360\237\230\200 \342\202\254");
	assert_escaped(EMPTY_AROUND("\"=cmd|`x`</script>\""), "=cmd|`x`</script>");
	assert_escaped(EMPTY_AROUND("\"\\\\xe2\""), "\342"); /* cut inside a character */
}
/* clang-format on */
