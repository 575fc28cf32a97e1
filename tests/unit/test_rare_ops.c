/* Ops that run in few steps of a run and have the same value in all runs of a side: what they are
 * tested with, by hand from the rounding of their own times. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "analysis/compare/verdicts.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

enum { RUNS = 3, STEPS = 20 };

struct made {
	struct run_value run[2][RUNS];
	struct run_row side[2];
	struct compared value;
};

/* Each run: `ran` steps of `us` us, the other steps 0. */
static void make(struct made *t, const double *us, size_t ran)
{
	for (size_t s = 0; s < 2; s++) {
		struct run_row *row = &t->side[s];
		const double mean = us[s] * 1e6 * (double)ran / STEPS;

		*row = (struct run_row){.run = t->run[s],
			.runs = RUNS,
			.valued = RUNS,
			.mean = mean,
			.ran = RUNS * ran,
			.steps = RUNS * STEPS};
		for (size_t r = 0; r < RUNS; r++) {
			t->run[s][r] = run_of_value(mean, log(mean));
			t->run[s][r].ran = ran;
			t->run[s][r].steps = t->run[s][r].kept = STEPS;
			t->run[s][r].most = us[s] * 1e6;
		}
	}
	t->value = (struct compared){.base = &t->side[0], .new = &t->side[1]};
}

static void decide(struct made *t, enum compare_method method)
{
	struct compared_measure measure = {.id = MEASURE_TIME,
		.resolution = 1, /* ps: other ops are recorded so */
		.base = {.runs = RUNS},
		.new = {.runs = RUNS}};
	const struct compare_options opt = usual_options(method);
	struct decide_row row = {&t->value, "op", 0};

	decide_rows(&row, 1, &opt, &measure, NULL);
}

/* Sums of 8 and 10 us, largest steps 4 and 5 us: times are multiples of 1 us, and all that were
 * rounded alike may be off by (1 us)^2/12 in variance, on each side. */
TEST(rare_ops_have_their_own_grid)
{
	static const double us[] = {4, 5}, far[] = {4, 40};
	static const enum compare_method method[] = {METHOD_MODERATED, METHOD_WELCH};
	struct made t;

	for (size_t i = 0; i < 2; i++) {
		make(&t, us, 2);
		decide(&t, method[i]);
		assert_int_equal(t.value.evidence, EVIDENCE_FLOOR);
		assert_true(t.value.rare);
		ref_near("se", t.value.se, sqrt((1.0 / 16 + 1.0 / 25) / 12), 1e-9);
		ref_near("df", t.value.df, 4, 1e-9);
		assert_int_equal(t.value.verdict, VERDICT_INCONCLUSIVE);
		make(&t, far, 2);
		decide(&t, method[i]);
		assert_int_equal(t.value.verdict, VERDICT_REGRESSED);
	}
}

/* 100 and 150 us have 50 us in common, which is no clock's grid; 10 us may be one. */
TEST(few_times_have_a_power_of_ten)
{
	static const double us[] = {100, 150};
	struct made t;

	make(&t, us, 2);
	decide(&t, METHOD_WELCH);
	assert_true(t.value.rare);
	ref_near("se", t.value.se, 10 * sqrt((1.0 / 1e4 + 1.0 / 22500) / 12), 1e-9);
	assert_int_equal(t.value.verdict, VERDICT_REGRESSED);
}

TEST(regular_ops_have_that_of_the_file)
{
	static const double us[] = {4, 5};
	struct made t;

	make(&t, us, 5);
	decide(&t, METHOD_MODERATED);
	assert_int_equal(t.value.evidence, EVIDENCE_FLOOR);
	assert_false(t.value.rare);
	/* 5 of 20 steps: means of 1 and 1.25 us. */
	ref_near("se", t.value.se, sqrt(1.0 / 12 / (1.125e6 * 1.125e6) * 2 / 3), 1e-12);
}

TESTS_BEGIN(gsl_set_error_handler_off());
