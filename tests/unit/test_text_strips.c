/* Strips of a terminal: what the golden cases of whole screens do not have. */
#include <math.h>
#include "writers/text_strips.h"
#include "tests/unit/test.h"

#define GAP 2

/* clang-format off */
#define CELLS(...) (struct cell[]){__VA_ARGS__}
/* clang-format on */

static const double values[] = {1, NAN, 0, -1, 4, 2, 2, 2, 2, 2, 2, 40};

static bool read_values(const struct row_steps *steps, double *value, bool *outlier)
{
	for (size_t i = 0; i < 12; i++) {
		value[i] = values[i];
		outlier[i] = i == 11;
	}
	return steps->of == values;
}

static void assert_strip(const char *expected, const struct strips *strips, const struct row *row)
{
	struct text out;

	text_init(&out);
	strips_add(strips, row, &out);
	assert_string_equal(text_string(&out), expected);
	text_release(&out);
}

TEST(marks_of_steps)
{
	static const size_t first[] = {0, 4, 12};
	const struct row_steps all = {0, 2, values}, second = {1, 1, values}, none = {0, 2, NULL};
	struct column column[] = {{.title = "op"}};
	struct row row[] = {{CELLS({.kind = CELL_BLANK}), .on_screen = true, .steps = &all},
		{CELLS({.kind = CELL_BLANK}), .on_screen = true, .steps = &second},
		{CELLS({.kind = CELL_BLANK}), .on_screen = true, .steps = &none},
		{CELLS({.kind = CELL_BLANK}), .on_screen = true}};
	const struct report report = {
		.steps = {.count = 12, .first = first, .run_count = 2, .read = read_values}};
	const struct table table = {"ops", column, 1, row, 4};
	struct writer_options opt = {.bars = BARS_ASCII};
	struct strips strips = {.report = &report, .table = &table, .opt = &opt};

	/* 4 + 8 steps and what stands between the runs. */
	strips_plan(&strips, 100, SIZE_MAX, GAP);
	strips_widen(&strips, 100);
	assert_int_equal(strips.width, 13);
	assert_int_equal(strips_width(&strips, GAP), GAP + 13);
	assert_strip("steps        ", &strips, NULL);
	/* Of 40, which is more than twice the mean of 5.2: 1, unknown, 0, below 0; then the second.
	 */
	assert_strip("_?  |_______#", &strips, &row[0]);
	assert_strip("_______#     ", &strips, &row[1]);
	assert_strip("             ", &strips, &row[2]);
	/* Ten columns: three for 4 steps, six for 8; neighbours show the largest. */
	strips.width = 10;
	assert_strip("_? |_____#", &strips, &row[0]);
	/* Two for 4 steps are too few to tell the runs apart. */
	strips.width = 9;
	assert_strip("_? _____#", &strips, &row[0]);
	strips.width = 4;
	assert_strip("___#", &strips, &row[0]);
	strips_release(&strips);
	/* No room: no strip; no bars: none. */
	strips = (struct strips){.report = &report, .table = &table, .opt = &opt};
	strips_plan(&strips, 7, SIZE_MAX, GAP);
	assert_int_equal(strips_width(&strips, GAP), 0);
	strips_release(&strips);
	opt.bars = BARS_NONE;
	strips_plan(&strips, 100, SIZE_MAX, GAP);
	assert_int_equal(strips_width(&strips, GAP), 0);
}

TEST(intervals)
{
	static const struct band all[] = {
		{0.02, -0.02, 0.06, 0.04},
		{0.9, 0.8, 1, 0.04}, /* beyond the strip */
		{-0.05, NAN, NAN, 0.04},
		{0, NAN, NAN, INFINITY}, /* exactly nothing, any margin */
		{0.1, -INFINITY, INFINITY, NAN},
		{NAN, NAN, NAN, 0.04},
	};
	struct column column[] = {{.title = "op"}};
	struct row row[7] = {0};
	const struct report report = {0};
	const struct table table = {"ops", column, 1, row, 7};
	const struct writer_options opt = {.bars = BARS_ASCII};
	struct strips strips = {.report = &report, .table = &table, .opt = &opt};

	for (size_t i = 0; i < 7; i++)
		row[i] = (struct row){.on_screen = true, .band = i < 6 ? &all[i] : NULL};
	strips_plan(&strips, GAP + 21, SIZE_MAX, GAP);
	/* Ten margins are 40 %; the next round number is 50 %. 5 % are a column. */
	assert_int_equal(strips.width, 21);
	assert_true(strips.band_scale == 0.5);
	assert_strip("-50%      0      +50%", &strips, NULL);
	assert_strip("         :#+         ", &strips, &row[0]);
	assert_strip("         :|:        >", &strips, &row[1]);
	assert_strip("         #|:         ", &strips, &row[2]);
	assert_strip("          #          ", &strips, &row[3]);
	assert_strip("<-----------#------->", &strips, &row[4]);
	assert_strip("                     ", &strips, &row[5]);
	assert_strip("                     ", &strips, &row[6]);
	strips_release(&strips);
}
