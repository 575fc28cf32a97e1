/*
 * Runs that lie far off in a row: their test by scipy.stats.ttest_ind(equal_var=False) of the
 * logarithms of the others; which are left out, by hand.
 */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "analysis/compare/verdicts.h"
#include "tests/unit/made_runs.h"

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

static const struct compared *decide(struct made *t, enum compare_method method)
{
	struct compared_measure measure = {.id = MEASURE_TIME,
		.resolution = t->resolution,
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

static void two_of_ten(void **state)
{
	struct made t;
	const struct compared *v;

	(void)state;
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
static void other_methods_keep_all(void **state)
{
	struct made t;

	(void)state;
	make(&t, 10, quiet, disturbed);
	assert_int_equal(decide(&t, METHOD_WELCH)->far_off.new, 0);
	ref_near("new", t.value.new_mean, 19.942, 1e-14);
}

/* Of 6 runs with one or two far off 5 or 4 are left. */
static void five_runs_are_left(void **state)
{
	const double one[] = {17.28, 29.72, 17.22, 17.16, 17.11, 16.96};
	const double two[] = {17.28, 29.72, 17.22, 17.16, 31.97, 16.96};
	struct made t;

	(void)state;
	make(&t, 6, quiet, one);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 1);
	make(&t, 6, quiet, two);
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 0);
	ref_near("new", t.value.new_mean, t.side[1].mean, 1e-15);
}

/* 6 of 20 runs of new and none of base take twice as long: Fisher's p is 0.020. That is a change.
 * With 3 of base as well it is 0.45. */
static void often_on_one_side_is_a_change(void **state)
{
	double base[RUNS], new[RUNS];
	struct made t;

	(void)state;
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
static void a_step_of_the_clock_is_not_far(void **state)
{
	const double base[] = {10, 10, 10, 10, 10, 10, 10, 10};
	double new[] = {10, 10, 10, 11, 10, 10, 10, 10};
	struct made t;

	(void)state;
	make(&t, 8, base, new);
	t.resolution = 1;
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 0);
	new[3] = 13;
	make(&t, 8, base, new);
	t.resolution = 1;
	assert_int_equal(decide(&t, METHOD_MODERATED)->far_off.new, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_of_ten),
		cmocka_unit_test(other_methods_keep_all),
		cmocka_unit_test(five_runs_are_left),
		cmocka_unit_test(often_on_one_side_is_a_change),
		cmocka_unit_test(a_step_of_the_clock_is_not_far),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
