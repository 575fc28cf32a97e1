/* One run on a side, several on the other: the interval has the spread of the several. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "analysis/compare/verdicts.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

#define STEP_VARIANCE 1e-4

struct made {
	struct run_value run[2][3];
	struct run_row side[2];
	struct compared value;
};

/* Base has one run at ln = 20, new three at 20 + ln 1.1 -+ spread. */
static void make(struct made *t, double spread)
{
	for (size_t s = 0; s < 2; s++) {
		const size_t runs = s == 0 ? 1 : 3;

		t->side[s] = (struct run_row){.run = t->run[s], .runs = runs, .valued = runs};
		for (size_t r = 0; r < runs; r++) {
			const double off = spread * ((double)r - 1);
			const double scaled = s == 0 ? 20 : 20 + log(1.1) + off;

			t->run[s][r] = (struct run_value){.value = exp(scaled),
				.scaled = scaled,
				.step_variance = STEP_VARIANCE * (double)(r + 1),
				.interval_variance = s == 0 ? STEP_VARIANCE : NAN,
				.interval_df = s == 0 ? 9 : NAN};
			t->side[s].mean += exp(scaled) / (double)runs;
		}
	}
	t->value = (struct compared){.base = &t->side[0], .new = &t->side[1]};
}

static void decide(struct made *t, double run_cv)
{
	struct compared_measure measure = {
		.id = MEASURE_TIME, .resolution = 1, .base = {.runs = 1}, .new = {.runs = 3}};
	struct compare_options opt = usual_options(METHOD_MODERATED);
	struct decide_row row = {&t->value, "op", 0};

	opt.run_cv = run_cv;
	decide_rows(&row, 1, &opt, &measure, NULL);
}

/* Variance 4e-4 of a run: se^2 = 4e-4 (1 + 1/3), df = 2, exp(ln 1.1 -+ 4.30265 se) - 1. The steps
 * are in the spread of the runs. */
TEST(spread_of_the_several)
{
	struct made t;

	make(&t, 0.02);
	decide(&t, NAN);
	assert_int_equal(t.value.evidence, EVIDENCE_ONE_RUN);
	assert_int_equal(t.value.verdict, VERDICT_NONE);
	assert_true(isnan(t.value.p) && isnan(t.value.q));
	ref_near("low", t.value.low, -0.0040471169245816882, 1e-9);
	ref_near("high", t.value.high, 0.21491691079162528, 1e-9);
}

/* More than a factor of 10 each way, or no spread at all. */
TEST(no_interval)
{
	struct made t;

	make(&t, 0.5);
	decide(&t, NAN);
	assert_true(isnan(t.value.low) && isnan(t.value.high));
	make(&t, 0);
	decide(&t, NAN);
	assert_true(isnan(t.value.low) && isnan(t.value.high));
}

/* The mean of three runs has a third of the variance that their steps leave in one, on average. */
TEST(given_spread)
{
	struct made t;

	make(&t, 0.02);
	decide(&t, 0.02);
	assert_int_equal(t.value.evidence, EVIDENCE_GIVEN);
	ref_near("se", t.value.se, sqrt(4e-4 * 4 / 3 + STEP_VARIANCE + 2 * STEP_VARIANCE / 3),
		1e-13);
}

TESTS_BEGIN(gsl_set_error_handler_off());
