/* The CSV writer: both shapes, quoting, what spreadsheets run, and libcsv reading back what was
 * written. */
#include <csv.h>
#include <math.h>
#include "base/memory.h"
#include "tests/unit/test.h"
#include "writers/writer.h"

/* clang-format off */
#define TEXT(s) {.kind = CELL_TEXT, .text = (s)}
#define REAL(v) {.kind = CELL_REAL, .real = (v)}
#define INTEGER(v) {.kind = CELL_INTEGER, .integer = (v)}
#define NONE {.kind = CELL_NONE}
#define BLANK {.kind = CELL_BLANK}
#define CELLS(...) (struct cell[]){__VA_ARGS__}
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct column data_column[] = {
	{.stat = "run"},
	{.stat = "op"},
	{.stat = "type"},
	{.stat = "device"},
	{.stat = "ran", .dimension = DIMENSION_COUNT},
	{.measure = "time", .stat = "mean", .dimension = DIMENSION_TIME, .digits = 15},
	{.measure = "time", .stat = "cv", .dimension = DIMENSION_FRACTION, .digits = 12},
	{.measure = "requested", .stat = "mean", .dimension = DIMENSION_BYTES, .digits = 15},
	{.measure = "occurrence", .stat = "mean", .dimension = DIMENSION_COUNT, .digits = 15},
	{.stat = "notes"},
};

static struct row data_row[] = {
	{CELLS(TEXT("base"), TEXT("conv1/Conv2D"), TEXT("Conv2D"), TEXT("cpu:0"), INTEGER(90),
		INTEGER(6210000001), REAL(1.0 / 3), INTEGER(40000), REAL(1), TEXT("")),
		.role = ROW_BODY, .on_screen = true, .in_files = true},
	{CELLS(TEXT("base"), TEXT("a, \"b\""), NONE, TEXT("cpu:0"), INTEGER(0),
		REAL(NAN), NONE, BLANK, REAL(0.5), TEXT("few;constant")),
		.role = ROW_BODY, .on_screen = false, .in_files = true},
	{CELLS(TEXT("base"), TEXT("[2 other ops]"), BLANK, BLANK, BLANK,
		REAL(5e6), REAL(1), INTEGER(0), REAL(2), TEXT("")),
		.role = ROW_OTHER, .on_screen = true, .in_files = false},
};
/* clang-format on */

static struct report data_report(void)
{
	return (struct report){
		.command = "report",
		.data =
			{
				.name = "ops",
				.column = data_column,
				.column_count = COUNT(data_column),
				.row = data_row,
				.row_count = COUNT(data_row),
			},
	};
}

static void write_csv(
	const struct report *report, const struct writer_options *opt, struct text *written)
{
	struct error err = {0};
	struct outfile *out = outfile_memory();
	size_t size;

	assert_int_equal(writer_find("csv", &err)->write(report, opt, out, &err), 0);
	const char *data = outfile_data(out, &size);

	text_init(written);
	text_add_bytes(written, size ? data : "", size);
	outfile_discard(out);
}

static void assert_written(
	const char *expected, const struct report *report, const struct writer_options *opt)
{
	struct text written;

	write_csv(report, opt, &written);
	assert_string_equal(text_string(&written), expected);
	text_release(&written);
}

TEST(wide_shape)
{
	struct report report = data_report();

	assert_written("run,op,type,device,ran,time_mean_us,time_cv_pct,requested_mean_bytes,"
		       "occurrence_mean,notes\n"
		       "base,conv1/Conv2D,Conv2D,cpu:0,90,6210.000001,33.3333333333,40000,1,\n"
		       "base,\"a, \"\"b\"\"\",,cpu:0,0,,,,0.5,few;constant\n",
		&report, &(struct writer_options){.complete = true});
}

TEST(long_shape)
{
	struct report report = data_report();

	assert_written("run,op,type,measure,stat,value,unit\n"
		       "base,conv1/Conv2D,Conv2D,time,mean,6210.000001,us\n"
		       "base,conv1/Conv2D,Conv2D,time,cv,33.3333333333,pct\n"
		       "base,conv1/Conv2D,Conv2D,requested,mean,40000,bytes\n"
		       "base,conv1/Conv2D,Conv2D,occurrence,mean,1,count\n"
		       "base,\"a, \"\"b\"\"\",,time,mean,,us\n"
		       "base,\"a, \"\"b\"\"\",,time,cv,,pct\n"
		       "base,\"a, \"\"b\"\"\",,requested,mean,,bytes\n"
		       "base,\"a, \"\"b\"\"\",,occurrence,mean,0.5,count\n",
		&report, &(struct writer_options){.complete = true, .long_shape = true});
}

TEST(headerless_has_no_header)
{
	struct report report = data_report();

	report.headerless = true;
	report.data.row_count = 1;
	assert_written("base,conv1/Conv2D,Conv2D,cpu:0,90,6210.000001,33.3333333333,40000,1,\n",
		&report, &(struct writer_options){.complete = true});
}

TEST(units_that_were_asked_for_are_in_the_header)
{
	struct report report = data_report();
	struct column column[COUNT(data_column)];

	memcpy(column, data_column, sizeof(column));
	column[5].unit = unit_lookup("ms");
	column[7].unit = unit_lookup("KB");
	report.data.column = column + 5;
	report.data.column_count = 3;
	struct row row = {
		data_row[0].cell + 5, .role = ROW_BODY, .on_screen = true, .in_files = true};

	report.data.row = &row;
	report.data.row_count = 1;
	assert_written("time_mean_ms,time_cv_pct,requested_mean_kb\n"
		       "6.210000001,33.3333333333,40\n",
		&report, &(struct writer_options){.complete = true});
}

static void assert_name(const char *expected, const char *name, bool safe)
{
	struct column column[] = {{.stat = "op"}, {.stat = "x", .dimension = DIMENSION_COUNT}};
	struct row row = {CELLS(TEXT(name), INTEGER(-1)), .role = ROW_BODY, .on_screen = true,
		.in_files = true};
	struct report report = {.headerless = true, .data = {"ops", column, 2, &row, 1}};
	struct text written;

	write_csv(&report, &(struct writer_options){.complete = true, .csv_safe = safe}, &written);
	assert_true(text_ends(text_string(&written), ",-1\n"));
	written.data[written.size - strlen(",-1\n")] = '\0';
	assert_string_equal(text_string(&written), expected);
	text_release(&written);
}

TEST(hostile_names_stay_one_field)
{
	assert_name("plain", "plain", false);
	assert_name("\"a,b\"", "a,b", false);
	assert_name("\"say \"\"hi\"\"\"", "say \"hi\"", false);
	assert_name("\"\"\"\"", "\"", false);
	assert_name("\" lead\"", " lead", false);
	assert_name("\"trail \"", "trail ", false);
	assert_name("a\\x0ab\\x0d\\x0ac\\x09d", "a\nb\r\nc\td", false);
	assert_name("\\x1b[31mred", "\033[31mred", false);
	assert_name("\\xff\\xc0\\x80", "\377\300\200", false);
	assert_name("gr\303\266\303\237e", "gr\303\266\303\237e", false);
	assert_name("a|`b`'c';d", "a|`b`'c';d", false);
	assert_name("=cmd()", "=cmd()", false);
	assert_name("", "", false);
}

TEST(safe_names_are_not_run)
{
	assert_name("'=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0", true);
	assert_name("'+1", "+1", true);
	assert_name("'-1", "-1", true); /* the number beside it stays -1 */
	assert_name("'@SUM(A1)", "@SUM(A1)", true);
	assert_name("\"'=a,b\"", "=a,b", true);
	assert_name("'\\x09=x", "\t=x", true);
	assert_name("'\\x0d=x", "\r=x", true);
	assert_name("conv=1", "conv=1", true);
	assert_name("", "", true);
}

TEST(one_empty_column_is_still_a_row)
{
	struct column column[] = {{.stat = "op"}};
	struct row row[] = {
		{CELLS(TEXT("")), .role = ROW_BODY, .on_screen = true, .in_files = true},
		{CELLS(TEXT("a")), .role = ROW_BODY, .on_screen = true, .in_files = true}};
	struct report report = {.data = {"ops", column, 1, row, 2}};

	assert_written("op\n\"\"\na\n", &report, &(struct writer_options){.complete = true});
}

/* Collects fields as "[field]" and row ends as "/". */
static void on_field(void *field, size_t size, void *data)
{
	struct text *all = data;

	text_add_char(all, '[');
	text_add_bytes(all, field, size);
	text_add_char(all, ']');
}

static void on_row(int end, void *data)
{
	(void)end;
	text_add_char(data, '/');
}

static void read_back(const struct text *written, struct text *all)
{
	struct csv_parser parser;

	text_init(all);
	assert_int_equal(csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI), 0);
	assert_int_equal(csv_parse(&parser, written->data, written->size, on_field, on_row, all),
		written->size);
	assert_int_equal(csv_fini(&parser, on_field, on_row, all), 0);
	csv_free(&parser);
}

TEST(libcsv_reads_back_what_was_written)
{
	static const char *const names[] = {"plain", "a,b", "say \"hi\"", "\"", "\"\"\"", " lead",
		"trail ", "  ", ",", "", "'q'", "a;b|c`d", "gr\303\266\303\237e"};
	struct column column[] = {{.stat = "run"}, {.stat = "op"},
		{.measure = "time", .stat = "mean", .dimension = DIMENSION_TIME}};
	struct cell cell[COUNT(names)][3];
	struct row row[COUNT(names)];
	struct text written, all, expected;

	text_init(&expected);
	text_add(&expected, "[run][op][time_mean_us]/");
	for (size_t i = 0; i < COUNT(names); i++) {
		cell[i][0] = (struct cell)TEXT(names[COUNT(names) - 1 - i]);
		cell[i][1] = (struct cell)TEXT(names[i]);
		cell[i][2] = (struct cell)INTEGER(1500000);
		row[i] = (struct row){
			cell[i], .role = ROW_BODY, .on_screen = true, .in_files = true};
		text_printf(&expected, "[%s][%s][1.5]/", names[COUNT(names) - 1 - i], names[i]);
	}
	struct report report = {.data = {"ops", column, 3, row, COUNT(names)}};

	write_csv(&report, &(struct writer_options){.complete = true}, &written);
	read_back(&written, &all);
	assert_string_equal(text_string(&all), text_string(&expected));
	text_release(&written);
	text_release(&all);
	text_release(&expected);
}

TEST(endless_names_are_whole)
{
	const size_t length = 60000;
	char *name = memory_alloc(length + 1);
	struct text expected;

	memset(name, '"', length);
	text_init(&expected);
	text_add_repeat(&expected, '"', 2 * length + 2);
	assert_name(text_string(&expected), name, true);
	text_release(&expected);
	memory_free(name);
}
