/* The registry of writers, and what they share: units, decimals, cells, column names, numbers. */
#include <math.h>
#include "base/number.h"
#include "report/build.h"
#include "tests/unit/test.h"
#include "writers/writer.h"

static struct cell real_cell(double value)
{
	return (struct cell){.kind = CELL_REAL, .real = value};
}

static struct cell integer_cell(int64_t value)
{
	return (struct cell){.kind = CELL_INTEGER, .integer = value};
}

static struct cell scaled_cell(const struct column *column, const void *from)
{
	return cell_real((double)column->index * *(const double *)from);
}

static struct cell word_cell(const struct column *column, const void *from)
{
	(void)from;
	return cell_text(column->of);
}

TEST(each_column_makes_its_own_cell)
{
	struct report *report = report_new("report");
	const double value = 1.5;
	struct column *column = report_text_column(report, &report->data, "word");
	struct row *row;

	assert_string_equal(column->title, "word");
	assert_int_equal(column->align, ALIGN_LEFT);
	column->make = word_cell;
	column->of = "of the column";
	for (size_t i = 0; i < 3; i++) {
		column = report_add_column(report, &report->data);
		column->make = scaled_cell;
		column->index = i;
	}
	row = report_make_row(report, &report->data, &value);
	assert_string_equal(row->cell[0].text, "of the column");
	for (size_t i = 0; i < 3; i++)
		assert_true(row->cell[1 + i].real == 1.5 * (double)i);
	report_free(report);
}

TEST(finds_each_writer_by_its_name)
{
	static const char *const names[] = {"text", "csv", "md", "json", "junit", "github"};
	struct error err = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct writer *writer = writer_find(names[i], &err);

		assert_non_null(writer);
		assert_string_equal(writer->name, names[i]);
		assert_true(writer->summary[0] != '\0');
	}
	assert_int_equal(err.kind, ERROR_NONE);
}

TEST(unknown_name_offers_the_nearest)
{
	struct error err = {0};

	assert_null(writer_find("jsn", &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message, "unknown output format \"jsn\"");
	assert_non_null(strstr(err.hint, "did you mean \"json\"?"));
	assert_null(writer_find("qqqqqqqqqqqq", &err));
	assert_null(strstr(err.hint, "did you mean"));
	assert_non_null(strstr(err.hint, "csv"));
}

TEST(finds_writers_by_suffix)
{
	struct error err = {0};

	assert_string_equal(writer_for_path("a/b.c/ops.csv", &err)->name, "csv");
	assert_string_equal(writer_for_path("OPS.CSV", &err)->name, "csv");
	assert_string_equal(writer_for_path("ops.md", &err)->name, "md");
	assert_string_equal(writer_for_path("ops.markdown", &err)->name, "md");
	assert_string_equal(writer_for_path("ops.json", &err)->name, "json");
	assert_string_equal(writer_for_path("ops.txt", &err)->name, "text");
	assert_string_equal(writer_for_path("gate.xml", &err)->name, "junit");
}

TEST(unknown_suffix_lists_the_known_ones)
{
	static const char *const paths[] = {
		"ops.doc", "ops.github", "ops", "-", ".csv", "x.csv/ops", ""};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct error err = {0};

		assert_null(writer_for_path(paths[i], &err));
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.message, ".csv"));
		assert_non_null(strstr(err.hint, "--to"));
	}
}

/* One column, `count` cells, the last row only in files. */
static struct table one_column(
	struct column *column, struct cell *cell, struct row *row, size_t count)
{
	for (size_t i = 0; i < count; i++)
		row[i] = (struct row){
			.cell = &cell[i], .on_screen = i + 1 < count, .in_files = true};
	return (struct table){.column = column, .column_count = 1, .row = row, .row_count = count};
}

TEST(unit_is_chosen_by_the_largest_shown_value)
{
	struct column column = {.dimension = DIMENSION_TIME, .decimals = -1};
	struct cell cell[] = {
		real_cell(3e6), real_cell(-6.2e9), real_cell(NAN), integer_cell(INT64_C(2) << 42)};
	struct row row[4];
	struct table table = one_column(&column, cell, row, 4);

	assert_string_equal(writer_column_unit(&table, 0, false)->name, "ms");
	assert_string_equal(writer_column_unit(&table, 0, true)->name, "s");
	column.unit = unit_lookup("ns");
	assert_string_equal(writer_column_unit(&table, 0, true)->name, "ns");
	column.unit = unit_lookup("KB"); /* of another dimension: not meant for this column */
	assert_string_equal(writer_column_unit(&table, 0, true)->name, "s");
}

static int decimals_of(enum dimension dimension, const char *unit, double a, double b)
{
	struct column column = {
		.dimension = dimension, .decimals = -1, .unit = unit ? unit_lookup(unit) : NULL};
	struct cell cell[] = {real_cell(a), real_cell(b), real_cell(0)};
	struct row row[3];
	struct table table = one_column(&column, cell, row, 3);

	return writer_column_decimals(&table, 0, writer_column_unit(&table, 0, true), true);
}

TEST(decimals_show_the_smallest_value)
{
	assert_int_equal(decimals_of(DIMENSION_TIME, "ms", 6.21e9, 0.91e9), 2);
	assert_int_equal(decimals_of(DIMENSION_TIME, "ms", 6.21e9, 0.0051e9), 2);
	assert_int_equal(decimals_of(DIMENSION_TIME, "ms", 6.21e9, 0.0041e9), 3);
	assert_int_equal(decimals_of(DIMENSION_TIME, "ms", 6.21e9, -0.0003e9), 4);
	/* what four decimals do not show does not stretch the column */
	assert_int_equal(decimals_of(DIMENSION_TIME, "ms", 6.21e9, 0.00001e9), 2);
	assert_int_equal(decimals_of(DIMENSION_FRACTION, NULL, 0.148, 0.00004), 3);
}

TEST(whole_counts_have_no_decimals)
{
	assert_int_equal(decimals_of(DIMENSION_COUNT, NULL, 3, 90), 0);
	assert_int_equal(decimals_of(DIMENSION_COUNT, NULL, 3.5, 90), 2);
	assert_int_equal(decimals_of(DIMENSION_BYTES, "B", 512, 8), 0);
	assert_int_equal(decimals_of(DIMENSION_TIME, "ms", 3e9, 4e9), 2);
}

TEST(decimals_that_were_asked_for_stay)
{
	struct column column = {.dimension = DIMENSION_FRACTION, .decimals = 1};
	struct cell cell[] = {real_cell(0.00001), real_cell(1)};
	struct row row[2];
	struct table table = one_column(&column, cell, row, 2);

	assert_int_equal(
		writer_column_decimals(&table, 0, unit_choose(DIMENSION_FRACTION, 0), true), 1);
}

static void assert_cell(const char *expected, enum dimension dimension, const char *unit,
	int decimals, struct cell cell)
{
	struct column column = {.dimension = dimension};
	struct text out;

	text_init(&out);
	writer_cell_text(&column, unit ? unit_lookup(unit) : unit_choose(dimension, 0), decimals,
		&cell, &out);
	assert_string_equal(text_string(&out), expected);
	text_release(&out);
}

TEST(cells_as_text_for_people)
{
	assert_cell("6.21 ms", DIMENSION_TIME, "ms", 2, real_cell(6.21e9));
	assert_cell("14.8%", DIMENSION_FRACTION, NULL, 1, real_cell(0.148));
	assert_cell("0.0%", DIMENSION_FRACTION, NULL, 1, real_cell(-0.0001));
	assert_cell("40.00 KB", DIMENSION_BYTES, "KB", 2, integer_cell(40000));
	assert_cell("9223372036854775807", DIMENSION_COUNT, NULL, 0, integer_cell(INT64_MAX));
	assert_cell("9223372036854775807 B", DIMENSION_BYTES, "B", 0, integer_cell(INT64_MAX));
	assert_cell("-", DIMENSION_TIME, "ms", 2, (struct cell){.kind = CELL_NONE});
	assert_cell("-", DIMENSION_TIME, "ms", 2, real_cell(NAN));
	assert_cell("-", DIMENSION_TIME, "ms", 2, real_cell(INFINITY));
	assert_cell("", DIMENSION_TIME, "ms", 2, (struct cell){.kind = CELL_BLANK});
	assert_cell("a\\x1b[2Jb", DIMENSION_NONE, NULL, 2,
		(struct cell){.kind = CELL_TEXT, .text = "a\033[2Jb"});
	assert_cell("", DIMENSION_NONE, NULL, 2, (struct cell){.kind = CELL_TEXT});
}

static void assert_name(const char *expected, struct column column)
{
	struct text out;

	text_init(&out);
	writer_column_name(&column, &out);
	assert_string_equal(text_string(&out), expected);
	text_release(&out);
}

TEST(column_names_are_measure_stat_unit)
{
	assert_name("time_mean_us",
		(struct column){.measure = "time", .stat = "mean", .dimension = DIMENSION_TIME});
	assert_name("time_cv_pct",
		(struct column){.measure = "time", .stat = "cv", .dimension = DIMENSION_FRACTION});
	assert_name("requested_mean_bytes",
		(struct column){
			.measure = "requested", .stat = "mean", .dimension = DIMENSION_BYTES});
	assert_name("requested_mean_kb", (struct column){.measure = "requested",
						 .stat = "mean",
						 .dimension = DIMENSION_BYTES,
						 .unit = unit_lookup("KB")});
	assert_name("occurrence_mean",
		(struct column){
			.measure = "occurrence", .stat = "mean", .dimension = DIMENSION_COUNT});
	assert_name("op", (struct column){.stat = "op"});
	assert_name("steps", (struct column){.stat = "steps", .dimension = DIMENSION_COUNT});
}

static void assert_number(const char *expected, struct column column, struct cell cell)
{
	char out[NUMBER_TEXT_SIZE];

	assert_string_equal(writer_file_number(&column, &cell, out), expected);
}

TEST(file_numbers_lose_no_digits)
{
	struct column time = {.dimension = DIMENSION_TIME, .digits = 15};
	struct column bytes = {.dimension = DIMENSION_BYTES, .digits = 15};
	struct column fraction = {.dimension = DIMENSION_FRACTION, .digits = 15};
	struct column rough = {.dimension = DIMENSION_FRACTION, .digits = 12};
	struct column in_kib = {.dimension = DIMENSION_BYTES, .unit = unit_lookup("KiB")};

	assert_number("6210", time, integer_cell(6210000000));
	assert_number("1.234567", time, integer_cell(1234567));
	assert_number("-1e-06", time, integer_cell(-1));
	assert_number("0", time, integer_cell(0));
	assert_number("123456789.012346", time, real_cell(123456789012345.678));
	assert_number("0.1", time, real_cell(1e5));
	assert_number("9223372036854775807", bytes, integer_cell(INT64_MAX));
	assert_number("-9223372036854775808", bytes, integer_cell(INT64_MIN));
	assert_number("2", in_kib, integer_cell(2048));
	assert_number("0.5", in_kib, integer_cell(512));
	assert_number("14.8", fraction, real_cell(0.148));
	assert_number("33.3333333333333", fraction, real_cell(1.0 / 3));
	assert_number("33.3333333333", rough, real_cell(1.0 / 3));
	assert_number("100", fraction, integer_cell(1));
}

TEST(undefined_numbers_are_empty)
{
	struct column time = {.dimension = DIMENSION_TIME, .digits = 15};

	assert_number("", time, real_cell(NAN));
	assert_number("", time, real_cell(-INFINITY));
	assert_number("", time, (struct cell){.kind = CELL_NONE});
	assert_number("", time, (struct cell){.kind = CELL_BLANK});
	assert_number("", time, (struct cell){.kind = CELL_TEXT, .text = "7"});
}
