/* Verdicts by round: the differences new - base of each round are what is tested, whatever order
 * the runs of new come in. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include "analysis/compare/verdicts.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

enum { ROUNDS = 5, ROWS = 12 };

struct made {
	struct run_value run[2 * ROWS][ROUNDS];
	struct run_row side[2 * ROWS];
	struct compared value[ROWS];
	struct decide_row row[ROWS];
	struct compared_measure measure;
	struct compare_options opt;
};

/* Run i of new is of round 4 - i. */
static const size_t round_of[ROUNDS] = {4, 3, 2, 1, 0};

static void make_side(struct made *t, size_t side, const double *scaled, bool reversed)
{
	struct run_row *row = &t->side[side];

	*row = (struct run_row){.run = t->run[side], .runs = ROUNDS};
	for (size_t r = 0; r < ROUNDS; r++) {
		const double x = scaled[reversed ? ROUNDS - 1 - r : r];

		t->run[side][r] = run_of_value(exp(x), x);
		row->valued += !isnan(x);
		row->mean = isnan(x) ? row->mean : exp(x);
	}
}

static void make_row(struct made *t, size_t i, const double *base, const double *new)
{
	make_side(t, 2 * i, base, false);
	make_side(t, 2 * i + 1, new, true);
	t->value[i] = (struct compared){.base = &t->side[2 * i], .new = &t->side[2 * i + 1]};
	t->row[i] = (struct decide_row){&t->value[i], "op", 0};
}

static void make(struct made *t)
{
	gsl_set_error_handler_off();
	*t = (struct made){
		.measure = {.id = MEASURE_TIME, .base = {.runs = ROUNDS}, .new = {.runs = ROUNDS}},
		.opt = usual_options(METHOD_PAIRED)};
	t->opt.round = round_of;
}

/* Round 1 lacks base, round 4 new: the others decide, differences 0.1, 0.3, 0.2. */
TEST(rounds_without_a_value)
{
	static const double base[] = {0, NAN, 1, 2, 3};
	static const double new[] = {0.1, 5, 1.3, 2.2, NAN}, less[] = {NAN, 5, NAN, 2.2, NAN};
	static struct made t;

	make(&t);
	make_row(&t, 0, base, new);
	decide_rows(t.row, 1, &t.opt, &t.measure, NULL);
	ref_near("diff", t.value[0].diff, 0.2, 1e-12);
	ref_near("t", t.value[0].t, 3.46410161513775, 1e-12);
	ref_near("df", t.value[0].df, 2, 1e-12);
	make_row(&t, 0, base, less);
	decide_rows(t.row, 1, &t.opt, &t.measure, NULL);
	assert_int_equal(t.value[0].verdict, VERDICT_NONE);
	assert_string_equal(
		t.value[0].reason, "it has values on both sides in fewer than 2 rounds");
}

/* Rounds that drift by far more than the ops change. The first op changes by 10 %. */
TEST(many_ops_are_moderated)
{
	static const double drift[ROUNDS] = {0, 1, -0.5, 0.3, 2};
	static struct made t;

	make(&t);
	for (size_t i = 0; i < ROWS; i++) {
		double base[ROUNDS], new[ROUNDS];

		for (size_t r = 0; r < ROUNDS; r++) {
			base[r] = 10 + (double)i / 4 + drift[r];
			new[r] = base[r] + 0.002 * sin((double)(7 * i * ROUNDS + 3 * r)) +
				 (i == 0 ? 0.1 : 0);
		}
		make_row(&t, i, base, new);
	}
	decide_rows(t.row, ROWS, &t.opt, &t.measure, NULL);
	assert_int_equal(t.measure.moderated.prior_ops, ROWS);
	assert_true(t.measure.moderated.rounds && t.measure.moderated.split);
	assert_int_equal(t.value[0].verdict, VERDICT_REGRESSED);
	assert_true(t.value[0].df > ROUNDS - 1 && !t.value[0].fragile_run);
	for (size_t i = 1; i < ROWS; i++)
		assert_int_equal(t.value[i].verdict, VERDICT_SAME);
	/* 2^4 choices of signs without the observed one; none of them claims the change. */
	assert_int_equal(t.measure.relabelling.splits, 15);
	assert_int_equal(t.measure.relabelling.withheld, 0);
	decide_rows(t.row, 9, &t.opt, &t.measure, NULL);
	assert_int_equal(t.measure.moderated.prior_ops, 0);
	ref_near("df", t.value[0].df, ROUNDS - 1, 1e-12);
}
