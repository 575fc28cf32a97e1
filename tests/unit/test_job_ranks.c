/* Ranks of one run: which files they are, what stands for all of them, and each by itself. */
#include <math.h>
#include "model/ranks.h"
#include "model/sums/job_sums.h"
#include "tests/unit/cube_build.h"
#include "tests/unit/test.h"

static struct profile *of_rank(const char *path, const char *rank)
{
	struct profile *p = made_profile(path, "job");

	for (int s = 1; s <= 3; s++)
		made_step(p, s)->rank = rank;
	return p;
}

/* From start_us on, after the base, each step takes this long. */
static void time_steps(struct profile *p, int64_t base_ns, int64_t start_us, int64_t us)
{
	for (size_t s = 0; s < p->step_count; s++) {
		p->step[s].has_wall = true;
		p->step[s].start_ps = (start_us + (int64_t)s * us) * US;
		p->step[s].end_ps = p->step[s].start_ps + us * US;
		p->step[s].busy_ps = us * US / 2;
	}
	p->base_ns = base_ns;
}

/* Rank 0 takes 10, 20, 30 us in "a"; rank 1 takes 14 in steps 1 and 2, and 7 in "b". */
static void make_two(struct profile *p[2])
{
	p[0] = of_rank("job/x.json", "0");
	p[1] = of_rank("job/y.json", "1");
	for (int s = 1; s <= 3; s++)
		put_cpu(p[0], "a", s, 10 * s);
	put_cpu(p[1], "a", 1, 14);
	put_cpu(p[1], "a", 2, 14);
	put_cpu(p[1], "b", 3, 7);
}

static struct cube *merged(struct profile **p, size_t count, const struct merge_options *opt)
{
	struct error err;
	struct cube *cube = merge_profiles(p, count, opt, &err);

	for (size_t i = 0; i < count; i++)
		profile_free(p[i]);
	assert_non_null(cube);
	return cube;
}

static double mean_at(const struct cube *cube, const char *name, uint32_t step)
{
	return cube_mean(cube, step, value_at(cube, MEASURE_CPU, name, step)) / US;
}

TEST(a_value_is_the_mean_over_the_ranks_of_the_step)
{
	struct profile *p[2];
	struct cube *cube;

	make_two(p);
	cube = merged(p, 2, &(struct merge_options){0});
	assert_int_equal(cube->run_count, 1);
	assert_int_equal(cube->step_count, 3);
	assert_int_equal(cube->rank_count[0], 2);
	assert_int_equal(cube->ranks->count, 2);
	assert_string_equal(cube->ranks->rank[1].name, "1");
	assert_true(fabs(mean_at(cube, "a", 0) - 12) < 1e-12);
	assert_true(fabs(mean_at(cube, "a", 1) - 17) < 1e-12);
	assert_true(fabs(mean_at(cube, "a", 2) - 15) < 1e-12); /* rank 1 is without it: 0 */
	assert_true(fabs(mean_at(cube, "b", 2) - 3.5) < 1e-12);
	cube_free(cube);
}

TEST(largest_and_sum)
{
	struct profile *p[2];
	struct cube *cube;

	make_two(p);
	cube = merged(p, 2, &(struct merge_options){.rank_value = RANK_VALUE_MAX});
	assert_true(mean_at(cube, "a", 0) == 14);
	assert_true(mean_at(cube, "a", 1) == 20);
	cube_free(cube);
	make_two(p);
	cube = merged(p, 2, &(struct merge_options){.rank_value = RANK_VALUE_SUM});
	assert_true(mean_at(cube, "a", 0) == 24);
	assert_true(mean_at(cube, "b", 2) == 7);
	cube_free(cube);
}

TEST(chosen_ranks)
{
	const char *const one[] = {"1"}, *const none[] = {"9"};
	struct profile *p[2];
	struct error err;
	struct cube *cube;

	make_two(p);
	cube = merged(p, 2, &(struct merge_options){.rank = one, .rank_count = 1});
	assert_null(cube->ranks);
	assert_string_equal(cube->run[0].rank, "1");
	assert_true(mean_at(cube, "a", 0) == 14);
	cube_free(cube);
	make_two(p);
	assert_null(
		merge_profiles(p, 2, &(struct merge_options){.rank = none, .rank_count = 1}, &err));
	assert_string_equal(err.hint, "the ranks are 0, 1");
	profile_free(p[0]);
	profile_free(p[1]);
}

TEST(what_one_rank_does_not_know_nobody_knows)
{
	struct profile *p[2];
	struct cube *cube;

	make_two(p);
	put(p[0], "a", 1, MEASURE_REQUESTED, 100);
	cube = merged(p, 2, &(struct merge_options){0});
	assert_int_equal(value_at(cube, MEASURE_REQUESTED, "a", 0), CELL_ABSENT);
	cube_free(cube);
}

TEST(the_step_takes_as_long_as_its_slowest_rank)
{
	struct profile *p[2];
	struct cube *cube;
	int64_t *marker;

	make_two(p);
	time_steps(p[0], 1000000000, 0, 100);
	time_steps(p[1], 1000000000, 50, 140);
	for (size_t k = 0; k < 2; k++) {
		marker = step_series_add(&p[k]->series, p[k]->arena, SERIES_MARKER, "", 3);
		for (int64_t s = 0; s < 3; s++)
			marker[s] = (100 + 40 * (int64_t)k - 60 * (int64_t)k * s) * US;
		marker = step_series_add(
			&p[k]->series, p[k]->arena, SERIES_COMPUTE, k ? "gpu:1" : "gpu:0", 3);
		for (int64_t s = 0; s < 3; s++)
			marker[s] = (10 + 20 * (int64_t)k) * US;
	}

	cube = merged(p, 2, &(struct merge_options){0});
	assert_int_equal(cube->times.kind, STEP_TIME_MARKER);
	assert_int_equal(cube->times.time_ps[0], (int64_t)140 * US);
	assert_int_equal(cube->times.time_ps[1], (int64_t)100 * US);
	assert_int_equal(cube->step[0].end_ps - cube->step[0].start_ps, (int64_t)140 * US);
	assert_int_equal(cube->step[0].busy_ps, (int64_t)60 * US);
	/* each rank has one device, under a number of its own */
	assert_int_equal(
		step_series_find(&cube->series, SERIES_COMPUTE, "gpu")[0], (int64_t)20 * US);
	assert_null(step_series_find(&cube->series, SERIES_COMPUTE, "gpu:0"));
	cube_free(cube);
}

/* Of step 1 a rank does not know it, of step 2 the sum is beyond 64 bits: the wall time is there.
 */
TEST(without_all_busy_times_there_is_wall_time)
{
	struct profile *p[2];
	struct cube *cube;

	make_two(p);
	time_steps(p[0], 1000000000, 0, 100);
	time_steps(p[1], 1000000000, 0, 100);
	p[1]->step[0].busy_ps = STEP_BUSY_UNKNOWN;
	p[0]->step[1].busy_ps = p[1]->step[1].busy_ps = INT64_MAX;
	cube = merged(p, 2, &(struct merge_options){0});
	assert_int_equal(cube->step_count, 3);
	for (size_t s = 0; s < 3; s++) {
		assert_true(cube->step[s].has_wall);
		assert_int_equal(cube->step[s].end_ps - cube->step[s].start_ps, (int64_t)100 * US);
		assert_int_equal(step_knows_busy(&cube->step[s]), s == 2);
	}
	assert_int_equal(cube->step[2].busy_ps, (int64_t)50 * US);
	cube_free(cube);
}

TEST(recordings_at_other_times_are_other_runs)
{
	struct profile *p[4];
	struct cube *cube;

	for (int k = 0; k < 4; k++) {
		p[k] = of_rank(k == 0	? "job/a"
			       : k == 1 ? "job/b"
			       : k == 2 ? "job/c"
					: "job/d",
			k % 2 ? "1" : "0");
		for (int s = 1; s <= 3; s++)
			put_cpu(p[k], "a", s, 10 + k);
		time_steps(p[k], 1000000000, k < 2 ? 0 : 5000, 100 + k);
	}
	cube = merged(p, 4, &(struct merge_options){0});
	assert_int_equal(cube->run_count, 2);
	assert_int_equal(cube->step_count, 6);
	assert_int_equal(cube->rank_count[5], 2);
	assert_true(mean_at(cube, "a", 0) == 10.5);
	assert_true(mean_at(cube, "a", 3) == 12.5);
	cube_free(cube);
}

/* The same rank twice is a further run, also where times are not known. */
TEST(the_same_rank_twice)
{
	struct profile *p[3];
	struct cube *cube;

	make_two(p);
	p[2] = of_rank("job/z.json", "1");
	for (int s = 1; s <= 3; s++)
		put_cpu(p[2], "a", s, 99);
	cube = merged(p, 3, &(struct merge_options){0});
	assert_int_equal(cube->run_count, 2);
	assert_int_equal(cube->step_count, 6);
	cube_free(cube);
}

TEST(files_named_by_a_number)
{
	struct profile *p[3];
	struct cube *cube;

	for (int k = 0; k < 3; k++) {
		p[k] = made_profile(k == 0   ? "job/trace_rank-2.json"
				    : k == 1 ? "job/trace_rank-10.json"
					     : "job/rank_of_ops.json",
			"job");
		for (int s = 1; s <= 3; s++)
			put_cpu(p[k], "a", s, 10 * (k + 1));
	}
	cube = merged(p, 3, &(struct merge_options){0});
	assert_int_equal(cube->run_count, 2);
	assert_int_equal(cube->ranks->count, 2);
	assert_string_equal(cube->ranks->rank[0].name, "2");
	assert_string_equal(cube->ranks->rank[1].name, "10");
	cube_free(cube);
}

TEST(ranks_that_are_runs)
{
	struct profile *p[2];
	struct cube *cube;

	make_two(p);
	cube = merged(p, 2, &(struct merge_options){.ranks = RANKS_NONE});
	assert_int_equal(cube->run_count, 2);
	assert_null(cube->ranks);
	assert_true(mean_at(cube, "a", 0) == 10);
	cube_free(cube);
}

TEST(each_rank_by_itself)
{
	struct profile *p[2];
	struct cube *cube, *apart;

	make_two(p);
	time_steps(p[0], 1000000000, 0, 100);
	time_steps(p[1], 1000000000, 50, 140);
	cube = merged(p, 2, &(struct merge_options){0});
	apart = cube_of_ranks(cube);
	assert_int_equal(apart->run_count, 2);
	assert_string_equal(apart->run[0].rank, "0");
	assert_string_equal(apart->run[1].rank, "1");
	assert_int_equal(apart->step_count, 6);
	assert_int_equal(value_at(apart, MEASURE_CPU, "a", 2), 30 * US);
	assert_int_equal(value_at(apart, MEASURE_CPU, "a", 3), 14 * US);
	assert_int_equal(apart->step[3].end_ps - apart->step[3].start_ps, (int64_t)140 * US);
	cube_free(cube);
	cube_free(apart);
}

/* A sum of 64 bits holds INT64_MAX and no more. What is too large is not known from then on, and
 * is counted once. */
TEST(sums_of_series_are_checked)
{
	static const uint32_t to[] = {0, 1};
	static const int64_t last[] = {INT64_MAX - 7, INT64_MAX - 6};
	const struct series_sum like = {.kind = SERIES_COMPUTE, .type = "gpu", .cause = ""};
	struct arena *arena = arena_new();
	struct step_sums *sums = step_sums_new(arena, 2), *more = step_sums_new(arena, 2);
	const struct step_sum busy = {.ranks = 1, .busy_ps = 7};

	for (size_t s = 0; s < 2; s++) {
		const struct step_sum from = {.ranks = 1, .busy_ps = last[s]};

		assert_true(series_sum_add(step_sums_series(sums, &like), s, 7, 1));
		assert_true(series_sum_add(step_sums_series(more, &like), s, last[s], 1));
		assert_true(step_sums_add(sums, s, &busy));
		assert_true(step_sums_add(more, s, &from));
	}
	/* One series and the busy times of the second step. */
	assert_int_equal(step_sums_join(sums, more, to), 2);
	assert_int_equal(step_sums_find(sums, &like)->value[0], INT64_MAX);
	assert_int_equal(step_sums_find(sums, &like)->value[1], STEP_SUMS_UNKNOWN);
	assert_int_equal(sums->step[0].busy_ps, INT64_MAX);
	assert_int_equal(sums->step[1].busy_ps, STEP_SUMS_UNKNOWN);
	assert_true(series_sum_add(step_sums_series(sums, &like), 1, -5, 1));
	assert_int_equal(step_sums_find(sums, &like)->value[1], STEP_SUMS_UNKNOWN);
	assert_int_equal(step_sums_find(sums, &like)->count[1], 3);
	arena_free(arena);
}
