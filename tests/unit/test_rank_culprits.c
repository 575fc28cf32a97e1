/* Who is slow: against NumPy and SciPy (tests/ref/make_ranks.py), for a recorded job with a
 * published slow rank, by hand, and by simulation for how often a rank is named that is as good as
 * the others. */
#include "tests/unit/rank_job.h"

#include <gsl/gsl_rng.h>
#include "stats/job/rank_culprits.h"
#include "stats/job/row_test.h"
#include "tests/sim/rank_world.h"
#include "tests/unit/test.h"

#define SERIES "tests/ref/ranks_series.csv"
#define EXPECTED "tests/ref/ranks.csv"

enum { ROOM = 400, GROUPS = 16, RANKS_MOST = 300 };

static void add_row(struct rank_culprits *c, size_t row, const struct rank_matrix *matrix)
{
	struct row_sums sums[GROUPS];

	rank_matrix_sums(matrix, sums, GROUPS);
	rank_culprits_row(c, row, sums, NULL);
	for (size_t g = 0; g < GROUPS; g++)
		row_sums_release(&sums[g]);
}

static void add_whole(struct rank_culprits *c, const double *x)
{
	struct rank_place place[RANKS_MOST];

	rank_culprits_whole(c, x, place);
}

/* ---- against NumPy and SciPy ---- */

static void read_row(const char *name, int row, double *x, size_t cells)
{
	char start[64];

	snprintf(start, sizeof(start), "%s.%d", name, row);
	assert_int_equal(ref_row(SERIES, start, x, ROOM), cells);
}

static void read_group(const char *name, size_t *group, size_t ranks)
{
	double number[GROUPS];
	char start[64];

	snprintf(start, sizeof(start), "%s.group", name);
	assert_int_equal(ref_row(SERIES, start, number, GROUPS), ranks);
	for (size_t r = 0; r < ranks; r++)
		group[r] = (size_t)number[r];
}

static void same_culprit(const char *name, size_t i, const struct rank_culprit *got)
{
	double want[7];
	char start[64];

	snprintf(start, sizeof(start), "%s.%zu", name, i);
	assert_int_equal(ref_row(EXPECTED, start, want, 7), 7);
	assert_int_equal(got->row, want[0] < 0 ? RANK_CULPRITS_WHOLE : (size_t)want[0]);
	assert_int_equal(got->rank, (size_t)want[1]);
	assert_int_equal(got->ranks, (size_t)want[2]);
	assert_int_equal(got->steps, (size_t)want[3]);
	assert_int_equal(got->slowest_in, (size_t)want[4]);
	ref_near(start, got->excess, want[5], 1e-12);
	ref_near(start, got->p, want[6], 1e-8);
}

static void same_case(const char *name)
{
	const struct rank_culprit *named;
	struct rank_culprits *c;
	double size[3], x[ROOM], want;
	size_t group[GROUPS], count;
	char start[64];

	snprintf(start, sizeof(start), "%s.size", name);
	assert_int_equal(ref_row(SERIES, start, size, 3), 3);
	read_group(name, group, (size_t)size[0]);
	c = rank_culprits_new((size_t)size[0], (size_t)size[1], group);
	read_row(name, -1, x, (size_t)(size[0] * size[1]));
	add_whole(c, x);
	for (int row = 0; row < (int)size[2]; row++) {
		read_row(name, row, x, (size_t)(size[0] * size[1]));
		add_row(c, (size_t)row,
			&(struct rank_matrix){x, (size_t)size[0], (size_t)size[1], group});
	}
	named = rank_culprits_named(c, &count);
	snprintf(start, sizeof(start), "%s.count", name);
	assert_int_equal(ref_row(EXPECTED, start, &want, 1), 1);
	assert_int_equal(count, (size_t)want);
	for (size_t i = 0; i < count; i++)
		same_culprit(name, i, &named[i]);
	rank_culprits_free(c);
}

TEST(as_scipy)
{
	static const char *const names[] = {
		"eight", "one_row", "hiding", "stages", "spiky", "missing", "grid", "fast"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		same_case(names[i]);
}

/* ---- the recorded job ---- */

TEST(recorded_job)
{
	struct rank_job *job = rank_job_read();
	struct rank_culprits *c = rank_culprits_new(JOB_RANKS, JOB_STEPS, job->group);
	struct rank_place place[JOB_RANKS];
	const struct rank_culprit *named;
	size_t count;

	rank_culprits_whole(c, rank_job_matrix(job, "compute").x, place);
	const struct rank_matrix forward = rank_job_matrix(job, "forward-compute"),
				 backward = rank_job_matrix(job, "backward-compute");

	add_row(c, 0, &forward);
	add_row(c, 1, &backward);
	for (size_t r = 0; r < JOB_RANKS; r++) {
		char start[64], line[REF_LINE_SIZE], *rest;
		double slowest_in, steps, excess;

		snprintf(
			start, sizeof(start), "%ld,stage %zu,", job->rank_number[r], job->group[r]);
		rest = ref_find(RANK_JOB_SLOWEST, start, line);
		assert_true(ref_next(&rest, &slowest_in) && ref_next(&rest, &steps));
		assert_true(ref_next(&rest, &excess));
		assert_int_equal(place[r].slowest_in, (size_t)slowest_in);
		assert_int_equal(place[r].steps, (size_t)steps);
		assert_true(fabs(place[r].excess / 1000 - excess) < 0.0006);
	}
	named = rank_culprits_named(c, &count);
	assert_int_equal(count, 3);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(job->rank_number[named[i].rank], 0);
		assert_int_equal(named[i].ranks, 4);
		assert_int_equal(named[i].slowest_in, 44);
		assert_true(named[i].p < 0.001);
	}
	assert_int_equal(named[0].row, RANK_CULPRITS_WHOLE);
	assert_int_equal(named[1].row, 1);
	rank_culprits_free(c);
	free(job);
}

/* Work of one of the runs with gloo, in ns. */
static void read_gloo(int run, double *x, size_t ranks, size_t steps)
{
	for (size_t i = 0; i < ranks * steps; i++) {
		char start[64];

		snprintf(start, sizeof(start), "run%d,%zu,%zu,", run, i / steps, 3 + i % steps);
		x[i] = ref_column("tests/data/ranks/gloo/expected.csv", start, 0);
	}
}

/* Eight ranks of which rank 5 was slowed down, recorded on a computer with other work. */
TEST(recorded_with_gloo)
{
	for (int run = 1; run <= 3; run++) {
		struct rank_culprits *c = rank_culprits_new(8, 6, NULL);
		const struct rank_culprit *named;
		double x[8 * 6];
		size_t count;

		read_gloo(run, x, 8, 6);
		add_whole(c, x);
		named = rank_culprits_named(c, &count);
		assert_int_equal(count, 1);
		assert_int_equal(named->rank, 5);
		assert_int_equal(named->slowest_in, 6);
		rank_culprits_free(c);
	}
}

/* ---- by hand ---- */

/* 101 others alike, whose spread counts as 0.005 sqrt(2/102) = 0.0007: below a hundredth nobody is
 * slow. */
TEST(a_hundredth_is_slow)
{
	static const struct rank_others others = {.count = 101};
	struct rank_level rank = {.steps = 10, .level = 0.0099, .noise_df = 9};

	assert_true(rank_test(&rank, &others, 0) == 1);
	rank.level = 0.0101;
	assert_true(rank_test(&rank, &others, 0) < 0.001);
}

/* Three ranks of three steps are tested, two of either are not. */
TEST(three_ranks_of_three_steps_are_tested)
{
	static const double x[] = {100, 101, 99, 100, 99, 101, 150, 152, 149};

	for (size_t ranks = 2; ranks <= 3; ranks++)
		for (size_t steps = 2; steps <= 3; steps++) {
			struct rank_culprits *c = rank_culprits_new(ranks, steps, NULL);

			add_whole(c, x);
			assert_int_equal(rank_culprits_tests(c) > 0, ranks == 3 && steps == 3);
			rank_culprits_free(c);
		}
}

/* Others that agree may do so by chance; ranks differ by 3 %, but not by z(0.025/3) sqrt(1.5)
 * times that, 8.8 % of the middle of both, and 0.1 % for the grid of the times. */
TEST(what_no_spread_makes_is_slow)
{
	for (int slow = 1092; slow <= 1095; slow += 3) {
		const double x[] = {1000, 1001, 999, 1001, 999, 1000, slow, slow + 1, slow - 1};
		struct rank_culprits *c = rank_culprits_new(3, 3, NULL);
		size_t count;

		add_whole(c, x);
		rank_culprits_named(c, &count);
		assert_int_equal(count, slow == 1095);
		rank_culprits_free(c);
	}
}

/* Rank 1 twice as slow as the other, always: but the other may be the fast one. */
TEST(of_two_ranks_nobody_is_named)
{
	const double x[] = {100, 101, 99, 100, 200, 203, 199, 202};
	struct rank_culprits *c = rank_culprits_new(2, 4, NULL);
	struct rank_place place[2];
	size_t count;

	rank_culprits_whole(c, x, place);
	rank_culprits_named(c, &count);
	assert_int_equal(count, 0);
	assert_int_equal(rank_culprits_tests(c), 0);
	assert_int_equal(place[1].slowest_in, 4);
	ref_near("excess", place[1].excess, (100 + 102 + 100 + 102) / 8.0, 1e-15);
	ref_near("excess", place[0].excess, -place[1].excess, 1e-15);
	rank_culprits_free(c);
}

/* In step 0 ranks 0 and 1 are the slowest, in step 1 rank 2 alone is there, in step 2 it is
 * slowest; medians 5, 4, 6. Rank 3 has no value. */
TEST(places)
{
	const double x[] = {5, NAN, 6, 5, NAN, 2, 3, 4, 9, NAN, NAN, NAN};
	struct rank_culprits *c = rank_culprits_new(4, 3, NULL);
	struct rank_place place[4];

	rank_culprits_whole(c, x, place);
	assert_int_equal(place[0].slowest_in + place[1].slowest_in, 0);
	assert_int_equal(place[2].slowest_in, 1);
	assert_int_equal(place[2].steps, 3);
	ref_near("excess", place[2].excess, (-2 + 0 + 3) / 3.0, 1e-15);
	ref_near("excess", place[1].excess, (0 - 4) / 2.0, 1e-15);
	assert_int_equal(place[3].steps, 0);
	assert_true(isnan(place[3].excess));
	rank_culprits_free(c);
}

/* An empty job, one without steps, and rows of zeros are no matter. */
TEST(nothing_to_see)
{
	const double zeros[4 * 5] = {0};
	struct rank_culprits *none = rank_culprits_new(0, 0, NULL);
	struct rank_culprits *idle = rank_culprits_new(4, 0, NULL);
	struct rank_culprits *c = rank_culprits_new(4, 5, NULL);
	struct rank_place place[4];
	size_t count;

	rank_culprits_whole(none, NULL, place);
	rank_culprits_whole(idle, NULL, place);
	assert_true(place[0].steps == 0 && isnan(place[0].excess));
	rank_culprits_whole(c, zeros, place);
	add_row(c, 0, &(struct rank_matrix){zeros, 4, 5, NULL});
	assert_true(place[3].steps == 5 && place[3].slowest_in == 0 && place[3].excess == 0);
	rank_culprits_named(c, &count);
	assert_int_equal(count, 0);
	rank_culprits_named(none, &count);
	assert_int_equal(count, 0);
	rank_culprits_free(c);
	rank_culprits_free(idle);
	rank_culprits_free(none);
}

/* Who is named among many does not depend on the ranks' order; that rank is held against all
 * others. */
TEST(many_ranks)
{
	enum { RANKS = RANKS_MOST, STEPS = 10 };
	static double x[RANKS * STEPS];

	for (size_t slow = 0; slow < RANKS; slow += 7) {
		struct rank_culprits *c = rank_culprits_new(RANKS, STEPS, NULL);
		const struct rank_culprit *named;
		size_t count;

		for (size_t r = 0; r < RANKS; r++)
			for (size_t t = 0; t < STEPS; t++)
				x[r * STEPS + t] = 10000 + (double)((r * 7919 + t * 31) % 101);
		for (size_t t = 0; t < STEPS; t++)
			x[slow * STEPS + t] = 11000;
		add_row(c, 3, &(struct rank_matrix){x, RANKS, STEPS, NULL});
		named = rank_culprits_named(c, &count);
		assert_int_equal(count, 1);
		assert_int_equal(named->rank, slow);
		assert_int_equal(named->row, 3);
		assert_int_equal(named->slowest_in, STEPS);
		assert_true(fabs(named->excess - 950) < 2);
		rank_culprits_free(c);
	}
}

/* ---- by simulation; tests/sim/ranks.c does more of it ---- */

/* At a rate of 0.05 more than 13 of 120 jobs are 1 in 500; the rates are far below it (the seed is
 * fixed). */
TEST(of_alike_ranks_nobody_is_named)
{
	static const struct rank_size sizes[] = {{3, 5, 10}, {4, 20, 10}, {8, 5, 10}, {64, 8, 3}};
	const struct rank_plant nobody = {0, 0};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	const size_t jobs = 120;

	gsl_rng_set(rng, 16);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t w = 0; w < rank_worlds_count; w++) {
			struct rank_tally t;

			rank_world_run(rng, &rank_worlds[w], &sizes[i], &nobody, jobs, &t);
			if (t.any > 13)
				fail_msg("%s, %zu ranks: a culprit in %zu of %zu jobs",
					rank_worlds[w].name, sizes[i].ranks, t.any, jobs);
		}
	gsl_rng_free(rng);
}

static void expect_named(gsl_rng *rng, const struct rank_world *world, const struct rank_size *size,
	const struct rank_plant *plant, size_t jobs)
{
	struct rank_tally t;

	rank_world_run(rng, world, size, plant, jobs, &t);
	if ((plant->rows ? t.row : t.whole) < jobs * 9 / 10)
		fail_msg("%zu ranks, +%g in %zu rows: named in %zu and %zu of %zu jobs",
			size->ranks, plant->by, plant->rows, t.whole, t.row, jobs);
}

TEST(slow_ranks_are_named)
{
	const struct rank_world spread = {.noise = 0.02, .rank = 0.005}, noise = {.noise = 0.02};
	const struct rank_size eight = {8, 44, 10}, thousand = {1000, 100, 2};
	const struct rank_plant all = {0.05, 0}, one = {0.03, 1};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	expect_named(rng, &spread, &eight, &all, 100);
	expect_named(rng, &noise, &thousand, &one, 3);
	gsl_rng_free(rng);
}
