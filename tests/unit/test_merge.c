/* Profiles to one cube: ids by name whatever the order of the files, attributes, absent
 * measures. */
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

/* Two runs with steps 1, 2 and ops that only one of them has. */
static struct profile *first(void)
{
	struct profile *p = made_profile("runs/one", NULL);

	made_op_as(p, "b", "Mul", "cpu:0");
	made_op_as(p, "a", "Add", "");
	put_cpu(p, "b", 2, 20);
	put_cpu(p, "b", 1, 10);
	put_cpu(p, "a", 1, 1);
	put(p, "a", 1, MEASURE_REQUESTED, 4096);
	return p;
}

static struct profile *second(void)
{
	struct profile *p = made_profile("runs/two", NULL);

	made_op_as(p, "c", "Sub", "cpu:0");
	made_op_as(p, "a", "AddV2", "cpu:1");
	put_cpu(p, "a", 1, 5);
	put_cpu(p, "c", 2, 7);
	put_cpu(p, "a", 2, 6);
	put(p, "c", 2, MEASURE_ACCELERATOR, 3 * US);
	return p;
}

static struct cube *merge_two(struct profile *x, struct profile *y)
{
	struct profile *both[] = {x, y};
	struct error err;
	struct cube *cube = made_cube(both, 2, RUNS_AUTO, &err);

	assert_non_null(cube);
	return cube;
}

static void check_cube(const struct cube *cube)
{
	static const char *const ops[] = {"a", "b", "c"};

	assert_int_equal(cube->op_count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(cube->op[i].name, ops[i]);
	assert_int_equal(cube->run_count, 2);
	assert_string_equal(cube->run[0].name, "one");
	assert_string_equal(cube->run[1].name, "two");
	assert_string_equal(cube->run[1].sources, "runs/two");
	assert_int_equal(cube->step_count, 4);
	for (size_t s = 0; s < 4; s++) {
		assert_int_equal(cube->step[s].number, 1 + s % 2);
		assert_string_equal(cube->step[s].run, s < 2 ? "one" : "two");
	}
	assert_int_equal(cube->run[1].step_first, 2);
	assert_int_equal(cube->run[1].step_count, 2);
	assert_int_equal(cube->row_count, 6);
	assert_int_equal(value_at(cube, MEASURE_CPU, "a", 0), 1 * US);
	assert_int_equal(value_at(cube, MEASURE_CPU, "a", 2), 5 * US);
	assert_int_equal(value_at(cube, MEASURE_CPU, "a", 3), 6 * US);
	assert_int_equal(value_at(cube, MEASURE_CPU, "b", 0), 10 * US);
	assert_int_equal(value_at(cube, MEASURE_CPU, "b", 1), 20 * US);
	assert_int_equal(value_at(cube, MEASURE_CPU, "c", 3), 7 * US);
	assert_false(is_present(cube, "a", 1));
}

TEST(ids_follow_the_names)
{
	struct cube *cube = merge_two(first(), second());

	check_cube(cube);
	cube_free(cube);
}

TEST(order_of_the_files_changes_nothing)
{
	struct cube *cube = merge_two(second(), first());

	check_cube(cube);
	cube_free(cube);
}

TEST(rows_of_an_op_are_in_order_of_steps)
{
	struct cube *cube = merge_two(second(), first());

	for (size_t o = 0; o < cube->op_count; o++)
		for (size_t r = cube->op_first[o] + 1; r < cube->op_first[o + 1]; r++)
			assert_true(cube->step_of[r - 1] < cube->step_of[r]);
	assert_int_equal(cube->op_first[3], 6);
	cube_free(cube);
}

TEST(measure_that_a_source_lacks_is_absent)
{
	struct cube *cube = merge_two(first(), second());

	assert_int_equal(value_at(cube, MEASURE_REQUESTED, "a", 0), 4096);
	assert_true(value_at(cube, MEASURE_REQUESTED, "a", 2) == CELL_ABSENT);
	assert_true(value_at(cube, MEASURE_REQUESTED, "b", 0) == CELL_ABSENT);
	assert_null(cube->column[MEASURE_PEAK]);
	cube_free(cube);
}

TEST(accelerator_ops_are_known)
{
	struct cube *cube = merge_two(first(), second());

	assert_false(cube->has_accelerator[0]);
	assert_false(cube->has_accelerator[1]);
	assert_true(cube->has_accelerator[2]);
	cube_free(cube);
}

TEST(attributes_come_from_the_first_that_has_them)
{
	struct cube *cube = merge_two(first(), second());

	assert_string_equal(cube->op[0].type, "Add");
	assert_string_equal(cube->op[0].device, "cpu:1");
	assert_int_equal(cube->issues.count, 1);
	assert_string_equal(cube->issues.issue[0].code, "type-differs");
	assert_string_equal(cube->issues.issue[0].place, "runs/two");
	assert_string_equal(cube->format_title, "test profile");
	cube_free(cube);
}

/* A shape that changes is no attribute of the op, whatever a third source says; none is no
 * contradiction. */
TEST(a_shape_that_differs_is_unknown)
{
	static const char *const shapes[3][3] = {
		{"[1]", "[4]", ""}, {"[2]", "", "[7][8]"}, {"[1]", "[4]", ""}};
	struct profile *p[3];
	struct error err;

	for (int64_t i = 0; i < 3; i++) {
		p[i] = made_profile("p", NULL);
		put_cpu(p[i], "a", i, 1);
		put_cpu(p[i], "b", i, 1);
		put_cpu(p[i], "c", i, 1);
		for (size_t o = 0; o < 3; o++)
			p[i]->op[o].shape = shapes[i][o];
	}
	struct cube *cube = made_cube(p, 3, RUNS_AUTO, &err);

	assert_non_null(cube);
	assert_string_equal(cube->op[0].shape, "");
	assert_string_equal(cube->op[1].shape, "[4]");
	assert_string_equal(cube->op[2].shape, "[7][8]");
	cube_free(cube);
}

TEST(issues_of_the_sources_are_kept)
{
	struct profile *x = first(), *y = second();
	struct cube *cube;

	issue_add(&x->issues, ISSUE_LOSS, "lost", "things lost", 2, "runs/one: op a");
	issue_add(&y->issues, ISSUE_LOSS, "lost", "things lost", 3, "runs/two: op c");
	cube = merge_two(x, y);
	assert_string_equal(cube->issues.issue[0].code, "lost");
	assert_int_equal(cube->issues.issue[0].count, 5);
	assert_string_equal(cube->issues.issue[0].place, "runs/one: op a");
	cube_free(cube);
}

/* The steps that a smaller dump repeats bring no second rows. */
TEST(repeated_steps_bring_no_rows)
{
	struct profile *small = made_profile("p_2", NULL), *large = made_profile("p_3", NULL);
	const int us[] = {5, 6, 7};
	struct cube *cube;

	put_series(small, "op", 1, us, 2);
	put_series(large, "op", 1, us, 3);
	cube = merge_two(small, large);
	assert_int_equal(cube->run_count, 1);
	assert_int_equal(cube->step_count, 3);
	assert_int_equal(cube->row_count, 3);
	assert_int_equal(value_at(cube, MEASURE_CPU, "op", 2), 7 * US);
	cube_free(cube);
}

TEST(op_that_never_ran_has_no_rows)
{
	struct profile *p = first();
	struct cube *cube;

	made_op_as(p, "aa", "VariableV2", "")->params = 12;
	cube = cube_of(p);
	assert_string_equal(cube->op[1].name, "aa");
	assert_int_equal(cube->op_first[1], cube->op_first[2]);
	assert_int_equal(cube_static(cube, MEASURE_PARAMS, 1), 12);
	cube_free(cube);
}

/* A single file in the order of the cube takes a shorter way: with the same result. */
TEST(one_ordered_file)
{
	struct profile *p = made_profile("p", NULL);
	const int us[] = {1, 2, 3};
	struct cube *cube;

	put_series(p, "a", 1, us, 3);
	put_cpu(p, "b", 2, 9);
	put_cpu(p, "b", 3, 8);
	cube = cube_of(p);
	assert_int_equal(cube->row_count, 5);
	assert_int_equal(value_at(cube, MEASURE_CPU, "a", 2), 3 * US);
	assert_int_equal(value_at(cube, MEASURE_CPU, "b", 1), 9 * US);
	assert_false(is_present(cube, "b", 0));
	cube_free(cube);
}
