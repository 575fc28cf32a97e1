/* Two sides next to each other: pairs by name, differences and ratios of means, what one side
 * lacks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "analysis/contrast.h"
#include "tests/unit/summary_job.h"

static const enum measure_id measures[] = {MEASURE_TIME, MEASURE_REQUESTED, MEASURE_PARAMS};
static const struct summary_options opt = {
	.sample = {.confidence = 0.95}, .measure = measures, .measure_count = 3};

static void put_both(struct profile *p, const char *name, int64_t step, int us, int64_t bytes)
{
	put_cpu(p, name, step, us);
	put(p, name, step, MEASURE_REQUESTED, bytes);
}

/* a 10, b 100, c 20, gone 5. */
static struct cube *base_side(void)
{
	struct profile *p = made_profile("base", NULL);

	made_op_as(p, "a", "Add", "cpu:0")->params = 4;
	for (int s = 1; s <= 2; s++) {
		put_both(p, "a", s, s == 1 ? 8 : 12, 1000);
		put_both(p, "b", s, 100, 0);
		put_both(p, "c", s, 20, 500);
		put_both(p, "gone", s, 5, 50);
	}
	return cube_of(p);
}

/* a 15, b 95, c 20, new 5. */
static struct cube *new_side(void)
{
	struct profile *p = made_profile("new", NULL);

	made_op_as(p, "a", "Add", "cpu:0")->params = 6;
	for (int s = 1; s <= 4; s++) {
		put_both(p, "a", s, 15, 1500);
		put_both(p, "b", s, 95, 0);
		put_both(p, "c", s, 20, 500);
		put_both(p, "new", s, 5, 70);
	}
	return cube_of(p);
}

struct pair {
	struct job *base, *next;
	struct arena *arena;
	struct contrast contrast;
};

static int set_up(void **state)
{
	struct pair *pair = calloc(1, sizeof(*pair));

	pair->arena = arena_new();
	pair->base = job_of(base_side(), NULL, &opt, false);
	pair->next = job_of(new_side(), NULL, &opt, false);
	contrast_make(pair->base->summary, pair->next->summary, pair->arena, &pair->contrast);
	*state = pair;
	return 0;
}

static int tear_down(void **state)
{
	struct pair *pair = *state;

	job_free(pair->base);
	job_free(pair->next);
	arena_free(pair->arena);
	free(pair);
	return 0;
}

static const struct contrast_row *row(const struct pair *pair, const char *name)
{
	for (size_t i = 0; i < pair->contrast.count; i++)
		if (text_equal(pair->contrast.row[i].name, name))
			return &pair->contrast.row[i];
	abort();
}

static void rows_are_paired_by_name(void **state)
{
	struct pair *pair = *state;
	const struct contrast_row *a = row(pair, "a");

	assert_int_equal(pair->contrast.count, 5);
	assert_true(a->value[0].base == 10.0 * US && a->value[0].next == 15.0 * US);
	assert_true(a->value[0].difference == 5.0 * US);
	assert_true(a->value[0].ratio == 1.5);
	assert_string_equal(a->type, "Add");
	assert_string_equal(a->device, "cpu:0");
	assert_true(
		row(pair, "c")->value[0].difference == 0 && row(pair, "c")->value[0].ratio == 1);
}

static void every_measure_is_compared(void **state)
{
	struct pair *pair = *state;
	const struct contrast_row *a = row(pair, "a");

	assert_true(a->value[1].base == 1000 && a->value[1].ratio == 1.5);
	assert_true(a->value[2].base == 4 && a->value[2].next == 6 && a->value[2].ratio == 1.5);
	assert_true(isnan(row(pair, "b")->value[2].base)); /* not from a graph */
	assert_true(isnan(row(pair, "b")->value[2].difference));
}

/* 0 to 0 bytes is no change, but no ratio either. */
static void base_of_zero_has_no_ratio(void **state)
{
	struct pair *pair = *state;

	assert_true(row(pair, "b")->value[1].difference == 0);
	assert_true(isnan(row(pair, "b")->value[1].ratio));
}

static void what_one_side_lacks_counts_as_zero(void **state)
{
	struct pair *pair = *state;
	const struct contrast_row *gone = row(pair, "gone"), *fresh = row(pair, "new");

	assert_null(gone->next);
	assert_true(isnan(gone->value[0].next) && isnan(gone->value[0].ratio));
	assert_true(gone->value[0].difference == -5.0 * US);
	assert_null(fresh->base);
	assert_true(isnan(fresh->value[0].base) && isnan(fresh->value[0].ratio));
	assert_true(fresh->value[0].difference == 5.0 * US);
	assert_int_equal(pair->contrast.only_base, 1);
	assert_int_equal(pair->contrast.only_next, 1);
}

static void largest_difference_first_then_names(void **state)
{
	static const char *const order[] = {"a", "b", "gone", "new", "c"}; /* 5 -5 -5 5 0 */
	struct pair *pair = *state;

	for (size_t i = 0; i < 5; i++)
		assert_string_equal(pair->contrast.row[i].name, order[i]);
}

static void differences_add_up_to_that_of_the_totals(void **state)
{
	struct pair *pair = *state;
	double sum = 0;

	for (size_t i = 0; i < pair->contrast.count; i++)
		sum += pair->contrast.row[i].value[0].difference;
	assert_true(pair->contrast.total[0].base == 135.0 * US);
	assert_true(pair->contrast.total[0].next == 135.0 * US);
	assert_true(sum == pair->contrast.total[0].difference && sum == 0);
	assert_true(pair->contrast.total[0].ratio == 1);
}

static void a_side_against_itself_shows_no_difference(void **state)
{
	struct pair *pair = *state;
	struct contrast same;

	contrast_make(pair->base->summary, pair->base->summary, pair->arena, &same);
	assert_int_equal(same.count, 4);
	for (size_t i = 0; i < same.count; i++)
		assert_true(
			same.row[i].value[0].difference == 0 && same.row[i].value[0].ratio == 1);
	assert_int_equal(same.only_base + same.only_next, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rows_are_paired_by_name),
		TEST(every_measure_is_compared),
		TEST(base_of_zero_has_no_ratio),
		TEST(what_one_side_lacks_counts_as_zero),
		TEST(largest_difference_first_then_names),
		TEST(differences_add_up_to_that_of_the_totals),
		TEST(a_side_against_itself_shows_no_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
