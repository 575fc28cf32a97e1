/* What is odd about the steps of each run, on series whose trend, levels and means can be told by
 * hand. */
#include <math.h>
#include "analysis/run_stability.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

enum { MOST = 40 };

/* One side: all steps, or the wanted ones, and rows by name. */
struct made {
	struct arena *arena;
	struct rules *rules;
	struct cube *cube;
	struct step_set steps;
	struct grouping grouping;
	struct run_side side;
	struct steadiness found;
};

static struct made *made_of(struct cube *cube, struct step_range *range)
{
	struct arena *arena = arena_new();
	struct made *made = arena_alloc(arena, sizeof(*made));
	const struct step_options opt = {
		.warmup = WARMUP_MODE_NONE, .range = range, .range_count = range != NULL};
	const struct group_options by_name = {.by = BY_NAME};
	struct error err;

	made->arena = arena;
	made->cube = cube;
	made->rules = rules_new();
	assert_int_equal(steps_select(cube, &opt, arena, &made->steps, &err), 0);
	assert_int_equal(
		grouping_make(cube, made->rules, &by_name, arena, &made->grouping, &err), 0);
	made->side = (struct run_side){cube, cube, &made->steps, &made->grouping};
	steadiness_find(&made->side, false, arena, &made->found);
	return made;
}

static void made_free(struct made *made)
{
	rules_free(made->rules);
	cube_free(made->cube);
	arena_free(made->arena);
}

/* One run a series; of `count` steps each, numbered from 1. */
static struct made *runs_of(const int us[][MOST], size_t runs, size_t count)
{
	static const char *const names[] = {"r1", "r2", "r3"};
	struct profile *p[3];
	struct error err;

	for (size_t r = 0; r < runs; r++) {
		p[r] = made_profile(names[r], NULL);
		put_series(p[r], "work", 1, us[r], count);
	}
	return made_of(made_cube(p, runs, RUNS_FILES, &err), NULL);
}

static void near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
		fail_msg("%.17g is not %.17g", value, expected);
}

static long long number_of(const struct made *made, uint32_t step)
{
	return (long long)made->cube->step[step].number;
}

/* 100 to 111: 11 from end to end, mean 105.5. Its halves are 6 apart, and that is no news. */
TEST(line_is_a_drift)
{
	const int us[2][MOST] = {{100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111},
		{100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100}};
	struct made *made = runs_of(us, 2, 12);
	const struct steadiness_run *run = made->found.run;

	assert_int_equal(made->found.runs, 2);
	assert_string_equal(run[1].run, made->cube->run[1].name);
	assert_int_equal(run[0].steps, 12);
	near(run[0].drift.slope_total, 11 / 105.5);
	assert_true(run[0].drifts && !run[0].shifts && !run[0].two_modes);
	assert_false(run[1].drifts || run[1].shifts || run[1].two_modes);
	assert_int_equal(made->found.drifting, 1);
	assert_int_equal(made->found.shifting + made->found.two_modes, 0);
	near(run[0].mean, 105.5 * US);
	assert_true(isnan(run[0].mean_without));
	made_free(made);
}

/* Half at 100, half at 112: two levels too, but the shift says where they are. */
TEST(jump_is_a_shift)
{
	struct profile *p = made_profile("p", NULL);
	struct made *made;

	for (int i = 0; i < 20; i++)
		put_cpu(p, "work", 47 + i, i < 10 ? 100 : 112);
	made = made_of(cube_of(p), NULL);
	assert_int_equal(made->found.runs, 1);
	assert_true(made->found.run[0].shifts && made->found.run[0].modes.two);
	assert_false(made->found.run[0].drifts || made->found.run[0].two_modes);
	near(made->found.run[0].drift.shift, 0.12);
	assert_int_equal(number_of(made, made->found.run[0].shift_step), 57);
	assert_int_equal(made->found.run[0].shift_after, 10);
	assert_int_equal(made->found.shifting, 1);
	assert_int_equal(made->found.drifting + made->found.two_modes, 0);
	made_free(made);
}

/* 2 of the C(10, 5) orders are such a shift: p = 2/252 = 0.0079, which is less than 0.01 and not
 * less than 0.01/2. */
TEST(more_runs_need_a_smaller_p)
{
	const int us[2][MOST] = {{100, 100, 100, 100, 100, 115, 115, 115, 115, 115},
		{100, 100, 100, 100, 100, 100, 100, 100, 100, 100}};
	struct made *one = runs_of(us, 1, 10), *two = runs_of(us, 2, 10);

	assert_int_equal(one->found.shifting, 1);
	assert_int_equal(two->found.shifting, 0);
	near(two->found.run[0].drift.shift_p, 2 / 252.0);
	made_free(one);
	made_free(two);
}

/* As clear as can be, and of 1 % only. `grid` makes the times fine enough for two levels. */
TEST(small_changes_are_not_told)
{
	struct profile *p = made_profile("p", NULL), *q = made_profile("q", NULL);
	struct profile *both[] = {p, q};
	struct made *made;
	struct error err;

	for (int i = 0; i < 20; i++) {
		put_cpu(p, "work", i, i < 10 ? 10000 : 10100);
		put_cpu(q, "work", i, i % 2 ? 10000 : 10100);
		put_cpu(p, "grid", i, 1);
		put_cpu(q, "grid", i, 1);
	}
	made = made_of(made_cube(both, 2, RUNS_FILES, &err), NULL);
	near(made->found.run[0].drift.shift, 10101 / 10001.0 - 1);
	assert_true(made->found.run[0].drift.shift_p < 0.001);
	assert_true(made->found.run[1].modes.two);
	assert_int_equal(made->found.shifting + made->found.drifting + made->found.two_modes, 0);
	made_free(made);
}

/* 10 steps of 10 ms and 10 that are 1.9 or 2.1 % longer. */
TEST(two_percent_are_a_shift)
{
	for (int by = 190; by <= 210; by += 20) {
		struct profile *p = made_profile("p", NULL);
		struct made *made;

		for (int i = 0; i < 20; i++) {
			put_cpu(p, "work", i, 10000 + (i < 10 ? 0 : by));
			put_cpu(p, "grid", i, 1);
		}
		made = made_of(cube_of(p), NULL);
		near(made->found.run[0].drift.shift, by / 10001.0);
		assert_int_equal(made->found.shifting, by == 210);
		made_free(made);
	}
}

/* 0.01 up to 30 steps and 0.001 from 50 on; 40 are log(4/3) / log(5/3) = 0.56317 of the way between
 * the logarithms, 0.0027341. */
TEST(more_steps_need_a_smaller_p)
{
	static const struct {
		size_t n;
		double p;
	} level[] = {{12, 0.01}, {30, 0.01}, {40, 0.0027341}, {50, 0.001}, {1000, 0.001}};

	for (size_t i = 0; i < sizeof(level) / sizeof(*level); i++) {
		const struct drift below = {
			.n = level[i].n, .slope_total = 0.03, .trend_p = 0.999 * level[i].p};
		const struct drift above = {
			.n = level[i].n, .slope_total = 0.03, .trend_p = 1.001 * level[i].p};
		const struct drift shift = {.n = level[i].n,
			.shift_at = 5,
			.shift = 0.03,
			.shift_p = 0.999 * level[i].p / 3,
			.trend_p = 1};

		assert_int_equal(drift_trend(&below, 1), TREND_DRIFT);
		assert_int_equal(drift_trend(&above, 1), TREND_NONE);
		assert_int_equal(drift_trend(&shift, 3), TREND_SHIFT);
		assert_int_equal(drift_trend(&shift, 4), TREND_NONE);
	}
}

/* Every fifth step takes 41 instead of 25, or 27, which is less than three steps of the grid. */
TEST(to_and_fro_is_two_levels)
{
	int us[2][MOST];
	struct made *made;

	for (int i = 0; i < 40; i++) {
		us[0][i] = i % 5 == 4 ? 41 : 25;
		us[1][i] = i % 5 == 4 ? 27 : 25;
	}
	made = runs_of(us, 2, 40);
	assert_true(made->found.run[0].two_modes);
	assert_false(made->found.run[0].shifts || made->found.run[0].drifts);
	near(made->found.run[0].modes.low, 25.0 * US);
	near(made->found.run[0].modes.high, 41.0 * US);
	near(made->found.run[0].modes.share_high, 0.2);
	assert_false(made->found.run[1].two_modes);
	assert_int_equal(made->found.two_modes, 1);
	assert_int_equal(made->found.drifting + made->found.shifting, 0);
	/* Half of the steps and more are 25: the MAD is 0, and nothing is far from it. */
	assert_int_equal(made->found.with_outliers, 0);
	made_free(made);
}

/* Median 100, MAD 1: more than 14.83 away. The sum of the twelve is 2104, without steps 4 and 9
 * 1001 in ten. 86 in step 12 is near enough. */
TEST(outliers_are_named)
{
	const int us[2][MOST] = {{100, 101, 99, 900, 100, 101, 99, 100, 203, 99, 101, 101},
		{500, 101, 99, 600, 100, 101, 99, 700, 800, 99, 101, 86}};
	struct made *made = runs_of(us, 2, 12);
	const struct steadiness_run *run = made->found.run;

	assert_int_equal(run[0].outliers, 2);
	assert_int_equal(number_of(made, run[0].outlier[0]), 4);
	assert_int_equal(number_of(made, run[0].outlier[1]), 9);
	near(run[0].mean, 2104.0 * US / 12);
	near(run[0].mean_without, 100.1 * US);
	assert_int_equal(run[1].outliers, 4);
	assert_int_equal(number_of(made, run[1].outlier[0]), 1);
	assert_int_equal(number_of(made, run[1].outlier[1]), 4);
	assert_int_equal(number_of(made, run[1].outlier[2]), 8);
	assert_true(run[1].outlier[0] >= 12);
	near(run[1].mean_without, 786.0 * US / 8);
	assert_int_equal(made->found.with_outliers, 2);
	made_free(made);
}

/* `late` runs in half of the steps: the totals jump, but what is always there does not. */
TEST(what_comes_and_goes_is_no_shift)
{
	struct profile *p = made_profile("p", NULL);
	struct made *made;

	for (int i = 0; i < 20; i++) {
		put_cpu(p, "work", i, 100 + i % 2);
		if (i >= 10)
			put_cpu(p, "late", i, 50);
	}
	made = made_of(cube_of(p), NULL);
	assert_int_equal(made->found.shifting + made->found.drifting + made->found.two_modes, 0);
	near(made->found.run[0].modes.high, 101.0 * US);
	near(made->found.run[0].mean, 125.5 * US);
	made_free(made);
}

/* Only the second run has steps from 9 on, and of them `late` is in all. */
TEST(kept_steps_only)
{
	struct step_range range = {.from = 9, .to = 100};
	struct profile *p = made_profile("p", NULL), *q = made_profile("q", NULL);
	struct profile *both[] = {p, q};
	struct made *made;
	struct error err;

	for (int i = 1; i <= 20; i++) {
		if (i <= 8)
			put_cpu(p, "work", i, 500);
		put_cpu(q, "work", i, i == 14 ? 130 : 100 + i % 2);
		if (i >= 5)
			put_cpu(q, "late", i, i < 9 ? 1000 : 10);
	}
	made = made_of(made_cube(both, 2, RUNS_FILES, &err), &range);
	assert_int_equal(made->found.runs, 1);
	assert_string_equal(made->found.run[0].run, made->cube->run[1].name);
	assert_int_equal(made->found.run[0].steps, 12);
	/* 9 11 13 15 17 19: 111; 10 12 16 18 20: 110; 14: 140 */
	near(made->found.run[0].mean, (6 * 111 + 5 * 110 + 140) * (double)US / 12);
	assert_int_equal(made->found.run[0].outliers, 1);
	assert_int_equal(number_of(made, made->found.run[0].outlier[0]), 14);
	made_free(made);
}

/* The marker decides, but the other side has none: the means are of the ops all the same. */
TEST(means_are_of_ops_unless_asked)
{
	static const int us[MOST] = {10, 20, 30, 40, 50, 60};
	struct profile *p = made_profile("r", NULL);
	struct steadiness by_step_time;
	struct made *made;
	int64_t *marker;

	put_series(p, "work", 1, us, 6);
	marker = step_series_add(&p->series, p->arena, SERIES_MARKER, "", p->step_count);
	for (int s = 0; s < 6; s++)
		marker[s] = 100 * (int64_t)US;
	made = made_of(cube_of(p), NULL);
	assert_true(made->cube->times.decides);
	assert_false(made->found.run[0].drifts);
	near(made->found.run[0].mean, 35 * US);
	steadiness_find(&made->side, true, made->arena, &by_step_time);
	near(by_step_time.run[0].mean, 100 * US);
	made_free(made);
}

TEST(without_times)
{
	struct profile *p = made_profile("p", NULL);
	struct made *made;

	for (int i = 0; i < 20; i++)
		put(p, "work", i, MEASURE_REQUESTED, i < 10 ? 100 : 200);
	made = made_of(cube_of(p), NULL);
	assert_int_equal(made->found.shifting + made->found.drifting + made->found.two_modes, 0);
	assert_true(isnan(made->found.run[0].mean));
	made_free(made);
}

/* Means of runs, and what is left without their outliers. */
static struct steadiness side_of(struct steadiness_run *run, const double (*mean)[2], size_t runs)
{
	for (size_t r = 0; r < runs; r++)
		run[r] = (struct steadiness_run){.mean = mean[r][0],
			.mean_without = mean[r][1],
			.outliers = !isnan(mean[r][1])};
	return (struct steadiness){.run = run, .runs = runs};
}

/* Logarithms of -0.02 and 0.02: outliers dominate where less than half of that is left without
 * them. */
TEST(outliers_that_make_the_spread_dominate)
{
	const double far = 0.02;
	const double by_half[2][2] = {{exp(-far), exp(-far * 0.51)}, {exp(far), exp(far * 0.51)}};
	const double by_more[2][2] = {{exp(-far), exp(-far * 0.49)}, {exp(far), exp(far * 0.49)}};
	const double equal[2][2] = {{1, NAN}, {1, NAN}}, plain[2][2] = {{1, NAN}, {1.1, NAN}};
	struct steadiness_run a[2], b[2];
	struct steadiness base, new_side;

	base = side_of(a, by_half, 2);
	new_side = side_of(b, by_half, 2);
	assert_false(steadiness_outliers_dominate(&base, &new_side));
	base = side_of(a, by_more, 2);
	new_side = side_of(b, by_more, 2);
	assert_true(steadiness_outliers_dominate(&base, &new_side));
	/* No spread at all, or none that outliers make. */
	base = side_of(a, equal, 2);
	new_side = side_of(b, equal, 2);
	assert_false(steadiness_outliers_dominate(&base, &new_side));
	new_side = side_of(b, plain, 2);
	assert_false(steadiness_outliers_dominate(&base, &new_side));
}

/* Runs at -far and far; base alone differs. */
TEST(medians_are_steadier_with_less_than_half_the_spread)
{
	static const double far[][2] = {
		{0.02, 0.0101}, {0.02, 0.0099}, {0, 0}, {0.02, NAN}, {0.02, 0}};
	static const bool steadier[] = {false, true, false, false, false};
	struct run_value level[2] = {{.scaled = 3}, {.scaled = 3}};
	const struct run_row new_side = {.run = level, .runs = 2};

	for (size_t i = 0; i < 5; i++) {
		struct run_value mean[2] = {{.scaled = 1 - far[i][0]}, {.scaled = 1 + far[i][0]}};
		struct run_value median[2] = {{.scaled = 1 - far[i][1]}, {.scaled = 1 + far[i][1]}};
		const struct run_row means = {.run = mean, .runs = 2};
		/* The last has equal medians, of times that are as coarse as 0.0101. */
		const struct run_row medians = {
			.run = median, .runs = 2, .rounding = i == 4 ? 0.0101 * 0.0101 : 0};

		assert_true(steadier[i] ==
			    run_rows_steadier((const struct run_row *const[]){&means, &new_side},
				    (const struct run_row *const[]){&medians, &new_side}));
	}
}
