/* Which steps are looked at: kind, warm-up, numbers and positions, in this order; what is left
 * out. */
#include <math.h>
#include "analysis/compare/run_order.h"
#include "analysis/steps.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

/* Steps 11..20: two slow ones, then 100 us; step 15 is an evaluation. */
static struct cube *one_run(void)
{
	struct profile *p = made_profile("p", NULL);
	const int work[] = {900, 500, 100, 101, -1, 99, 100, 102, 98, 100};

	put_series(p, "work", 11, work, 10);
	put_cpu(p, "eval", 15, 700);
	return cube_of(p);
}

static struct cube *two_runs(void)
{
	struct profile *p = made_profile("p", NULL), *q = made_profile("q", NULL);
	struct profile *both[] = {p, q};
	const int a[] = {900, 500, 100, 101, 99, 100, 102, 98}, b[] = {100, 101, 99, 100, 102, 98};
	struct error err;

	put_series(p, "work", 1, a, 8);
	put_series(q, "work", 5, b, 6);
	return made_cube(both, 2, RUNS_FILES, &err);
}

/* The kept step numbers are `expected`, which ends with 0. */
static void check_steps(struct cube *cube, const struct step_options *opt, const int *expected,
	struct step_set *set)
{
	struct arena *arena = arena_new();
	struct step_set mine;
	struct error err;
	size_t n = 0;

	assert_int_equal(steps_select(cube, opt, arena, &mine, &err), 0);
	for (; expected[n]; n++)
		assert_int_equal(cube->step[mine.step[n]].number, expected[n]);
	assert_int_equal(mine.count, n);
	for (size_t c = 0, kept = 0; c < cube->step_count; c++) {
		uint32_t at = mine.fate[c] == STEP_KEPT ? (uint32_t)kept++ : STEP_NOT_KEPT;

		assert_int_equal(mine.index_of[c], at);
	}
	if (set) {
		*set = mine;
		set->step = NULL;
	}
	arena_free(arena);
}

TEST(all_steps_by_default)
{
	const struct step_options opt = {.warmup = WARMUP_MODE_NONE};
	const int expected[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 0};
	struct cube *cube = one_run();

	check_steps(cube, &opt, expected, NULL);
	cube_free(cube);
}

TEST(one_kind)
{
	const struct step_options first = {.kind = 1}, second = {.kind = 2};
	const int train[] = {11, 12, 13, 14, 16, 17, 18, 19, 20, 0}, eval[] = {15, 0};
	struct cube *cube = one_run();
	struct step_set set;

	check_steps(cube, &first, train, &set);
	assert_int_equal(set.dropped_kind, 1);
	check_steps(cube, &second, eval, &set);
	assert_int_equal(set.dropped_kind, 9);
	cube_free(cube);
}

TEST(unknown_kind_is_an_error)
{
	const struct step_options opt = {.kind = 3};
	struct arena *arena = arena_new();
	struct cube *cube = one_run();
	struct step_set set;
	struct error err = {0};

	assert_int_equal(steps_select(cube, &opt, arena, &set, &err), -1);
	assert_string_equal(err.place, "--kind");
	assert_string_equal(err.message, "there is no kind 3");
	assert_string_equal(err.hint, "the input has 2 kinds of step");
	arena_free(arena);
	cube_free(cube);
}

TEST(first_steps_by_number)
{
	const struct step_options opt = {.warmup = WARMUP_MODE_COUNT, .warmup_count = 3};
	const int expected[] = {14, 15, 16, 17, 18, 19, 20, 0};
	struct cube *cube = one_run();
	struct step_set set;

	check_steps(cube, &opt, expected, &set);
	assert_int_equal(set.dropped_warmup, 3);
	cube_free(cube);
}

TEST(warmup_is_found)
{
	const struct step_options opt = {.warmup = WARMUP_MODE_AUTO, .kind = 1};
	const int expected[] = {13, 14, 16, 17, 18, 19, 20, 0};
	struct cube *cube = one_run();
	struct step_set set;

	check_steps(cube, &opt, expected, &set);
	assert_int_equal(set.dropped_warmup, 2);
	assert_int_equal(set.dropped_kind, 1);
	cube_free(cube);
}

/* Warm-up is looked for in what all steps have: an op of the first steps only is no warm-up. */
TEST(what_comes_and_goes_is_no_warmup)
{
	const struct step_options opt = {.warmup = WARMUP_MODE_AUTO};
	const int work[] = {100, 101, 99, 100, 102, 98, 100, 100}, early[] = {90, 90};
	const int expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 0};
	struct profile *p = made_profile("p", NULL);
	struct cube *cube;

	put_series(p, "work", 1, work, 8);
	put_series(p, "early", 1, early, 2);
	cube = cube_of(p);
	check_steps(cube, &opt, expected, NULL);
	cube_free(cube);
}

/* Runs of 8 steps: slow in the first two, and in none. */
TEST(runs_that_are_alike_leave_out_what_one_needs)
{
	const struct step_options opt = {.warmup = WARMUP_MODE_AUTO, .alike = true};
	const int expected[] = {3, 4, 5, 6, 7, 8, 7, 8, 9, 10, 0};
	struct cube *cube = two_runs();
	struct step_set set;

	check_steps(cube, &opt, expected, &set);
	assert_int_equal(set.warmup_most, 2);
	assert_int_equal(set.dropped_warmup, 4);
	cube_free(cube);
}

/* What base needs is left out, but the last step of a run stays; what new needs beyond it stays. */
TEST(base_decides_how_many_are_left_out)
{
	const struct {
		size_t most;
		int expected[17];
		size_t skipped[2];
		int above_ps; /* two steps at 2.9 times the median, or none */
	} cases[] = {
		{0, {1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 9, 10, 0}, {0, 0}, 1},
		{3, {4, 5, 6, 7, 8, 8, 9, 10, 0}, {3, 3}, 0},
		{6, {7, 8, 10, 0}, {6, 5}, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct step_set base = {.warmup_most = cases[i].most};
		const struct step_options opt = {
			.warmup = WARMUP_MODE_AUTO, .alike = true, .base = &base};
		struct cube *cube = two_runs();
		struct arena *arena = arena_new();
		struct step_set set;
		struct error err;

		check_steps(cube, &opt, cases[i].expected, NULL);
		assert_int_equal(steps_select(cube, &opt, arena, &set, &err), 0);
		assert_true(set.is_alike);
		for (size_t r = 0; r < 2; r++)
			assert_int_equal(set.skipped[r], cases[i].skipped[r]);
		assert_int_equal(steps_warmup_needed(&set, 0), 2);
		assert_int_equal(steps_warmup_needed(&set, 1), 0);
		assert_int_equal(set.warmup_kept[0].above_ps > 0, cases[i].above_ps);
		assert_int_equal(set.warmup_kept[0].steps, i == 0 ? 2 : 0);
		assert_int_equal(set.warmup_kept[1].steps, 0);
		assert_true(set.warmup_kept[1].above_ps == 0);
		arena_free(arena);
		cube_free(cube);
	}
}

TEST(each_run_has_its_own_warmup)
{
	const struct step_options opt = {.warmup = WARMUP_MODE_AUTO};
	const int expected[] = {3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 9, 10, 0};
	struct cube *cube = two_runs();
	struct arena *arena = arena_new();
	struct step_set set;
	struct error err;

	check_steps(cube, &opt, expected, NULL);
	assert_int_equal(steps_select(cube, &opt, arena, &set, &err), 0);
	assert_int_equal(set.run_count, 2);
	assert_int_equal(set.first[1], 6);
	assert_int_equal(set.first[2], 12);
	assert_int_equal(set.warmup[0].drop, 2);
	assert_int_equal(set.warmup[1].drop, 0);
	arena_free(arena);
	cube_free(cube);
}

TEST(evidence_of_warmup_without_its_choice)
{
	const struct step_options opt = {.kind = 1};
	struct cube *cube = one_run();
	struct arena *arena = arena_new();
	struct step_set set;
	struct error err;

	assert_int_equal(steps_select(cube, &opt, arena, &set, &err), 0);
	assert_int_equal(set.count, 9);
	assert_int_equal(set.warmup[0].drop, 2);
	assert_int_equal(set.dropped_warmup, 0);
	arena_free(arena);
	cube_free(cube);
}

TEST(numbers_with_both_ends)
{
	struct step_range range[] = {{.from = 13, .to = 15}, {.from = 19, .to = INT64_MAX}};
	const struct step_options opt = {.range = range, .range_count = 2};
	const int expected[] = {13, 14, 15, 19, 20, 0};
	struct cube *cube = one_run();
	struct step_set set;

	check_steps(cube, &opt, expected, &set);
	assert_int_equal(set.dropped_choice, 5);
	cube_free(cube);
}

/* Positions count the steps of the run from 1, whatever their numbers and kinds. */
TEST(positions_count_all_steps_of_a_run)
{
	struct step_range range[] = {{.from = 4, .to = 6, .by_position = true}};
	const struct step_options opt = {.range = range, .range_count = 1};
	const struct step_options kind = {.kind = 1, .range = range, .range_count = 1};
	const int expected[] = {14, 15, 16, 0}, of_kind[] = {14, 16, 0},
		  both[] = {4, 5, 6, 8, 9, 10, 0};
	struct cube *cube = one_run();

	check_steps(cube, &opt, expected, NULL);
	check_steps(cube, &kind, of_kind, NULL);
	cube_free(cube);
	cube = two_runs();
	check_steps(cube, &opt, both, NULL);
	cube_free(cube);
}

/* Numbers that come again count by their kind, in their run. */
TEST(steps_of_a_number_have_places)
{
	static const char *const kind[] = {"train", "eval", "train", NULL, "train", "eval"};
	static const int64_t number[] = {3, 3, 3, 3, 4, 3};
	static const uint32_t expected[] = {1, 1, 2, 1, 1, 2};
	struct step_range range = {.from = 3, .to = 4, .occurrence = 2, .kind = "train"};
	const struct step_options opt = {.range = &range, .range_count = 1};
	struct profile *both[] = {made_profile("p", NULL), made_profile("q", NULL)};
	struct cube *cube;
	struct error err;
	uint32_t index;

	for (size_t f = 0; f < 2; f++)
		for (size_t i = 0; i < 6; i++) {
			const struct step step = {.number = number[i],
				.kind = kind[i],
				.fingerprint = 10 * f + i,
				.has_wall = true,
				.start_ps = (int64_t)i};

			assert_int_equal(profile_add_step(both[f], &step, &index,
						 &profile_limits_default, &err),
				0);
		}
	cube = made_cube(both, 2, RUNS_FILES, &err);
	assert_int_equal(cube->step_count, 12);
	for (size_t i = 0; i < 12; i++) {
		assert_int_equal(step_occurrence(cube, i), expected[i % 6]);
		assert_int_equal(step_options_choose(&opt, cube, i, 1), i % 6 == 2);
	}
	range.kind = NULL;
	range.occurrence = 1;
	for (size_t i = 0; i < 12; i++)
		assert_int_equal(step_options_choose(&opt, cube, i, 1), i % 6 == 3);
	cube_free(cube);
}

/* The choice comes last: warm-up is counted from the beginning of the run. */
TEST(choice_comes_after_warmup)
{
	struct step_range range[] = {{.from = 12, .to = 14}};
	const struct step_options opt = {
		.warmup = WARMUP_MODE_COUNT, .warmup_count = 2, .range = range, .range_count = 1};
	const int expected[] = {13, 14, 0};
	struct cube *cube = one_run();

	check_steps(cube, &opt, expected, NULL);
	cube_free(cube);
}

TEST(run_without_steps_is_gone)
{
	struct step_range range[] = {{.from = 9, .to = 12}};
	const struct step_options opt = {.range = range, .range_count = 1};
	struct cube *cube = two_runs();
	struct arena *arena = arena_new();
	struct step_set set;
	struct error err;

	assert_int_equal(steps_select(cube, &opt, arena, &set, &err), 0);
	assert_int_equal(set.run_count, 1);
	assert_int_equal(set.run[0], 1);
	assert_int_equal(set.count, 2);
	assert_int_equal(set.first[0], 0);
	assert_int_equal(set.first[1], 2);
	arena_free(arena);
	cube_free(cube);
}

TEST(nothing_left_is_an_error)
{
	struct step_range range[] = {{.from = 100, .to = 200}};
	const struct step_options opt = {.kind = 1,
		.warmup = WARMUP_MODE_COUNT,
		.warmup_count = 4,
		.range = range,
		.range_count = 1};
	struct cube *cube = one_run();
	struct arena *arena = arena_new();
	struct step_set set;
	struct error err = {0};

	assert_int_equal(steps_select(cube, &opt, arena, &set, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.message, "no step is left: of 10 steps 1 were left out by --kind, "
					 "4 by --warmup, 5 by --steps");
	assert_string_equal(err.hint, "the steps of p are numbered 11 to 20; 2 kinds of step");
	arena_free(arena);
	cube_free(cube);
}

TEST(warmup_longer_than_a_run)
{
	const struct step_options opt = {.warmup = WARMUP_MODE_COUNT, .warmup_count = 7};
	const int expected[] = {8, 0};
	struct cube *cube = two_runs();
	struct step_set set;

	check_steps(cube, &opt, expected, &set);
	assert_int_equal(set.dropped_warmup, 13);
	cube_free(cube);
}

/* Without a steady state the first half and one step more are what a start may be: 6 of 10, 6
 * of 11. */
TEST(half_and_one_without_a_steady_state)
{
	const struct step_options opt = {.warmup = WARMUP_MODE_NONE};
	const int falling[] = {900, 900, 900, 900, 900, 900, 100, 101, 99, 100, 100};

	for (int n = 10; n <= 11; n++) {
		struct profile *p = made_profile("p", NULL);
		struct arena *arena = arena_new();
		struct step_set set;
		struct cube *cube;
		struct error err;

		put_series(p, "work", 1, falling, n);
		cube = cube_of(p);
		assert_int_equal(steps_select(cube, &opt, arena, &set, &err), 0);
		assert_int_equal(set.warmup[0].state, WARMUP_UNSTEADY);
		assert_int_equal(steps_warmup_needed(&set, 0), 6);
		arena_free(arena);
		cube_free(cube);
	}
}

TEST(totals_of_steps)
{
	struct profile *p = made_profile("p", NULL);
	struct cube *cube;
	double total[3];
	bool known[3];

	put_cpu(p, "a", 1, 1);
	put_cpu(p, "b", 1, 2);
	put_cpu(p, "a", 2, 4);
	put_cpu(p, "a", 3, 8);
	put(p, "b", 3, MEASURE_CPU, CELL_ABSENT);
	cube = cube_of(p);
	steps_totals(cube, MEASURE_TIME, total, known);
	assert_true(total[0] == 3 * US && total[1] == 4 * US && total[2] == 8 * US);
	assert_true(known[0] && known[1] && !known[2]);
	cube_free(cube);
}

/* A side of three runs of 20 steps that leave out 2; they need `drop` steps. */
struct warm_side {
	size_t first[4], skipped[3];
	struct warmup warmup[3];
	struct warmup_kept kept[3];
};

static struct step_set warm_side(struct warm_side *side, size_t drop, double kept_ps)
{
	for (size_t r = 0; r < 3; r++) {
		side->first[r + 1] = 18 * (r + 1);
		side->skipped[r] = 2;
		side->kept[r].above_ps = kept_ps;
		side->warmup[r] =
			(struct warmup){.state = WARMUP_FOUND, .drop = drop, .median = 100};
	}
	side->first[0] = 0;
	return (struct step_set){.is_alike = true,
		.run_count = 3,
		.first = side->first,
		.skipped = side->skipped,
		.warmup = side->warmup,
		.warmup_most = 2,
		.warmup_kept = side->kept};
}

/* 6 steps instead of 2 in all of 3 v 3 runs: one of 20 orders, p = 0.05. 36 ps more over 18 kept
 * steps of 100 ps: 2 ps a step, 2 %. */
TEST(a_longer_warmup_of_new_is_found)
{
	struct warm_side a, b;
	struct step_set base = warm_side(&a, 2, 0), same = warm_side(&b, 2, 0), longer;
	struct warmup_change change;

	warmup_change_find(&base, &same, &change);
	assert_int_equal(change.runs, 0);
	assert_int_equal(change.left_out, 2);
	longer = warm_side(&b, 6, 36);
	warmup_change_find(&base, &longer, &change);
	assert_int_equal(change.runs, 3);
	assert_true(change.least == 6 && change.most == 6 && change.typical);
	assert_true(fabs(change.p - 0.05) < 1e-12);
	assert_true(fabs(change.time_ps - 2) < 1e-12 && fabs(change.fraction - 0.02) < 1e-12);
	/* One of three is not typical. */
	b.warmup[0].drop = b.warmup[1].drop = 2;
	warmup_change_find(&base, &longer, &change);
	assert_true(change.runs == 1 && !change.typical);
	longer.is_alike = false;
	warmup_change_find(&base, &longer, &change);
	assert_true(change.runs == 0 && isnan(change.p));
}
