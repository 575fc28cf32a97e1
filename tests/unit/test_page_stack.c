/* The split of steps of a page and the level of neighbours, on pages made by hand. */
#include <math.h>
#include "base/names/short_names.h"
#include "base/text.h"
#include "report/page/page_stack.h"
#include "tests/unit/test.h"

/* Two runs of 4 steps; the first step of each is left out. */
#define STEPS 8
static struct page_step step[STEPS];
static struct page_run run[] = {{.first = 0, .count = 4}, {.first = 4, .count = 4}};

static void equal(double value, double expected, double within)
{
	assert_true(fabs(value - expected) <= within);
}

static struct web_page page_of(const double *op_time)
{
	for (size_t s = 0; s < STEPS; s++)
		step[s] = (struct page_step){
			.kept = s % 4 != 0, .value = op_time[s], .op_time = op_time[s]};
	return (struct web_page){.step = step,
		.step_count = STEPS,
		.kept_count = 6,
		.run = run,
		.run_count = 2,
		.grid = 1,
		.dimension = DIMENSION_TIME};
}

static struct table *stacks_of(const struct web_page *page, struct arena *arena)
{
	struct report *report = arena_alloc(arena, sizeof(*report));

	*report = (struct report){.arena = arena};
	page_stacks_add(page, report, &(struct build_options){0});
	assert_int_equal(report->drawn_count, 1);
	return &report->drawn[0];
}

static const char *text(const struct table *table, size_t row, const char *stat)
{
	for (size_t c = 0; c < table->column_count; c++)
		if (text_equal(table->column[c].stat, stat))
			return table->row[row].cell[c].text;
	return NULL;
}

/* The value of a row of a stack in a step. */
static double value_of(const struct table *table, size_t row, size_t s)
{
	return table->row[row].cell[6].list->value[s];
}

TEST(level_is_of_kept_neighbours)
{
	const double value[STEPS] = {99, 1, 5, 2, 99, 10, 30, NAN};
	const struct web_page page = page_of(value);
	struct arena *arena = arena_new();
	const double *level = page_levels(&page, value, arena);

	/* By hand: the median of the other kept steps of the run. */
	assert_true(isnan(level[0]) && isnan(level[4]));
	equal(level[1], 3.5, 0);
	equal(level[2], 1.5, 0);
	equal(level[3], 3, 0);
	/* An unknown neighbour does not count. */
	equal(level[5], 30, 0);
	equal(level[6], 10, 0);
	equal(level[7], 20, 0);
	arena_free(arena);
}

TEST(level_is_of_the_four_nearest)
{
	const double value[STEPS] = {1, 2, 100, 4, 5, 6, 7, 50};
	struct web_page page = page_of(value);
	struct arena *arena = arena_new();
	const double *level;

	for (size_t s = 0; s < STEPS; s++)
		step[s].kept = true;
	run[0].count = STEPS;
	page.run_count = 1;
	level = page_levels(&page, value, arena);
	run[0].count = 4;
	equal(level[0], 4.5, 0); /* 2 100 4 5 */
	equal(level[3], 5.5, 0); /* 2 100 5 6 */
	equal(level[7], 5.5, 0); /* 4 5 6 7 */
	equal(level[6], 5.5, 0); /* 5 50 4 6 */
	arena_free(arena);
}

TEST(rows_and_their_rest_add_up)
{
	const double total[STEPS] = {28, 28, 29, 28, 28, 28, 28, 30};
	double value[7][STEPS];
	struct page_row row[7];
	struct web_page page = page_of(total);
	const struct table *stack;
	struct arena *arena = arena_new();

	/* Seven ops of 7, 6, ... 1; the fifth does not run in step 2, which has 6 more of the last.
	 */
	for (size_t i = 0; i < 7; i++) {
		for (size_t s = 0; s < STEPS; s++)
			value[i][s] = 7 - (double)i;
		row[i] = (struct page_row){.name = "op",
			.short_name = i ? "op" : "",
			.share = (7 - (double)i) / 28,
			.jitter = NAN,
			.value = value[i]};
	}
	value[4][2] = NAN;
	row[6].jitter = 0.9;
	page.rows[PAGE_NAME] =
		(struct page_rows){.noun = "op", .nouns = "ops", .row = row, .count = 7};
	stack = stacks_of(&page, arena);
	/* The four of the largest share, the one of the largest jitter, the others. */
	assert_int_equal(stack->row_count, 6);
	assert_string_equal(text(stack, 0, "id"), "op");
	assert_string_equal(text(stack, 5, "id"), "op");
	assert_string_equal(text(stack, 0, "name"), NO_NAME);
	equal(value_of(stack, 3, 1), 4, 0);
	equal(value_of(stack, 4, 1), 1, 0);
	/* The mean of the kept steps: 4 in each. */
	equal(stack->row[3].cell[5].real, 4, 0);
	assert_string_equal(text(stack, 5, "name"), "2 other ops");
	assert_string_equal(text(stack, 5, "kind"), "rest");
	for (size_t s = 0; s < STEPS; s++) {
		double sum = 0;

		for (size_t i = 0; i < stack->row_count; i++)
			sum += value_of(stack, i, s);
		equal(sum, total[s], 1e-9);
	}
	/* Rows that hold others are not split. */
	page.overlap = true;
	page.total.label = "all ops";
	stack = stacks_of(&page, arena);
	assert_int_equal(stack->row_count, 1);
	equal(value_of(stack, 0, 7), 30, 0);
	arena_free(arena);
}

TEST(parts_of_idle_stand_for_it)
{
	const double one[STEPS] = {1, 1, 1, 1, 1, 1, 1, 1};
	struct page_part part[] = {{.name = "compute", .value = one},
		{.name = "idle", .value = one, .is_idle = true},
		{.name = "communication hidden", .value = one, .of_compute = true},
		{.name = "the host was late", .value = one, .of_idle = true},
		{.name = "gaps between kernels", .value = one, .of_idle = true}};
	struct page_device device = {.name = "gpu:0", .part = part, .part_count = 5};
	struct web_page page = page_of(one);
	const struct table *stack;
	struct arena *arena = arena_new();

	page.has_step_time = true;
	page.devices = &device;
	page.devices_count = 1;
	page.rows[PAGE_NAME] = (struct page_rows){.noun = "op", .nouns = "ops"};
	stack = stacks_of(&page, arena);
	assert_int_equal(stack->row_count, 3);
	assert_string_equal(text(stack, 2, "id"), "part");
	assert_string_equal(text(stack, 0, "label"), "part of gpu:0");
	assert_string_equal(text(stack, 1, "name"), "idle: the host was late");
	assert_string_equal(text(stack, 1, "kind"), "idle0");
	assert_string_equal(text(stack, 2, "kind"), "idle1");
	device.part_count = 3;
	stack = stacks_of(&page, arena);
	assert_int_equal(stack->row_count, 2);
	assert_string_equal(text(stack, 1, "name"), "idle");
	arena_free(arena);
}
