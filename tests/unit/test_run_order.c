/* The order of the runs of two sides: rounds, blocks, and what is neither. */
#include "analysis/compare/run_order.h"
#include "tests/unit/test.h"

enum { RUNS = 4, STEPS = 2 };
static const int64_t year_2026_ns = 1767225600000000000;

/* One side: runs of two steps of 1 s each, the second right after the first. */
struct made_side {
	struct step step[RUNS * STEPS];
	struct run run[RUNS];
	uint32_t kept[RUNS];
	struct cube cube;
	struct step_set steps;
	struct run_side side;
};

static void make_side(struct made_side *m, const int64_t *start_s, size_t runs)
{
	*m = (struct made_side){.cube = {.run_count = runs, .step_count = runs * STEPS},
		.steps = {.run_count = runs}};
	for (size_t r = 0; r < runs; r++) {
		m->run[r] = (struct run){.step_first = r * STEPS, .step_count = STEPS};
		m->kept[r] = (uint32_t)r;
		for (size_t i = 0; i < STEPS; i++)
			m->step[r * STEPS + i] = (struct step){.has_wall = true,
				.start_ps = (int64_t)i * 1000000000000,
				.end_ps = (int64_t)(i + 1) * 1000000000000,
				.base_ns = year_2026_ns + start_s[r] * 1000000000};
	}
	m->cube.run = m->run;
	m->cube.step = m->step;
	m->steps.run = m->kept;
	m->side = (struct run_side){.self = &m->cube, .cube = &m->cube, .steps = &m->steps};
}

struct made {
	struct made_side base, new_side;
	struct arena *arena;
	struct run_order order;
};

static void find(struct made *m, size_t runs_base, const int64_t *base, size_t runs_new,
	const int64_t *new_side)
{
	make_side(&m->base, base, runs_base);
	make_side(&m->new_side, new_side, runs_new);
	run_order_find(&m->base.side, &m->new_side.side, m->arena, &m->order);
}

static void find_again(struct made *m)
{
	run_order_find(&m->base.side, &m->new_side.side, m->arena, &m->order);
}

static int set_up(void **state)
{
	static struct made m;

	m.arena = arena_new();
	*state = &m;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(((struct made *)*state)->arena);
	return 0;
}

/* Runs end 2 s after their start. */
TEST_WITH(rounds, set_up, tear_down)
{
	struct made *m = *state;

	find(m, 3, (int64_t[]){0, 20, 40}, 3, (int64_t[]){10, 30, 50});
	assert_int_equal(m->order.kind, RUN_ORDER_ROUNDS);
	assert_int_equal(m->order.rounds, 3);
	assert_true(m->order.base_leads && !m->order.new_leads);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(m->order.round[i], i);
	/* n b, b n, n b, n b; the runs of a side in any order; one begins where the other ends. */
	find(m, 4, (int64_t[]){70, 10, 20, 52}, 4, (int64_t[]){30, 0, 60, 50});
	assert_int_equal(m->order.kind, RUN_ORDER_ROUNDS);
	assert_false(m->order.base_leads || m->order.new_leads);
	assert_int_equal(m->order.round[0], 2);
	assert_int_equal(m->order.round[1], 1);
	assert_int_equal(m->order.round[2], 0);
	assert_int_equal(m->order.round[3], 3);
	find(m, 3, (int64_t[]){10, 30, 50}, 3, (int64_t[]){0, 20, 40});
	assert_true(m->order.new_leads && !m->order.base_leads);
}

TEST_WITH(no_rounds, set_up, tear_down)
{
	struct made *m = *state;

	find(m, 2, (int64_t[]){0, 20}, 2, (int64_t[]){10, 30}); /* too few */
	assert_int_equal(m->order.kind, RUN_ORDER_MIXED);
	find(m, 3, (int64_t[]){0, 30, 40}, 3, (int64_t[]){10, 20, 50}); /* b n, n b, b n */
	assert_int_equal(m->order.kind, RUN_ORDER_ROUNDS);
	find(m, 3, (int64_t[]){0, 10, 40}, 3, (int64_t[]){20, 30, 50}); /* b b, n n, b n */
	assert_int_equal(m->order.kind, RUN_ORDER_MIXED);
	assert_null(m->order.round);
	find(m, 4, (int64_t[]){0, 20, 40, 60}, 3, (int64_t[]){10, 30, 50});
	assert_int_equal(m->order.kind, RUN_ORDER_MIXED);
	/* Two jobs at the same time: a run of new starts before that of base has ended. */
	find(m, 3, (int64_t[]){0, 20, 40}, 3, (int64_t[]){10, 21, 50});
	assert_int_equal(m->order.kind, RUN_ORDER_MIXED);
	find(m, 3, (int64_t[]){0, 20, 40}, 3, (int64_t[]){0, 20, 40});
	assert_int_equal(m->order.kind, RUN_ORDER_MIXED);
}

TEST_WITH(blocks, set_up, tear_down)
{
	struct made *m = *state;

	/* Runs of a side may overlap: 5 s to 7 s is the end of base. */
	find(m, 3, (int64_t[]){5, 0, 4}, 2, (int64_t[]){20, 10});
	assert_int_equal(m->order.kind, RUN_ORDER_BASE_FIRST);
	assert_int_equal(m->order.gap_ns, 3000000000);
	find(m, 2, (int64_t[]){20, 10}, 3, (int64_t[]){5, 0, 4});
	assert_int_equal(m->order.kind, RUN_ORDER_NEW_FIRST);
	assert_int_equal(m->order.gap_ns, 3000000000);
	find(m, 3, (int64_t[]){5, 0, 4}, 2, (int64_t[]){20, 7});
	assert_int_equal(m->order.kind, RUN_ORDER_BASE_FIRST);
	assert_int_equal(m->order.gap_ns, 0);
	find(m, 3, (int64_t[]){5, 0, 4}, 2, (int64_t[]){20, 6});
	assert_int_equal(m->order.kind, RUN_ORDER_MIXED);
	find(m, 2, (int64_t[]){0, 5}, 1, (int64_t[]){20});
	assert_int_equal(m->order.kind, RUN_ORDER_UNKNOWN);
}

/* Starts alone, as tools of benchmarks have them: to the second, to the day. */
static void make_instants(struct made_side *m)
{
	for (size_t i = 0; i < m->cube.step_count; i++) {
		m->step[i].has_wall = false;
		m->step[i].start_ps = m->step[i].end_ps = 0;
	}
}

TEST_WITH(equal_starts, set_up, tear_down)
{
	static const struct {
		int64_t base[3], new[3];
		enum run_order_kind kind;
	} cases[] = {
		{{0, 20, 40}, {10, 30, 50}, RUN_ORDER_ROUNDS},
		{{0, 0, 0}, {0, 0, 0}, RUN_ORDER_MIXED},
		{{0, 10, 20}, {0, 10, 20}, RUN_ORDER_MIXED},
		{{0, 20, 40}, {10, 20, 50}, RUN_ORDER_MIXED},
		{{0, 0, 0}, {10, 10, 10}, RUN_ORDER_BASE_FIRST},
		{{0, 5, 10}, {10, 15, 20}, RUN_ORDER_MIXED},
		{{10, 15, 20}, {0, 5, 10}, RUN_ORDER_MIXED},
		{{11, 15, 20}, {0, 5, 10}, RUN_ORDER_NEW_FIRST},
	};
	struct made *m = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		find(m, 3, cases[i].base, 3, cases[i].new);
		make_instants(&m->base);
		make_instants(&m->new_side);
		find_again(m);
		assert_int_equal(m->order.kind, cases[i].kind);
	}
}

TEST_WITH(unknown_times, set_up, tear_down)
{
	static const int64_t base[] = {0, 20, 40}, new_side[] = {10, 30, 50};
	struct made *m = *state;

	find(m, 3, base, 3, new_side);
	m->new_side.step[3].has_wall = false; /* the other step of the run has its time */
	find_again(m);
	assert_int_equal(m->order.kind, RUN_ORDER_ROUNDS);
	m->new_side.step[2].has_wall = false; /* now the run has a start alone: 10 s */
	find_again(m);
	assert_int_equal(m->order.kind, RUN_ORDER_ROUNDS);
	m->new_side.step[2].base_ns = m->new_side.step[3].base_ns = 0;
	find_again(m);
	assert_int_equal(m->order.kind, RUN_ORDER_UNKNOWN);
	find(m, 3, base, 3, new_side);
	m->base.step[5].base_ns = 0;
	find_again(m);
	assert_int_equal(m->order.kind, RUN_ORDER_UNKNOWN);
	/* A machine that is up for 20 years, and one that is not. */
	find(m, 3, base, 3, new_side);
	for (size_t i = 0; i < 6; i++)
		m->base.step[i].base_ns = 20 * INT64_C(31557600000000000);
	find_again(m);
	assert_int_equal(m->order.kind, RUN_ORDER_UNKNOWN);
	/* No sum of 64 bits. */
	find(m, 3, base, 3, new_side);
	m->base.step[5].base_ns = INT64_MAX - 10;
	find_again(m);
	assert_int_equal(m->order.kind, RUN_ORDER_UNKNOWN);
}
