/* Groups of steps by which ops ran: clean worlds come out as made, continua stay whole. */
#include <math.h>
#include "base/memory.h"
#include "stats/presence.h"
#include "tests/unit/test.h"

enum { RUNS = 10, STEPS = 20, ALL = RUNS * STEPS, OPS_MOST = 80, SEEDS = 20 };

/* Which op ran in which step; the first six ops ran in all. */
struct world {
	bool ran[OPS_MOST][ALL];
	double weight[OPS_MOST];
	size_t ops;
	uint64_t state;
	uint32_t label[ALL];
};

static double draw(struct world *w)
{
	w->state = w->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(w->state >> 33) / (double)(UINT64_C(1) << 31);
}

static size_t op(struct world *w, double weight)
{
	w->weight[w->ops] = weight;
	return w->ops++;
}

static void begin(struct world *w, uint64_t seed)
{
	memset(w, 0, sizeof(*w));
	w->state = seed * 7919 + 17;
	draw(w);
	for (size_t o = 0; o < 6; o++)
		memset(w->ran[op(w, 20 + 8 * (double)o)], true, ALL);
}

static size_t split(const struct world *w, uint32_t *group, bool *has_odd)
{
	static uint32_t step[OPS_MOST * ALL], run[ALL];
	static size_t first[OPS_MOST + 1];
	const struct presence p = {ALL, w->ops, RUNS, first, step, w->weight, run};
	struct presence_groups out = {.group = group};
	size_t rows = 0;

	for (uint32_t s = 0; s < ALL; s++)
		run[s] = s / STEPS;
	for (size_t o = 0; o < w->ops; o++) {
		for (uint32_t s = 0; s < ALL; s++)
			if (w->ran[o][s])
				step[rows++] = s;
		first[o + 1] = rows;
	}
	presence_split(&p, &out);
	assert_false(out.gave_up);
	*has_odd = out.has_odd;
	return out.count;
}

static void check_as_made(const struct world *w, size_t groups)
{
	uint32_t group[ALL];
	bool has_odd;

	assert_int_equal(split(w, group, &has_odd), groups);
	assert_false(has_odd);
	for (size_t a = 0; a < ALL; a++)
		for (size_t b = 0; b < a; b++)
			assert_int_equal(group[a] == group[b], w->label[a] == w->label[b]);
}

static void check_whole(const struct world *w)
{
	uint32_t group[ALL];
	bool has_odd;

	assert_int_equal(split(w, group, &has_odd), 1);
	for (size_t s = 0; s < ALL; s++)
		assert_int_equal(group[s], 0);
}

/* So many ops that run in the steps of the label alone. */
static void exclusive(struct world *w, uint32_t label, size_t ops, double weight)
{
	for (size_t k = 0; k < ops; k++) {
		const size_t o = op(w, weight);

		for (size_t s = 0; s < ALL; s++)
			w->ran[o][s] = w->label[s] == label;
	}
}

TEST(length_buckets_come_out)
{
	struct world w;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		begin(&w, seed);
		for (size_t s = 0; s < ALL; s++)
			w.label[s] = (uint32_t)(6 * draw(&w));
		for (uint32_t k = 0; k < 6; k++)
			exclusive(&w, k, 3, 100);
		check_as_made(&w, 6);
	}
}

TEST(one_of_eight_experts_comes_out)
{
	struct world w;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		begin(&w, seed);
		for (size_t s = 0; s < ALL; s++)
			w.label[s] = (uint32_t)(8 * draw(&w));
		for (uint32_t k = 0; k < 8; k++)
			exclusive(&w, k, 1, 800);
		check_as_made(&w, 8);
	}
}

TEST(evaluation_comes_out)
{
	struct world w;

	for (int own = 0; own < 2; own++) {
		begin(&w, 1);
		for (size_t s = 0; s < ALL; s++)
			w.label[s] = s % 5 == 4;
		exclusive(&w, 0, 12, 40);
		if (own)
			exclusive(&w, 1, 8, 60);
		check_as_made(&w, 2);
	}
}

/* One step of either has an op of the other. */
TEST(op_of_both_groups_joins_them)
{
	struct world w;
	size_t both;

	begin(&w, 1);
	for (size_t s = 0; s < ALL; s++)
		w.label[s] = s % 5 == 4;
	exclusive(&w, 0, 8, 60);
	exclusive(&w, 1, 8, 60);
	both = op(&w, 2000); /* enough to be no trifle */
	w.ran[both][3] = w.ran[both][4] = true;
	check_whole(&w);
}

/* Names of the kernels of training change from run to run, those of evaluation do not. */
TEST(names_of_runs_make_no_groups)
{
	struct world w;

	begin(&w, 1);
	for (size_t s = 0; s < ALL; s++)
		w.label[s] = s % 4 == 3;
	exclusive(&w, 1, 3, 60);
	for (size_t r = 0; r < RUNS; r++)
		for (size_t k = 0; k < 2; k++) {
			const size_t o = op(&w, 100);

			for (size_t s = r * STEPS; s < (r + 1) * STEPS; s++)
				w.ran[o][s] = !w.label[s];
		}
	check_as_made(&w, 2);
}

/* Half of the runs, those of one side, have an op more, and the others another one. */
TEST(op_of_all_steps_of_a_run_joins_nothing)
{
	struct world w;

	begin(&w, 1);
	for (size_t s = 0; s < ALL; s++)
		w.label[s] = s % 4 == 3;
	exclusive(&w, 0, 3, 60);
	exclusive(&w, 1, 3, 60);
	for (size_t side = 0; side < 2; side++) {
		const size_t o = op(&w, 100);

		for (size_t s = 0; s < ALL; s++)
			w.ran[o][s] = (s < ALL / 2) == (side == 0);
	}
	check_as_made(&w, 2);
}

TEST(experts_are_a_continuum)
{
	static const size_t top[] = {2, 2, 4}, experts[] = {8, 4, 16};
	struct world w;

	for (size_t kind = 0; kind < 3; kind++)
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			begin(&w, seed);
			for (size_t k = 0; k < experts[kind]; k++)
				op(&w, 800);
			for (size_t s = 0; s < ALL; s++)
				for (size_t n = 0; n < top[kind];) {
					size_t o = 6 + (size_t)((double)experts[kind] * draw(&w));

					n += !w.ran[o][s];
					w.ran[o][s] = true;
				}
			check_whole(&w);
		}
}

/* Blocks of ops that run together with a probability; `blocks` of one op: each by itself. */
static void check_blocks(size_t blocks, size_t ops, double p)
{
	struct world w;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		begin(&w, seed);
		for (size_t b = 0; b < blocks; b++) {
			const size_t first = w.ops;

			for (size_t k = 0; k < ops; k++)
				op(&w, 80);
			for (size_t s = 0; s < ALL; s++) {
				const bool runs = draw(&w) < p;

				for (size_t k = 0; k < ops; k++)
					w.ran[first + k][s] = runs;
			}
		}
		check_whole(&w);
	}
}

TEST(dropped_blocks_are_a_continuum)
{
	check_blocks(12, 4, 0.5);
	check_blocks(12, 4, 0.8);
	check_blocks(2, 4, 0.5);
	check_blocks(24, 1, 0.97);
	check_blocks(24, 1, 0.7);
	check_blocks(24, 1, 0.5);
	check_blocks(24, 1, 0.3);
	check_blocks(24, 1, 0.1);
	check_blocks(1, 1, 0.5);
}

TEST(overlapping_buckets_are_a_continuum)
{
	struct world w;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		begin(&w, seed);
		for (size_t s = 0; s < ALL; s++)
			w.label[s] = (uint32_t)(5 * draw(&w));
		for (uint32_t k = 0; k < 6; k++)
			exclusive(&w, k, 3, 100);
		for (size_t s = 0; s < ALL; s++)
			if (draw(&w) < 0.5)
				for (size_t k = 0; k < 3; k++)
					w.ran[6 + 3 * (w.label[s] + 1) + k][s] = true;
		check_whole(&w);
	}
}

/* The first step of three runs is an initialiser: in a continuum, and beside groups. */
TEST(odd_steps_are_apart)
{
	struct world w;
	uint32_t group[ALL];
	bool has_odd;

	for (size_t buckets = 1; buckets <= 2; buckets++) {
		size_t init;

		begin(&w, 1);
		for (size_t s = 0; s < ALL; s++)
			w.label[s] = s % 2;
		for (uint32_t k = 0; k < 2 && buckets == 2; k++)
			exclusive(&w, k, 3, 100);
		init = op(&w, 5000);
		for (size_t s = 0; s < 3 * STEPS; s += STEPS) {
			for (size_t o = 0; o < w.ops; o++)
				w.ran[o][s] = o == init;
			w.label[s] = (uint32_t)buckets;
		}
		assert_int_equal(split(&w, group, &has_odd), buckets + 1);
		assert_true(has_odd);
		for (size_t s = 0; s < ALL; s++)
			assert_int_equal(group[s] == buckets, s < 3 * STEPS && s % STEPS == 0);
	}
}

/* By hand: 4 runs of 20 steps; p 0.5, so that n p (1 - p) = 5. Chi-squared with 3 degrees of
 * freedom of (4 + 4 + 0 + 0)/5 = 1.6 is 0.3406 (tables), of 0 is 0. */
TEST(even_numbers_of_steps_are_no_chance)
{
	const size_t steps[] = {20, 20, 20, 20}, near[] = {12, 8, 10, 10},
		     even[] = {10, 10, 10, 10};
	const struct presence_runs drawn = {near, steps, 4}, scheduled = {even, steps, 4},
				   all = {steps, steps, 4};
	const struct presence_runs both[] = {drawn, all};

	assert_true(fabs(presence_even(&drawn, 1) - 0.3406) < 5e-5);
	assert_true(fabs(presence_even(both, 2) - 0.3406) < 5e-5);
	assert_true(presence_even(&scheduled, 1) == 0);
	assert_true(isnan(presence_even(&all, 1)));
}
