/* What each row is worth in each run. */
#include "tests/ref/values.h"

#include "analysis/run_values.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

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

TEST(step_variance_of_each_run)
{
	struct profile *runs[] = {
		made_run("a", correlated), made_run("b", alternating), made_run("c", constant)};

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

TEST(one_run_has_logarithms)
{
	struct profile *runs[] = {made_run("a", alternating)};

	check_runs(runs, 1, check_one);
}

/* Two runs of 400 steps in which the op ran in steps 0, 1, 2, 9 and 399: what a plain sum over all
 * steps says, (sd/mean)^2 / n_eff with n_eff = n (1 - r) / (1 + r), r = r1 + (1 + 4 r1) / n. */
TEST(few_steps_in_which_it_ran)
{
	enum { N = 400 };
	static const size_t at[] = {0, 1, 2, 9, 399};
	static double x[2 * N];
	static unsigned char ran[2 * N];
	static uint32_t step[2 * N];
	size_t first[] = {0, N, 2 * N};
	const struct step_set steps = {
		.step = step, .count = 2 * N, .first = first, .run_count = 2};
	const struct run_value_options opt = {.kind = RUN_VALUE_MEAN};
	struct arena *arena = arena_new();
	double sum = 0, squares = 0, products = 0, r;
	struct run_row row;

	for (size_t i = 0; i < 2 * N; i++)
		step[i] = (uint32_t)i + 1000;
	for (size_t k = 0; k < 5; k++) {
		x[N + at[k]] = 10 + (double)k;
		ran[N + at[k]] = RUN_STEP_PRESENT;
	}
	for (size_t i = N; i < 2 * N; i++)
		sum += x[i];
	for (size_t i = N; i < 2 * N; i++) {
		squares += (x[i] - sum / N) * (x[i] - sum / N);
		if (i > N)
			products += (x[i] - sum / N) * (x[i - 1] - sum / N);
	}
	r = products / squares + (1 + 4 * products / squares) / N;
	run_row_of_series(&steps, &opt, x, ran, arena, &row);
	assert_int_equal(row.run[1].steps, N);
	assert_int_equal(row.run[1].ran, 5);
	ref_near("mean", row.run[1].mean, sum / N, 1e-13);
	ref_near("variance", row.run[1].variance, squares / (N - 1), 1e-13);
	ref_near("step_variance", row.run[1].step_variance,
		squares / (N - 1) / (sum / N) / (sum / N) / (N * (1 - r) / (1 + r)), 1e-12);
	assert_true(row.run[1].least == 0 && row.run[1].most == 14);
	assert_int_equal(row.run[1].least_step, 1000 + N + 3);
	assert_int_equal(row.run[1].most_step, 1000 + N + 399);
	assert_true(row.run[0].mean == 0 && row.run[0].most == 0 && row.run[0].ran == 0);
	assert_int_equal(row.run[0].least_step, 1000);
	assert_false(row.constant);
	arena_free(arena);
}
