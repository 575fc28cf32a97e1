/* What each row is worth in each run. */
#include "tests/ref/values.h"

#include "analysis/run_values.h"
#include "tests/unit/cube_build.h"

enum { STEPS = 10 };

static const int correlated[STEPS] = {104, 106, 103, 99, 95, 101, 96, 103, 98, 95};
static const int alternating[STEPS] = {110, 90, 108, 93, 105, 97, 107, 92, 100, 98};
static const int constant[STEPS] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7};

static struct profile *made_run(const char *name, const int *us)
{
	struct profile *p = made_profile(name, NULL);

	put_series(p, "work", 1, us, STEPS);
	return p;
}

/* Run values of the op `work` of a side. */
static void check_runs(struct profile **profiles, size_t count,
	void (*check)(const struct run_row *row, const struct run_row *total))
{
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	const struct step_options steps_opt = {.warmup = WARMUP_MODE_NONE};
	const struct group_options group_opt = {0};
	struct arena *arena = arena_new();
	struct rules *rules = rules_new();
	struct error err;
	struct cube *cube = made_cube(profiles, count, RUNS_FILES, &err);
	struct step_set steps;
	struct grouping grouping;
	struct run_side side = {cube, cube, &steps, &grouping};
	struct run_table table;

	assert_non_null(cube);
	assert_int_equal(steps_select(cube, &steps_opt, arena, &steps, &err), 0);
	assert_int_equal(grouping_make(cube, rules, &group_opt, arena, &grouping, &err), 0);
	run_table_make(&side, MEASURE_CPU, &opt, arena, &table);
	assert_int_equal(table.count, 1);
	check(&table.row[0], &table.total);
	cube_free(cube);
	rules_free(rules);
	arena_free(arena);
}

/* (sd/mean)^2 / n_eff by hand, in fractions; the first run is worth 4.6 values, the second 10. */
static void check_three(const struct run_row *row, const struct run_row *total)
{
	assert_int_equal(row->runs, 3);
	ref_near("correlated", row->run[0].step_variance, 6887.0 / 20250000, 1e-13);
	ref_near("alternating", row->run[1].step_variance, 29.0 / 56250, 1e-13);
	assert_true(row->run[2].step_variance == 0);
	ref_near("total", total->run[0].step_variance, 6887.0 / 20250000, 1e-13);
	for (size_t r = 0; r < 3; r++)
		assert_true(isnan(row->run[r].interval_variance) && isnan(row->run[r].interval_df));
}

static void step_variance_of_each_run(void **state)
{
	struct profile *runs[] = {
		made_run("a", correlated), made_run("b", alternating), made_run("c", constant)};

	(void)state;
	check_runs(runs, 3, check_three);
}

/* The variance of the logarithms, which differs from the other in the second order only. */
static void check_one(const struct run_row *row, const struct run_row *total)
{
	(void)total;
	assert_int_equal(row->runs, 1);
	ref_near("logarithms", row->run[0].step_variance, 0.00051740973433523780598, 1e-12);
	assert_true(row->run[0].interval_variance >= row->run[0].step_variance);
}

static void one_run_has_logarithms(void **state)
{
	struct profile *runs[] = {made_run("a", alternating)};

	(void)state;
	check_runs(runs, 1, check_one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_variance_of_each_run),
		cmocka_unit_test(one_run_has_logarithms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
