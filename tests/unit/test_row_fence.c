/* Runs that lie far off in a row: their test by scipy.stats.ttest_ind(equal_var=False) of the
 * logarithms of the others; which are left out, by hand. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "analysis/compare/verdicts.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

enum { RUNS = 20 };

struct made {
	struct run_value run[2][RUNS];
	struct run_row side[2];
	struct compared value;
	double resolution;
};

/* Times of n runs a side. */
static void make(struct made *t, size_t n, const double *base, const double *new)
{
	*t = (struct made){0};
	for (size_t s = 0; s < 2; s++) {
		t->side[s] = (struct run_row){.run = t->run[s], .runs = n, .valued = n};
		for (size_t r = 0; r < n; r++) {
			const double x = s == 0 ? base[r] : new[r];

			t->run[s][r] = (struct run_value){
				.value = x, .mean = x, .scaled = log(x), .step_variance = NAN};
			t->side[s].mean += x / (double)n;
		}
	}
	t->value = (struct compared){.base = &t->side[0], .new = &t->side[1]};
}

static struct arena *arena;

static int make_arena(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int free_arena(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static const struct compared *decide(struct made *t, enum compare_method method)
{
	struct compared_measure measure = {.id = MEASURE_TIME,
		.resolution = t->resolution,
		.arena = arena,
		.base = {.runs = t->side[0].runs},
		.new = {.runs = t->side[1].runs}};
	struct compare_options opt = usual_options(method);
	struct decide_row row = {&t->value, "op", 0};

	decide_rows(&row, 1, &opt, &measure, NULL);
	return &t->value;
}

/* The values of poseidon-http-server#129: runs 2 and 8 of new are disturbed. */
static const double quiet[] = {15.52, 15.61, 15.47, 15.7, 15.55, 15.44, 15.63, 15.58, 15.66, 15.49};
static const double disturbed[] = {
	17.28, 29.72, 17.22, 17.16, 17.11, 16.96, 17.2, 31.97, 17.78, 17.02};

TEST(two_of_ten)
{
	struct made t;
	const struct compared *v;

	make(&t, 10, quiet, disturbed);
	v = decide(&t, METHOD_MODERATED);
	assert_int_equal(v->far_off.base, 0);
	assert_int_equal(v->far_off.new, 2);
	assert_true(compared_is_far_off(v, true, 1) && compared_is_far_off(v, true, 7));
	assert_false(compared_is_far_off(v, true, 8) || compared_is_far_off(v, false, 1));
	ref_near("base", v->base_mean, 15.565, 1e-14);
	ref_near("new", v->new_mean, 17.21625, 1e-14);
	ref_near("change", v->change, 17.21625 / 15.565 - 1, 1e-12);
	ref_near("t", v->t, 18.68513039879634, 1e-10);
	ref_near("df", v->df, 8.637098878057397, 1e-10);
	ref_near("p", v->p, 2.763085786528767e-08, 1e-8);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);

	/* Both sides alike. */
	make(&t, 10, disturbed, quiet);
	v = decide(&t, METHOD_MODERATED);
	assert_int_equal(v->far_off.base, 2);
	ref_near("t", v->t, -18.68513039879634, 1e-10);
}

/* --method=welch is that of all runs. */
TEST(other_methods_keep_all)
{
	struct made t;

	make(&t, 10, quiet, disturbed);
	assert_int_equal(decide(&t, METHOD_WELCH)->far_off.new, 0);
	ref_near("new", t.value.new_mean, 19.942, 1e-14);
}

/* Of 6 runs with one or two far off 5 or 4 are left. */
TEST(five_runs_are_left)
{
	const double one[] = {17.28, 29.72, 17.22, 17.16, 17.11, 16.96};
	const double two[] = {17.28, 29.72, 17.22, 17.16, 31.97, 16.96};
	struct made t;

	make(&t, 6, quiet, one);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 1);
	make(&t, 6, quiet, two);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 0);
	ref_near("new", t.value.new_mean, t.side[1].mean, 1e-15);
}

/* 6 of 20 runs of new and none of base take twice as long: Fisher's p is 0.020. That is a change.
 * With 3 of base as well it is 0.45. */
TEST(often_on_one_side_is_a_change)
{
	double base[RUNS], new[RUNS];
	struct made t;

	for (size_t r = 0; r < RUNS; r++) {
		base[r] = 100 + (double)(r % 7);
		new[r] = (r < 6 ? 200 : 100) + (double)(r % 5);
	}
	make(&t, RUNS, base, new);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 0);
	base[1] = base[2] = base[3] = 210;
	make(&t, RUNS, base, new);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 6);
	assert_int_equal(t.value.far_off.base, 3);
}

/* 10, 10, ... 11 of a clock of 1: 8 sd of its rounding are 8 / sqrt(12) / 10 = 0.23. */
TEST(a_step_of_the_clock_is_not_far)
{
	const double base[] = {10, 10, 10, 10, 10, 10, 10, 10};
	double new[] = {10, 10, 10, 11, 10, 10, 10, 10};
	struct made t;

	make(&t, 8, base, new);
	t.resolution = 1;
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 0);
	new[3] = 13;
	make(&t, 8, base, new);
	t.resolution = 1;
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 1);
}

/* AssignSub of tests/data/models/ab: each run has one of two levels. Most runs of base have the
 * upper one and most of new the lower one, and without the others of each side they would differ.
 */
TEST(a_level_of_both_sides_is_no_disturbance)
{
	const double base[] = {26.7, 25.1, 5.08, 22.3, 5.42, 27.7, 27.3, 5.42};
	const double new[] = {32, 4.83, 5.58, 4.67, 4.92, 5, 33, 4.42};
	struct made t;

	make(&t, 8, base, new);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 0);
	assert_int_equal(t.value.far_off.base, 0);
	/* Where both have the same level most often, the others are far off. */
	make(&t, 8, new, new);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.base, 2);
}

/* 12 ops of 10 runs a side. Run 3 of base takes 1.5 times as long; in the last four ops, which vary
 * by 8 %, that is not far off: it is left out of them, too, or what all share would have it. Run 5
 * of new is far off in op 0 alone. */
TEST(a_run_far_off_in_many_rows_is_left_out_of_all)
{
	enum { ROWS = 12, N = 10 };
	static struct made t[ROWS];
	struct compared_measure measure = {
		.id = MEASURE_TIME, .arena = arena, .base = {.runs = N}, .new = {.runs = N}};
	struct compare_options opt = usual_options(METHOD_MODERATED);
	struct decide_row row[ROWS];

	for (size_t o = 0; o < ROWS; o++) {
		double side[2][N];

		for (size_t r = 0; r < 2 * N; r++)
			side[r / N][r % N] =
				100 + (o < 8 ? 1 : 8) *
					      ((double)((7 * r * r + 3 * r * o + 5 * o) % 11) - 5) /
					      3;
		side[0][3] *= 1.5;
		side[1][5] *= o == 0 ? 1.5 : 1;
		make(&t[o], N, side[0], side[1]);
		row[o] = (struct decide_row){&t[o].value, "op", 0};
	}
	decide_rows(row, ROWS, &opt, &measure, NULL);
	assert_non_null(measure.whole);
	for (size_t r = 0; r < 2 * N; r++)
		assert_int_equal(measure.whole[r], r == 3);
	for (size_t o = 0; o < ROWS; o++) {
		assert_true(compared_is_far_off(&t[o].value, false, 3));
		assert_int_equal(t[o].value.far_off.base, 1);
		assert_int_equal(t[o].value.far_off.new, o == 0);
	}
	assert_true(compared_is_far_off(&t[0].value, true, 5));
}

/* By round: a machine that is slow for both runs of a round is none of its differences; a run that
 * alone takes 1.5 times as long takes its round out of both sides. */
TEST(rounds_leave_both_runs_out)
{
	static const size_t round[] = {0, 1, 2, 3, 4, 5, 7, 6};
	double base[8], new[8];
	struct made t;
	struct compared_measure measure = {
		.id = MEASURE_TIME, .arena = arena, .base = {.runs = 8}, .new = {.runs = 8}};
	struct compare_options opt = usual_options(METHOD_PAIRED);
	struct decide_row row = {&t.value, "op", 0};

	for (size_t r = 0; r < 8; r++) {
		base[r] = 100 + (double)(r * r % 5);
		new[round[r]] = 103 + (double)(r * 3 % 7);
	}
	base[2] *= 2;
	new[2] *= 2;
	new[6] *= 1.5;
	opt.round = round;
	make(&t, 8, base, new);
	decide_rows(&row, 1, &opt, &measure, NULL);
	assert_int_equal(t.value.far_off.base, 1);
	for (size_t r = 0; r < 8; r++) {
		assert_int_equal(compared_is_far_off(&t.value, false, r), r == 7);
		assert_int_equal(compared_is_far_off(&t.value, true, r), r == 6);
	}
}

/* Logarithms of 8 runs a side: -0.01 and 0.01 in turns, the last one of new `far`. Their distances
 * from 0 have the median 0.01, so the fence is at 8 x 1.4826 x 0.01 x (1 + 2.5/16) = 0.13714. */
static void make_far(struct made *t, double far)
{
	double side[2][8];

	for (size_t r = 0; r < 16; r++)
		side[r / 8][r % 8] = 100 * exp(r == 15 ? far : r % 2 ? 0.01 : -0.01);
	make(t, 8, side[0], side[1]);
}

TEST(eight_robust_sds_are_far)
{
	struct made t;

	make_far(&t, 0.136);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 0);
	make_far(&t, 0.138);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 1);
}

/* Of 9 ops a run is far off in 3, then in 4: more than a third. */
TEST(whole_runs_are_far_off_in_more_than_a_third)
{
	for (size_t far = 3; far <= 4; far++) {
		static struct made t[9];
		struct compared_measure measure = {.id = MEASURE_TIME,
			.arena = arena,
			.base = {.runs = 8},
			.new = {.runs = 8}};
		struct compare_options opt = usual_options(METHOD_MODERATED);
		struct decide_row row[9];

		for (size_t o = 0; o < 9; o++) {
			make_far(&t[o], o < far ? 0.5 : 0.01);
			row[o] = (struct decide_row){&t[o].value, "op", 0};
		}
		decide_rows(row, 9, &opt, &measure, NULL);
		assert_int_equal(measure.whole != NULL && measure.whole[15], far == 4);
	}
}

TESTS_BEGIN((gsl_set_error_handler_off(), tests_set_up = make_arena, tests_tear_down = free_arena));
