/* The split of the variance over ranks and steps: against exact arithmetic for a recorded job
 * (tests/data/ranks), by hand for small matrices. */
#include "tests/unit/rank_job.h"

#include "stats/job/rank_split.h"
#include "tests/unit/test.h"

enum { GROUPS_MOST = 8 };

static void split_matrix(const struct rank_matrix *m, struct rank_split *out)
{
	struct row_sums group[GROUPS_MOST];

	rank_matrix_sums(m, group, GROUPS_MOST);
	rank_split_compute(group, GROUPS_MOST, out);
	for (size_t g = 0; g < GROUPS_MOST; g++)
		row_sums_release(&group[g]);
}

enum { RANKS, STEPS, TOTAL, GROUP, IN_GROUP, STEP, RANK_BY_STEP, COLUMNS };

static void near_pct(const char *op, const char *what, double got, double want)
{
	if (!(fabs(100 * got - want) <= 1e-9))
		fail_msg("%s: %s %.13g %%, expected %.13g", op, what, 100 * got, want);
}

static const char *const recorded[] = {
	"backward-compute",
	"backward-recv",
	"backward-send",
	"compute",
	"embedding-grads-all-reduce",
	"forward-compute",
	"forward-recv",
	"forward-send",
	"grads-reduce-scatter",
	"layernorm-grads-all-reduce",
	"optimizer",
	"optimizer-clip-main-grad",
	"params-all-gather",
};

/* Every row of the file; it has percents with ten decimals and totals with twelve digits. */
TEST(recorded_job)
{
	struct rank_job *job = rank_job_read();

	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
		const char *const op = recorded[i];
		const struct rank_matrix m = rank_job_matrix(job, op);
		struct rank_split s;
		double want[COLUMNS];

		assert_int_equal(ref_row(RANK_JOB_SPLIT, op, want, COLUMNS), COLUMNS);
		split_matrix(&m, &s);
		assert_int_equal(s.ranks, (size_t)want[RANKS]);
		assert_int_equal(s.steps, (size_t)want[STEPS]);
		ref_near(op, s.total / 1e6, want[TOTAL], 1e-11); /* ns and us */
		near_pct(op, "group", s.group, want[GROUP]);
		near_pct(op, "in group", s.in_group, want[IN_GROUP]);
		near_pct(op, "step", s.step, want[STEP]);
		near_pct(op, "rank x step", s.rank_by_step, want[RANK_BY_STEP]);
		ref_near(op, s.group + s.in_group + s.step + s.rank_by_step, 1, 1e-14);
	}
	free(job);
}

/* Four ranks x two steps, means of the ranks 1 3 6 10, of the groups 2 and 8, of the steps 4 and 6,
 * of all 5: total 25 + 9 + 4 + 4 + 0 + 4 + 9 + 49 = 104, group 4 (9 + 9) = 72, in group 4 (1 + 4) =
 * 20, step 4 (1 + 1) = 8. Ranks 2 and 4 leave 1, -1 and -1, 1: 4. */
static const double four[] = {0, 2, 3, 3, 5, 7, 8, 12};
static const size_t pairs[] = {0, 0, 1, 1};

TEST(by_hand)
{
	const struct rank_matrix with = {four, 4, 2, pairs}, without = {four, 4, 2, NULL};
	struct rank_split s;

	split_matrix(&with, &s);
	ref_near("total", s.total, 104, 1e-15);
	ref_near("group", s.group, 72.0 / 104, 1e-14);
	ref_near("in group", s.in_group, 20.0 / 104, 1e-14);
	ref_near("step", s.step, 8.0 / 104, 1e-14);
	ref_near("rank x step", s.rank_by_step, 4.0 / 104, 1e-14);
	split_matrix(&without, &s);
	ref_near("in group", s.in_group, 92.0 / 104, 1e-14);
	assert_true(s.group == 0);
}

/* A rank without any value is left out, and so is a step that another rank lacks. */
TEST(what_is_missing_is_left_out)
{
	const double x[] = {0, 99, 2, 3, 77, 3, NAN, NAN, NAN, 5, NAN, 7, 8, 55, 12};
	const size_t group[] = {4, 4, 0, 1, 1};
	const struct rank_matrix m = {x, 5, 3, group};
	struct rank_split s;

	split_matrix(&m, &s);
	assert_int_equal(s.ranks, 4);
	assert_int_equal(s.steps, 2);
	ref_near("total", s.total, 104, 1e-15);
	ref_near("group", s.group, 72.0 / 104, 1e-14);
}

/* Times of 1e15 ps whose differences are a few ps lose no digit. */
TEST(far_from_zero)
{
	double x[8];
	const struct rank_matrix m = {x, 4, 2, pairs};
	struct rank_split s;

	for (size_t i = 0; i < 8; i++)
		x[i] = 1e15 + four[i];
	split_matrix(&m, &s);
	ref_near("total", s.total, 104, 1e-15);
	ref_near("rank x step", s.rank_by_step, 4.0 / 104, 1e-14);
}

static void undefined(const struct rank_matrix *m, double total)
{
	struct rank_split s;

	split_matrix(m, &s);
	ref_near("total", s.total, total, 0);
	assert_true(isnan(s.group) && isnan(s.in_group));
	assert_true(isnan(s.step) && isnan(s.rank_by_step));
}

TEST(where_it_is_not_defined)
{
	const double equal[] = {7, 7, 7, 7, 7, 7}, none[] = {NAN, NAN, NAN, NAN};
	const double apart[] = {1, NAN, NAN, 2};
	const struct rank_matrix one_rank = {four, 1, 8, NULL}, one_step = {four, 8, 1, NULL};
	const struct rank_matrix constant = {equal, 3, 2, NULL}, absent = {none, 2, 2, NULL};
	const struct rank_matrix never_both = {apart, 2, 2, NULL}, empty = {NULL, 0, 0, NULL};

	undefined(&one_rank, NAN);
	undefined(&one_step, NAN);
	undefined(&constant, 0);
	undefined(&absent, NAN);
	undefined(&never_both, NAN);
	undefined(&empty, NAN);
}

/* One part alone is all of it. */
TEST(pure_parts)
{
	double x[7 * 6], y[7 * 6];
	const struct rank_matrix ranks = {x, 7, 6, NULL}, steps = {y, 7, 6, NULL};
	struct rank_split s;

	for (size_t i = 0; i < 42; i++) {
		x[i] = (double)(i / 6 * 10);
		y[i] = (double)(i % 6 * 10);
	}
	split_matrix(&ranks, &s);
	ref_near("rank", s.in_group, 1, 1e-15);
	split_matrix(&steps, &s);
	ref_near("step", s.step, 1, 1e-15);
}

/* 3, 4 of one rank and 1, 2 of the other: squares 30, of ranks 49 + 9, products 12 + 2. */
TEST(sums_that_contradict_each_other_are_not_possible)
{
	const uint64_t x[2][2] = {{3, 4}, {1, 2}};
	struct row_sums sums;

	row_sums_init(&sums, 2);
	row_sums_add(&sums, 0, x[0]);
	row_sums_add(&sums, 1, x[1]);
	assert_true(row_sums_are_possible(&sums));
	sums.squares.limb[0] = 25; /* sums of steps are 4 and 6: at least 26 */
	assert_false(row_sums_are_possible(&sums));
	sums.squares.limb[0] = 30;
	sums.rank_squares.limb[0] = 61; /* at most 2 x 30 */
	assert_false(row_sums_are_possible(&sums));
	sums.rank_squares.limb[0] = 49; /* the total is 10: at least 50 */
	assert_false(row_sums_are_possible(&sums));
	sums.rank_squares.limb[0] = 58;
	sums.products.limb[0] = 31;
	assert_false(row_sums_are_possible(&sums));
	sums.products.limb[0] = 14;
	sums.longest[1] = 7; /* the sum is 6 */
	assert_false(row_sums_are_possible(&sums));
	sums.longest[1] = 4;
	assert_true(row_sums_are_possible(&sums));
	row_sums_release(&sums);
}
