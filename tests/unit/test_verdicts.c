/* From run values to verdicts. Rows are made of five runs a side whose logarithms have a chosen
 * difference and standard error (Welch, 8 degrees of freedom), so that expected values follow by
 * hand; quantiles and p values are scipy 1.17's, those of published data R's. */
#include "tests/ref/values.h"

#include "tests/unit/made_rows.h"
#include "tests/unit/test.h"

#define REFERENCE "tests/data/stats/reference.csv"

/* The verdict of a row that is alone, with a margin of 2 %. */
static enum verdict alone(double diff, double se, double alpha)
{
	double quantile = alpha == 0.05 ? T_0975 : T_0995;
	struct compared *value;
	enum verdict verdict;
	struct made_rows *t;
	void *state;

	make(&state);
	t = state;
	t->opt.rule.alpha = alpha;
	t->opt.confidence = 1 - alpha;
	value = add_test(t, "op", diff, se);
	decide(t);
	assert_true(fabs(value->low - expm1(diff - se * quantile)) < 1e-13);
	assert_true(fabs(value->high - expm1(diff + se * quantile)) < 1e-13);
	verdict = value->verdict;
	release(&state);
	return verdict;
}

static void expect_verdict(double diff, double se, double alpha, enum verdict want)
{
	enum verdict got = alone(diff, se, alpha);

	if (got != want)
		fail_msg("%g +- %g at %g: verdict %d, expected %d", diff, se, alpha, got, want);
}

/* Every place of an interval's two ends among -m, 0 and m; numbers in units of the margin. Both the
 * interval at 1 - alpha, which SLOWER and FASTER go by, and the one at 1 - 2 alpha, which the other
 * verdicts go by (0.81 and 0.86 times as wide), have their ends in these places. */
TEST(verdict_of_each_place)
{
	static const struct {
		double centre, half;
		enum verdict up, down; /* and with the sides exchanged */
	} place[] = {
		{3, 1, VERDICT_REGRESSED, VERDICT_IMPROVED},		/* m < L */
		{1, 0.5, VERDICT_SLOWER, VERDICT_FASTER},		/* 0 < L < m < U */
		{0.5, 0.3, VERDICT_SAME, VERDICT_SAME},			/* 0 < L, U < m */
		{0.8, 1.2, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE}, /* -m < L < 0, m < U */
		{0.1, 0.5, VERDICT_SAME, VERDICT_SAME},			/* -m < L < 0 < U < m */
		{0, 3, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE},	/* L < -m, m < U */
		{-0.8, 1.2, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE},
		{-0.5, 0.3, VERDICT_SAME, VERDICT_SAME},
		{-1, 0.5, VERDICT_FASTER, VERDICT_SLOWER},
		{-3, 1, VERDICT_IMPROVED, VERDICT_REGRESSED},
	};

	for (size_t i = 0; i < sizeof(place) / sizeof(*place); i++) {
		double centre = place[i].centre * LOG_MARGIN, half = place[i].half * LOG_MARGIN;

		expect_verdict(centre, half / T_0975, 0.05, place[i].up);
		expect_verdict(-centre, half / T_0975, 0.05, place[i].down);
		expect_verdict(centre, half / T_0995, 0.01, place[i].up);
		expect_verdict(-centre, half / T_0995, 0.01, place[i].down);
	}
}

/* A verdict changes where an end of its interval crosses its line, not a millionth earlier. */
TEST(verdict_changes_at_the_line)
{
	static const struct {
		double alpha, one_sided, two_sided;
	} at[] = {{0.05, T_0950, T_0975}, {0.01, T_0990, T_0995}};
	const double se = 0.004, step = 1e-6 * se;

	for (size_t i = 0; i < 2; i++) {
		/* SAME: by the one-sided tests and by the whole interval, which is longer. */
		double beyond = LOG_MARGIN + at[i].one_sided * se,
		       inside = LOG_MARGIN - at[i].two_sided * se, seen = at[i].two_sided * se;
		enum verdict undecided = inside > seen ? VERDICT_SLOWER : VERDICT_INCONCLUSIVE;

		expect_verdict(beyond + step, se, at[i].alpha, VERDICT_REGRESSED);
		expect_verdict(beyond - step, se, at[i].alpha, VERDICT_SLOWER);
		expect_verdict(-beyond - step, se, at[i].alpha, VERDICT_IMPROVED);
		expect_verdict(-beyond + step, se, at[i].alpha, VERDICT_FASTER);
		expect_verdict(inside - step, se, at[i].alpha, VERDICT_SAME);
		expect_verdict(inside + step, se, at[i].alpha, undecided);
		expect_verdict(-inside + step, se, at[i].alpha, VERDICT_SAME);
		expect_verdict(-inside - step, se, at[i].alpha,
			undecided == VERDICT_SLOWER ? VERDICT_FASTER : undecided);
		/* Wider, so that the interval reaches over both margins. */
		expect_verdict(10 * seen + step, 10 * se, at[i].alpha, VERDICT_SLOWER);
		expect_verdict(10 * seen - step, 10 * se, at[i].alpha, VERDICT_INCONCLUSIVE);
		expect_verdict(-10 * seen - step, 10 * se, at[i].alpha, VERDICT_FASTER);
		expect_verdict(-10 * seen + step, 10 * se, at[i].alpha, VERDICT_INCONCLUSIVE);
	}
}

/* d 0.03, se 0.01, 8 df: scipy. */
TEST_WITH(numbers_of_one_row, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add_test(t, "op", 0.03, 0.01);

	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_TEST);
	ref_near("diff", v->diff, 0.03, 1e-12);
	ref_near("se", v->se, 0.01, 1e-12);
	ref_near("df", v->df, 8, 1e-12);
	ref_near("t", v->t, 3, 1e-12);
	ref_near("p", v->p, 0.01707168123378265, 1e-11);
	ref_near("q", v->q, 0.01707168123378265, 1e-11);
	ref_near("above", v->p_above, 0.16884866704994056, 1e-11);
	ref_near("below", v->p_below, 0.9994604314060062, 1e-11);
	ref_near("same", v->p_same, 0.8311513329500595, 1e-11);
	ref_near("low", v->low, 0.006964095965998387, 1e-9);
	ref_near("high", v->high, 0.054492956401510154, 1e-9);
	ref_near("regression", v->detectable, 0.04819649513596735, 1e-6);
	ref_near("change", v->detectable_slower, 0.03252702762314204, 1e-6);
	ref_near("change", v->change, expm1(0.03), 1e-12);
	ref_near("difference", v->difference, v->new->mean - v->base->mean, 1e-12);
	assert_true(v->flagged && v->in_family && v->verdict == VERDICT_SLOWER);
	assert_true(t->measure.family == 1 && t->measure.flagged == 1);
}

static void expect_exact(struct made_rows *t, const char *name, double base, double new,
	double change, enum verdict want)
{
	struct compared *v = add_steady(t, name, base, new);

	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_EXACT);
	assert_int_equal(v->verdict, want);
	ref_near("change", v->change, change, 1e-14);
	assert_true(isnan(v->p) && isnan(v->q) && !v->in_family);
	t->count = 0;
}

TEST_WITH(constant_bytes_are_exact, make, release)
{
	struct made_rows *t = *state;

	t->measure.id = MEASURE_REQUESTED;
	expect_exact(t, "equal", 1000, 1000, 0, VERDICT_SAME);
	expect_exact(t, "within", 1000, 1020, 0.02, VERDICT_SAME);
	expect_exact(t, "beyond", 1000, 1021, 0.021, VERDICT_REGRESSED);
	expect_exact(t, "less", 1020, 1000, 1000.0 / 1020 - 1, VERDICT_SAME);
	expect_exact(t, "much less", 1021, 1000, 1000.0 / 1021 - 1, VERDICT_IMPROVED);
	expect_exact(t, "nothing", 0, 0, 0, VERDICT_SAME);
	expect_exact(t, "from nothing", 0, 1, NAN, VERDICT_REGRESSED);
	expect_exact(t, "to nothing", 1, 0, -1, VERDICT_IMPROVED);
	assert_int_equal(t->measure.family, 0);
}

/* An absolute margin has a size where base has none. */
TEST_WITH(margin_in_bytes_from_nothing, make, release)
{
	struct made_rows *t = *state;

	t->measure.id = MEASURE_REQUESTED;
	t->opt.rule.margin_absolute = 4000;
	expect_exact(t, "within", 0, 4000, NAN, VERDICT_SAME);
	expect_exact(t, "beyond", 0, 4001, NAN, VERDICT_REGRESSED);
	expect_exact(t, "the larger one: within", 1000, 5000, 4, VERDICT_SAME);
	expect_exact(t, "the larger one: beyond", 1000, 5001, 4.001, VERDICT_REGRESSED);
	expect_exact(t, "relative is larger", 1000000, 1020000, 0.02, VERDICT_SAME);
}

TEST_WITH(sides_that_are_missing, make, release)
{
	struct made_rows *t = *state;
	struct compared *appeared = add(t, "new", NULL, spread(t, 0, 0.01));
	struct compared *gone = add(t, "gone", spread(t, 0, 0.01), NULL);
	struct compared *lost = add_test(t, "lost", 0.1, 0.01);
	struct run_row *base = spread(t, 0, 0.01);

	base->lost = true;
	base->valued = 0;
	lost->base = base;
	decide(t);
	assert_int_equal(appeared->verdict, VERDICT_NEW);
	assert_true(isnan(appeared->base_mean) && isnan(appeared->change));
	ref_near("difference", appeared->difference, appeared->new->mean, 0);
	assert_int_equal(gone->verdict, VERDICT_GONE);
	ref_near("difference", gone->difference, -gone->base->mean, 0);
	assert_int_equal(lost->verdict, VERDICT_NONE);
	assert_string_equal(lost->reason, "no value is known in some run");
	assert_int_equal(t->measure.family, 0);
}

/* 3 runs a side: Fisher's p of 3 of 3 against 0 of 3 is 0.1. What ran in 5 steps of 10 of each run,
 * or in all 4, did not appear by chance. */
TEST_WITH(steps_of_an_op_of_one_side, make, release)
{
	static const struct {
		size_t ran, kept;
		enum verdict verdict;
	} world[] = {{4, 10, VERDICT_RARE}, {5, 10, VERDICT_GONE}, {4, 4, VERDICT_GONE}};
	static const double logs[] = {20, 20.01, 20.02};

	for (size_t i = 0; i < sizeof(world) / sizeof(*world); i++) {
		struct made_rows *t = *state;
		struct run_row *base = row_of_logs(t->arena, logs, 3);
		struct compared *v;

		for (size_t r = 0; r < 3; r++) {
			base->run[r].ran = world[i].ran;
			base->run[r].kept = world[i].kept;
		}
		base->steps = 3 * world[i].kept;
		t->count = 0;
		t->measure.base.runs = t->measure.new.runs = 3;
		v = add(t, "gone", base, NULL);
		decide(t);
		assert_int_equal(v->verdict, world[i].verdict);
	}
}

/* Without a margin the one-sided p of 0.04 is below alpha, the interval of both sides is not:
 * nothing is claimed. */
TEST_WITH(one_sided_tests_alone_claim_nothing, make, release)
{
	for (int sign = -1; sign <= 1; sign += 2) {
		struct made_rows *t = *state;
		struct compared *v;

		t->count = 0;
		t->opt.rule.margin_relative = 0;
		v = add_test(t, "op", sign * 2 * 0.01, 0.01);
		decide(t);
		assert_true((sign > 0 ? v->p_above : v->p_below) < 0.05 && v->p > 0.05);
		assert_int_equal(v->verdict, VERDICT_INCONCLUSIVE);
	}
}

/* Means 2 and 12, variances 2.5: se 1, 8 df; Fieller with 4 df, t 2.7764. */
TEST_WITH(zeros_leave_the_logarithm, make, release)
{
	static const double base[RUNS] = {0, 1, 2, 3, 4}, new[RUNS] = {10, 11, 12, 13, 14};
	struct made_rows *t = *state;
	struct compared *v = add_values(t, "zeros", base, new, RUNS);
	struct compared *other = add_test(t, "other", 0.03, 0.01);

	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_LINEAR);
	ref_near("diff", v->diff, 10, 1e-14);
	/* SciPy: Welch's p of 1 to 4 against 10 to 14, larger than that with the 0 and smaller than
	 * that of ranks (2/252); se is that of which t with 8 degrees of freedom makes this p. */
	ref_near("df", v->df, 8, 1e-14);
	ref_near("p", v->p, 2.2936786255241183e-05, 1e-10);
	ref_near("se", v->se, 1.1438974228313799, 1e-10);
	ref_near("above", v->p_above, 1.180956539980817e-05, 1e-10);
	ref_near("change", v->change, 5, 1e-14);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);
	assert_true(v->low < 5 && v->high > 5);
	assert_false(v->in_family);
	assert_int_equal(t->measure.family, 1);
	ref_near("alone in the family", other->q, other->p, 0);
}

/* The runs that a plan asks for are those of an op, and small ops are tested as one row. */
TEST_WITH(a_plan_is_not_that_of_the_merged_row, make, release)
{
	struct made_rows *t = *state;
	double found;

	add_test(t, "[small ops]", 0.001, 0.002);
	t->measure.small = t->value[0];
	t->row[0].value = &t->measure.small;
	decide(t);
	assert_int_equal(t->measure.small.evidence, EVIDENCE_TEST);
	assert_true(isnan(t->measure.sd_run));
	assert_int_equal(run_plan_runs(&t->measure, METHOD_WELCH, 0.5), 0);
	add_test(t, "op", 0.001, 0.01);
	decide(t);
	/* se of a difference of means of 5 runs. */
	ref_near("sd", t->measure.sd_run, 0.01 * sqrt(2.5), 1e-12);
	/* A plan has up to 100 runs. */
	found = run_plan_change(&t->measure, METHOD_WELCH, 100);
	assert_int_equal(run_plan_runs(&t->measure, METHOD_WELCH, found * 1.0001), 100);
	assert_int_equal(run_plan_runs(&t->measure, METHOD_WELCH, found * 0.9999), 0);
}

/* What takes no time in a run does not shrink by more than 100 %. Expected ends: roots of (y - r
 * x)^2 = t^2 (v_y + r^2 v_x), t = 2.7764451 (4 df), in rational arithmetic. */
TEST_WITH(no_interval_reaches_100_percent_down, make, release)
{
	static const double some[RUNS] = {11, 0, 13, 14, 15}, wild[RUNS] = {5, 0, 15, 20, 25};
	static const double steady[RUNS] = {10, 11, 12, 13, 14}, rare[RUNS] = {0, 0, 0, 0, 20};
	static const double never[RUNS] = {0, 0, 0, 0, 0};
	struct made_rows *t = *state;
	struct compared *bounded = add_values(t, "bounded", some, wild, RUNS);
	struct compared *below = add_values(t, "below", steady, rare, RUNS);
	struct compared *gone = add_values(t, "gone", steady, never, RUNS);
	struct compared *from_0 = add_values(t, "from 0", never, steady, RUNS);
	struct compared *near_0 = add_values(t, "near 0", rare, steady, RUNS);

	decide(t);
	ref_near("low", bounded->low, -0.9881284064396421, 1e-9);
	ref_near("high", bounded->high, 4.012421278991493, 1e-9);
	assert_true(isnan(below->low) && isnan(below->high));
	assert_true(isnan(gone->low) && isnan(gone->high));
	assert_true(isnan(from_0->low) && isnan(from_0->high));
	assert_true(isinf(near_0->low) && isinf(near_0->high));
	assert_int_equal(gone->verdict, VERDICT_IMPROVED);
	assert_int_equal(from_0->verdict, VERDICT_REGRESSED);
}

/* 10 and 11 us in every run, recorded in whole us: se^2 = 1/12/10.5^2 (1/5 + 1/5). */
TEST_WITH(constant_times_have_the_resolution, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add_steady(t, "constant", 10e6, 11e6);

	t->measure.resolution = 1e6;
	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_FLOOR);
	ref_near("se", v->se, 0.017388017698576702, 1e-12);
	ref_near("t", v->t, 5.481371221063719, 1e-12);
	ref_near("p", v->p, 0.0005865058907710378, 1e-10);
	assert_true(v->verdict == VERDICT_REGRESSED && !v->in_family);
	t->measure.resolution = 0;
	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_NONE);
	assert_int_equal(v->verdict, VERDICT_NONE);
	assert_string_equal(
		v->reason, "no spread between runs, and the resolution of the times is not known");
}

static struct run_row *one_run(struct made_rows *t, double scaled, double step_variance)
{
	struct run_row *row = row_of_logs(t->arena, &scaled, 1);

	row->run->step_variance = row->run->interval_variance = step_variance;
	row->run->interval_df = 9;
	return row;
}

/* ln 1.1 with step variances 0.0001 and 0.0003: the interval is about these runs only. df = 16e-8/
 * (1e-8/9 + 9e-8/9) = 14.4, R: exp(log(1.1) -+ qt(0.975, 14.4) 0.02) - 1. */
TEST_WITH(one_run_a_side, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add(t, "op", one_run(t, 20, 1e-4), one_run(t, 20 + log(1.1), 3e-4));

	t->measure.base.runs = t->measure.new.runs = 1;
	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_ONE_RUN);
	assert_int_equal(v->verdict, VERDICT_NONE);
	assert_string_equal(v->reason, "one run on a side");
	assert_true(isnan(v->p) && isnan(v->q) && isnan(v->p_above) && isnan(v->detectable));
	ref_near("low", v->low, 0.053929925764555575, 1e-9);
	ref_near("high", v->high, 0.14808391945244948, 1e-9);
}

/* Steps that are worth fewer than 5 have no interval, as in a report. */
TEST_WITH(one_run_of_few_steps, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add(t, "op", one_run(t, 20, 1e-4), one_run(t, 20 + log(1.1), 3e-4));

	t->measure.base.runs = t->measure.new.runs = 1;
	((struct run_value *)v->new->run)->interval_df = NAN;
	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_ONE_RUN);
	assert_true(isnan(v->low) && isnan(v->high));
}

/* Rounding leaves 1e-4 on each side, beside the 2 x 0.02^2 + 0.0004 of the runs and steps. */
TEST_WITH(rounding_is_added, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add(t, "op", one_run(t, 20, 1e-4), one_run(t, 20 + log(1.1), 3e-4));

	t->measure.base.runs = t->measure.new.runs = 1;
	t->opt.run_cv = 0.02;
	((struct run_row *)v->base)->rounding = ((struct run_row *)v->new)->rounding = 1e-3;
	decide(t);
	ref_near("se", v->se, sqrt(0.0012 + 0.002), 1e-13);
	ref_near("rounding", v->rounding_variance, 0.002, 1e-13);
	assert_int_equal(v->verdict, VERDICT_INCONCLUSIVE);
	assert_true(v->limited);
}

/* Variance 2 x 0.02^2 + 0.0001 + 0.0003, normal quantiles. */
TEST_WITH(one_run_and_a_known_spread, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add(t, "op", one_run(t, 20, 1e-4), one_run(t, 20 + log(1.1), 3e-4));

	t->measure.base.runs = t->measure.new.runs = 1;
	t->opt.run_cv = 0.02;
	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_GIVEN);
	ref_near("se", v->se, 0.034641016151377546, 1e-13);
	assert_true(isinf(v->df));
	ref_near("p", v->p, 0.0059346950736634445, 1e-10);
	ref_near("above", v->p_above, 0.014639286294653877, 1e-10);
	ref_near("low", v->low, 0.02779428563675647, 1e-9);
	ref_near("high", v->high, 0.17727838820427042, 1e-9);
	ref_near("detectable", v->detectable, 0.11175143715007084, 1e-4);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);
	assert_true(v->flagged && !v->in_family);
}

/* Five runs of base know more: 0.02^2 (1 + 1/5) + 0.0001, and base has no step variance. */
TEST_WITH(one_run_against_five, make, release)
{
	struct made_rows *t = *state;
	double scaled[RUNS];
	struct compared *v;

	for (size_t r = 0; r < RUNS; r++)
		scaled[r] = 20 + 0.001 * pattern[r];
	v = add(t, "op", row_of_logs(t->arena, scaled, RUNS), one_run(t, 20 + log(1.1), 1e-4));
	t->measure.new.runs = 1;
	t->opt.run_cv = 0.02;
	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_GIVEN);
	ref_near("se", v->se, 0.024083189157584593, 1e-13);
	ref_near("p", v->p, 7.572567030020042e-05, 1e-10);
}

/* Half of an interval: 4.30265 (qt(0.975, 2)) sqrt(4/3) d, and ln 10 = 2.302585 at d = 0.46346; a
 * longer one says nothing. */
TEST_WITH(no_interval_beyond_a_factor_of_ten, make, release)
{
	static const double d[] = {0.46, 0.467};

	for (int i = 0; i < 2; i++) {
		struct made_rows *t = *state;
		const double logs[] = {20 - d[i], 20, 20 + d[i]};
		struct compared *v;

		t->count = 0;
		t->measure.base.runs = 3;
		t->measure.new.runs = 1;
		v = add(t, "op", row_of_logs(t->arena, logs, 3), one_run(t, 20.1, 1e-4));
		decide(t);
		assert_int_equal(v->evidence, EVIDENCE_ONE_RUN);
		assert_int_equal(isnan(v->low), i);
	}
}

/* Four runs are the noise of one, three are not. */
TEST_WITH(one_run_against_four, make, release)
{
	static const double logs[] = {20, 20.001, 20.002, 20.003};

	for (size_t runs = 3; runs <= 4; runs++) {
		struct made_rows *t = *state;
		struct compared *v;

		t->count = 0;
		t->measure.base.runs = runs;
		t->measure.new.runs = 1;
		v = add(t, "op", row_of_logs(t->arena, logs, runs), one_run(t, 20.1, 1e-4));
		decide(t);
		assert_int_equal(v->evidence, runs == 4 ? EVIDENCE_GIVEN : EVIDENCE_ONE_RUN);
	}
}

/* Differences 5, 3.5, 3 and 1 standard errors of 0.01. */
static void add_four(struct made_rows *t)
{
	add_test(t, "a", 0.05, 0.01);
	add_test(t, "b", 0.035, 0.01);
	add_test(t, "c", 0.03, 0.01);
	add_test(t, "d", 0.01, 0.01);
}

/* q of R's p.adjust(method = "BH"); three of four are flagged: intervals at 1 - 0.05 3/4. */
TEST_WITH(family_of_four, make, release)
{
	static const double q[] = {0.004211303173466159, 0.016158164520823765, 0.022762241645043535,
		0.34659350708733416};
	struct made_rows *t = *state;

	add_four(t);
	decide(t);
	for (size_t i = 0; i < 4; i++) {
		ref_near("q", t->value[i].q, q[i], 1e-10);
		ref_near("level", t->value[i].level, i < 3 ? 0.9625 : 0.95, 1e-14);
		assert_true(t->value[i].in_family);
	}
	assert_true(t->measure.family == 4 && t->measure.flagged == 3);
	ref_near("level", t->measure.flag_level_least, 0.9625, 1e-14);
	ref_near("low", t->value[0].low, 0.025413757574591054, 1e-9);
	ref_near("high", t->value[0].high, 0.07778046657936989, 1e-9);
	ref_near("above", t->value[0].q_above, 0.033132210066497705, 1e-10);
	ref_near("above", t->value[1].q_above, 0.16706369657980627, 1e-10);
	assert_int_equal(t->value[0].verdict, VERDICT_REGRESSED);
	assert_int_equal(t->value[1].verdict, VERDICT_SLOWER);
	assert_int_equal(t->value[2].verdict, VERDICT_SLOWER);
	assert_int_equal(t->value[3].verdict, VERDICT_INCONCLUSIVE);
}

/* t 4 and, beyond the margin, 2.02 with 8 df: alone p 0.039 is enough for REGRESSED, among four ops
 * 4 x 0.039 is not; 4 x 0.0039 is for SLOWER. */
TEST_WITH(claims_are_adjusted, make, release)
{
	static const double diff[] = {0.04, -0.04};
	static const enum verdict one[] = {VERDICT_REGRESSED, VERDICT_IMPROVED},
				  four[] = {VERDICT_SLOWER, VERDICT_FASTER};
	struct made_rows *t = *state;

	for (size_t i = 0; i < 2; i++) {
		struct compared *v = add_test(t, "op", diff[i], 0.01);

		decide(t);
		assert_int_equal(v->verdict, one[i]);
		for (size_t k = 0; k < 3; k++)
			add_test(t, "other", 0, 0.01);
		decide(t);
		assert_int_equal(v->verdict, four[i]);
		t->count = 0;
	}
}

/* Names of one letter are watched, the other ones not. */
static const struct compare_rule *watch_letters(
	void *context, const char *name, enum measure_id id, struct error *err)
{
	struct compare_rule *rule = context;

	(void)id;
	(void)err;
	return &rule[strlen(name) > 1];
}

/* Holm over the watched: q of R's p.adjust(method = "holm"), and Bonferroni's interval; "other" is
 * a family of its own. */
TEST_WITH(watched_rows_are_a_family, make, release)
{
	static const double q[] = {
		0.004211303173466159, 0.02423724678123565, 0.0341433624675653, 0.34659350708733416};
	struct made_rows *t = *state;
	struct compare_rule rule[2] = {t->opt.rule, t->opt.rule};

	rule[0].watch = "watched";
	t->opt.rule_of = watch_letters;
	t->opt.rule_context = rule;
	add_four(t);
	add_test(t, "other", 0.03, 0.01);
	decide(t);
	for (size_t i = 0; i < 4; i++) {
		ref_near("q", t->value[i].q, q[i], 1e-10);
		ref_near("level", t->value[i].level, i < 3 ? 0.9875 : 0.95, 1e-14);
		assert_ptr_equal(t->value[i].watch, rule[0].watch);
	}
	ref_near("low", t->value[0].low, 0.018102341974528566, 1e-9);
	ref_near("above", t->value[1].q_above, 0.2505955448697094, 1e-10);
	ref_near("other", t->value[4].q, t->value[4].p, 0);
	ref_near("other", t->value[4].level, 0.95, 0);
	assert_true(t->measure.family == 1 && t->measure.flagged == 1);
}

/* The largest margin holds: 2 % of 1e9, 5e7, 0.3 % of a step of 1e10. */
TEST_WITH(margins_hold_together, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add_test(t, "op", 0.1, 0.001);

	decide(t);
	ref_near("relative", v->margin, 0.02, 1e-12);
	t->opt.rule.margin_share = 0.003;
	decide(t);
	ref_near("share", v->margin, 3e7 / v->base->mean, 1e-12);
	t->opt.rule.margin_absolute = 5e7;
	decide(t);
	ref_near("absolute", v->margin, 5e7 / v->base->mean, 1e-12);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);
	t->opt.rule.margin_absolute = 2e8;
	decide(t);
	assert_int_equal(v->verdict, VERDICT_SAME);
	t->opt.rule.margin_absolute = t->opt.rule.margin_share = NAN;
	t->opt.rule.margin_relative = 0;
	decide(t);
	ref_near("none", v->margin, 0, 0);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);
}

/* Run values with a zero among them go by the margin in their own unit: base means 2, new 12. */
TEST_WITH(margin_of_values_from_nothing, make, release)
{
	static const double none[RUNS] = {0}, some[RUNS] = {10, 11, 12, 13, 14};
	struct made_rows *t = *state;
	struct compared *v = add_values(t, "op", none, some, RUNS);

	t->opt.rule.margin_absolute = 2;
	decide(t);
	assert_int_equal(v->evidence, EVIDENCE_LINEAR);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);
	t->opt.rule.margin_absolute = 20;
	decide(t);
	assert_int_equal(v->verdict, VERDICT_SAME);
}

TEST_WITH(fewer_runs_than_asked, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add_test(t, "op", 0.1, 0.01);

	t->opt.rule.min_runs = RUNS;
	decide(t);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);
	t->opt.rule.min_runs = RUNS + 1;
	decide(t);
	assert_int_equal(v->verdict, VERDICT_NONE);
	assert_string_equal(v->reason, "fewer runs than the policy asks for");
	assert_true(isnan(v->p));
}

TEST_WITH(no_steady_state_no_verdict, make, release)
{
	struct made_rows *t = *state;
	struct compared *v = add_test(t, "op", 0.1, 0.01);

	t->opt.unsteady = true;
	decide(t);
	assert_int_equal(v->verdict, VERDICT_INCONCLUSIVE);
	t->count = 0;
	t->measure.id = MEASURE_REQUESTED;
	expect_exact(t, "bytes", 1000, 2000, 1, VERDICT_REGRESSED);
}

/* New runs at 3, 3.5, 4, 4.5 and 10 %: p above the margin 0.038, without the last one 0.130. */
TEST_WITH(verdict_that_hangs_on_one_run, make, release)
{
	static const double fragile[RUNS] = {0.03, 0.035, 0.04, 0.045, 0.1},
			    sound[RUNS] = {0.049, 0.0495, 0.05, 0.0505, 0.051};
	struct made_rows *t = *state;
	double base[RUNS], odd[RUNS], even[RUNS];
	struct compared *v, *w, *down;

	for (size_t r = 0; r < RUNS; r++) {
		base[r] = 20 + 0.001 * pattern[r];
		odd[r] = 20 + fragile[r];
		even[r] = 20 + sound[r];
	}
	v = add(t, "op", row_of_logs(t->arena, base, RUNS), row_of_logs(t->arena, odd, RUNS));
	decide(t);
	ref_near("above", v->p_above, 0.03841182226316712, 1e-9);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);
	assert_true(v->fragile_run && !v->fragile_run_of_base && v->fragile_run_index == 4);
	assert_false(v->fragile_step);
	t->count = 0;
	w = add(t, "op", row_of_logs(t->arena, base, RUNS), row_of_logs(t->arena, even, RUNS));
	decide(t);
	assert_true(w->verdict == VERDICT_REGRESSED && !w->fragile_run && !w->fragile_step);
	t->count = 0;
	down = add(t, "op", row_of_logs(t->arena, odd, RUNS), row_of_logs(t->arena, base, RUNS));
	decide(t);
	assert_int_equal(down->verdict, VERDICT_IMPROVED);
	assert_true(down->fragile_run && down->fragile_run_of_base && down->fragile_run_index == 4);
}

/* One step of ten holds a fifth of its run: without it the run is 8/9 of what it was, and the
 * difference 0.03 - ln(9/8)/5 = 0.0064 of standard error 0.003 is not above the margin. */
TEST_WITH(verdict_that_hangs_on_one_step, make, release)
{
	struct made_rows *t = *state;
	struct run_row *new = spread(t, 0.03, 0.003);
	struct compared *v = add(t, "op", spread(t, 0, 0.003), new);

	new->run[2].steps = 10;
	new->run[2].most = 2 * new->run[2].mean;
	new->run[2].most_step = 77;
	decide(t);
	assert_int_equal(v->verdict, VERDICT_REGRESSED);
	assert_true(v->fragile_step && !v->fragile_step_of_base && v->fragile_step_index == 77);
	new->run[2].steps = 2;
	decide(t);
	assert_false(v->fragile_step);
	/* Of 3 steps one can be left out, of 2 none. */
	new->run[2].most = 1.5 * new->run[2].mean;
	decide(t);
	assert_false(v->fragile_step);
	new->run[2].steps = 3;
	decide(t);
	assert_true(v->fragile_step);
	new->run[2].steps = 10;
	new->run[2].most = 1.1 * new->run[2].mean;
	decide(t);
	assert_true(v->verdict == VERDICT_REGRESSED && !v->fragile_step);
}

static double reference(const char *set, const char *procedure, const char *quantity)
{
	char start[256];

	snprintf(start, sizeof(start), "\"%s\",\"%s\",\"%s\",\"", set, procedure, quantity);
	return ref_column(REFERENCE, start, 0);
}

/* Student 1908: hours of sleep gained; the reference has drug 1 minus drug 2. The patients of new
 * come in another order. */
TEST_WITH(pairs_of_rounds, make, release)
{
	static const double drug2[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4},
			    drug1[] = {2, 0, 0.8, 3.7, 3.4, -0.1, -1.2, -0.2, -1.6, 0.7};
	static const size_t round[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
	struct made_rows *t = *state;
	struct compared *v =
		add(t, "sleep", row_of_logs(t->arena, drug2, 10), row_of_logs(t->arena, drug1, 10));

	t->measure.base.runs = t->measure.new.runs = 10;
	t->opt.method = METHOD_PAIRED;
	t->opt.round = round;
	decide(t);
	ref_near("t", v->t, reference("sleep", "paired t", "t"), 1e-12);
	ref_near("t", v->t, -4.06213, 1e-5);
	ref_near("p", v->p, reference("sleep", "paired t", "p"), 1e-11);
	ref_near("p", v->p, 0.00283289, 1e-5);
	ref_near("df", v->df, 9, 1e-12);
	ref_near("diff", v->diff, -1.58, 1e-12);
	assert_int_equal(v->verdict, VERDICT_IMPROVED);
}

/* Hollander & Wolfe 1973: permeability of the chorioamnion. */
TEST_WITH(ranks_of_runs, make, release)
{
	static const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
			    early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
	struct made_rows *t = *state;
	struct compared *v =
		add(t, "op", row_of_logs(t->arena, early, 5), row_of_logs(t->arena, term, 10));

	t->measure.new.runs = 10;
	t->opt.method = METHOD_RANKSUM;
	decide(t);
	ref_near("p", v->p, 0.254412254412254, 1e-13);
	ref_near("q", v->q, v->p, 0);
	ref_near("shift", v->diff, 0.305, 1e-12);
	ref_near("change", v->change, expm1(0.305), 1e-12);
	ref_near("low", v->low, expm1(-0.15), 1e-11);
	ref_near("high", v->high, expm1(0.76), 1e-11);
	ref_near("smallest", t->measure.smallest_p, 2.0 / 3003, 1e-14);
	assert_true(isnan(v->t) && isnan(v->detectable));
	assert_int_equal(v->verdict, VERDICT_INCONCLUSIVE);
}
