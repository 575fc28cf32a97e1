/* Parts of devices on two sides: they add up, and which devices are compared with which. */
#include <math.h>
#include "analysis/compare/compared_step.h"
#include "tests/unit/made_runs.h"
#include "tests/unit/test.h"

enum { RUNS = 2, STEPS = 6 }; /* 2 runs of 3 steps */

struct made_side {
	struct cube cube;
	struct step_set steps;
	struct run_side side;
	uint32_t step[STEPS], run[RUNS];
	size_t first[RUNS + 1];
};

struct made {
	struct arena *arena;
	struct made_side base, new_side;
	struct compare_options opt;
	struct compared_devices found;
};

static void make_side(struct made *t, struct made_side *side)
{
	for (uint32_t i = 0; i < STEPS; i++)
		side->step[i] = i;
	for (uint32_t r = 0; r < RUNS; r++) {
		side->run[r] = r;
		side->first[r + 1] = (r + 1) * STEPS / RUNS;
	}
	side->cube = (struct cube){.arena = t->arena, .step_count = STEPS, .run_count = RUNS};
	side->steps = (struct step_set){.step = side->step,
		.count = STEPS,
		.run = side->run,
		.first = side->first,
		.run_count = RUNS,
		.time_resolution_ps = 1};
	side->side = (struct run_side){&side->cube, &side->cube, &side->steps, NULL};
}

static struct made *made_new(void)
{
	struct arena *arena = arena_new();
	struct made *t = arena_alloc(arena, sizeof(*t));

	t->arena = arena;
	make_side(t, &t->base);
	make_side(t, &t->new_side);
	t->opt = usual_options(METHOD_MODERATED);
	t->opt.rule.min_runs = 2;
	return t;
}

/* The same values in all steps. */
static void add_device(
	struct made_side *side, const char *device, const int64_t value[SERIES_KINDS])
{
	for (int kind = SERIES_DEVICE_FIRST; kind < SERIES_PARTS_END; kind++) {
		int64_t *out = step_series_add(&side->cube.series, side->cube.arena,
			(enum step_series_kind)kind, device, STEPS);

		for (size_t s = 0; s < STEPS; s++)
			out[s] = value[kind];
	}
}

static int64_t *values(struct made_side *side, enum step_series_kind kind, const char *device)
{
	return (int64_t *)step_series_find(&side->cube.series, kind, device);
}

/* The window is 1000 ps, with 50 ps of idle for which no cause is known. */
static const int64_t typical[SERIES_KINDS] = {
	[SERIES_COMPUTE] = 600,
	[SERIES_COMMUNICATION] = 100,
	[SERIES_COPIES] = 50,
	[SERIES_IDLE] = 250,
	[SERIES_HIDDEN] = 40,
	[SERIES_HOST_LATE] = 130,
	[SERIES_WAITED] = 60,
	[SERIES_GAPS] = 10,
};

static void make(struct made *t)
{
	compared_devices_make(&t->base.side, &t->new_side.side, &t->opt, t->arena, &t->found);
}

TEST(parts_add_up)
{
	struct made *t = made_new();
	const struct compared *part;

	add_device(&t->base, "gpu:0", typical);
	add_device(&t->new_side, "gpu:0", typical);
	/* 2 of 6 steps: 30 ps more compute, 12 ps of it from idle, which waited less. */
	for (size_t s = 0; s < 2; s++) {
		values(&t->new_side, SERIES_COMPUTE, "gpu:0")[s] += 30;
		values(&t->new_side, SERIES_IDLE, "gpu:0")[s] -= 12;
		values(&t->new_side, SERIES_WAITED, "gpu:0")[s] -= 12;
	}
	make(t);
	assert_int_equal(t->found.count, 1);
	part = t->found.device[0].part;
	/* Both are in the first run, of 3 steps: its mean is 20 ps more, that of the runs 10. */
	assert_float_equal(part[PART_COMPUTE].difference, 10, 1e-9);
	assert_float_equal(part[PART_IDLE].difference, -4, 1e-9);
	assert_float_equal(part[PART_WAITED].difference, -4, 1e-9);
	assert_float_equal(part[PART_WINDOW].difference, 6, 1e-9);
	assert_float_equal(part[PART_WINDOW].base_mean, 1000, 0);
	assert_float_equal(part[PART_NO_CAUSE].base_mean, 50, 0);
	assert_float_equal(part[PART_NO_CAUSE].new_mean, 50, 1e-9);
	assert_float_equal(part[PART_HIDDEN].new_mean, 40, 0);
	arena_free(t->arena);
}

/* The same value in all steps. */
static void add_cause(struct made_side *side, const char *cause, int64_t value)
{
	int64_t *out = step_series_add_like(&side->cube.series, side->cube.arena,
		&(struct step_series){
			.kind = SERIES_LATE_OUTERMOST, .device = "gpu:0", .cause = cause},
		STEPS);

	for (size_t s = 0; s < STEPS; s++)
		out[s] = value;
}

static void assert_cause(
	const struct made *t, size_t i, const char *name, double base_mean, double new_mean)
{
	const struct compared_cause *cause = &t->found.device[0].cause[i];

	assert_string_equal(cause->name, name);
	assert_float_equal(cause->value.base_mean, base_mean, 1e-9);
	assert_float_equal(cause->value.new_mean, new_mean, 1e-9);
}

/* What one side has by name the other may have among its small ones: both have it there then. */
TEST(small_causes_are_the_same_on_both_sides)
{
	struct made *t = made_new();

	add_device(&t->base, "gpu:0", typical);
	add_device(&t->new_side, "gpu:0", typical);
	add_cause(&t->base, "load", 70);
	add_cause(&t->base, "sleep", 20);
	add_cause(&t->base, "wait", 30);
	add_cause(&t->base, "wait#a", 10);
	add_cause(&t->new_side, "load", 80);
	add_cause(&t->new_side, "[other]", 46);
	add_cause(&t->new_side, "print", 4);
	make(t);
	assert_int_equal(t->found.device[0].cause_count, 3);
	assert_cause(t, 0, "load", 70, 80);
	assert_cause(t, 1, "[other]", 20 + 30 + 10, 46);
	assert_cause(t, 2, "print", 0, 4);
	/* With small ones on both sides no name of one alone is left. */
	add_cause(&t->base, "[other]", 5);
	make(t);
	assert_int_equal(t->found.device[0].cause_count, 2);
	assert_cause(t, 0, "load", 70, 80);
	assert_cause(t, 1, "[other]", 20 + 30 + 10 + 5, 46 + 4);
	arena_free(t->arena);
}

/* A name that takes more than all small ones of the other side is none of them. */
TEST(large_causes_are_not_among_small_ones)
{
	struct made *t = made_new();

	add_device(&t->base, "gpu:0", typical);
	add_device(&t->new_side, "gpu:0", typical);
	add_cause(&t->base, "[other]", 10);
	add_cause(&t->base, "write", 19);
	add_cause(&t->base, "copy", 18);
	add_cause(&t->new_side, "save", 40);
	add_cause(&t->new_side, "sync", 11);
	add_cause(&t->new_side, "print", 10);
	add_cause(&t->new_side, "[other]", 18);
	make(t);
	assert_int_equal(t->found.device[0].cause_count, 4);
	assert_cause(t, 0, "save", 0, 40);
	/* "copy" and "print" are as large as the others of the other side. */
	assert_cause(t, 1, "[other]", 10 + 18, 18 + 10);
	assert_cause(t, 2, "write", 19, 0);
	assert_cause(t, 3, "sync", 0, 11);
	arena_free(t->arena);
}

TEST(steps_without_a_part_count_in_none)
{
	struct made *t = made_new();

	add_device(&t->base, "gpu:0", typical);
	add_device(&t->new_side, "gpu:0", typical);
	values(&t->base, SERIES_COMPUTE, "gpu:0")[4] = 900;
	values(&t->base, SERIES_IDLE, "gpu:0")[4] = CELL_ABSENT;
	make(t);
	assert_float_equal(t->found.device[0].part[PART_COMPUTE].base_mean, 600, 0);
	assert_float_equal(t->found.device[0].part[PART_WINDOW].base_mean, 1000, 0);
	assert_int_equal(t->found.device[0].part[PART_COMPUTE].base->unknown, 1);
	arena_free(t->arena);
}

TEST(as_many_devices_are_the_same_ones)
{
	struct made *t = made_new();

	add_device(&t->base, "gpu:3", typical);
	add_device(&t->new_side, "gpu:1", typical);
	make(t);
	assert_int_equal(t->found.count, 1);
	assert_string_equal(t->found.device[0].base, "gpu:3");
	assert_string_equal(t->found.device[0].new, "gpu:1");
	arena_free(t->arena);
}

TEST(others_are_compared_by_name)
{
	struct made *t = made_new();

	add_device(&t->base, "gpu:1", typical);
	add_device(&t->new_side, "gpu:0", typical);
	add_device(&t->new_side, "gpu:1", typical);
	make(t);
	assert_int_equal(t->found.count, 2);
	assert_string_equal(t->found.device[0].base, "gpu:1");
	assert_string_equal(t->found.device[0].new, "gpu:1");
	assert_null(t->found.device[1].base);
	assert_string_equal(t->found.device[1].new, "gpu:0");
	/* What one side lacks counts as 0 in the difference. */
	assert_float_equal(t->found.device[1].part[PART_IDLE].difference, 250, 0);
	arena_free(t->arena);
}

TEST(step_times_are_used_where_both_sides_have_one_kind)
{
	struct made *t = made_new();
	struct run_value_options value = {.kind = RUN_VALUE_MEAN};
	struct step_times *base = &t->base.cube.times, *new_side = &t->new_side.cube.times;
	int64_t time[STEPS] = {10, 20, 30, 40, 50, 60};
	struct run_row row;

	*base = (struct step_times){STEP_TIME_MARKER, time, true};
	*new_side = *base;
	assert_int_equal(step_times_use(&t->base.side, &t->new_side.side, MEASURE_TIME, &value),
		STEP_TIMES_DECIDE);
	assert_int_equal(step_times_use(&t->base.side, &t->new_side.side, MEASURE_PEAK, &value),
		STEP_TIMES_BESIDE);
	new_side->decides = false;
	assert_int_equal(step_times_use(&t->base.side, &t->new_side.side, MEASURE_TIME, &value),
		STEP_TIMES_BESIDE);
	*new_side = (struct step_times){STEP_TIME_SPAN, time, true};
	assert_int_equal(step_times_use(&t->base.side, &t->new_side.side, MEASURE_TIME, &value),
		STEP_TIMES_NONE);
	row = step_row(&t->base.side, MEASURE_TIME, true, &value, t->arena);
	assert_int_equal(row.runs, RUNS);
	assert_float_equal(row.run[0].value, 20, 0);
	assert_float_equal(row.run[1].value, 50, 0);
	arena_free(t->arena);
}
