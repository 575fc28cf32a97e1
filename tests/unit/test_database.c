/* The aggregates of the SQL database, against the certified values of NIST, R and arithmetic; and
 * what happens to rows, nulls and texts between a sink and an answer. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "base/text.h"
#include "report/build.h"
#include "export/database.h"
#include "tests/unit/test.h"

#define CERTIFIED "tests/data/stats/nist-strd/certified.csv"
#define REFERENCE "tests/data/stats/reference.csv"

enum { ROOM = 6000 };

static const char *const sets[] = {"Lew", "Lottery", "Mavro", "Michelso", "NumAcc1", "NumAcc2",
	"NumAcc3", "NumAcc4", "PiDigits"};

static const struct table_field x_fields[] = {{"name", FIELD_TEXT, false, ""},
	{"whole", FIELD_INTEGER, false, ""}, {"us", FIELD_MICROS, false, ""}};
static const struct table_form x_form = {"x", "", x_fields, 3};

static struct report *run(struct database *db, const char *sql)
{
	struct script script = {sql, sql};
	struct report *report;
	struct error err = {0};

	if (database_run(db, &script, &report, &err) != 1)
		fail_msg("%s: %s %s", sql, err.place, err.message);
	return report;
}

/* The only cell of the answer, which must be a number. */
static double number(struct database *db, const char *sql)
{
	struct report *report = run(db, sql);
	struct cell cell = report->data.row[0].cell[0];

	assert_int_equal(report->data.row_count, 1);
	report_free(report);
	if (cell.kind == CELL_INTEGER)
		return (double)cell.integer;
	assert_int_equal(cell.kind, CELL_REAL);
	return cell.real;
}

static bool is_null(struct database *db, const char *sql)
{
	struct report *report = run(db, sql);
	bool null = report->data.row[0].cell[0].kind == CELL_BLANK;

	report_free(report);
	return null;
}

/* A table v(x) of these values, by statements, so that reals arrive as they are. */
static struct database *database_of(const double *x, size_t n)
{
	struct error err = {0};
	struct database *db = database_open(NULL, &err);
	struct text sql;

	text_init(&sql);
	assert_non_null(db);
	assert_null(run(db, "CREATE TABLE v(x)"));
	for (size_t i = 0; i < n; i++) {
		text_clear(&sql);
		text_printf(&sql, "INSERT INTO v VALUES (%.17g)", x[i]);
		assert_null(run(db, text_string(&sql)));
	}
	text_release(&sql);
	return db;
}

static double certified(const char *set, int column)
{
	char start[64];

	snprintf(start, sizeof(start), "%s,", set);
	return ref_column(CERTIFIED, start, column);
}

TEST(spread_as_certified_by_nist)
{
	double *x = calloc(ROOM, sizeof(*x));

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		size_t n = ref_nist(sets[i], x, ROOM);
		struct database *db = database_of(x, n);
		double mean = certified(sets[i], 1), sd = certified(sets[i], 2);
		/* What the data lose by being stored as doubles is in the file. */
		double tolerance = 1.2 * pow(10, -certified(sets[i], 5)) + 5e-15;

		ref_near(sets[i], number(db, "SELECT stddev_samp(x) FROM v"), sd, tolerance);
		ref_near(sets[i], number(db, "SELECT stddev_pop(x) FROM v"),
			sd * sqrt(((double)n - 1) / (double)n), tolerance);
		if (mean > 0)
			ref_near(sets[i], number(db, "SELECT cv(x) FROM v"), sd / mean,
				tolerance + 2e-15);
		else
			assert_true(is_null(db, "SELECT cv(x) FROM v"));
		database_free(db);
	}
	free(x);
}

TEST(order_statistics_as_in_r)
{
	static const char *const observed[] = {"Lew", "Lottery", "Mavro", "Michelso"};
	double *x = calloc(ROOM, sizeof(*x));

	for (size_t i = 0; i < sizeof(observed) / sizeof(observed[0]); i++) {
		struct database *db = database_of(x, ref_nist(observed[i], x, ROOM));
		char start[128];
		double median;

		snprintf(start, sizeof(start), "\"%s\",\"order statistics (type 7)\",\"median\",",
			observed[i]);
		median = ref_column(REFERENCE, start, 0);
		ref_near(observed[i], number(db, "SELECT median(x) FROM v"), median, 1e-14);
		ref_near(observed[i], number(db, "SELECT quantile(x, 0.5) FROM v"), median, 1e-14);
		database_free(db);
	}
	free(x);
}

/* 1, 2, 3, 4, 10: type 7 puts 0.9 at place 0.9 * 4 = 3.6, that is 4 + 0.6 * 6. */
TEST(quantiles_lie_between_neighbours)
{
	const double x[] = {10, 1, 4, 2, 3};
	struct database *db = database_of(x, 5);

	ref_near("p90", number(db, "SELECT quantile(x, 0.9) FROM v"), 7.6, 1e-15);
	ref_near("p0", number(db, "SELECT quantile(x, 0) FROM v"), 1, 0);
	ref_near("p100", number(db, "SELECT quantile(x, 1) FROM v"), 10, 0);
	ref_near("sd", number(db, "SELECT stddev_samp(x) FROM v"), sqrt(12.5), 1e-15);
	database_free(db);
}

TEST(too_few_values_are_null)
{
	const double x[] = {5};
	struct database *db = database_of(x, 1);

	assert_true(is_null(db, "SELECT stddev_samp(x) FROM v"));
	assert_true(is_null(db, "SELECT cv(x) FROM v"));
	assert_true(is_null(db, "SELECT median(x) FROM v WHERE x > 6"));
	assert_true(is_null(db, "SELECT stddev_pop(NULL) FROM v"));
	assert_true(is_null(db, "SELECT quantile(NULL, 0.5) FROM v"));
	assert_int_equal(number(db, "SELECT stddev_pop(x) FROM v"), 0);
	assert_int_equal(number(db, "SELECT median(x) FROM v"), 5);
	database_free(db);
}

TEST(equal_values_have_no_spread)
{
	const double x[] = {0.1, 0.1, 0.1};
	struct database *db = database_of(x, 3);

	assert_true(number(db, "SELECT stddev_samp(x) FROM v") == 0);
	assert_true(number(db, "SELECT cv(x) FROM v") == 0);
	database_free(db);
}

TEST(rows_arrive_as_they_were_given)
{
	struct error err = {0};
	struct database *db = database_open(NULL, &err);
	struct table_sink *sink = database_sink(db);
	struct table_value row[3] = {table_text("it's"), table_integer(INT64_MAX),
		{.known = true, .integer = 1, .ps = 500000}};
	struct table_value nulls[3] = {{0}};
	struct report *report;

	assert_int_equal(database_begin(db, &err), 0);
	assert_int_equal(sink->begin(sink, &x_form, &err), 0);
	assert_int_equal(sink->row(sink, row, &err), 0);
	assert_int_equal(sink->row(sink, nulls, &err), 0);
	assert_int_equal(sink->end(sink, &err), 0);
	assert_int_equal(database_end(db, &err), 0);
	report = run(db, "SELECT * FROM x");
	assert_int_equal(report->data.row_count, 2);
	assert_string_equal(report->data.row[0].cell[0].text, "it's");
	assert_true(report->data.row[0].cell[1].integer == INT64_MAX);
	assert_true(report->data.row[0].cell[2].real == 1.5);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(report->data.row[1].cell[i].kind, CELL_BLANK);
	report_free(report);
	database_free(db);
}

TEST(statements_come_one_after_the_other)
{
	const char *sql = "SELECT 1 AS a;; -- words\n SELECT 2 AS a, 3 AS a ; ";
	struct script script = {sql, sql};
	struct error err = {0};
	struct database *db = database_open(NULL, &err);
	struct report *report;

	assert_int_equal(database_run(db, &script, &report, &err), 1);
	assert_int_equal(report->data.column_count, 1);
	report_free(report);
	assert_int_equal(database_run(db, &script, &report, &err), 1);
	assert_string_equal(report->data.column[0].stat, "a");
	assert_string_equal(report->data.column[1].stat, "a_2");
	report_free(report);
	assert_int_equal(database_run(db, &script, &report, &err), 0);
	assert_null(report);
	database_free(db);
}

TESTS_BEGIN(gsl_set_error_handler_off());
