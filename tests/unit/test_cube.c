/* The cube's values: stored, derived, static; and the totals of the scope tree. */
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

static struct cube *totals_of(const struct cube *cube)
{
	struct error err;
	struct cube *totals = cube_totals(cube, &err);

	assert_non_null(totals);
	return totals;
}

/* Step 1: "gpu" with both times, "cpu" with cpu time only. Step 2: "gpu" without kernel. */
static struct cube *two_devices(void)
{
	struct profile *p = made_profile("p", NULL);

	put(p, "gpu", 1, MEASURE_ACCELERATOR, 50 * US);
	put_cpu(p, "gpu", 1, 5);
	put(p, "gpu", 2, MEASURE_ACCELERATOR, 0);
	put_cpu(p, "gpu", 2, 4);
	put(p, "cpu", 1, MEASURE_ACCELERATOR, 0);
	put_cpu(p, "cpu", 1, 7);
	put(p, "gpu", 1, MEASURE_OCCURRENCE, 2);
	made_op(p, "gpu")->float_ops_each = 1000;
	made_op(p, "gpu")->defined = 1;
	made_op(p, "gpu")->params = 6;
	return cube_of(p);
}

TEST(time_is_that_of_the_accelerator_where_there_is_one)
{
	struct cube *cube = two_devices();

	assert_int_equal(value_at(cube, MEASURE_TIME, "gpu", 0), 50 * US);
	/* Also in steps without a kernel: an op keeps to one clock. */
	assert_int_equal(value_at(cube, MEASURE_TIME, "gpu", 1), 0);
	assert_int_equal(value_at(cube, MEASURE_TIME, "cpu", 0), 7 * US);
	cube_free(cube);
}

TEST(micros_is_the_sum_of_both)
{
	struct cube *cube = two_devices();

	assert_int_equal(value_at(cube, MEASURE_MICROS, "gpu", 0), 55 * US);
	assert_int_equal(value_at(cube, MEASURE_MICROS, "gpu", 1), 4 * US);
	cube_free(cube);
}

TEST(float_ops_are_those_of_one_execution_times_executions)
{
	struct cube *cube = two_devices();

	assert_int_equal(value_at(cube, MEASURE_FLOAT_OPS, "gpu", 0), 2000);
	assert_true(value_at(cube, MEASURE_FLOAT_OPS, "gpu", 1) == CELL_ABSENT);
	cube_free(cube);
}

TEST(static_values_belong_to_ops_of_a_graph)
{
	struct cube *cube = two_devices();

	assert_int_equal(cube_static(cube, MEASURE_PARAMS, op_at(cube, "gpu")), 6);
	assert_int_equal(cube_static(cube, MEASURE_DEFINED, op_at(cube, "gpu")), 1);
	assert_true(cube_static(cube, MEASURE_PARAMS, op_at(cube, "cpu")) == CELL_ABSENT);
	assert_true(cube_static(cube, MEASURE_TIME, op_at(cube, "gpu")) == CELL_ABSENT);
	cube_free(cube);
}

TEST(cube_knows_which_measures_it_has)
{
	struct profile *p = made_profile("p", NULL);
	struct cube *cube;

	put_cpu(p, "a", 1, 1);
	cube = cube_of(p);
	assert_true(cube_has(cube, MEASURE_CPU));
	assert_true(cube_has(cube, MEASURE_TIME));
	assert_false(cube_has(cube, MEASURE_ACCELERATOR));
	assert_false(cube_has(cube, MEASURE_MICROS));
	assert_false(cube_has(cube, MEASURE_PEAK));
	assert_false(cube_has(cube, MEASURE_FLOAT_OPS));
	assert_false(cube_has(cube, MEASURE_PARAMS));
	cube_free(cube);
	cube = two_devices();
	assert_true(cube_has(cube, MEASURE_MICROS));
	assert_true(cube_has(cube, MEASURE_FLOAT_OPS));
	assert_true(cube_has(cube, MEASURE_PARAMS));
	assert_true(cube_has(cube, MEASURE_DEFINED));
	cube_free(cube);
}

TEST(sums_out_of_range_are_unknown)
{
	struct profile *p = made_profile("p", NULL);
	struct cube *cube;

	put(p, "a", 1, MEASURE_ACCELERATOR, INT64_MAX);
	put(p, "a", 1, MEASURE_CPU, 1);
	put(p, "a", 1, MEASURE_OCCURRENCE, INT64_MAX / 2);
	made_op(p, "a")->float_ops_each = 3;
	cube = cube_of(p);
	assert_true(value_at(cube, MEASURE_MICROS, "a", 0) == CELL_ABSENT);
	assert_true(value_at(cube, MEASURE_FLOAT_OPS, "a", 0) == CELL_ABSENT);
	assert_true(value_at(cube, MEASURE_TIME, "a", 0) == INT64_MAX);
	cube_free(cube);
}

/* net (no op) over net/a (an op) over net/a/x and net/a/y; other stands alone. */
static struct cube *tree(void)
{
	struct profile *p = made_profile("p", NULL);

	made_op_as(p, "net/a", "Scope", "cpu:0")->params = 5;
	made_op_as(p, "net/a/x", "Mul", "cpu:0")->params = 7;
	made_op_as(p, "net/a/y", "Add", "cpu:1");
	made_op_as(p, "other", "Add", "");
	put_cpu(p, "net/a", 1, 1);
	put_cpu(p, "net/a/x", 1, 10);
	put_cpu(p, "net/a/x", 2, 20);
	put_cpu(p, "net/a/y", 1, 100);
	put_cpu(p, "other", 3, 9);
	return cube_of(p);
}

TEST(total_is_self_and_all_below)
{
	struct cube *cube = tree(), *totals = totals_of(cube);

	assert_true(totals->totals);
	assert_int_equal(totals->op_count, 5);
	assert_int_equal(value_at(totals, MEASURE_CPU, "net", 0), 111 * US);
	assert_int_equal(value_at(totals, MEASURE_TIME, "net", 1), 20 * US);
	assert_int_equal(value_at(totals, MEASURE_TIME, "net/a", 0), 111 * US);
	assert_int_equal(value_at(totals, MEASURE_TIME, "net/a/y", 0), 100 * US);
	assert_int_equal(value_at(totals, MEASURE_TIME, "other", 2), 9 * US);
	cube_free(totals);
	cube_free(cube);
}

TEST(scope_is_present_where_anything_below_is)
{
	struct cube *cube = tree(), *totals = totals_of(cube);

	assert_true(is_present(totals, "net", 0));
	assert_true(is_present(totals, "net", 1));
	assert_false(is_present(totals, "net", 2));
	assert_false(is_present(totals, "net/a/y", 1));
	cube_free(totals);
	cube_free(cube);
}

TEST(scopes_keep_runs_steps_and_attributes)
{
	struct cube *cube = tree(), *totals = totals_of(cube);
	uint32_t net = op_at(totals, "net");

	assert_string_equal(totals->op[net].type, "");
	assert_string_equal(totals->op[op_at(totals, "net/a")].type, "Scope");
	assert_int_equal(cube_static(totals, MEASURE_PARAMS, net), 12);
	assert_int_equal(cube_static(totals, MEASURE_DEFINED, net), 3);
	assert_int_equal(totals->run_count, 1);
	assert_string_equal(totals->run[0].name, "p");
	assert_int_equal(totals->step_count, 3);
	assert_int_equal(totals->step[2].number, 3);
	cube_free(totals);
	cube_free(cube);
}

TEST(scope_with_an_unknown_part_is_unknown)
{
	struct profile *p = made_profile("p", NULL);
	struct cube *cube, *totals;

	put_cpu(p, "s/a", 1, 1);
	put_cpu(p, "s/b", 1, 2);
	put_cpu(p, "s/b", 2, 3);
	put(p, "s/a", 1, MEASURE_CPU, CELL_ABSENT);
	cube = cube_of(p);
	totals = totals_of(cube);
	assert_true(value_at(totals, MEASURE_CPU, "s", 0) == CELL_ABSENT);
	assert_int_equal(value_at(totals, MEASURE_CPU, "s", 1), 3 * US);
	cube_free(totals);
	cube_free(cube);
}

/* Empty parts of a name are parts: "a//b" is below "a/", which is below "a". */
TEST(odd_slashes)
{
	static const char *const names[] = {"/lead", "a", "a/", "a//b", "trail", "trail/"};
	struct profile *p = made_profile("p", NULL);
	struct cube *cube, *totals;

	put_cpu(p, "a//b", 1, 1);
	put_cpu(p, "/lead", 1, 2);
	put_cpu(p, "trail/", 1, 4);
	cube = cube_of(p);
	totals = totals_of(cube);
	assert_int_equal(totals->op_count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(totals->op[i].name, names[i]);
	assert_int_equal(value_at(totals, MEASURE_CPU, "a", 0), US);
	assert_int_equal(value_at(totals, MEASURE_CPU, "trail", 0), 4 * US);
	cube_free(totals);
	cube_free(cube);
}

TEST(sum_out_of_range_is_not_known)
{
	struct profile *p = made_profile("p", NULL);
	struct cube *cube, *totals;

	put(p, "s/a", 1, MEASURE_PEAK, INT64_MAX);
	put(p, "s/b", 1, MEASURE_PEAK, 1);
	cube = cube_of(p);
	totals = totals_of(cube);
	assert_int_equal(totals->issues.count, 1);
	assert_string_equal(totals->issues.issue[0].code, "total-overflow");
	assert_int_equal(totals->issues.issue[0].severity, ISSUE_LOSS);
	assert_true(value_at(totals, MEASURE_PEAK, "s", 0) == CELL_ABSENT);
	assert_true(value_at(totals, MEASURE_PEAK, "s/a", 0) == INT64_MAX);
	cube_free(totals);
	cube_free(cube);
}

TEST(endless_nesting_is_refused)
{
	struct profile *p = made_profile("p", NULL);
	struct error err = {0};
	struct text name;
	struct cube *cube;

	text_init(&name);
	for (int i = 0; i < 5000; i++)
		text_add(&name, "a/");
	put_cpu(p, text_string(&name), 1, 1);
	text_release(&name);
	cube = cube_of(p);
	assert_null(cube_totals(cube, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(
		err.message, "an op name has 5000 levels of scope, at most 4096 are followed");
	cube_free(cube);
}

TEST(ops_are_found_by_name)
{
	struct cube *cube = two_devices();

	assert_int_equal(cube_find_op(cube, "cpu"), 0);
	assert_int_equal(cube_find_op(cube, "gpu"), 1);
	assert_int_equal(cube_find_op(cube, ""), UINT32_MAX);
	assert_int_equal(cube_find_op(cube, "gp"), UINT32_MAX);
	assert_int_equal(cube_find_op(cube, "gpu2"), UINT32_MAX);
	cube_free(cube);
	cube = cube_new();
	assert_int_equal(cube_find_op(cube, "gpu"), UINT32_MAX);
	cube_free(cube);
}

TEST(nothing_can_be_freed)
{
	cube_free(NULL);
}
