/* Kinds of step: by names and times, numbered by size; what comes and goes makes no kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include "analysis/step_kinds.h"
#include "tests/unit/cube_build.h"

/* Frees the cube; `expected` has one kind per step. */
static void check_kinds(struct cube *cube, const uint32_t *expected, size_t kinds)
{
	struct arena *arena = arena_new();
	struct kinds found;
	size_t *count = arena_array(arena, kinds + 1, sizeof(*count));

	kinds_find(cube, arena, &found);
	assert_int_equal(found.count, kinds);
	for (size_t s = 0; s < cube->step_count; s++) {
		assert_int_equal(found.of_step[s], expected[s]);
		count[expected[s]]++;
	}
	for (size_t k = 0; k < kinds; k++)
		assert_int_equal(found.steps[k], count[k + 1]);
	arena_free(arena);
	cube_free(cube);
}

static void steps_of_the_same_ops_are_one_kind(void **state)
{
	struct profile *p = made_profile("p", NULL);
	const int a[] = {10, 20, 30}, b[] = {5, 5, 500};
	const uint32_t expected[] = {1, 1, 1};

	(void)state;
	put_series(p, "a", 1, a, 3);
	put_series(p, "b", 1, b, 3);
	check_kinds(cube_of(p), expected, 1);
}

/* A summary every other step: the common ops carry most of the time. */
static void small_op_that_comes_and_goes_makes_no_kind(void **state)
{
	struct profile *p = made_profile("p", NULL);
	const int work[] = {100, 100, 100, 100}, summary[] = {-1, 30, -1, 30};
	const uint32_t expected[] = {1, 1, 1, 1};

	(void)state;
	put_series(p, "work", 1, work, 4);
	put_series(p, "summary", 1, summary, 4);
	check_kinds(cube_of(p), expected, 1);
}

static void training_and_evaluation_are_two(void **state)
{
	struct profile *p = made_profile("p", NULL);
	const int train[] = {80, 80, -1, 80, -1}, eval[] = {-1, -1, 300, -1, 300};
	const int both[] = {20, 20, 20, 20, 20};
	const uint32_t expected[] = {1, 1, 2, 1, 2};

	(void)state;
	put_series(p, "train", 1, train, 5);
	put_series(p, "eval", 1, eval, 5);
	put_series(p, "count", 1, both, 5);
	check_kinds(cube_of(p), expected, 2);
}

static void largest_kind_is_the_first(void **state)
{
	struct profile *p = made_profile("p", NULL);
	const int init[] = {50, -1, -1, -1}, eval[] = {-1, 60, -1, -1}, train[] = {-1, -1, 7, 8};
	const uint32_t expected[] = {2, 3, 1, 1}; /* equal sizes: the earlier first */

	(void)state;
	put_series(p, "init", 1, init, 4);
	put_series(p, "eval", 1, eval, 4);
	put_series(p, "train", 1, train, 4);
	check_kinds(cube_of(p), expected, 3);
}

/* In the first step something takes a hundred times as long as ever after: still the same kind. */
static void slow_first_step_is_no_kind(void **state)
{
	struct profile *p = made_profile("p", NULL);
	const int read[] = {9000, 10, 10, 10, 10, 10}, work[] = {100, 100, 100, 100, 100, 100};
	const int now_and_then[] = {-1, -1, 5, -1, 5, -1};
	const uint32_t expected[] = {1, 1, 1, 1, 1, 1};

	(void)state;
	put_series(p, "read", 1, read, 6);
	put_series(p, "work", 1, work, 6);
	put_series(p, "log", 1, now_and_then, 6);
	check_kinds(cube_of(p), expected, 1);
}

/* Exactly half of the time in common is not most of it. */
static void half_of_the_time_is_not_enough(void **state)
{
	struct profile *p = made_profile("p", NULL);
	const int x[] = {10, 10, -1}, y[] = {-1, -1, 10}, common[] = {10, 10, 10};
	const uint32_t expected[] = {1, 1, 2};

	(void)state;
	put_series(p, "x", 1, x, 3);
	put_series(p, "y", 1, y, 3);
	put_series(p, "common", 1, common, 3);
	check_kinds(cube_of(p), expected, 2);
}

/* Without times the number of common ops decides. */
static void without_times_names_decide(void **state)
{
	struct profile *p = made_profile("p", NULL);
	const uint32_t expected[] = {1, 1, 2};
	static const char *const ops[] = {"a", "b", "c"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		put_cpu(p, ops[i], 1, 0);
		if (i > 0)
			put_cpu(p, ops[i], 2, 0);
	}
	put_cpu(p, "z", 3, 0);
	check_kinds(cube_of(p), expected, 2);
}

static void kinds_go_across_runs(void **state)
{
	struct profile *p = made_profile("p", NULL), *q = made_profile("q", NULL);
	struct profile *both[] = {p, q};
	const int train[] = {10, -1, 10}, eval[] = {-1, 10, -1}, again[] = {20, 20};
	const uint32_t expected[] = {1, 2, 1, 1, 1};
	struct error err;

	(void)state;
	put_series(p, "train", 1, train, 3);
	put_series(p, "eval", 1, eval, 3);
	put_series(q, "train", 1, again, 2);
	check_kinds(made_cube(both, 2, RUNS_FILES, &err), expected, 2);
}

/* Far more sets of ops than are compared with each other: all steps get a kind, in any case. */
static void endless_kinds(void **state)
{
	enum { STEPS = 400 };
	struct profile *p = made_profile("p", NULL);
	struct arena *arena = arena_new();
	struct kinds found;
	struct cube *cube;

	(void)state;
	for (int s = 0; s < STEPS; s++) {
		char name[20];

		snprintf(name, sizeof(name), "op%d", s);
		put_cpu(p, name, s, 1);
	}
	cube = cube_of(p);
	kinds_find(cube, arena, &found);
	assert_int_equal(found.count, STEPS);
	for (size_t s = 0; s < STEPS; s++)
		assert_int_equal(found.of_step[s], s + 1);
	arena_free(arena);
	cube_free(cube);
}

/* Op a is in 2 steps, b in 4, for so long. */
static void check_order(int a_us, int b_us, uint32_t a_kind)
{
	struct profile *p = made_profile("p", NULL);
	struct arena *arena = arena_new();
	struct kinds found;
	struct cube *cube;

	for (int s = 0; s < 6; s++)
		put_cpu(p, s < 2 ? "a" : "b", s, s < 2 ? a_us : b_us);
	cube = cube_of(p);
	kinds_find(cube, arena, &found);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.of_step[0], a_kind);
	assert_int_equal(found.of_step[5], 3 - a_kind);
	assert_int_equal(found.steps[a_kind - 1], 2);
	arena_free(arena);
	cube_free(cube);
}

static void kinds_without_a_time_come_last(void **state)
{
	(void)state;
	check_order(1, 1, 2);
	check_order(1, 0, 1);
	check_order(0, 1, 2);
	check_order(0, 0, 2);
}

/* Three kinds: of op `a`, of op `b`, of op `c`, with so many steps each, in this order. */
static struct cube *cube_of_three(const size_t steps[3])
{
	static const char *const name[] = {"a", "b", "c"};
	struct profile *p = made_profile("p", NULL);
	int series[16];
	size_t at = 0;

	for (size_t o = 0; o < 3; o++) {
		for (size_t s = 0; s < 16; s++)
			series[s] = s >= at && s < at + steps[o] ? 100 : -1;
		if (steps[o])
			put_series(p, name[o], 1, series, 16);
		at += steps[o];
	}
	return cube_of(p);
}

/* The sides have the kinds a, b, c with other numbers of steps: numbers are those of base. */
static void kinds_have_the_numbers_of_base(void **state)
{
	const struct {
		size_t base[3], steps[3];
		uint32_t number[3]; /* of a, b, c in new; 0: not there */
		size_t count;
	} cases[] = {
		{{8, 5, 3}, {3, 8, 5}, {1, 2, 3}, 3},
		{{10, 6, 0}, {0, 10, 6}, {0, 2, 1}, 2}, /* the first one gets a partner */
		{{10, 0, 6}, {6, 10, 0}, {1, 3, 0}, 3}, /* what base does not have is last */
		{{16, 0, 0}, {0, 16, 0}, {0, 1, 0}, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct cube *base = cube_of_three(cases[i].base);
		struct cube *cube = cube_of_three(cases[i].steps);
		struct arena *arena = arena_new();
		struct kinds of_base, found;
		size_t s = 0;

		kinds_find(base, arena, &of_base);
		kinds_find(cube, arena, &found);
		kinds_number_like(base, &of_base, cube, arena, &found);
		assert_int_equal(found.count, cases[i].count);
		for (size_t o = 0; o < 3; o++) {
			for (size_t n = 0; n < cases[i].steps[o]; n++)
				assert_int_equal(found.of_step[s++], cases[i].number[o]);
			if (cases[i].steps[o])
				assert_int_equal(
					found.steps[cases[i].number[o] - 1], cases[i].steps[o]);
		}
		arena_free(arena);
		cube_free(base);
		cube_free(cube);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_of_the_same_ops_are_one_kind),
		cmocka_unit_test(small_op_that_comes_and_goes_makes_no_kind),
		cmocka_unit_test(training_and_evaluation_are_two),
		cmocka_unit_test(largest_kind_is_the_first),
		cmocka_unit_test(slow_first_step_is_no_kind),
		cmocka_unit_test(half_of_the_time_is_not_enough),
		cmocka_unit_test(without_times_names_decide),
		cmocka_unit_test(kinds_go_across_runs),
		cmocka_unit_test(endless_kinds),
		cmocka_unit_test(kinds_without_a_time_come_last),
		cmocka_unit_test(kinds_have_the_numbers_of_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
