/* Sides whose runs differ in spread: the ratios of the ops, and the test of one op with few runs on
 * a side. Expected values are from SciPy: the definitions of stats/moderated/spread_ratio.h,
 * ttest_ind() without equal variances, and the mean over the ratio by a sum of 8001 places. */
#include "tests/ref/values.h"

#include "stats/moderated/moderated.h"
#include "stats/moderated/spread_ratio.h"
#include "stats/student.h"
#include "tests/unit/test.h"

static const double ten[] = {10.1, 10.4, 9.8, 10.0, 10.3, 9.9, 10.2, 10.05, 9.95, 10.15};
static const struct moderated_options usual = {.confidence = 0.95, .cautious = true, .ratio = true};

TEST(ratios_of_ops_lie_between)
{
	static const struct spread_pair pair[] = {{1, 30, 4, 3}, {2, 1, 4, 3}, {0.5, 1.5, 4, 3},
		{4, 2, 4, 3}, {1.5, 9, 4, 3}, {0.8, 0.4, 4, 3}, {1.1, 0.2, 4, 3}, {0.7, 3, 4, 3},
		{2.2, 1.9, 4, 3}, {1.3, 0.9, 4, 3}};
	struct spread_ratio all;
	struct spread_ratio_of_op first;

	spread_ratio(pair, 10, &all);
	first = spread_ratio_of_op(&all, &pair[0], 1);
	ref_near("ratio", all.ratio, 1.9127639090594648, 1e-9);
	ref_near("error", all.log_se, 0.5554890309875463, 1e-9);
	ref_near("own variance", all.own_variance, 0.9875561220394422, 1e-9);
	ref_near("of an op", first.ratio, 6.3981000844180205, 1e-9);
	ref_near("error of all", first.common_log_se, 0.3418099831566119, 1e-9);
	ref_near("its own error", first.own_log_se, 0.7795348228964546, 1e-9);
}

/* Two ops of which one varies a thousand times less on one side, the other on the other. */
TEST(ops_that_contradict_have_their_own)
{
	static const struct spread_pair pair[] = {{1, 1000, 2, 2}, {1000, 1, 2, 2}};
	struct spread_ratio all;

	spread_ratio(pair, 2, &all);
	ref_near("first", spread_ratio_of_op(&all, &pair[0], 1).ratio, 1000, 1e-9);
	ref_near("second", spread_ratio_of_op(&all, &pair[1], 1).ratio, 0.001, 1e-9);
	ref_near("error", spread_ratio_of_op(&all, &pair[1], 1).own_log_se, sqrt(2), 1e-9);
}

TEST(few_ops_share_one_ratio)
{
	static const struct spread_pair pair[] = {{1, 3, 4, 3}, {2, 1, 4, 3}, {0.5, 2, 4, 3}};
	struct spread_ratio all;

	spread_ratio(pair, 3, &all);
	assert_true(all.own_variance == 0);
	ref_near("of an op", spread_ratio_of_op(&all, &pair[0], 1).ratio, all.ratio, 1e-12);
}

/* From four ops on it is known how their ratios differ. */
TEST(four_ops_have_ratios_of_their_own)
{
	static const struct spread_pair pair[] = {
		{1, 1000, 4, 3}, {1000, 1, 4, 3}, {1, 1000, 4, 3}, {1000, 1, 4, 3}};
	struct spread_ratio all;

	spread_ratio(pair, 4, &all);
	assert_true(all.own_variance > 0);
	spread_ratio(pair, 3, &all);
	assert_true(all.own_variance == 0);
}

/* The error of the ratio of all is (0 + 2/2 + 2/2) / 2 = 1 times the clustering; the op's own runs
 * say 4 times 2 of it. */
TEST(an_error_of_four_times_is_a_contradiction)
{
	static const struct spread_ratio all = {.count = 2, .ratio = 1, .log_se = 0.1};
	static const struct spread_pair op = {1, 1000, 2, 2};

	ref_near("of all", spread_ratio_of_op(&all, &op, 7.9).ratio, 1, 1e-12);
	ref_near("its own", spread_ratio_of_op(&all, &op, 8.1).ratio, 1000, 1e-9);
}

/* Degrees of freedom of the smaller side over all rows: below 4, or below 2 in a row, where a side
 * has more than twice as many. */
TEST(few_runs_are_below_four_degrees)
{
	static const struct {
		struct spread_pair pair[2];
		size_t rows;
		bool few;
	} world[] = {{{{1, 1, 9, 3}}, 1, true}, {{{1, 1, 9, 4}}, 1, false},
		{{{1, 1, 9, 2}, {1, 1, 9, 2}}, 2, false}, {{{1, 1, 9, 1}, {1, 1, 9, 8}}, 2, true},
		{{{1, 1, 6, 3}}, 1, false}, {{{1, 1, 3, 7}}, 1, true}};

	for (size_t i = 0; i < sizeof(world) / sizeof(*world); i++)
		assert_int_equal(few_runs_applies(&(struct few_runs){
					 .pair = world[i].pair, .rows = world[i].rows}),
			world[i].few);
}

static struct moderated_op test_one(const double *base, size_t runs_base, const double *new,
	size_t runs_new, struct moderated *summary)
{
	double value[20];
	struct moderated_op op;

	memcpy(value, base, runs_base * sizeof(*value));
	memcpy(value + runs_base, new, runs_new * sizeof(*value));
	moderated_test(
		&(struct moderated_data){value, 1, runs_base, runs_new}, &usual, &op, summary);
	return op;
}

TEST(one_op_is_welch)
{
	static const double new[] = {10.6, 11.9, 10.2, 11.4, 10.9};
	struct moderated all;
	const struct moderated_op op = test_one(ten, 5, new, 5, &all);

	assert_false(all.few_runs);
	ref_near("t", op.t, 2.777255373630335, 1e-9);
	ref_near("df", op.df, 5.008177906734103, 1e-9);
	ref_near("p", op.p, 0.03895925144506816, 1e-9);
}

/* Welch's df with a side that does not vary are those of the other side. */
TEST(a_side_without_spread)
{
	static const double same[] = {10, 10, 10, 10, 10};
	static const double new[] = {10.6, 11.9, 10.2, 11.4, 10.9};
	struct moderated all;
	const struct moderated_op op = test_one(same, 5, new, 5, &all);

	ref_near("df", op.df, 4, 1e-6);
	ref_near("se", op.se, sqrt(0.445 / 5), 1e-6);
}

/* Ten runs against two; the t has the same p at 0.05 and 0.005, and a larger one where nothing is
 * claimed. */
TEST(few_runs_are_averaged_over_the_ratio)
{
	static const double new[] = {11.0, 12.1};
	struct moderated all;
	const struct moderated_op op = test_one(ten, 10, new, 2, &all);

	assert_true(all.few_runs);
	assert_true(op.p > 0.20446999346522288 && op.p < 0.35);
	ref_near("at 0.05", student_quantile(0.025, op.df) * op.se, 4.557670337752535, 0.02);
	ref_near("at 0.005", student_quantile(0.0025, op.df) * op.se, 14.390274632490158, 0.02);
}
