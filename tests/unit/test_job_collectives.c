/* Which calls of the ranks are one collective, by hand. */
#include <math.h>
#include "analysis/job/job_collectives.h"
#include "model/ranks.h"
#include "tests/unit/summary_job.h"
#include "tests/unit/test.h"

#define RANKS 3
#define RANKS_MOST 4

struct made {
	struct profile *p[RANKS_MOST];
	size_t ranks;
	struct job *job;
	struct arena *arena;
	struct job_collectives *out;
};

/* Ranks of two steps in which "work" runs. */
static void make_ranks(struct made *m, size_t ranks)
{
	static const char *const name[RANKS_MOST] = {"0", "1", "2", "3"};

	*m = (struct made){.ranks = ranks, .arena = arena_new()};
	for (size_t r = 0; r < ranks; r++) {
		m->p[r] = made_profile(name[r], "job");
		for (int s = 1; s <= 2; s++) {
			put_cpu(m->p[r], "work", s, 10);
			made_step(m->p[r], s)->rank = name[r];
		}
	}
}

static void make(struct made *m)
{
	make_ranks(m, RANKS);
}

/* Calls in order of start; group NULL: no group and no number. */
static void call(struct made *m, size_t rank, const char *name, int64_t step, const char *group,
	int64_t sequence, int64_t us)
{
	struct profile *p = m->p[rank];

	put_cpu(p, name, step, 1);
	collective_calls_add(&p->collectives,
		&(struct collective_call){.op = (uint32_t)(made_op(p, name) - p->op),
			.step = (uint32_t)(made_step(p, step) - p->step),
			.group = group,
			.sequence = group ? sequence : COLLECTIVE_UNKNOWN,
			.dur_ps = us < 0 ? COLLECTIVE_UNKNOWN : us * US});
}

static void all_of(struct made *m, const char *name, int64_t step, const int *us)
{
	for (size_t r = 0; r < m->ranks; r++)
		call(m, r, name, step, NULL, 0, us[r]);
}

static void run(struct made *m)
{
	struct error err;
	struct cube *cube;

	for (size_t r = 0; r < m->ranks; r++)
		collective_calls_sort(&m->p[r]->collectives, m->p[r]->step_count);
	cube = made_cube(m->p, m->ranks, RUNS_AUTO, &err);
	assert_non_null(cube);
	assert_non_null(cube->ranks);
	m->job = job_of(cube, NULL, &(struct summary_options){0}, false);
	m->out = job_collectives_make(m->job->summary, cube, m->arena);
}

static void release(struct made *m)
{
	job_free(m->job);
	arena_free(m->arena);
}

/* Of both steps together. */
static void check_rank(const struct made *m, size_t rank, double transfer_us, double waiting_us)
{
	assert_true(fabs(2 * m->out->transfer_ps[rank] / US - transfer_us) < 1e-9);
	assert_true(fabs(2 * m->out->waiting_ps[rank] / US - waiting_us) < 1e-9);
}

TEST(by_op_and_order)
{
	static const int first[] = {9, 4, 7}, second[] = {3, 8, 5}, other[] = {20, 21, 20};
	struct made m;

	make(&m);
	all_of(&m, "reduce", 1, first);
	all_of(&m, "gather", 1, other);
	all_of(&m, "reduce", 1, second);
	run(&m);
	assert_int_equal(m.out->matches, 3);
	assert_int_equal(m.out->left_out, 0);
	check_rank(&m, 0, 4 + 3 + 20, 5 + 0 + 0);
	check_rank(&m, 1, 4 + 3 + 20, 0 + 5 + 1);
	check_rank(&m, 2, 4 + 3 + 20, 3 + 2 + 0);
	assert_int_equal(m.out->last_in[0], 1);
	assert_int_equal(m.out->last_in[1], 1);
	assert_int_equal(m.out->last_in[2], 0);
	assert_int_equal(m.out->part_in[2], 3);
	assert_string_equal(m.job->grouping.group[m.out->row].name, "reduce");
	assert_false(job_collectives_wait_for(m.out, RANKS, 0));
	assert_true(fabs(m.out->mean_waiting_ps / US - 16.0 / 3 / 2) < 1e-9);
	release(&m);
}

/* One rank has one call less: of that op and step nothing is known. */
TEST(other_counts_are_left_out)
{
	static const int us[] = {9, 4, 7};
	struct made m;

	make(&m);
	all_of(&m, "reduce", 1, us);
	all_of(&m, "reduce", 2, us);
	call(&m, 0, "reduce", 2, NULL, 0, 6);
	call(&m, 1, "reduce", 2, NULL, 0, 6);
	run(&m);
	assert_int_equal(m.out->matches, 1);
	assert_int_equal(m.out->left_out, 5);
	check_rank(&m, 0, 4, 5);
	assert_true(job_collectives_wait_for(m.out, RANKS, 1));
	assert_false(job_collectives_wait_for(m.out, RANKS, 0));
	release(&m);
}

/* A rank that has the op in the other step only, and as often as the others together. */
TEST(equal_numbers_of_other_ranks)
{
	struct made m;

	make(&m);
	call(&m, 0, "reduce", 1, NULL, 0, 5);
	call(&m, 0, "reduce", 1, NULL, 0, 5);
	call(&m, 1, "reduce", 1, NULL, 0, 5);
	call(&m, 2, "reduce", 2, NULL, 0, 5);
	run(&m);
	assert_int_equal(m.out->matches, 0);
	assert_int_equal(m.out->left_out, 4);
	assert_true(isnan(m.out->waiting_ps[0]));
	release(&m);
}

/* Group and number tell calls apart whose order says otherwise; other ranks of the job are in no
 * match of the group. */
TEST(by_group_and_number)
{
	struct made m;

	make(&m);
	call(&m, 0, "reduce", 1, "a", 1, 10);
	call(&m, 0, "reduce", 1, "b", 1, 30);
	call(&m, 0, "reduce", 1, "a", 2, 2);
	call(&m, 1, "reduce", 1, "a", 2, 7);
	call(&m, 1, "reduce", 1, "a", 1, 4);
	call(&m, 2, "reduce", 1, "b", 1, 31);
	call(&m, 0, "reduce", 1, "a", 3, 9); /* in another step of rank 1 */
	call(&m, 1, "reduce", 2, "a", 3, 9);
	run(&m);
	assert_int_equal(m.out->matches, 3);
	assert_int_equal(m.out->left_out, 2);
	check_rank(&m, 0, 4 + 30 + 2, 6 + 0 + 0);
	check_rank(&m, 1, 4 + 2, 0 + 5);
	check_rank(&m, 2, 30, 1);
	release(&m);
}

/* Several kernels of one number, by op and order. */
TEST(one_collective_is_several_kernels)
{
	struct made m;

	make(&m);
	for (size_t r = 0; r < RANKS; r++) {
		call(&m, r, "part", 1, "a", 1, 10 + (int64_t)r);
		call(&m, r, "rest", 1, "a", 1, 50 - (int64_t)r);
	}
	run(&m);
	assert_int_equal(m.out->matches, 2);
	check_rank(&m, 0, 10 + 48, 0 + 2);
	check_rank(&m, 2, 10 + 48, 2 + 0);
	release(&m);
}

TEST(without_a_duration_or_too_long)
{
	static const int unknown[] = {9, -1, 7};
	struct made m;

	make(&m);
	all_of(&m, "reduce", 1, unknown);
	for (size_t r = 0; r < RANKS; r++) {
		call(&m, r, "gather", 1, NULL, 0, INT64_MAX / US);
		call(&m, r, "scatter", 1, NULL, 0, 1);
	}
	run(&m);
	assert_int_equal(m.out->matches, 1);
	assert_int_equal(m.out->left_out, 6);
	check_rank(&m, 1, 1, 0);
	assert_int_equal(m.out->row, SIZE_MAX);
	release(&m);
}

/* Four ranks may be two groups of two. Where the group is recorded, nothing is assumed. */
TEST(unrecorded_groups_of_four_ranks_are_counted)
{
	static const int us[] = {9, 4, 7, 5};

	for (size_t ranks = RANKS; ranks <= RANKS_MOST; ranks++) {
		struct made m;

		make_ranks(&m, ranks);
		all_of(&m, "reduce", 1, us);
		all_of(&m, "reduce", 1, us);
		all_of(&m, "gather", 2, us);
		for (size_t r = 0; r < ranks; r++)
			call(&m, r, "scatter", 2, "a", 1, 6);
		run(&m);
		assert_int_equal(m.out->matches, 4);
		assert_int_equal(m.out->ungrouped, ranks == RANKS ? 0 : 3);
		release(&m);
	}
}

TEST(a_job_without_collectives)
{
	struct made m;

	make(&m);
	run(&m);
	assert_null(m.out);
	release(&m);
}
